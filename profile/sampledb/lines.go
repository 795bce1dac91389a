package sampledb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze/sources"
	"proflens/decode/sampleprof"
	"proflens/profile/lines"
	"proflens/profile/stored"
)

// The columns of lines, in this order.
var lineColumns = []lines.Column{
	{Key: "samples", Label: "Samples", Title: "counts of the line itself, added up over all places where its code is"},
	{Key: "calls", Label: "Calls", Title: "calls on the line that were not inlined"},
}

const (
	lineSamples = iota
	lineCalls
)

// LineOf is the line of source at an offset of a function that is declared on one; false
// where there is none. Offsets have 16 bits: the upper half stands for lines above.
func LineOf(declared, offset uint32) (uint32, bool) {
	line := int64(declared) + int64(int16(offset))
	return uint32(line), declared > 0 && line > 0 && offset < 1<<16
}

// Lines are counts by line of source; nil where it is not known where functions are
// declared, and for profiles of probes, whose offsets are no lines.
func (p *Profile) Lines(ctx context.Context) (*lines.Table, error) {
	if p.Overview.Has(sampleprof.Probes) || !p.Overview.Program.Given() {
		return nil, nil
	}
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	return stored.Cached(ctx, p.Profile, "sample lines", func() (*lines.Table, int64, error) {
		b := lines.New(lineColumns...)
		some := false
		err := p.eachLine(ctx, x, func(n *Name, line uint32, r *sampleprof.Record) {
			some = true
			b.Add(n.File, line, lineSamples, r.Count)
			for _, t := range r.Targets {
				b.Add(n.File, line, lineCalls, t.Count)
			}
		})
		if err != nil || !some {
			return nil, 0, err
		}
		t := b.Table()
		return t, t.Bytes(), nil
	})
}

// eachLine visits the records that a line of source is known of.
func (p *Profile) eachLine(ctx context.Context, x *index,
	visit func(n *Name, line uint32, r *sampleprof.Record)) error {
	return p.eachNode(ctx, func(_ int, n *node) {
		name := &x.names[n.f.Name]
		if name.File == "" {
			return
		}
		for i := range n.f.Body {
			if line, ok := LineOf(name.Line, n.f.Body[i].Offset); ok {
				visit(name, line, &n.f.Body[i])
			}
		}
	})
}

// LineFunction is a function with counts on a line.
type LineFunction struct {
	*Name
	Samples uint64
}

// AtLine are the functions that have counts on a line, most first, at most limit; and how
// many there are.
func (p *Profile) AtLine(ctx context.Context, file string, line uint32,
	limit int) (list []LineFunction, all int, err error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, 0, err
	}
	seen := map[*Name]int{}
	clean := map[string]bool{} // whether a file is the one
	err = p.eachLine(ctx, x, func(n *Name, at uint32, r *sampleprof.Record) {
		if at != line {
			return
		}
		same, known := clean[n.File]
		if !known {
			same = sources.Clean(n.File) == file
			clean[n.File] = same
		}
		if !same {
			return
		}
		i, ok := seen[n]
		if !ok {
			i = len(list)
			seen[n] = i
			list = append(list, LineFunction{Name: n})
		}
		list[i].Samples = sampleprof.Add(list[i].Samples, r.Count)
	})
	slices.SortStableFunc(list, func(a, b LineFunction) int { return cmp.Compare(b.Samples, a.Samples) })
	return list[:min(len(list), limit)], len(list), err
}
