package instrdb

import (
	"context"
	"encoding/binary"
	"maps"
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
	chunks  []heldChunk          // one without records where the bound was passed
	bytes   int64                // of chunks
	sums    [2]analyze.CountSums // of the plain and of the context-sensitive records
	columns map[columnID]*column // those that were asked for
}

// heldChunk is the records of chunkRows ranks.
type heldChunk struct {
	begins []uint32 // where in packed each record does
	packed []byte
}

// holdBoth holds first the test profile: pairs are in the order of the base profile, whose
// records can as well be read from the file.
func holdBoth(ctx context.Context, base, test *Profile, columns ...columnID) (both bothHeld, err error) {
	if both.test, err = test.hold(ctx, heldBytes, columns...); err == nil {
		both.base, err = base.hold(ctx, heldBytes-both.test.bytes, columns...)
	}
	return both, err
}

// hold reads all records once, adds them up on the way, and has columns of them. It holds
// at most so many bytes of them.
func (p *Profile) hold(ctx context.Context, most int64, columns ...columnID) (*held, error) {
	h := &held{p: p, chunks: make([]heldChunk, chunksOf(p.rows)), columns: map[columnID]*column{}}
	var missing []columnID
	for _, id := range columns {
		if c, ok := stored.Kept[*column](p.Profile, id.key()); ok {
			h.columns[id] = c
		} else {
			missing = append(missing, id)
		}
	}
	beside := p.filling(missing)
	sums := make([][2]analyze.CountSums, len(h.chunks))
	var used, usual atomic.Int64 // bytes of all chunks, and of the last
	err := eachChunk(ctx, "Reading counters", p.rows, func(chunk, first, last int) error {
		c := heldChunk{make([]uint32, 0, last-first+1), make([]byte, 0, usual.Load()*17/16)}
		records := p.records()
		for rank := first; rank <= last; rank++ {
			f, err := records.at(rank)
			if err != nil {
				return err
			}
			sums[chunk][sortOf(records.cs)].AddRecord(analyze.SumsOf(f))
			beside.add(records.stored)
			before := len(c.packed)
			c.add(f, records.packed, records.cs)
			if used.Add(int64(len(c.packed)-before)) > most {
				c = heldChunk{}
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
	maps.Copy(h.columns, beside.columns())
	return h, err
}

// keep puts columns that it has into the cache.
func (h *held) keep(ids ...columnID) {
	for _, id := range ids {
		stored.Keep(h.p.Profile, id.key(), h.columns[id], h.columns[id].bytes())
	}
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

// read reads the record of a rank into f, and reports whether it is held.
func (h *held) read(rank int, f *instrprof.Function) (cs, ok bool) {
	if h == nil {
		return false, false
	}
	c := &h.chunks[(rank-1)/chunkRows]
	if c.begins == nil {
		return false, false
	}
	return c.read((rank-1)%chunkRows, f), true
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
		if c := &h.chunks[(p.test-1)/chunkRows]; c.begins != nil {
			at[i] = c.packed[c.begins[(p.test-1)%chunkRows]:]
		}
	}
	for _, record := range at {
		if len(record) > 0 {
			touched += record[0]
		}
	}
	return touched
}

const fetched = 16

// add appends a record. Its counters are packed as they are to be.
func (c *heldChunk) add(f *instrprof.Function, packed []byte, cs bool) {
	b := binary.LittleEndian.AppendUint64(c.packed, f.FuncHash)
	b = binary.AppendUvarint(b, f.Repeats<<1|uint64(sortOf(cs)))
	b = binary.AppendUvarint(b, uint64(len(packed)))
	b = append(b, packed...)
	for _, sites := range f.Sites {
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

// read reads what add wrote.
func (c *heldChunk) read(i int, f *instrprof.Function) (cs bool) {
	r := numbers(c.packed[c.begins[i]:])
	f.FuncHash, r = binary.LittleEndian.Uint64(r), r[8:]
	repeats := r.next()
	f.Repeats, cs = repeats>>1, repeats&1 != 0
	size := r.next()
	f.Counters, _ = stored.ReadVector(f.Counters[:0], r[:size]) // which was read before it was held
	r = r[size:]
	for kind := range f.Sites {
		f.Sites[kind] = nil
		for range r.next() {
			site := make(instrprof.ValueSite, r.next())
			for k := range site {
				site[k] = instrprof.Value{Value: r.next(), Count: r.next()}
			}
			f.Sites[kind] = append(f.Sites[kind], site)
		}
	}
	return cs
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
