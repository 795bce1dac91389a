package analyze

import (
	"cmp"
	"slices"

	"proflens/decode/instrprof"
)

// Placed is a function of temporal traces, at its place in an order.
type Placed struct {
	NameRef uint64
	First   uint32 // its earliest position over all traces, from 0
	Traces  uint32 // that it is in

	last uint32 // of them, from 1
}

// Order collects temporal traces and orders their functions. The zero value has
// none.
type Order struct {
	places map[uint64]*Placed
	traces uint32
}

// Add takes a trace in. A function that stands in it twice counts once.
func (o *Order) Add(t instrprof.Trace) { o.AddRefs(t.NameRefs) }

// AddRefs takes in the functions of a trace, in the order in which they first
// ran.
func (o *Order) AddRefs(refs []uint64) {
	if o.places == nil {
		o.places = make(map[uint64]*Placed, len(refs))
	}
	o.traces++
	for i, ref := range refs {
		p, known := o.places[ref]
		if !known {
			p = &Placed{NameRef: ref, First: uint32(i)}
			o.places[ref] = p
		}
		p.First = min(p.First, uint32(i))
		if p.last != o.traces {
			p.last = o.traces
			p.Traces++
		}
	}
}

// Functions are all functions by their earliest position over all traces, and
// by NameRef where that is the same: what llvm-profdata order begins with, and
// what it prints for one small trace (instrprof.md §6.6).
func (o *Order) Functions() []Placed {
	list := make([]Placed, 0, len(o.places))
	for _, p := range o.places {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Placed) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.NameRef, b.NameRef))
	})
	return list
}
