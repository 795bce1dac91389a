package analyze

import (
	"cmp"
	"slices"

	"proflens/decode/dcpi"
)

// ProcedureMap finds the procedure that an address belongs to.
type ProcedureMap struct {
	procedures []dcpi.Procedure // by address, then name
	end        uint64
}

// NewProcedureMap takes the procedures of an image, in any order, and the first
// address after its text, up to which the last one reaches when it has no size.
// end 0 means that it is not known: the last one has no end then.
func NewProcedureMap(procedures []dcpi.Procedure, end uint64) *ProcedureMap {
	if end == 0 {
		end = 1<<64 - 1
	}
	sorted := slices.Clone(procedures)
	slices.SortFunc(sorted, func(a, b dcpi.Procedure) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.Name, b.Name))
	})
	return &ProcedureMap{sorted, end}
}

// Len is how many procedures there are.
func (m *ProcedureMap) Len() int { return len(m.procedures) }

// At gives the i-th procedure by address, and where it ends: at its own size or
// else at the next one.
func (m *ProcedureMap) At(i int) (p *dcpi.Procedure, end uint64) {
	p = &m.procedures[i]
	switch {
	case p.Size > 0 && p.Address+p.Size > p.Address:
		return p, p.Address + p.Size
	case i+1 < len(m.procedures):
		return p, m.procedures[i+1].Address
	}
	return p, m.end
}

// Find gives the index of the procedure that covers an address. Of several at
// one address it is the one whose name sorts last.
func (m *ProcedureMap) Find(address uint64) (i int, ok bool) {
	i, _ = slices.BinarySearchFunc(m.procedures, address, func(p dcpi.Procedure, a uint64) int {
		if p.Address <= a {
			return -1
		}
		return 1
	})
	if i--; i < 0 {
		return -1, false
	}
	if _, end := m.At(i); address >= end {
		return -1, false
	}
	return i, true
}

// Span is Find with the addresses around that have the same answer: [from, to).
// i is -1 where no procedure covers the address.
func (m *ProcedureMap) Span(address uint64) (i int, from, to uint64) {
	next, _ := slices.BinarySearchFunc(m.procedures, address, func(p dcpi.Procedure, a uint64) int {
		if p.Address <= a {
			return -1
		}
		return 1
	})
	to = 1<<64 - 1
	if next < len(m.procedures) {
		to = m.procedures[next].Address
	}
	if i = next - 1; i < 0 {
		return -1, 0, to
	}
	p, end := m.At(i)
	if address >= end {
		return -1, end, to
	}
	return i, p.Address, min(to, end)
}

// Overlaps reports whether any procedure begins in [from, to).
func (m *ProcedureMap) Overlaps(from, to uint64) bool {
	i, _ := slices.BinarySearchFunc(m.procedures, from, func(p dcpi.Procedure, a uint64) int {
		return cmp.Compare(p.Address, a)
	})
	return i < len(m.procedures) && m.procedures[i].Address < to
}
