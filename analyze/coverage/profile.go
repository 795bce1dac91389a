package coverage

import "math"

// Record is one record of a profile: what one function of one build counted.
type Record struct {
	Hash     uint64
	Counters []uint64
	Bitmap   []byte // of MC/DC
}

// Profile is the records to join with, by name. The zero value is an empty profile,
// with which everything reads zero.
type Profile struct {
	// ConditionMasks: the bitmaps have the layout of LLVM 18 (section 7).
	ConditionMasks bool
	// SingleByte: counters say whether, not how often (section 19).
	SingleByte bool

	named    map[string]int32 // the first record of a name
	names    []string
	records  []Record
	next     []int32 // the next record of the same name, -1: none
	counters []uint64
	bits     []byte
}

// Len is how many records there are.
func (p *Profile) Len() int { return len(p.records) }

// Grow makes room for n records more.
func (p *Profile) Grow(n int) {
	if p.named == nil {
		n = min(n, math.MaxInt16)
		p.named = make(map[string]int32, n)
		p.names, p.records, p.next = make([]string, 0, n), make([]Record, 0, n), make([]int32, 0, n)
	}
}

// Add adds a record and copies what it holds. Of two with one name and one hash the
// first counts.
func (p *Profile) Add(name []byte, r Record) {
	p.Grow(0)
	r.Counters = kept(&p.counters, r.Counters)
	r.Bitmap = kept(&p.bits, r.Bitmap)
	at := int32(len(p.records))
	known, ok := p.named[string(name)]
	if ok {
		for p.next[known] >= 0 {
			known = p.next[known]
		}
		p.next[known] = at
		p.names = append(p.names, p.names[known])
	} else {
		p.names = append(p.names, string(name))
		p.named[p.names[at]] = at
	}
	p.records, p.next = append(p.records, r), append(p.next, -1)
}

// kept is a copy of values in a slab, so that many small ones are few allocations.
func kept[T any](slab *[]T, values []T) []T {
	const size = 1 << 13
	if cap(*slab)-len(*slab) < len(values) {
		*slab = make([]T, 0, max(size, len(values)))
	}
	from := len(*slab)
	*slab = append(*slab, values...)
	return (*slab)[from:len(*slab):len(*slab)]
}

// csFlag is the bit in which hashes must agree to be told apart as of another
// build: llvm-cov takes one without the other for another kind of record.
const csFlag = 1 << 60

// match is what a profile says of a function record (section 6).
type match int

const (
	unknown    match = iota // nothing: all of it reads zero
	matched                 // this record's counters
	mismatched              // counters of another build
)

// find returns the record of a name and a hash.
func (p *Profile) find(name string, hash uint64) (int32, match) {
	at, ok := p.named[name]
	found := unknown
	for ; ok && at >= 0; at = p.next[at] {
		switch r := &p.records[at]; {
		case r.Hash == hash:
			return at, matched
		case (r.Hash^hash)&csFlag == 0:
			found = mismatched
		}
	}
	return -1, found
}

// hashes are those that the profile has of a name.
func (p *Profile) hashes(name string) []uint64 {
	var list []uint64
	for at, ok := p.named[name]; ok && at >= 0; at = p.next[at] {
		list = append(list, p.records[at].Hash)
	}
	return list
}
