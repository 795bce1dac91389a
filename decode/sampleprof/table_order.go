package sampleprof

import "slices"

// tableSizes are how many buckets the tables of libstdc++ have: the next when there are more entries than buckets.
var tableSizes = [...]int{
	13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061, 712697, 1447153, 2938679,
	5967347, 12117689, 24607243, 49969847, 101473717,
}

// Walked are the functions in the order in which LLVM's tools go through their sum: what has neither checksums nor
// attributes is as good in any order, and contexts are by a hash of their frames that differs between releases.
func (p *Profile) Walked() []*Function {
	list := p.inTable(p.read)
	if !p.added {
		list = p.inTable(list)
	}
	if len(list) == len(p.Functions) {
		return list
	}
	left := map[*Function]bool{}
	for _, f := range p.Functions {
		left[f] = true
	}
	return slices.DeleteFunc(list, func(f *Function) bool { return !left[f] })
}

// inTable are functions in the order of a table to which they were added.
func (p *Profile) inTable(list []*Function) []*Function {
	if p.Has(FullContexts) || !p.Has(Probes) && !p.Has(PreInlined) && !p.Has(Attributed) {
		return p.Functions
	}
	guids := make([]uint64, len(list))
	for i, f := range list {
		guids[i] = p.Names[f.Name].GUID()
	}
	out := make([]*Function, len(list))
	for i, at := range tableOrder(guids) {
		out[i] = list[at]
	}
	return out
}

// tableOrder is the order in which LLVM's tools go through functions, by their GUIDs: that of a std::unordered_map of
// libstdc++ to which they were added.
func tableOrder(guids []uint64) []int {
	var order []int
	for _, buckets := range tableSizes {
		n := len(order)
		for ; n < min(len(guids), buckets); n++ {
			order = append(order, n)
		}
		place := map[uint64]int{}
		var groups [][]int // by bucket
		for _, i := range order {
			bucket := guids[i] % uint64(buckets)
			at, ok := place[bucket]
			if !ok {
				at = len(groups)
				place[bucket], groups = at, append(groups, nil)
			}
			groups[at] = append(groups[at], i)
		}
		order = order[:0]
		for _, group := range slices.Backward(groups) { // what is added comes first, in its bucket or in front of all
			slices.Reverse(group)
			order = append(order, group...)
		}
		if n == len(guids) {
			break
		}
	}
	return order
}
