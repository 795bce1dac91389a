package sample

import (
	"cmp"
	"slices"

	"proflens/decode/sampleprof"
)

// buckets are how many GNU's hash table has, of which each follows on the one before once it
// has as many entries.
var buckets = []uint64{
	13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061, 712697, 1447153, 2938679,
	5967347, 12117689,
}

// TableOrder is the order in which LLVM's tools, as they are built for Linux, walk through a
// profile's functions: that of GNU's hash table of their GUIDs. Contexts have other hashes, and
// stand by total.
func TableOrder(p *sampleprof.Profile) []int {
	order := make([]int, len(p.Functions))
	for i := range order {
		order[i] = i
	}
	if p.Has(sampleprof.FullContexts) || len(order) > int(buckets[len(buckets)-1]) {
		return order
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Functions[a].Ordinal, p.Functions[b].Ordinal) })
	t := table{next: make([]int, len(order)+1), head: len(order)}
	t.next[t.head] = -1
	t.grow()
	for i, f := range order {
		t.guids = append(t.guids, p.Names[p.Functions[f].Name].GUID())
		if i == len(t.before) {
			t.grow()
		}
		t.insert(i)
	}
	walk := make([]int, 0, len(order))
	for at := t.next[t.head]; at >= 0; at = t.next[at] {
		walk = append(walk, order[at])
	}
	return walk
}

// table is one list of all entries, in which those of a bucket follow one another.
type table struct {
	guids  []uint64
	next   []int // by entry, and of the head; -1 at the end
	head   int
	before []int // by bucket: the entry before its first; -1 for none
	size   int   // number of buckets' count
}

func (t *table) bucket(i int) uint64 { return t.guids[i] % uint64(len(t.before)) }

// insert puts an entry at the beginning of its bucket, and a bucket at that of the list.
func (t *table) insert(i int) {
	b := t.bucket(i)
	if at := t.before[b]; at >= 0 {
		t.next[i], t.next[at] = t.next[at], i
		return
	}
	t.next[i], t.next[t.head] = t.next[t.head], i
	if after := t.next[i]; after >= 0 {
		t.before[t.bucket(after)] = i
	}
	t.before[b] = t.head
}

// grow distributes the entries, in their order, over more buckets.
func (t *table) grow() {
	t.before = make([]int, buckets[t.size])
	t.size++
	for i := range t.before {
		t.before[i] = -1
	}
	at := t.next[t.head]
	t.next[t.head] = -1
	for at >= 0 {
		after := t.next[at]
		t.insert(at)
		at = after
	}
}
