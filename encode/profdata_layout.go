package encode

import (
	"cmp"
	"math/bits"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
)

// layout is where everything of the hash table stands (instrprof.md §3.3,
// §3.4): the same bytes as LLVM's OnDiskChainedHashTableGenerator makes.
type layout struct {
	records []uint32   // numbers of records, those of one name together, as written
	items   []nameItem // those of one bucket together, as written
	ends    []uint32   // by bucket: where its items end
	payload uint64     // bytes
	offsets []uint64   // by bucket, in the file; known once written
}

// nameItem is one name with its records, an item of the hash table.
type nameItem struct {
	hash       uint64 // md5_64 of the name
	first, end uint32 // in layout.records
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
	names := make([]nameItem, 0, len(l.records)) // by name
	for i, r := range l.records {
		if i == 0 || !src.SameName(l.records[i-1], r) {
			names = append(names, nameItem{hash: s.refs[r], first: uint32(i)})
			l.payload += itemHeader + uint64(s.names[r])
		}
		names[len(names)-1].end = uint32(i + 1)
	}
	for _, n := range names {
		if records := l.records[n.first:n.end]; len(records) > 1 {
			orderHashes(src, records)
		}
	}
	l.fillBuckets(names)
	for bucket := range l.ends {
		if len(l.bucket(bucket)) > 0 {
			l.payload += 2
		}
	}
	return l
}

// bucket are the items of a bucket.
func (l *layout) bucket(bucket int) []nameItem {
	from := uint32(0)
	if bucket > 0 {
		from = l.ends[bucket-1]
	}
	return l.items[from:l.ends[bucket]]
}

// firstBuckets is how many buckets LLVM's table has at first.
const firstBuckets = 64

// fillBuckets puts names, which are in their order, into buckets. LLVM's table grows while
// names come, and in the end has the size that is written: a name becomes the first of its
// bucket, and growing turns the names of every bucket round.
func (l *layout) fillBuckets(names []nameItem) {
	buckets := 1
	if n := len(names); n > 2 {
		buckets = 1 << bits.Len(uint(n*4/3))
	}
	mask := uint64(buckets - 1)
	l.items, l.ends = make([]nameItem, len(names)), make([]uint32, buckets)
	for i := range names {
		l.ends[names[i].hash&mask]++
	}
	place := uint32(0)
	for b, n := range l.ends {
		l.ends[b], place = place, place+n
	}
	for i := range names {
		end := &l.ends[names[i].hash&mask]
		l.items[*end] = names[i]
		*end++
	}
	var grown []uint32 // by how often it grew: the first record of the name before which it did
	for size := firstBuckets; size < buckets; size *= 2 {
		grown = append(grown, names[(3*size+3)/4-1].first)
	}
	var turned []nameItem
	for b := range l.ends {
		items := l.bucket(b)
		switch {
		case len(items) < 2:
		case buckets < firstBuckets: // it shrinks in the end: from the last of the buckets that become one
			slices.SortStableFunc(items, func(a, b nameItem) int {
				return cmp.Compare(b.hash%firstBuckets, a.hash%firstBuckets)
			})
		default:
			turned = turn(items, turned, grown)
		}
	}
}

// turn puts the items of a bucket, which are in the order in which they came, into that of
// LLVM's table. It returns memory to use again.
func turn(items, memory []nameItem, grown []uint32) []nameItem {
	both := slices.Grow(memory[:0], 2*len(items))[:2*len(items)]
	first, end, stage := len(items), len(items), 0
	for _, item := range items {
		for stage < len(grown) && grown[stage] <= item.first {
			stage++
		}
		if stage%2 == 0 {
			first--
			both[first] = item
		} else {
			both[end] = item
			end++
		}
	}
	copy(items, both[first:end])
	if len(grown)%2 == 1 {
		slices.Reverse(items)
	}
	return both
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
