package sampleprof

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"
	"strings"

	"proflens/analyze/sample"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/encode/deflate"
)

// Options are those of an extensible file.
type Options struct {
	Compress bool // all sections
	MD5      bool // hashes of names instead of names
	Split    bool // functions that inlined others apart from those that are flat
	VTables  bool // types too, which only LLVM 21 and later read
}

// PlanExtBinary checks that a profile can be written as an extensible file. The error is a
// [*model.FormatError]: of kind illegal_line_offset or lossy for what no tool would read
// back.
func PlanExtBinary(p *sampleprof.Profile) ([]model.Finding, error) {
	has, err := check(p)
	if err != nil || !has.vtables {
		return nil, err
	}
	return []model.Finding{{Severity: model.Note, Code: "sample.vtables",
		Message: "the file has vtables, with which only LLVM 21 and later read it"}}, nil
}

// ExtBinary writes an extensible file (sampleprof.md §6), of a profile that
// [PlanExtBinary] takes. Where it is split, contexts are not in it, as LLVM has it: all are numbered as the first.
func ExtBinary(w io.Writer, p *sampleprof.Profile, o Options) error {
	if _, err := check(p); err != nil {
		return err
	}
	e := newEncoder(p, o.VTables)
	e.split = o.Split
	summary, names, contexts := e.summary(), e.names(o.MD5), e.contextList()
	symbols, metadata := &section{kind: sampleprof.SecSymbols}, &section{kind: sampleprof.SecMetadata}
	for _, symbol := range p.Symbols {
		symbols.data = append(append(symbols.data, symbol...), 0)
	}
	e.metadata(metadata)
	table, file := []*section{summary, names}, []*section{summary, names}
	if o.Split {
		for _, flat := range []bool{false, true} {
			functions, offsets := e.functions(func(f *sampleprof.Function) bool { return flat == (len(f.Sites) == 0) })
			if flat {
				functions.flags |= sampleprof.FlagFlat
				offsets.flags |= sampleprof.FlagFlat
			}
			table, file = append(table, offsets, functions), append(file, functions, offsets)
		}
		table, file = append(table, symbols, metadata), append(file, symbols, metadata)
	} else {
		functions, offsets := e.functions(func(*sampleprof.Function) bool { return true })
		table = append(table, contexts, offsets, functions, symbols, metadata)
		file = append(file, contexts, functions, symbols, offsets, metadata)
	}
	return write(w, table, file, o.Compress)
}

// section is one of the file.
type section struct {
	kind, flags uint64
	data        []byte
	offset      uint64
}

// summary is the section that is read first.
func (e *encoder) summary() *section {
	s := &section{kind: sampleprof.SecSummary, data: appendSummary(nil, sample.Summarise(e.p))}
	for _, f := range sampleprof.SummaryFlags {
		if f.Is != sampleprof.VTables && e.p.Has(f.Is) || f.Is == sampleprof.VTables && e.types {
			s.flags |= f.Bit
		}
	}
	return s
}

// names is the section of names, or of hashes instead of them.
func (e *encoder) names(hashes bool) *section {
	s := &section{kind: sampleprof.SecNames}
	if s.data = e.appendNames(nil); hashes {
		s.flags, s.data = sampleprof.FlagMD5|sampleprof.FlagFixedMD5, e.appendHashes(nil)
	}
	if !hashes && slices.ContainsFunc(e.order, func(id sampleprof.NameID) bool {
		return strings.Contains(e.p.Names[id].Text, ".__uniq.")
	}) {
		s.flags |= sampleprof.FlagUniq
	}
	return s
}

// contextList is the section of contexts, which may have none.
func (e *encoder) contextList() *section {
	s := &section{kind: sampleprof.SecContexts, data: []byte{0}}
	if e.p.Has(sampleprof.FullContexts) {
		s.data = e.appendContexts(nil)
	}
	return s
}

// functions are the section of some functions, and that of where each begins in it.
func (e *encoder) functions(which func(*sampleprof.Function) bool) (functions, offsets *section) {
	functions, offsets = &section{kind: sampleprof.SecFunctions}, &section{kind: sampleprof.SecOffsets}
	if e.contexts != nil {
		offsets.flags |= sampleprof.FlagOrdered
	}
	var list []entry
	for _, f := range e.p.Functions {
		if which(f) {
			list = append(list, entry{f, uint64(len(functions.data))})
			functions.data = e.appendFunction(functions.data, f)
		}
	}
	offsets.data = e.appendOffsets(nil, list)
	return functions, offsets
}

// appendHashes writes hashes for names, in the order of these.
func (e *encoder) appendHashes(out []byte) []byte {
	out = uleb(out, uint64(len(e.order)))
	for _, id := range e.order {
		n := e.p.Names[id]
		hash, known := n.Hashed()
		if !known {
			hash = n.GUID()
		}
		out = binary.LittleEndian.AppendUint64(out, hash)
	}
	return out
}

// appendContexts writes the contexts of functions, in order, and numbers them.
func (e *encoder) appendContexts(out []byte) []byte {
	list := slices.DeleteFunc(slices.Clone(e.p.Functions), func(f *sampleprof.Function) bool { return f.Context < 0 })
	slices.SortStableFunc(list, func(a, b *sampleprof.Function) int {
		return e.compareContexts(e.p.Frames(a), e.p.Frames(b))
	})
	e.contexts = make([]uint64, len(e.p.Contexts))
	out = uleb(out, uint64(len(list)))
	for i, f := range list {
		e.contexts[f.Context] = uint64(i)
		frames := e.p.Frames(f)
		out = uleb(out, uint64(len(frames)))
		for n, frame := range frames {
			if n == len(frames)-1 {
				frame.Loc = sampleprof.Loc{}
			}
			out = uleb(out, e.number[frame.Name], uint64(frame.Loc.Offset), uint64(frame.Loc.Discriminator))
		}
	}
	return out
}

// compareContexts orders contexts by frame; names by their numbers, which are in order.
func (e *encoder) compareContexts(a, b []sampleprof.Frame) int {
	return slices.CompareFunc(a, b, func(a, b sampleprof.Frame) int {
		if c := int64(e.number[a.Name]) - int64(e.number[b.Name]); c != 0 {
			return int(c)
		}
		return a.Loc.Compare(b.Loc)
	})
}

// entry is where a function begins.
type entry struct {
	f     *sampleprof.Function
	start uint64
}

// appendOffsets writes where each function begins; of functions with contexts in the
// order of these, behind those without.
func (e *encoder) appendOffsets(out []byte, list []entry) []byte {
	if e.contexts != nil {
		slices.SortFunc(list, func(a, b entry) int {
			return cmp.Or(cmp.Compare(min(a.f.Context, 0), min(b.f.Context, 0)), cmp.Compare(e.place(a.f), e.place(b.f)))
		})
	}
	out = uleb(out, uint64(len(list)))
	for _, at := range list {
		out = uleb(out, e.index(at.f), at.start)
	}
	return out
}

// metadata writes checksums and attributes, where the profile has any.
func (e *encoder) metadata(to *section) {
	probes := e.p.Has(sampleprof.Probes)
	attributes := e.p.Has(sampleprof.FullContexts) || e.p.Has(sampleprof.PreInlined)
	if probes {
		to.flags |= sampleprof.FlagProbes
	}
	if attributes {
		to.flags |= sampleprof.FlagAttributes
	}
	if !probes && !attributes {
		return
	}
	var add func(f *sampleprof.Function)
	add = func(f *sampleprof.Function) {
		to.data = uleb(to.data, e.index(f))
		if probes {
			to.data = uleb(to.data, f.Checksum)
		}
		if attributes {
			to.data = uleb(to.data, uint64(f.Attributes))
		}
		if e.contexts != nil {
			return
		}
		to.data = uleb(to.data, uint64(len(f.Sites)))
		for _, s := range f.Sites {
			to.data = uleb(to.data, uint64(s.Offset), uint64(s.Discriminator))
			add(s.Callee)
		}
	}
	for _, f := range e.p.Added() {
		add(f)
	}
}

// write writes header, table and sections, which stand in another order than in the table.
func write(w io.Writer, table, file []*section, compress bool) error {
	out := header(0x04)
	at := uint64(len(out)) + 8 + 32*uint64(len(table))
	for _, s := range file {
		if compress {
			s.flags |= sampleprof.FlagCompressed
			s.deflate()
		}
		s.offset = at
		at += uint64(len(s.data))
	}
	out = binary.LittleEndian.AppendUint64(out, uint64(len(table)))
	for _, s := range table {
		for _, n := range []uint64{s.kind, s.flags, s.offset, uint64(len(s.data))} {
			out = binary.LittleEndian.AppendUint64(out, n)
		}
	}
	for _, s := range file {
		out = append(out, s.data...)
	}
	_, err := w.Write(out)
	return err
}

// deflate compresses what a section has; an empty one stays empty.
func (s *section) deflate() {
	if len(s.data) > 0 {
		packed := deflate.Zlib(s.data)
		s.data = append(uleb(nil, uint64(len(s.data)), uint64(len(packed))), packed...)
	}
}
