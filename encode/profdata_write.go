package encode

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"

	"proflens/decode/instrprof"
	"proflens/internal/parallel"
)

// indexedMagic starts every indexed file (instrprof.md §1).
const indexedMagic = "\xfflprofi\x81"

// WriteTo writes the file (instrprof.md §3): of versions 12 and 13 what
// llvm-profdata merge of LLVM 19 to 22 writes, byte for byte, but for the order of
// vtable names, and heap profiles that are carried over.
func (p *ProfdataPlan) WriteTo(w io.Writer) (int64, error) {
	out := profdataWriter{w: bufio.NewWriterSize(w, 1<<16), plan: p}
	summaries := p.summaries()
	sections := p.sections(uint64(len(summaries)))
	out.write(p.header(sections))
	out.write(summaries)
	if err := out.payload(); err != nil {
		return int64(out.at), err
	}
	out.pad()
	out.buckets()
	if section := p.memprof.section; section != nil {
		out.write(make([]byte, sections.memprof-out.at))
		if err := section.writeTo(out.w, sections.memprof); err != nil {
			return int64(out.at), err
		}
		out.at += section.length()
	}
	out.write(p.tail())
	if p.traces {
		out.traces()
	}
	return int64(out.at), out.w.Flush()
}

// sectionOffsets are where sections start in the file.
type sectionOffsets struct{ hash, memprof, binaryIDs, vtableNames, traces uint64 }

// headerSize is the size of the header in bytes by version.
func headerSize(version int) uint64 {
	switch {
	case version >= sinceVTables:
		return 72
	case version >= sinceTraces:
		return 64
	case version >= sinceBinaryIDs:
		return 56
	case version >= sinceMemProf:
		return 48
	}
	return 40
}

// sections computes all offsets; summaries is their size in bytes.
func (p *ProfdataPlan) sections(summaries uint64) sectionOffsets {
	var s sectionOffsets
	at := headerSize(p.Version) + summaries + p.layout.payload
	s.hash = (at + 7) &^ 7
	at = s.hash + 16 + 8*uint64(len(p.layout.ends))
	if section := p.memprof.section; section != nil {
		// The tables of the section keep their alignment.
		s.memprof = at + (p.memprof.base-at)&7
		at = s.memprof + section.length()
	}
	s.binaryIDs = at
	if p.Version >= sinceBinaryIDs {
		at += uint64(len(p.binaryIDs()))
	}
	s.vtableNames = at
	if p.Version >= sinceVTables {
		at += uint64(len(p.vtables))
	}
	if p.traces {
		s.traces = at
	}
	return s
}

func (p *ProfdataPlan) header(s sectionOffsets) []byte {
	words := []uint64{uint64(p.Version) | uint64(p.flags), 0, 0, s.hash, s.memprof, s.binaryIDs, s.traces, s.vtableNames}
	return appendWords([]byte(indexedMagic), words[:headerSize(p.Version)/8-1])
}

// summaries are that of the plain records and, where the profile has any, that
// of the context-sensitive ones (instrprof.md §3.2).
func (p *ProfdataPlan) summaries() []byte {
	b := appendSummary(nil, p.plain.Summary())
	if p.flags.Has(instrprof.CSIRProf) {
		b = appendSummary(b, p.cs.Summary())
	}
	return b
}

func appendSummary(b []byte, s *instrprof.Summary) []byte {
	b = appendWords(b, []uint64{
		6, uint64(len(s.Detailed)),
		s.NumFunctions, s.NumCounts, s.MaxFunctionCount, s.MaxCount, s.MaxInternalCount, s.TotalCount,
	})
	for _, e := range s.Detailed {
		b = appendWords(b, []uint64{e.Cutoff, e.MinCount, e.NumCounts})
	}
	return b
}

// tail is the binary ids and the vtable names, as far as the version has them.
func (p *ProfdataPlan) tail() []byte {
	var b []byte
	if p.Version >= sinceBinaryIDs {
		b = append(b, p.binaryIDs()...)
	}
	if p.Version >= sinceVTables {
		b = append(b, p.vtables...)
	}
	return b
}

// binaryIDs is the section of binary ids, sorted and unique (instrprof.md §3.6).
func (p *ProfdataPlan) binaryIDs() []byte {
	b := make([]byte, 8)
	for _, id := range p.src.Info().BinaryIDs {
		b = appendPadded(b, id)
	}
	binary.LittleEndian.PutUint64(b, uint64(len(b)-8))
	return b
}

// profdataWriter writes sections and knows where it is. Its writer keeps the
// first error and gives it when flushed.
type profdataWriter struct {
	w    *bufio.Writer
	plan *ProfdataPlan
	at   uint64
}

func (o *profdataWriter) write(b []byte) {
	_, _ = o.w.Write(b)
	o.at += uint64(len(b))
}

func (o *profdataWriter) pad() { o.write(make([]byte, -o.at&7)) }

// payload writes the buckets that have an item, and keeps where each stands.
func (o *profdataWriter) payload() error {
	l := &o.plan.layout
	l.offsets = make([]uint64, len(l.ends))
	begins := make([]uint64, (len(l.ends)+bucketPiece-1)/bucketPiece+1) // of pieces
	begins[0] = o.at
	err := parallel.Each(context.Background(), len(begins)-1, func(_ context.Context, i int, b []byte) ([]byte, error) {
		read := o.plan.src.Reader()
		b = b[:0]
		for bucket := i * bucketPiece; bucket < min((i+1)*bucketPiece, len(l.ends)); bucket++ {
			if items := l.bucket(bucket); len(items) > 0 {
				l.offsets[bucket] = uint64(len(b)) // from the piece's beginning, until that is known
				b = o.plan.bucket(b, items, read)
			}
		}
		begins[i+1] = uint64(len(b))
		return b, nil
	}, func(b []byte) error {
		_, err := o.w.Write(b)
		return err
	})
	for i := range begins[1:] {
		begins[i+1] += begins[i]
	}
	for bucket := range l.ends {
		if len(l.bucket(bucket)) > 0 {
			l.offsets[bucket] += begins[bucket/bucketPiece]
		}
	}
	o.at = begins[len(begins)-1]
	return err
}

// bucketPiece is how many buckets are written in one go.
const bucketPiece = 1024

// bucket appends a bucket that has items.
func (p *ProfdataPlan) bucket(b []byte, items []nameItem, read func(uint32) *instrprof.Function) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(len(items)))
	for _, item := range items {
		b = p.item(b, item, read)
	}
	return b
}

// item appends one name with all its records.
func (p *ProfdataPlan) item(b []byte, item nameItem, read func(uint32) *instrprof.Function) []byte {
	at, named := len(b), 0
	b = append(b, make([]byte, itemHeader)...)
	for i, r := range p.layout.records[item.first:item.end] {
		f := read(r)
		if i == 0 {
			b = append(b, f.Name...)
			named = len(f.Name)
		}
		b = appendRecord(b, f, p.Version)
	}
	le, head := binary.LittleEndian, b[at:]
	le.PutUint64(head, item.hash)
	le.PutUint64(head[8:], uint64(named))
	le.PutUint64(head[16:], uint64(len(head)-itemHeader-named))
	return b
}

func (o *profdataWriter) buckets() {
	l := &o.plan.layout
	o.write(appendWords(nil, []uint64{uint64(len(l.offsets)), uint64(len(l.items))}))
	for len(l.offsets) > 0 {
		n := min(len(l.offsets), 1<<12)
		o.write(appendWords(nil, l.offsets[:n]))
		l.offsets = l.offsets[n:]
	}
}

// traces writes the temporal traces (instrprof.md §3.6).
func (o *profdataWriter) traces() {
	var n uint64
	for range o.plan.src.Traces() {
		n++
	}
	o.write(appendWords(nil, []uint64{n, o.plan.src.Info().TraceStreamSize}))
	for t := range o.plan.src.Traces() {
		o.write(appendWords(nil, []uint64{t.Weight, uint64(len(t.NameRefs))}))
		o.write(appendWords(nil, t.NameRefs))
	}
}
