package query

import (
	"cmp"
	"slices"
)

// Keyed is a number to sort with the key to sort it by.
type Keyed struct {
	Key uint64
	ID  uint32
}

// SortBy sorts ids by a 64-bit key, keeping the order of equal ones. Sorting
// by several keys is sorting by each, the last first.
func SortBy(ids []uint32, key func(id uint32) uint64) {
	items := make([]Keyed, len(ids))
	for i, id := range ids {
		items[i] = Keyed{key(id), id}
	}
	for i, item := range SortKeyed(items) {
		ids[i] = item.ID
	}
}

// firstBy is the first n ids by a key, keeping the order of equal ones.
func firstBy(ids []uint32, n int, key func(id uint32) uint64) []uint32 {
	items := make([]Keyed, 0, 2*n) // those that were first so far, and what came since
	last, full := uint64(0), false
	for _, id := range ids {
		k := key(id)
		if full && k >= last {
			continue
		}
		if items = append(items, Keyed{k, id}); len(items) == cap(items) {
			items = append(items[:0], SortKeyed(slices.Clone(items))[:n]...)
			last, full = items[n-1].Key, true
		}
	}
	items = SortKeyed(items)
	first := make([]uint32, min(n, len(items)))
	for i := range first {
		first[i] = items[i].ID
	}
	return first
}

// SortKeyed sorts by key, keeping the order of equal ones: a radix sort by the
// bytes in which keys differ. It takes over items and returns the result.
func SortKeyed(items []Keyed) []Keyed { return sortKeyed(items, nil) }

// mostPasses is by how many bytes all items are sorted. A million of them in which more differ
// have little left to sort then, each run of those that agree so far by itself.
const mostPasses = 4

// sortKeyed is SortKeyed with memory for as many, where there is some.
func sortKeyed(items, spare []Keyed) []Keyed {
	var differ uint64
	for i := range items {
		differ |= items[i].Key ^ items[0].Key
	}
	var shifts []int
	for shift := 0; differ>>shift != 0; shift += 8 {
		if byte(differ>>shift) != 0 {
			shifts = append(shifts, shift)
		}
	}
	rest := max(len(shifts)-mostPasses, 0)
	for _, shift := range shifts[rest:] {
		if spare == nil {
			spare = make([]Keyed, len(items))
		}
		var starts [256]int
		for i := range items {
			starts[byte(items[i].Key>>shift)]++
		}
		sum := 0
		for b, n := range starts {
			starts[b], sum = sum, sum+n
		}
		for _, item := range items {
			b := byte(item.Key >> shift)
			spare[starts[b]] = item
			starts[b]++
		}
		items, spare = spare, items
	}
	if rest > 0 {
		sortRuns(items, spare, shifts[rest])
	}
	return items
}

// shortRun is up to how many items are sorted by comparing them.
const shortRun = 32

// sortRuns sorts, in their place, runs of items whose keys agree from a bit on.
func sortRuns(items, spare []Keyed, shift int) {
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && items[to].Key>>shift == items[from].Key>>shift {
			to++
		}
		switch run := items[from:to]; {
		case len(run) > shortRun:
			copy(run, sortKeyed(run, spare[:len(run)]))
		case len(run) > 1:
			slices.SortStableFunc(run, func(a, b Keyed) int { return cmp.Compare(a.Key, b.Key) })
		}
		from = to
	}
}
