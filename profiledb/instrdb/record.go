package instrdb

import (
	"encoding/binary"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profiledb/stored"
)

// record is what is kept of a function record between reading and writing: the 64 bytes
// that are compared and added up, and where its name and its [body] stand in the arena.
type record struct {
	total                analyze.Sum
	max                  uint64
	nameRef, funcHash    uint64
	at                   uint64 // in the arena
	name                 uint32 // bytes
	numCounters, numZero uint32
	cs, pseudo           bool
}

// stats are those of the record but for Entry, MaxIndex and NumSites, which its body has.
func (r *record) stats() analyze.Stats {
	return analyze.Stats{Total: r.total, Max: r.max, NumCounters: r.numCounters, NumZero: r.numZero, Pseudo: r.pseudo, CS: r.cs}
}

// body is the rest of a record.
type body struct {
	repeats  uint64
	counters []byte // LEB128
	bitmap   []byte
	sites    []byte // see appendSites; empty where there are none
}

// appendHead packs what is needed to find the parts of a body that follow it.
func (b *body) appendHead(packed []byte) []byte {
	packed = binary.AppendUvarint(packed, b.repeats)
	for _, part := range [][]byte{b.counters, b.bitmap, b.sites} {
		packed = binary.AppendUvarint(packed, uint64(len(part)))
	}
	return packed
}

// readBody reads a head and what follows it.
func readBody(packed []byte) (b body) {
	var sizes [3]uint64
	b.repeats, packed = firstNumber(packed)
	for i := range sizes {
		sizes[i], packed = firstNumber(packed)
	}
	for i, part := range []*[]byte{&b.counters, &b.bitmap, &b.sites} {
		*part, packed = packed[:sizes[i]:sizes[i]], packed[sizes[i]:]
	}
	return b
}

// firstNumber is the first number of packed ones, and the rest.
func firstNumber(packed []byte) (uint64, []byte) {
	v, n := binary.Uvarint(packed)
	return v, packed[n:]
}

// entryAndMaxIndex are those of [analyze.Stats].
func (b *body) entryAndMaxIndex(r *record) (entry uint64, maxIndex uint32) {
	if r.pseudo {
		return 0, 0
	}
	entry, rest := firstNumber(b.counters)
	for v := entry; v < r.max; maxIndex++ {
		v, rest = firstNumber(rest)
	}
	return entry, maxIndex
}

// numSites are the sites of each kind.
func (b *body) numSites() (n [instrprof.NumValueKinds]uint32) {
	packed := b.sites
	for kind := range n {
		var v uint64
		v, packed = firstNumber(packed) // 0 where there are none
		n[kind] = uint32(v)
	}
	return n
}

// eachSite visits the sites in their order, the values of each as in the table of sites.
func (b *body) eachSite(visit func(kind, site int, values []byte) error) error {
	if len(b.sites) == 0 {
		return nil
	}
	packed := b.sites[stored.VectorSize(b.sites, instrprof.NumValueKinds):]
	for kind, n := range b.numSites() {
		for site := range int(n) {
			var values uint64
			values, packed = firstNumber(packed)
			size := stored.VectorSize(packed, 2*values)
			if err := visit(kind, site, packed[:size]); err != nil {
				return err
			}
			packed = packed[size:]
		}
	}
	return nil
}

// appendSites packs value sites: how many there are of each kind, then for each the number
// of values, and value and count of each, all LEB128.
func appendSites(b []byte, sites *[instrprof.NumValueKinds][]instrprof.ValueSite) []byte {
	for kind := range sites {
		b = binary.AppendUvarint(b, uint64(len(sites[kind])))
	}
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

// records is a list that grows without moving.
type records struct {
	chunks [][]record
	ends   []uint32 // of each chunk: how many records stand in it and before it
	n      int
}

const chunkShift = 12

func (r *records) add(rec *record) {
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last]) == 1<<chunkShift {
		r.chunks = append(r.chunks, make([]record, 0, 1<<chunkShift))
		r.ends = append(r.ends, uint32(r.n))
		last++
	}
	r.chunks[last] = append(r.chunks[last], *rec)
	r.ends[last]++
	r.n++
}

// addAll adds the records of another list, whose chunks it takes over.
func (r *records) addAll(o *records) {
	for i, chunk := range o.chunks {
		r.chunks = append(r.chunks, chunk)
		r.ends = append(r.ends, uint32(r.n)+o.ends[i])
	}
	r.n += o.n
}

func (r *records) at(i uint32) *record {
	c := int(i >> chunkShift)
	for i >= r.ends[c] { // where lists meet, chunks are not full
		c++
	}
	chunk := r.chunks[c]
	return &chunk[len(chunk)-int(r.ends[c]-i)]
}
