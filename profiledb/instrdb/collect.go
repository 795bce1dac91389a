package instrdb

import (
	"context"
	"encoding/binary"
	"fmt"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/profiledb/stored"
)

// collection is a profile between reading and writing. A million functions
// with ten counters and names of a hundred bytes take about 180 MB: the
// records and, in the arena, their names and packed counters.
type collection struct {
	info    *instrprof.Info
	records records
	arena   arena
	figures figures
	traces  []instrprof.Trace
}

func (c *collection) nameOf(r *record) []byte { return c.arena.bytes(r.at, r.name) }

func (c *collection) bodyOf(r *record) body { return readBody(c.arena.from(r.at)[r.name:]) }

// maxRecordBytes is how many bytes a record's name, counters, bitmap and values can take
// together, numbers as LEB128. A list of functions reads the counters of each, and those
// of the largest functions of real programs take a tenth of it.
const maxRecordBytes = 2 << 20

// collect reads the whole source once, and drains one that can be.
func collect(ctx context.Context, src instrprof.Source, info *instrprof.Info, progress func(done, total uint64)) (*collection, error) {
	c, err := collectParts(ctx, partsOf(src), info, progress)
	if err != nil {
		return nil, err
	}
	if c.records.n > maxRecords {
		return nil, tooMany(0)
	}
	for t, err := range src.Traces() {
		if err != nil {
			return nil, err
		}
		c.traces = append(c.traces, instrprof.Trace{Weight: t.Weight, NameRefs: append([]uint64(nil), t.NameRefs...)})
	}
	return c, ctx.Err()
}

// progressEvery is how many records are read between two looks at the context.
const progressEvery = 1024

// read reads records to their end.
func (c *collection) read(ctx context.Context, functions functions, progress func(more int)) error {
	var b body
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
		b.pack(f)
		if len(f.Name)+len(b.counters)+len(b.bitmap)+len(b.sites) > maxRecordBytes {
			return stored.TooLarge("function record", f.Offset, maxRecordBytes)
		}
		if c.records.n == maxRecords {
			return tooMany(f.Offset)
		}
		s := analyze.StatsOf(f, c.info.Variant)
		head = b.appendHead(head[:0])
		r := record{
			total: s.Total, max: s.Max, numCounters: s.NumCounters, numZero: s.NumZero, cs: s.CS, pseudo: s.Pseudo,
			nameRef: f.NameRef, funcHash: f.FuncHash, name: uint32(len(f.Name)), at: c.arena.add(f.Name, head, b.counters, b.bitmap, b.sites),
		}
		c.figures.add(f, &s, c.records.n)
		c.records.add(&r)
	}
	return nil
}

func tooMany(offset uint64) error {
	return &model.FormatError{Kind: model.KindTooLarge, Section: "function record", Offset: offset,
		Msg: "more records than a profile's file can hold", Expected: fmt.Sprintf("at most %d", maxRecords)}
}

// pack makes the body of a function's record, in the memory of another.
func (b *body) pack(f *instrprof.Function) {
	b.repeats, b.bitmap = f.Repeats, f.Bitmap
	b.counters = b.counters[:0]
	for _, v := range f.Counters {
		if v < 0x80 {
			b.counters = append(b.counters, byte(v))
			continue
		}
		b.counters = binary.AppendUvarint(b.counters, v)
	}
	b.sites = b.sites[:0]
	if f.HasSites() {
		b.sites = appendSites(b.sites, &f.Sites)
	}
}
