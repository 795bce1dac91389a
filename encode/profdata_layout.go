package encode

import (
	"math/bits"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
)

// layout is where everything of the hash table stands (instrprof.md §3.3,
// §3.4): the same bytes as LLVM's OnDiskChainedHashTableGenerator makes.
type layout struct {
	records []uint32 // numbers of records, those of one name together, as written
	names   []nameItem
	heads   []int32  // by bucket: its first name, or -1
	payload uint64   // bytes
	offsets []uint64 // by bucket, in the file; known once written
}

// nameItem is one name with its records, an item of the hash table.
type nameItem struct {
	hash  uint64 // md5_64 of the name
	first int32  // in layout.records; its end is the next name's first
	next  int32  // name in the same bucket, or -1
}

// surveyed is what is known of the records once each was looked at.
type surveyed struct {
	refs  []uint64 // NameRefs of their names, by number
	names []uint32 // bytes of their names, by number
	payloads
}

func (s *surveyed) add(f *instrprof.Function) {
	s.refs = append(s.refs, instrprof.NameRef(f.Name))
	s.names = append(s.names, uint32(len(f.Name)))
	s.payloads.add(f)
}

// layOut puts the records of src into buckets.
func layOut(src sums.Records, s *surveyed, version int) layout {
	l := layout{records: src.ByName(), payload: s.payloads.of(version)}
	l.names = make([]nameItem, 0, len(l.records))
	for i, r := range l.records {
		if i == 0 || !src.SameName(l.records[i-1], r) {
			l.names = append(l.names, nameItem{hash: s.refs[r], first: int32(i)})
			l.payload += itemHeader + uint64(s.names[r])
		}
	}
	for n := range l.names {
		if records := l.recordsOf(n); len(records) > 1 {
			orderHashes(src, records)
		}
	}
	l.fillBuckets()
	for _, head := range l.heads {
		if head >= 0 {
			l.payload += 2
		}
	}
	return l
}

// recordsOf are the numbers of the records of a name.
func (l *layout) recordsOf(name int) []uint32 {
	end := len(l.records)
	if name+1 < len(l.names) {
		end = int(l.names[name+1].first)
	}
	return l.records[l.names[name].first:end]
}

// fillBuckets inserts the names in order, with the table growing on the way as
// LLVM's does, since that decides the order within a bucket.
func (l *layout) fillBuckets() {
	l.resize(64)
	for n := range l.names {
		if 4*(n+1) >= 3*len(l.heads) {
			l.resize(2 * len(l.heads))
		}
		l.push(l.heads, int32(n))
	}
	target := 1
	if n := len(l.names); n > 2 {
		target = 1 << bits.Len(uint(n*4/3))
	}
	if target != len(l.heads) {
		l.resize(target)
	}
}

// push makes a name the first of its bucket.
func (l *layout) push(heads []int32, name int32) {
	bucket := &heads[l.names[name].hash&uint64(len(heads)-1)]
	l.names[name].next, *bucket = *bucket, name
}

// resize moves every name, bucket by bucket and from the first on, into a new
// table.
func (l *layout) resize(buckets int) {
	heads := slices.Repeat([]int32{-1}, buckets)
	for _, name := range l.heads {
		for name >= 0 {
			next := l.names[name].next
			l.push(heads, name)
			name = next
		}
	}
	l.heads = heads
}

// orderHashes sorts the records of one name, which are in the order in which
// they were first seen, as a DenseMap<uint64_t, InstrProfRecord> of LLVM 19 to
// 22 has them. Readers do not depend on it. Records that such a map cannot
// hold, or holds once, come last.
func orderHashes(src sums.Records, records []uint32) {
	m := hashMap{slots: make([]hashSlot, 4)}
	var rest []uint32
	read := src.Reader()
	for _, r := range records {
		hash := read(r).FuncHash
		if hash >= firstLostHash || !m.insert(hashSlot{hash, r, true}) {
			rest = append(rest, r)
		}
	}
	out := records[:0]
	for _, s := range m.slots {
		if s.used {
			out = append(out, s.record)
		}
	}
	copy(records[len(out):], rest)
}

// hashMap is an open-addressing map with quadratic probing.
type hashMap struct {
	slots []hashSlot // a power of two of them
	used  int
}

type hashSlot struct {
	hash   uint64
	record uint32
	used   bool
}

// insert adds a record, unless the map has its hash.
func (m *hashMap) insert(s hashSlot) bool {
	at := m.find(s.hash)
	if m.slots[at].used {
		return false
	}
	if 4*(m.used+1) >= 3*len(m.slots) {
		old := m.slots
		m.slots = make([]hashSlot, max(64, 2*len(old)))
		for _, o := range old {
			if o.used {
				m.slots[m.find(o.hash)] = o
			}
		}
		at = m.find(s.hash)
	}
	m.slots[at] = s
	m.used++
	return true
}

// find is the slot that has a hash, or the free one for it.
func (m *hashMap) find(hash uint64) uint64 {
	mask := uint64(len(m.slots) - 1)
	x := hash * 0xbf58476d1ce4e5b9
	at := (x ^ x>>31) & mask
	for step := uint64(1); m.slots[at].used && m.slots[at].hash != hash; step++ {
		at = (at + step) & mask
	}
	return at
}
