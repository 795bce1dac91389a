package analyze

import (
	"cmp"
	"slices"
)

// Keyed is a thing to be paired with one of another list.
type Keyed struct {
	Key  uint64 // things of one key are the same thing, or versions of it
	Fine uint64 // tells versions apart
}

// Paired is a place in each of two lists, -1 for none.
type Paired struct{ A, B int }

// Pair joins two lists: of one key first what is alike to the last detail, then what
// is left, in the order of the lists; what is left over has no partner. Pairs come
// in the order of the first list, what only the second has behind them.
func Pair(a, b []Keyed) []Paired {
	type item struct {
		Keyed
		at int
	}
	sorted := func(list []Keyed) []item {
		items := make([]item, len(list))
		for i, k := range list {
			items[i] = item{k, i}
		}
		slices.SortFunc(items, func(x, y item) int {
			return cmp.Or(cmp.Compare(x.Key, y.Key), cmp.Compare(x.Fine, y.Fine), cmp.Compare(x.at, y.at))
		})
		return items
	}
	group := func(items []item) int {
		n := 0
		for n < len(items) && items[n].Key == items[0].Key {
			n++
		}
		return n
	}
	partner := make([]int, len(a)) // of each in the first list
	for i := range partner {
		partner[i] = -1
	}
	var alone []int // in the second list
	as, bs := sorted(a), sorted(b)
	var leftA, leftB []int
	for len(as) > 0 || len(bs) > 0 {
		var na, nb int
		switch {
		case len(as) == 0 || len(bs) > 0 && bs[0].Key < as[0].Key:
			nb = group(bs)
		case len(bs) == 0 || as[0].Key < bs[0].Key:
			na = group(as)
		default:
			na, nb = group(as), group(bs)
		}
		leftA, leftB = leftA[:0], leftB[:0]
		i, j := 0, 0
		for i < na || j < nb {
			switch {
			case j == nb || i < na && as[i].Fine < bs[j].Fine:
				leftA = append(leftA, as[i].at)
				i++
			case i == na || bs[j].Fine < as[i].Fine:
				leftB = append(leftB, bs[j].at)
				j++
			default:
				partner[as[i].at] = bs[j].at
				i++
				j++
			}
		}
		slices.Sort(leftA)
		slices.Sort(leftB)
		n := min(len(leftA), len(leftB))
		for k := range n {
			partner[leftA[k]] = leftB[k]
		}
		alone = append(alone, leftB[n:]...)
		as, bs = as[na:], bs[nb:]
	}
	slices.Sort(alone)
	pairs := make([]Paired, 0, len(a)+len(alone))
	for i, to := range partner {
		pairs = append(pairs, Paired{i, to})
	}
	for _, to := range alone {
		pairs = append(pairs, Paired{-1, to})
	}
	return pairs
}

// KeptOrder tells of each of some distinct numbers whether it is in a longest rising
// sequence of them: of two orders of the same things, what is not in it has moved.
func KeptOrder(places []int) []bool {
	var tails []int                    // by length, where the sequence with the lowest end ends
	before := make([]int, len(places)) // in that sequence
	for i, p := range places {
		n, _ := slices.BinarySearchFunc(tails, p, func(at, p int) int { return cmp.Compare(places[at], p) })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	kept := make([]bool, len(places))
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = before[i] {
			kept[i] = true
		}
	}
	return kept
}
