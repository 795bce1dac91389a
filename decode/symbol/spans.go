package symbol

import (
	"cmp"
	"slices"
)

// span is a stretch of addresses and whose it is.
type span struct {
	low, high uint64 // high is the first address after it
	owner     int32
	order     int32 // for flatten
}

// spans is stretches that do not overlap, in the order of addresses.
type spans []span

// flatten makes spans of stretches that may overlap. Where they do, the one
// that begins last counts, of those the narrowest, and of those the latest in
// the list. Debug info nests, so that is the innermost. It changes the list.
func flatten(list []span) spans {
	for n := range list { // the sort is not stable
		list[n].order = int32(n)
	}
	slices.SortFunc(list, func(a, b span) int {
		switch {
		case a.low != b.low:
			return cmp.Compare(a.low, b.low)
		case a.high != b.high:
			return cmp.Compare(b.high, a.high)
		}
		return cmp.Compare(a.order, b.order)
	})
	var flat spans
	var open []span // around the position, the one that counts last
	var pos uint64
	advance := func(to uint64) { // gives what is before an address to the open ones
		for len(open) > 0 && pos < to {
			top := open[len(open)-1]
			if end := min(top.high, to); end > pos {
				flat = flat.append(span{low: pos, high: end, owner: top.owner})
				pos = end
			}
			if top.high <= pos {
				open = open[:len(open)-1]
			}
		}
		pos = to
	}
	for _, s := range list {
		if s.low < s.high {
			advance(s.low)
			open = append(open, s)
		}
	}
	advance(^uint64(0))
	return slices.Clip(flat)
}

// append adds a stretch behind all others.
func (list spans) append(s span) spans {
	if last := len(list) - 1; last >= 0 && list[last].high == s.low && list[last].owner == s.owner {
		list[last].high = s.high
		return list
	}
	return append(list, s)
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
