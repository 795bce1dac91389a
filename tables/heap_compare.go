package tables

import (
	"slices"
	"strconv"

	"proflens/profile/table"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
)

// ComparedHeap is the sites, or the contexts, of two heaps. words are the states of
// moves, by bit; modules are those of both profiles.
func ComparedHeap(c *memprofdb.Compared, modules [2][]memprofdb.Module, q query.MoveQuery, words []string,
	o table.Options, members []byte) table.Table {
	return Moves(c, q, ComparedHeapColumns(modules, words, o.Demangle),
		[]string{"change", "base_bytes", "test_bytes", "base_objects", "test_objects", "state", "base_type", "test_type",
			"function"}, o, members)
}

// ComparedHeapColumns are all columns of it.
func ComparedHeapColumns(modules [2][]memprofdb.Module, words []string,
	demangle func(string) string) []table.Column[query.Move[memprofdb.ComparedSite]] {
	type move = query.Move[memprofdb.ComparedSite]
	side := func(m *move, test bool) *memprofdb.ComparedSide {
		if test {
			return m.Row.Test
		}
		return m.Row.Base
	}
	text := func(s string) table.Cell {
		if s == "" {
			return table.Null
		}
		return table.Text(s)
	}
	mean := func(m *move, test bool) table.Cell {
		s := side(m, test)
		if n := s.Allocations.Float64(); n > 0 {
			return table.Number(s.Lifetime.Float64() / n)
		}
		return table.Null
	}
	return slices.Concat(
		[]table.Column[move]{
			moveState[memprofdb.ComparedSite](words),
			{"function", 40, func(m *move) table.Cell {
				if f := m.Row.Any().Function; f != nil {
					return table.Text(f.Label(demangle))
				}
				return table.Null
			}},
			{"linkage_name", 0, func(m *move) table.Cell {
				if f := m.Row.Any().Function; f != nil {
					return text(f.Name)
				}
				return table.Null
			}},
			{"file", 24, func(m *move) table.Cell { return text(m.Row.Any().File) }},
			{"line", 6, func(m *move) table.Cell { return table.Int(uint64(m.Row.Any().Line)) }},
			{"change", 14, func(m *move) table.Cell { return table.BigCount(strconv.FormatFloat(m.Change, 'f', 0, 64)) }},
		},
		moveSides("bytes", 14, func(m *move, test bool) table.Cell { return table.SumCount(side(m, test).Bytes) }),
		moveSides("objects", 12, func(m *move, test bool) table.Cell { return table.SumCount(side(m, test).Allocations) }),
		moveSides("accesses", 14, func(m *move, test bool) table.Cell { return table.SumCount(side(m, test).Accesses) }),
		moveSides("contexts", 13, func(m *move, test bool) table.Cell { return table.Int(side(m, test).Contexts) }),
		moveSides("lifetime_ms", 16, mean),
		moveSides("class", 10, func(m *move, test bool) table.Cell { return table.Text(string(side(m, test).Class)) }),
		moveSides("type", 24, func(m *move, test bool) table.Cell { return text(side(m, test).Type) }),
		moveSides("context", 16, func(m *move, test bool) table.Cell {
			if id := side(m, test).Context; id != 0 {
				return table.Hex(id)
			}
			return table.Null
		}))
}
