package sums

import (
	"cmp"
	"iter"

	"proflens/decode/instrprof"
	"proflens/internal/bytesort"
)

// Sorted yields the records by name, in byte order, then FuncHash.
func (s *Merged) Sorted() iter.Seq[*instrprof.Function] {
	return func(yield func(*instrprof.Function) bool) {
		var f instrprof.Function
		for _, i := range s.BySymbol() {
			s.Record(i, &f)
			if !yield(&f) {
				return
			}
		}
	}
}

// BySymbol implements [Records].
func (s *Merged) BySymbol() []uint32 {
	return s.order(func(a, b *record) int { return cmp.Compare(a.funcHash, b.funcHash) })
}

// ByName implements [Records].
func (s *Merged) ByName() []uint32 {
	return s.order(func(_, _ *record) int { return 0 })
}

// SameName implements [Records].
func (s *Merged) SameName(a, b uint32) bool {
	i, j := s.m.records[a].name, s.m.records[b].name
	return i == j || len(s.m.names.names[i])+len(s.m.names.names[j]) == 0
}

// order sorts the numbers of the records by name, then as within says, then by
// number.
func (s *Merged) order(within func(a, b *record) int) []uint32 {
	order := make([]uint32, len(s.m.records))
	for i := range order {
		order[i] = uint32(i)
	}
	bytesort.Sort(order,
		func(i uint32) []byte { return s.m.names.names[s.m.records[i].name] },
		func(a, b uint32) int {
			return cmp.Or(within(&s.m.records[a], &s.m.records[b]), cmp.Compare(a, b))
		})
	return order
}
