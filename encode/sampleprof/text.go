package sampleprof

import (
	"bufio"
	"io"
	"slices"
	"strconv"

	"proflens/decode/sampleprof"
)

// Text writes a profile as text, byte for byte as llvm-profdata merge --sample --text
// does: today's or, of a file that only older ones read, the newest that does.
func Text(w io.Writer, p *sampleprof.Profile) error { return writeText(w, p, false) }

// TextMarked writes text in which functions that inlined nothing are marked !Flat, which LLVM 22
// reads.
func TextMarked(w io.Writer, p *sampleprof.Profile) error { return writeText(w, p, true) }

func writeText(w io.Writer, p *sampleprof.Profile, marked bool) error {
	b := bufio.NewWriterSize(w, 1<<16)
	t := &text{p: p, b: b, old: p.Reader == 13}
	for _, f := range p.Functions {
		t.function(f)
		if marked && len(f.Sites) == 0 {
			b.WriteString(" !Flat\n")
		}
	}
	return b.Flush()
}

// text writes functions.
type text struct {
	p   *sampleprof.Profile
	b   *bufio.Writer
	old bool // as LLVM 13 does: attributes with every context, and no metadata of callees
	num []byte
}

func (t *text) function(f *sampleprof.Function) {
	t.name(f)
	t.count(':', f.Total)
	t.count(':', f.Head)
	t.b.WriteByte('\n')
	t.content(f, 1)
}

// name writes a function's name, of a profile with contexts as a context, even where it was inlined.
func (t *text) name(f *sampleprof.Function) {
	if t.p.Has(sampleprof.FullContexts) {
		t.b.WriteString("[" + t.p.ContextText(f) + "]")
	} else {
		t.b.WriteString(t.p.Name(f.Name))
	}
}

// content writes what is in a function, depth spaces deep.
func (t *text) content(f *sampleprof.Function, depth int) {
	for i := range f.Body {
		r := &f.Body[i]
		t.loc(r.Loc, depth)
		t.number(r.Count)
		for _, c := range r.Targets {
			t.b.WriteByte(' ')
			t.b.WriteString(t.p.Name(c.Name))
			t.count(':', c.Count)
		}
		t.b.WriteByte('\n')
		t.vtables(f, r.Loc, depth)
	}
	for i, s := range f.Sites {
		t.loc(s.Loc, depth)
		t.name(s.Callee)
		t.count(':', s.Callee.Total)
		t.b.WriteByte('\n')
		t.content(s.Callee, depth+1)
		if i+1 == len(f.Sites) || f.Sites[i+1].Loc != s.Loc {
			t.vtables(f, s.Loc, depth)
		}
	}
	t.metadata(f, depth)
}

// vtables writes the types of a place, with a space at the end of the line.
func (t *text) vtables(f *sampleprof.Function, at sampleprof.Loc, depth int) {
	i, ok := slices.BinarySearchFunc(f.VTables, at,
		func(v sampleprof.VTable, at sampleprof.Loc) int { return v.Compare(at) })
	if !ok {
		return
	}
	t.loc(at, depth)
	t.b.WriteString("vtables ")
	for ; i < len(f.VTables) && f.VTables[i].Loc == at; i++ {
		t.b.WriteString(t.p.Name(f.VTables[i].Type))
		t.count(':', f.VTables[i].Count)
		t.b.WriteByte(' ')
	}
	t.b.WriteByte('\n')
}

func (t *text) metadata(f *sampleprof.Function, depth int) {
	if t.old && depth > 1 {
		return
	}
	if t.p.Has(sampleprof.Probes) {
		t.indent(depth)
		t.b.WriteString("!CFGChecksum: ")
		t.number(f.Checksum)
		t.b.WriteByte('\n')
	}
	if f.Attributes != 0 || t.old && t.p.Has(sampleprof.FullContexts) {
		t.indent(depth)
		t.b.WriteString("!Attributes: ")
		t.number(uint64(f.Attributes))
		t.b.WriteByte('\n')
	}
}

func (t *text) loc(at sampleprof.Loc, depth int) {
	t.indent(depth)
	t.number(uint64(at.Offset))
	if at.Discriminator != 0 {
		t.count('.', uint64(at.Discriminator))
	}
	t.b.WriteString(": ")
}

func (t *text) indent(depth int) {
	for range depth {
		t.b.WriteByte(' ')
	}
}

func (t *text) count(before byte, n uint64) {
	t.b.WriteByte(before)
	t.number(n)
}

func (t *text) number(n uint64) {
	t.num = strconv.AppendUint(t.num[:0], n, 10)
	t.b.Write(t.num)
}
