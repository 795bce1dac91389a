package sampleprof

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zlib"

	"proflens/analyze/sample"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
)

// Options are those of an extensible file.
type Options struct {
	Compress bool // all sections
	MD5      bool // hashes of names instead of names
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

// The sections in the order of the table, and in that of the file.
var (
	tableOrder = []uint64{
		sampleprof.SecSummary, sampleprof.SecNames, sampleprof.SecContexts, sampleprof.SecOffsets, sampleprof.SecFunctions,
		sampleprof.SecSymbols, sampleprof.SecMetadata,
	}
	fileOrder = []uint64{
		sampleprof.SecSummary, sampleprof.SecNames, sampleprof.SecContexts, sampleprof.SecFunctions, sampleprof.SecSymbols,
		sampleprof.SecOffsets, sampleprof.SecMetadata,
	}
)

// The flags of sections that are written.
const (
	flagCompressed = 1 << 0
	flagMD5        = 1<<32 | 1<<33 // hashes, of eight bytes each
	flagUniq       = 1 << 34
	flagProbes     = 1 << 32
	flagAttributes = 1 << 33
	flagOrdered    = 1 << 32
)

// summaryFlags are those of the summary's section.
var summaryFlags = map[sampleprof.Flags]uint64{
	sampleprof.Partial: 1 << 32, sampleprof.FullContexts: 1 << 33, sampleprof.FSDiscriminators: 1 << 34,
	sampleprof.PreInlined: 1 << 36,
}

// flagVTables says that types follow every function.
const flagVTables = 1 << 37

// ExtBinary writes an extensible file (sampleprof.md §6), of a profile that
// [PlanExtBinary] takes.
func ExtBinary(w io.Writer, p *sampleprof.Profile, o Options) error {
	has, err := check(p)
	if err != nil {
		return err
	}
	e := newEncoder(p, has.vtables)
	sections := map[uint64]*section{}
	for _, kind := range tableOrder {
		sections[kind] = &section{}
	}
	e.contents(sections, o.MD5)
	if has.vtables {
		sections[sampleprof.SecSummary].flags |= flagVTables
	}
	return write(w, sections, o.Compress)
}

// section is one of the file.
type section struct {
	flags  uint64
	data   []byte
	offset uint64
}

// contents fills the sections.
func (e *encoder) contents(to map[uint64]*section, hashes bool) {
	p := e.p
	summary, names, contexts := to[sampleprof.SecSummary], to[sampleprof.SecNames], to[sampleprof.SecContexts]
	summary.data = appendSummary(nil, sample.Summarise(p))
	for flag, bit := range summaryFlags {
		if p.Has(flag) {
			summary.flags |= bit
		}
	}
	if names.data = e.appendNames(nil); hashes {
		names.flags, names.data = flagMD5, e.appendHashes(nil)
	}
	if !hashes && slices.ContainsFunc(e.order, func(id sampleprof.NameID) bool {
		return strings.Contains(p.Names[id].Text, ".__uniq.")
	}) {
		names.flags |= flagUniq
	}
	contexts.data = []byte{0}
	if p.Has(sampleprof.FullContexts) {
		contexts.data = e.appendContexts(nil)
		to[sampleprof.SecOffsets].flags |= flagOrdered
	}
	starts := make([]uint64, len(p.Functions))
	functions := to[sampleprof.SecFunctions]
	for i, f := range p.Functions {
		starts[i] = uint64(len(functions.data))
		functions.data = e.appendFunction(functions.data, f)
	}
	to[sampleprof.SecOffsets].data = e.appendOffsets(nil, starts)
	e.metadata(to[sampleprof.SecMetadata])
	for _, symbol := range p.Symbols {
		to[sampleprof.SecSymbols].data = append(append(to[sampleprof.SecSymbols].data, symbol...), 0)
	}
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
	list := slices.Clone(e.p.Functions)
	slices.SortStableFunc(list, func(a, b *sampleprof.Function) int {
		return e.compareContexts(e.p.Contexts[a.Context], e.p.Contexts[b.Context])
	})
	e.contexts = make([]uint64, len(e.p.Contexts))
	out = uleb(out, uint64(len(list)))
	for i, f := range list {
		e.contexts[f.Context] = uint64(i)
		frames := e.p.Contexts[f.Context]
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

// appendOffsets writes where each function begins; of functions with contexts in the
// order of these.
func (e *encoder) appendOffsets(out []byte, starts []uint64) []byte {
	type entry struct{ index, start uint64 }
	list := make([]entry, len(starts))
	for i, f := range e.p.Functions {
		list[i] = entry{e.index(f), starts[i]}
	}
	if e.contexts != nil {
		slices.SortFunc(list, func(a, b entry) int { return int(a.index) - int(b.index) })
	}
	out = uleb(out, uint64(len(list)))
	for _, at := range list {
		out = uleb(out, at.index, at.start)
	}
	return out
}

// metadata writes checksums and attributes, where the profile has any.
func (e *encoder) metadata(to *section) {
	probes := e.p.Has(sampleprof.Probes)
	attributes := e.p.Has(sampleprof.FullContexts) || e.p.Has(sampleprof.PreInlined)
	if probes {
		to.flags |= flagProbes
	}
	if attributes {
		to.flags |= flagAttributes
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
	for _, f := range e.p.Functions {
		add(f)
	}
}

// write writes header, table and sections.
func write(w io.Writer, sections map[uint64]*section, compress bool) error {
	out := header(0x04)
	at := uint64(len(out)) + 8 + 32*uint64(len(tableOrder))
	for _, kind := range fileOrder {
		s := sections[kind]
		if compress {
			s.flags |= flagCompressed
			if err := s.deflate(); err != nil {
				return err
			}
		}
		s.offset = at
		at += uint64(len(s.data))
	}
	out = binary.LittleEndian.AppendUint64(out, uint64(len(tableOrder)))
	for _, kind := range tableOrder {
		s := sections[kind]
		for _, n := range []uint64{kind, s.flags, s.offset, uint64(len(s.data))} {
			out = binary.LittleEndian.AppendUint64(out, n)
		}
	}
	for _, kind := range fileOrder {
		out = append(out, sections[kind].data...)
	}
	_, err := w.Write(out)
	return err
}

// deflate compresses what a section has; an empty one stays empty.
func (s *section) deflate() error {
	if len(s.data) == 0 {
		return nil
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(s.data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	s.data = append(uleb(nil, uint64(len(s.data)), uint64(b.Len())), b.Bytes()...)
	return nil
}
