package sampleprof

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// ContextText is a function's context as text has it between brackets: "main:3 @ _Z1fv",
// or its name where it has none.
func (p *Profile) ContextText(f *Function) string {
	if f.Context < 0 {
		return p.Name(f.Name)
	}
	var b strings.Builder
	frames := p.Frames(f)
	for i, frame := range frames {
		if i > 0 {
			b.WriteString(" @ ")
		}
		b.WriteString(p.Name(frame.Name))
		if i < len(frames)-1 {
			b.WriteString(":" + frame.Loc.String())
		}
	}
	return b.String()
}

// Frames are those of a function's context; none where it has no context.
func (p *Profile) Frames(f *Function) []Frame {
	if f.Context < 0 {
		return nil
	}
	return p.Contexts[f.Context]
}

// contexts gives each calling context its number.
type contexts struct {
	p    *Profile
	at   map[string]int32
	key  []byte
	same func(NameID) NameID // the number that stands for a name; nil for itself
}

func newContexts(p *Profile) *contexts { return &contexts{p: p, at: map[string]int32{}} }

// id is the number of a context, which may be a new one.
func (c *contexts) id(frames []Frame) int32 {
	c.key = c.key[:0]
	for i, f := range frames {
		name := f.Name
		if c.same != nil {
			name = c.same(name)
		}
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(name))
		if i < len(frames)-1 {
			c.key = binary.LittleEndian.AppendUint32(c.key, f.Loc.Offset)
			c.key = binary.LittleEndian.AppendUint32(c.key, f.Loc.Discriminator)
		}
	}
	if id, ok := c.at[string(c.key)]; ok {
		return id
	}
	id := int32(len(c.p.Contexts))
	c.p.Contexts = append(c.p.Contexts, frames)
	c.at[string(c.key)] = id
	return id
}

// parseContext takes the text of a context apart. Numbers that are none are 0, as for
// the tools.
func parseContext(text string, t *table) []Frame {
	var frames []Frame
	for more := true; more; {
		var part string
		part, text, more = strings.Cut(text, " @ ")
		name, at, _ := strings.Cut(part, ":")
		frame := Frame{Name: t.id(Name{Text: name})}
		if more {
			offset, discriminator, _ := strings.Cut(at, ".")
			frame.Loc = Loc{number32(offset), number32(discriminator)}
		}
		frames = append(frames, frame)
	}
	return frames
}

func number32(s string) uint32 {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// compareContexts orders contexts by frame, shorter ones first.
func (p *Profile) compareContexts(a, b []Frame) int {
	for i := range min(len(a), len(b)) {
		if c := p.compareNames(a[i].Name, b[i].Name); c != 0 {
			return c
		}
		if c := a[i].Loc.Compare(b[i].Loc); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}
