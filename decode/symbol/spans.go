package symbol

import (
	"cmp"
	"slices"
)

// span is a stretch of addresses and whose it is.
type span struct {
	low, high uint64 // high is the first address after it
	owner     int32
}

// spans is stretches that do not overlap, in the order of addresses.
type spans []span

// flatten makes spans of stretches that may overlap: where they do, the later
// in the list counts. Debug info nests, so that is the innermost of them.
//
// The list is painted from its end on, and what is painted is never looked at
// again, so that no list takes more time than it takes to sort it.
func flatten(list []span) spans {
	edges := make([]uint64, 0, 2*len(list))
	for _, s := range list {
		edges = append(edges, s.low, s.high)
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	cells := make([]int32, len(edges)) // whose the stretch from edge n to n+1 is, from 1 on
	next := make([]int32, len(edges)+1)
	for n := range next {
		next[n] = int32(n)
	}
	unpainted := func(n int32) int32 { // the first from n on
		for next[n] != n {
			next[n] = next[next[n]]
			n = next[n]
		}
		return n
	}
	for _, s := range slices.Backward(list) {
		from, _ := slices.BinarySearch(edges, s.low)
		for n := unpainted(int32(from)); int(n) < len(edges) && edges[n] < s.high; n = unpainted(n) {
			cells[n], next[n] = s.owner+1, n+1
		}
	}
	var flat spans
	for n, owner := range cells {
		switch last := len(flat) - 1; {
		case owner == 0:
		case last >= 0 && flat[last].high == edges[n] && flat[last].owner == owner-1:
			flat[last].high = edges[n+1]
		default:
			flat = append(flat, span{edges[n], edges[n+1], owner - 1})
		}
	}
	return slices.Clip(flat)
}

// find is whose an address is.
func (list spans) find(addr uint64) (owner int32, ok bool) {
	n, found := slices.BinarySearchFunc(list, addr, func(s span, addr uint64) int { return cmp.Compare(s.low, addr) })
	if !found {
		n--
	}
	if n < 0 || addr >= list[n].high {
		return 0, false
	}
	return list[n].owner, true
}
