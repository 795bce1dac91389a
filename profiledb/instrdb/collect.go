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

// record is what is kept of a function record between reading and writing:
// about 110 bytes, and the arena's bytes.
type record struct {
	analyze.Stats
	nameRef, funcHash uint64
	repeats           uint64
	at                uint64 // place of name, counters, bitmap and sites in the arena, in this order
	name, counters    uint32 // bytes
	bitmap, sites     uint32 // bytes
}

// collection is a profile between reading and writing. A million functions
// with ten counters and names of a hundred bytes take about 230 MB: the
// records and, in the arena, their names and packed counters.
type collection struct {
	info    *instrprof.Info
	records records
	arena   arena
	figures figures
	extra   []namedRef // names without a record
	traces  []instrprof.Trace
}

// records is a list that grows without moving.
type records struct {
	chunks [][]record
	n      int
}

const chunkShift = 12

func (r *records) add(rec *record) {
	if r.n>>chunkShift == len(r.chunks) {
		r.chunks = append(r.chunks, make([]record, 0, 1<<chunkShift))
	}
	last := &r.chunks[len(r.chunks)-1]
	*last = append(*last, *rec)
	r.n++
}

func (r *records) at(i uint32) *record { return &r.chunks[i>>chunkShift][i&(1<<chunkShift-1)] }

// arena holds byte strings in chunks that never move.
type arena struct{ chunks [][]byte }

const arenaChunk = 4 << 20

// add copies parts to one place, one after another.
func (a *arena) add(parts ...[]byte) (at uint64) {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	last := len(a.chunks) - 1
	if last < 0 || size > cap(a.chunks[last])-len(a.chunks[last]) {
		chunk := arenaChunk
		if last < 0 {
			chunk = 64 << 10 // most profiles are small
		}
		a.chunks = append(a.chunks, make([]byte, 0, max(chunk, size)))
		last++
	}
	c := &a.chunks[last]
	at = uint64(last)<<32 | uint64(len(*c))
	for _, p := range parts {
		*c = append(*c, p...)
	}
	return at
}

func (a *arena) bytes(at uint64, size uint32) []byte {
	c, from := a.chunks[at>>32], uint32(at)
	return c[from : from+size : from+size]
}

func (c *collection) nameOf(r *record) []byte { return c.arena.bytes(r.at, r.name) }

func (c *collection) countersOf(r *record) []byte {
	return c.arena.bytes(r.at+uint64(r.name), r.counters)
}

func (c *collection) bitmapOf(r *record) []byte {
	return c.arena.bytes(r.at+uint64(r.name)+uint64(r.counters), r.bitmap)
}

func (c *collection) sitesOf(r *record) []byte {
	return c.arena.bytes(r.at+uint64(r.name)+uint64(r.counters)+uint64(r.bitmap), r.sites)
}

// maxRecordBytes is how many bytes a record's name, counters, bitmap and values can take
// together, numbers as LEB128. A list of functions reads the counters of each, and those
// of the largest functions of real programs take a tenth of it.
const maxRecordBytes = 2 << 20

// collect reads the whole source once, and drains one that can be.
func collect(ctx context.Context, src instrprof.Source, info *instrprof.Info, progress func(done, total uint64)) (*collection, error) {
	c := &collection{info: info, figures: newFigures(info)}
	var counters, sites []byte
	functions := src.Functions()
	if d, ok := src.(instrprof.Drainer); ok {
		functions = d.Drain()
	}
	for f, err := range functions {
		if err != nil {
			return nil, err
		}
		if c.records.n&1023 == 0 {
			progress(uint64(c.records.n), max(info.Records, uint64(c.records.n)))
		}
		r := record{Stats: analyze.StatsOf(f, info.Variant), nameRef: f.NameRef, funcHash: f.FuncHash, repeats: f.Repeats}
		counters = counters[:0]
		for _, v := range f.Counters {
			if v < 0x80 {
				counters = append(counters, byte(v))
				continue
			}
			counters = binary.AppendUvarint(counters, v)
		}
		sites = sites[:0]
		if f.HasSites() {
			sites = appendSites(sites, &f.Sites)
		}
		if len(f.Name)+len(counters)+len(f.Bitmap)+len(sites) > maxRecordBytes {
			return nil, stored.TooLarge("function record", f.Offset, maxRecordBytes)
		}
		if err := c.room(ctx, f); err != nil {
			return nil, err
		}
		r.name, r.counters, r.bitmap, r.sites = uint32(len(f.Name)), uint32(len(counters)), uint32(len(f.Bitmap)), uint32(len(sites))
		r.at = c.arena.add(f.Name, counters, f.Bitmap, sites)
		c.figures.add(f, &r, c.records.n)
		c.records.add(&r)
	}
	if err := c.collectNames(ctx, src); err != nil {
		return nil, err
	}
	for t, err := range src.Traces() {
		if err != nil {
			return nil, err
		}
		c.traces = append(c.traces, instrprof.Trace{Weight: t.Weight, NameRefs: append([]uint64(nil), t.NameRefs...)})
	}
	return c, ctx.Err()
}

// room looks whether one more record is wanted.
func (c *collection) room(ctx context.Context, f *instrprof.Function) error {
	if c.records.n == maxRecords {
		return &model.FormatError{Kind: model.KindTooLarge, Section: "function record", Offset: f.Offset,
			Msg: "more records than a profile's file can hold", Expected: fmt.Sprintf("at most %d", maxRecords)}
	}
	if c.records.n&1023 == 0 {
		return ctx.Err()
	}
	return nil
}

// appendSites packs value sites: for each site of each kind the number of
// values, then value and count of each, all LEB128. How many sites a kind has
// stands in the record.
func appendSites(b []byte, sites *[instrprof.NumValueKinds][]instrprof.ValueSite) []byte {
	for kind := range sites {
		for _, site := range sites[kind] {
			b = binary.AppendUvarint(b, uint64(len(site)))
			for _, v := range site {
				b = binary.AppendUvarint(b, v.Value)
				b = binary.AppendUvarint(b, v.Count)
			}
		}
	}
	return b
}

// namedRef is a name that no record has.
type namedRef struct {
	ref  uint64
	name []byte
}

// collectNames keeps the names of what has no record: vtables, and functions
// that are called but were not instrumented.
func (c *collection) collectNames(ctx context.Context, src instrprof.Source) error {
	seen := newRefSet(c.records.n)
	for i := range uint32(c.records.n) {
		seen.add(c.records.at(i).nameRef)
	}
	n := 0
	for ref, name := range src.Names() {
		if n++; n&4095 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if len(name) > 0 && seen.add(ref) {
			at := c.arena.add(name)
			c.extra = append(c.extra, namedRef{ref, c.arena.bytes(at, uint32(len(name)))})
		}
	}
	return nil
}

// refSet is a set of NameRefs. They are hashes already, so their low bits
// serve as places.
type refSet struct {
	slots   []uint64 // 0 is free
	n       int
	hasZero bool
}

func newRefSet(n int) *refSet {
	size := 64
	for size < 2*n {
		size *= 2
	}
	return &refSet{slots: make([]uint64, size)}
}

// add reports whether ref is new.
func (s *refSet) add(ref uint64) bool {
	if ref == 0 {
		isNew := !s.hasZero
		if s.hasZero = true; isNew {
			s.n++
		}
		return isNew
	}
	if 2*s.n >= len(s.slots) {
		old := s.slots
		s.slots, s.n = make([]uint64, 2*len(old)), 0
		if s.hasZero {
			s.n = 1
		}
		for _, v := range old {
			if v != 0 {
				s.add(v)
			}
		}
	}
	// A multiplication guards against refs chosen to share their low bits.
	for i := ref * 0x9e3779b97f4a7c15 >> 20; ; i++ {
		switch slot := &s.slots[i&uint64(len(s.slots)-1)]; *slot {
		case 0:
			*slot = ref
			s.n++
			return true
		case ref:
			return false
		}
	}
}
