package collected

import (
	"encoding/binary"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profile/stored"
)

// Record is what is kept of a function record between reading and writing: the 64 bytes
// that are compared and added up, and where its name and its [Body] stand in the arena.
type Record struct {
	Total                analyze.Sum
	Max                  uint64
	NameRef, FuncHash    uint64
	at                   uint64 // in the arena
	name                 uint32 // bytes
	NumCounters, NumZero uint32
	CS, Pseudo           bool
}

// Stats are those of the record but for Entry, MaxIndex and NumSites, which its body has.
func (r *Record) Stats() analyze.Stats {
	return analyze.Stats{
		Total: r.Total, Max: r.Max, NumCounters: r.NumCounters, NumZero: r.NumZero, Pseudo: r.Pseudo, CS: r.CS,
	}
}

// Body is the rest of a record.
type Body struct {
	Repeats  uint64 // see instrprof.Function
	Counters []byte // LEB128
	Bitmap   []byte
	sites    []byte // see appendSites; empty where there are none
}

// appendHead packs what is needed to find the parts of a body that follow it.
func (b *Body) appendHead(packed []byte) []byte {
	packed = binary.AppendUvarint(packed, b.Repeats)
	for _, part := range [][]byte{b.Counters, b.Bitmap, b.sites} {
		packed = binary.AppendUvarint(packed, uint64(len(part)))
	}
	return packed
}

// readBody reads a head and what follows it.
func readBody(packed []byte) (b Body) {
	var sizes [3]uint64
	b.Repeats, packed = firstNumber(packed)
	for i := range sizes {
		sizes[i], packed = firstNumber(packed)
	}
	for i, part := range []*[]byte{&b.Counters, &b.Bitmap, &b.sites} {
		*part, packed = packed[:sizes[i]:sizes[i]], packed[sizes[i]:]
	}
	return b
}

// firstNumber is the first number of packed ones, and the rest.
func firstNumber(packed []byte) (uint64, []byte) {
	if len(packed) > 0 && packed[0] < 0x80 { // as most are
		return uint64(packed[0]), packed[1:]
	}
	v, n := binary.Uvarint(packed)
	return v, packed[n:]
}

// EntryAndMaxIndex are those of [analyze.Stats].
func (b *Body) EntryAndMaxIndex(r *Record) (entry uint64, maxIndex uint32) {
	if r.Pseudo {
		return 0, 0
	}
	entry, rest := firstNumber(b.Counters)
	for v := entry; v < r.Max; maxIndex++ {
		v, rest = firstNumber(rest)
	}
	return entry, maxIndex
}

// NumSites are how many value sites there are of each kind.
func (b *Body) NumSites() (n [instrprof.NumValueKinds]uint32) {
	packed := b.sites
	if len(packed) == 0 {
		return n
	}
	for kind := range n {
		var v uint64
		v, packed = firstNumber(packed) // 0 where there are none
		n[kind] = uint32(v)
	}
	return n
}

// EachSite visits the value sites by kind: value and count of each value, LEB128.
func (b *Body) EachSite(visit func(kind, site int, values []byte)) {
	if len(b.sites) == 0 {
		return
	}
	packed := b.sites[stored.VectorSize(b.sites, instrprof.NumValueKinds):]
	for kind, n := range b.NumSites() {
		for site := range int(n) {
			var values uint64
			values, packed = firstNumber(packed)
			size := stored.VectorSize(packed, 2*values)
			visit(kind, site, packed[:size])
			packed = packed[size:]
		}
	}
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
