package collected

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"unsafe"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/profile/stored"
)

// Collection is a profile between reading and writing. A million functions
// with ten counters and names of a hundred bytes take about 180 MB: the
// records and, in the arena, their names and packed counters.
type Collection struct {
	Info    *instrprof.Info
	Sums    Sums
	Traces  []instrprof.Trace
	records records
	arena   arena
	figures bool // of records, in place of their bodies
}

// Len is how many records there are.
func (c *Collection) Len() int { return c.records.n }

// At is a record by its place in the file, from 0.
func (c *Collection) At(i uint32) *Record { return c.records.at(i) }

// All yields the records in the order of the file.
func (c *Collection) All() iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		for _, chunk := range c.records.chunks {
			for i := range chunk {
				if !yield(&chunk[i]) {
					return
				}
			}
		}
	}
}

// NameOf is the PGO name of a record.
func (c *Collection) NameOf(r *Record) []byte { return c.arena.bytes(r.at, r.name) }

// TextOf is NameOf as a string without a copy: what stands in the arena stays as it is.
func (c *Collection) TextOf(r *Record) string {
	name := c.NameOf(r)
	return unsafe.String(unsafe.SliceData(name), len(name))
}

// BodyOf is the rest of a record.
func (c *Collection) BodyOf(r *Record) Body { return readBody(c.arena.from(r.at)[r.name:]) }

// Packed is how many bytes the names and the bodies of all records take.
func (c *Collection) Packed() (size uint64) {
	for _, chunk := range c.arena.chunks {
		size += uint64(len(chunk))
	}
	return size
}

// FiguresOf are entry count, index of the largest counter and number of value sites of a record
// that [ReadFigures] has read.
func (c *Collection) FiguresOf(r *Record) (entry uint64, maxIndex, sites uint32) {
	entry, packed := firstNumber(c.arena.from(r.at)[r.name:])
	at, packed := firstNumber(packed)
	n, _ := firstNumber(packed)
	return entry, uint32(at), uint32(n)
}

// MaxRecords is how many records a profile can hold: ranks are 31 bits.
const MaxRecords = 1<<31 - 1

// maxRecordBytes is how many bytes a record's name, counters, bitmap and values can take
// together, numbers as LEB128. A list of functions reads the counters of each, and those
// of the largest functions of real programs take a tenth of it.
const maxRecordBytes = 2 << 20

// Read reads the whole source once, and drains one that can be. progress is told now and
// then how many records of how many were read. Errors are the source's, the context's, and a
// [*model.FormatError] for what is too large.
func Read(ctx context.Context, src instrprof.Source, info *instrprof.Info,
	progress func(done, total uint64)) (*Collection, error) {
	return readAll(ctx, src, Collection{Info: info}, progress)
}

// ReadFigures is Read for a list of functions: of what records hold it keeps [Collection.FiguresOf]
// alone, and of Sums the summaries and the total.
func ReadFigures(ctx context.Context, src instrprof.Source) (*Collection, error) {
	return readAll(ctx, src, Collection{Info: src.Info(), figures: true}, func(_, _ uint64) {})
}

func readAll(ctx context.Context, src instrprof.Source, empty Collection,
	progress func(done, total uint64)) (*Collection, error) {
	c, err := collectParts(ctx, partsOf(src), empty, progress)
	if err != nil {
		return nil, err
	}
	if c.records.n > MaxRecords {
		return nil, tooMany(0)
	}
	for t, err := range src.Traces() {
		if err != nil {
			return nil, err
		}
		c.Traces = append(c.Traces, instrprof.Trace{Weight: t.Weight, NameRefs: append([]uint64(nil), t.NameRefs...)})
	}
	return c, ctx.Err()
}

// progressEvery is how many records are read between two looks at the context.
const progressEvery = 1024

// read reads records to their end.
func (c *Collection) read(ctx context.Context, functions instrprof.Functions, progress func(more int)) error {
	var b Body
	var head []byte
	for f, err := range functions {
		if err != nil {
			return err
		}
		if c.records.n%progressEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress(min(c.records.n, progressEvery))
		}
		if !c.figures || mostPacked(f) > maxRecordBytes {
			b.pack(f)
			if len(f.Name)+len(b.Counters)+len(b.Bitmap)+len(b.sites) > maxRecordBytes {
				return stored.TooLarge("function record", f.Offset, maxRecordBytes)
			}
		}
		if c.records.n == MaxRecords {
			return tooMany(f.Offset)
		}
		s := analyze.StatsOf(f, c.Info.Variant)
		r := Record{
			Total: s.Total, Max: s.Max, NumCounters: s.NumCounters, NumZero: s.NumZero, CS: s.CS, Pseudo: s.Pseudo,
			NameRef: f.NameRef, FuncHash: f.FuncHash, name: uint32(len(f.Name)),
		}
		c.Sums.addCounts(f, &s)
		if c.figures {
			head = binary.AppendUvarint(binary.AppendUvarint(head[:0], s.Entry), uint64(s.MaxIndex))
			head = binary.AppendUvarint(head, uint64(s.NumSites[0])+uint64(s.NumSites[1])+uint64(s.NumSites[2]))
			r.at = c.arena.add(f.Name, head)
		} else {
			head = b.appendHead(head[:0])
			r.at = c.arena.add(f.Name, head, b.Counters, b.Bitmap, b.sites)
			c.Sums.add(f, &s, c.records.n)
		}
		c.records.add(&r)
	}
	return nil
}

// mostPacked is how many bytes a record's name, counters, bitmap and values take at most.
func mostPacked(f *instrprof.Function) int {
	n := len(f.Name) + len(f.Bitmap) + (len(f.Counters)+instrprof.NumValueKinds)*binary.MaxVarintLen64
	for _, sites := range f.Sites {
		for _, site := range sites {
			n += (1 + 2*len(site)) * binary.MaxVarintLen64
		}
	}
	return n
}

func tooMany(offset uint64) error {
	return &model.FormatError{Kind: model.KindTooLarge, Section: "function record", Offset: offset,
		Msg: "more records than a profile's file can hold", Expected: fmt.Sprintf("at most %d", MaxRecords)}
}

// pack makes the body of a function's record, in the memory of another.
func (b *Body) pack(f *instrprof.Function) {
	b.Repeats, b.Bitmap = f.Repeats, f.Bitmap
	b.Counters = b.Counters[:0]
	for _, v := range f.Counters {
		if v < 0x80 {
			b.Counters = append(b.Counters, byte(v))
			continue
		}
		b.Counters = binary.AppendUvarint(b.Counters, v)
	}
	b.sites = b.sites[:0]
	if f.HasSites() {
		b.sites = appendSites(b.sites, &f.Sites)
	}
}
