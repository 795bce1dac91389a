package collected

import (
	"context"
	"slices"

	"proflens/decode/instrprof"
)

// Named is a name that no record has.
type Named struct {
	Ref  uint64
	Name []byte // a PGO name
}

// Unrecorded are the names of what has no record: vtables, and functions that are called
// but were not instrumented.
func (c *Collection) Unrecorded(ctx context.Context, src instrprof.Source) (extra []Named, err error) {
	if c.Info.Format == instrprof.FormatIndexed && len(c.Info.VTableNames) == 0 {
		return nil, nil // an indexed file has no others
	}
	var names arena
	n, next := 0, uint32(0)
	asked := newRefSet(0) // those without a record at their place
	for ref, name := range src.Names() {
		if n++; n&4095 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if next < uint32(c.records.n) && c.records.at(next).NameRef == ref { // as nearly all: records have the order of names
			next++
			continue
		}
		if len(name) > 0 && asked.add(ref) {
			at := names.add(name)
			extra = append(extra, Named{ref, names.bytes(at, uint32(len(name)))})
		}
	}
	recorded := newRefSet(0)
	for r := range c.All() {
		if asked.has(r.NameRef) {
			recorded.add(r.NameRef)
		}
	}
	return slices.DeleteFunc(extra, func(e Named) bool { return recorded.has(e.Ref) }), nil
}

// refSet is a set of NameRefs. They are hashes already, so their low bits
// serve as places.
type refSet struct {
	slots   []uint64 // 0 is free
	n       int
	hasZero bool
}

func newRefSet(n int) *refSet {
	size := 64
	for size < 2*n {
		size *= 2
	}
	return &refSet{slots: make([]uint64, size)}
}

// has reports whether ref is in the set.
func (s *refSet) has(ref uint64) bool {
	if ref == 0 {
		return s.hasZero
	}
	return *s.slot(ref) == ref
}

// slot is where ref is, or would go.
func (s *refSet) slot(ref uint64) *uint64 {
	// A multiplication guards against refs chosen to share their low bits.
	for i := ref * 0x9e3779b97f4a7c15 >> 20; ; i++ {
		if slot := &s.slots[i&uint64(len(s.slots)-1)]; *slot == 0 || *slot == ref {
			return slot
		}
	}
}

// add reports whether ref is new.
func (s *refSet) add(ref uint64) bool {
	if ref == 0 {
		isNew := !s.hasZero
		if s.hasZero = true; isNew {
			s.n++
		}
		return isNew
	}
	if 2*s.n >= len(s.slots) {
		old := s.slots
		s.slots, s.n = make([]uint64, 2*len(old)), 0
		if s.hasZero {
			s.n = 1
		}
		for _, v := range old {
			if v != 0 {
				s.add(v)
			}
		}
	}
	slot := s.slot(ref)
	if *slot == ref {
		return false
	}
	*slot = ref
	s.n++
	return true
}
