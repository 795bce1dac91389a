package instrdb

import (
	"context"
	"encoding/binary"
	"sync/atomic"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profile/stored"
)

// heldBytes bounds what is held of two profiles. Records beyond it are read from the file.
// Tests make it small.
var heldBytes int64 = 512 << 20

// held is the records of a profile in memory, their numbers packed as in its file: who reads
// them in the order of another profile would read a page of the file for each.
type held struct {
	p       *Profile
	chunks  []heldChunk                // one without records where the bound was passed
	bytes   int64                      // of chunks
	sums    [2]analyze.CountSums       // of the plain and of the context-sensitive records
	columns map[columnID]*columnValues // those that were asked for
}

// heldChunk is the records of chunkRows ranks.
type heldChunk struct {
	begins []uint32 // where in packed each record does
	packed []byte
}

// holdBoth holds first the test profile: pairs are in the order of the base profile, whose
// records can as well be read from the file.
func holdBoth(ctx context.Context, base, test *Profile, join bool) (both bothHeld, err error) {
	if both.test, err = test.hold(ctx, heldBytes, join); err == nil {
		both.base, err = base.hold(ctx, heldBytes-both.test.bytes, join)
	}
	return both, err
}

// hold reads all records once, adds them up on the way, and to join them has the column of their
// NameRefs; their totals go into the cache then. It holds at most so many bytes of them.
func (p *Profile) hold(ctx context.Context, most int64, join bool) (*held, error) {
	h := &held{p: p, chunks: make([]heldChunk, chunksOf(p.rows))}
	var columns []columnID
	if join {
		columns = append(p.totalColumns(), nameRefColumn)
	}
	beside := p.filling(columns)
	sums := make([][2]analyze.CountSums, len(h.chunks))
	var used, usual atomic.Int64 // bytes of all chunks, and of the last one
	err := eachChunk(ctx, "Reading counters", p.rows, func(chunk, first, last int) error {
		c := heldChunk{make([]uint32, 0, last-first+1), make([]byte, 0, usual.Load()*17/16)}
		records, counted := p.records(), 0
		for rank := first; rank <= last; rank++ {
			record, err := records.sums(rank)
			if err != nil {
				return err
			}
			sums[chunk][sortOf(records.cs)].AddRecord(record)
			beside.add(records.stored)
			c.add(records)
			if more := len(c.packed) - counted; more > 1<<15 || rank == last {
				if counted = len(c.packed); used.Add(int64(more)) > most {
					c, counted = heldChunk{}, 0
				}
			}
		}
		if len(c.begins) == last-first+1 {
			h.chunks[chunk] = c
			usual.Store(int64(len(c.packed)))
		}
		return nil
	})
	h.bytes = min(used.Load(), most)
	for i := range sums {
		for cs := range h.sums {
			h.sums[cs].Add(sums[i][cs])
		}
	}
	if h.columns = beside.columns(); err == nil && join {
		for _, id := range p.totalColumns() {
			stored.Keep(p.Profile, id.key(), h.columns[id], h.columns[id].bytes())
		}
	}
	return h, err
}

// records reads them, those that are not held from the file.
func (h *held) records() *recordReader {
	r := h.p.records()
	r.held = h
	return r
}

// addedUp are the sums of the records that llvm-profdata adds up: all of a front-end
// profile, of an IR profile those that are context-sensitive, or those that are not.
func (h *held) addedUp(cs bool) analyze.CountSums {
	return h.sums[sortOf(cs && h.p.Overview.Info.Variant.Has(instrprof.IRProf))]
}

// chunk has a rank; nil where it is not held.
func (h *held) chunk(rank int) *heldChunk {
	if h == nil || h.chunks[(rank-1)/chunkRows].begins == nil {
		return nil
	}
	return &h.chunks[(rank-1)/chunkRows]
}

// fetch has the records of a few pairs brought near at once: one after the other the
// processor would wait for each, since they stand in the order of the other profile. What
// it returns says nothing; inlined, nothing would be read for it.
//
//go:noinline
func (h *held) fetch(pairs []pair) (touched byte) {
	var at [fetched][]byte
	for i, p := range pairs[:min(len(pairs), fetched)] {
		if p.test == 0 {
			continue
		}
		if c := h.chunk(int(p.test)); c != nil {
			at[i] = c.packed[c.begins[(p.test-1)%chunkRows]:]
		}
	}
	for _, record := range at {
		if len(record) > 0 {
			touched += record[0] + record[min(63, len(record)-1)] // most stand on two lines of the cache
		}
	}
	return touched
}

const fetched = 32

// add appends the record that was read last.
func (c *heldChunk) add(r *recordReader) {
	f, anySite := &r.f, r.f.HasSites()
	b := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(c.packed, f.FuncHash), r.total)
	b = binary.AppendUvarint(b, f.Repeats<<2|uint64(sortOf(anySite)<<1|sortOf(r.cs)))
	b = binary.AppendUvarint(b, uint64(len(r.packed)))
	b = append(b, r.packed...)
	for _, sites := range f.Sites {
		if !anySite {
			break
		}
		b = binary.AppendUvarint(b, uint64(len(sites)))
		for _, site := range sites {
			b = binary.AppendUvarint(b, uint64(len(site)))
			for _, v := range site {
				b = binary.AppendUvarint(binary.AppendUvarint(b, v.Value), v.Count)
			}
		}
	}
	c.begins, c.packed = append(c.begins, uint32(len(c.packed))), b
}

// read reads what add wrote. The error is about the counters.
func (c *heldChunk) read(i int, to *recordReader) (err error) {
	f, r := &to.f, numbers(c.packed[c.begins[i]:])
	f.FuncHash, to.total, r = binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(r[8:]), r[16:]
	repeats := r.next()
	f.Repeats, to.cs = repeats>>2, repeats&1 != 0
	size := r.next()
	f.Counters, err = stored.ReadVector(f.Counters[:0], r[:size])
	r = r[size:]
	for kind := range f.Sites {
		if f.Sites[kind] = nil; repeats&2 == 0 {
			continue
		}
		for range r.next() {
			site := make(instrprof.ValueSite, r.next())
			for k := range site {
				site[k] = instrprof.Value{Value: r.next(), Count: r.next()}
			}
			f.Sites[kind] = append(f.Sites[kind], site)
		}
	}
	return err
}

// numbers are LEB128 numbers that stand behind each other.
type numbers []byte

func (n *numbers) next() uint64 {
	b := *n
	if b[0] < 0x80 {
		*n = b[1:]
		return uint64(b[0])
	}
	v, size := binary.Uvarint(b)
	*n = b[size:]
	return v
}
