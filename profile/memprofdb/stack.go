package memprofdb

import (
	"fmt"
	"strconv"

	"proflens/profile/table"
)

// Frame is a level of a call stack.
type Frame struct {
	*Function            // shared: do not change it
	File          string `col:"file" is:"omitzero"`           // as recorded
	Line          uint32 `col:"line" width:"8" is:"omitzero"` // 0 where it is not known
	LineOffset    uint32 // lines below the function's first
	Column        uint32
	Discriminator uint32
	Inline        bool // inlined into the caller
}

// At implements [table.Located].
func (f *Frame) At() (file string, line uint32, other string) {
	if f.GUID != 0 || f.Name != "" {
		other = "line +" + strconv.FormatUint(uint64(f.LineOffset), 10)
	}
	return f.File, f.Line, other
}

// Words implements [table.Sought].
func (f *Frame) Words(show func([]byte)) {
	f.Function.Words(show)
	show([]byte(f.File))
}

// append appends the frame as a JSON object. What is not known has no member.
func (f *Frame) append(b []byte, o *table.Options) []byte {
	b = append(table.AppendHex(append(b, `{"fid":"`...), f.FID), `","function":`...)
	b = table.AppendString(b, f.Label(o.Demangle))
	if f.Name != "" {
		b = table.AppendString(append(b, `,"linkage_name":`...), f.Name)
	}
	if f.GUID == 0 && f.Name == "" {
		if f.In != nil {
			b = table.AppendString(append(b, `,"module":`...), f.In.String())
			if id := f.In.BuildID; len(id) > 0 {
				b = fmt.Appendf(b, `,"build_id":"%x"`, id)
			}
		}
		b = fmt.Appendf(b, `,"address":"0x%x"`, f.Address)
	}
	if f.File != "" {
		b = table.AppendString(append(b, `,"file":`...), f.File)
	}
	for _, n := range []struct {
		name  string
		value uint32
	}{{"line", f.Line}, {"discriminator", f.Discriminator}} {
		if n.value != 0 {
			b = fmt.Appendf(b, `,"%s":%d`, n.name, n.value)
		}
	}
	return fmt.Appendf(b, `,"line_offset":%d,"column":%d,"inline":%t}`, f.LineOffset, f.Column, f.Inline)
}

// Frames are those of a call stack, leaf first.
type Frames []Frame

// stackBytes is how many bytes of a call stack have names. No real one has a tenth of
// it; a hostile one is a hundred thousand calls of a function with a very long name.
const stackBytes = 1 << 20

// Cell implements [table.Celler].
func (l *Frames) Cell(_ string, o *table.Options) table.Cell {
	b := []byte{'['}
	for i, frame := range *l {
		if i > 0 {
			b = append(b, ',')
		}
		if len(b) > stackBytes {
			frame.Function, frame.File = &Function{FID: frame.FID, GUID: frame.FID}, ""
		}
		b = frame.append(b, o)
	}
	return table.JSON(append(b, ']'))
}

// Words implements [table.Sought].
func (l *Frames) Words(show func([]byte)) {
	for i := range *l {
		(*l)[i].Words(show)
	}
}

// Stack is a call stack whose frames are read when they are asked for.
type Stack struct {
	x    *index
	leaf int32 // -1 without frames
	kept int   // frames, at most MaxRowFrames
}

// Frames are those of the stack.
func (s *Stack) Frames() Frames { return s.x.frames(s.leaf, min(s.kept, MaxRowFrames)) }

// Cell implements [table.Celler].
func (s *Stack) Cell(column string, o *table.Options) table.Cell {
	return new(s.Frames()).Cell(column, o)
}

// Words implements [table.Sought].
func (s *Stack) Words(show func([]byte)) { new(s.Frames()).Words(show) }

// frames are those of a stack, leaf first, at most limit.
func (x *index) frames(stack int32, limit int) Frames {
	var list Frames
	for ; stack >= 0 && len(list) < limit; stack = x.caller[stack] {
		i := x.frame[stack]
		list = append(list, Frame{
			Function: &x.functions[x.function[i]], File: x.file(i),
			Line: x.line[i], LineOffset: x.lineOffset[i], Column: x.column[i], Discriminator: x.discriminator[i],
			Inline: x.inline.Has(i),
		})
	}
	return list
}
