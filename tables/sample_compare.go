package tables

import (
	"slices"

	"proflens/profile/table"
	"proflens/profiledb/query"
	"proflens/profiledb/sampledb"
)

// ComparedFunctions is the functions of two sample profiles. words are the states of
// moves, by bit.
func ComparedFunctions(c *sampledb.Comparison, q query.MoveQuery, words []string, o table.Options,
	members []byte) table.Table {
	return Moves(c, q, ComparedFunctionColumns(c, words, o.Demangle),
		[]string{"change", "base_share", "test_share", "base_total", "test_total", "base_heat", "test_heat", "state",
			"demangled"}, o, members)
}

// ComparedFunctionColumns are all columns of it.
func ComparedFunctionColumns(c *sampledb.Comparison, words []string,
	demangle func(string) string) []table.Column[query.Move[sampledb.ComparedRow]] {
	type move = query.Move[sampledb.ComparedRow]
	var name named
	var of *move
	named := func(m *move) *named {
		if of != m {
			n := m.Row.Any()
			of, name = m, newNamed(n.GUID, n.Linkage, demangle)
		}
		return &name
	}
	count := func(of func(n *sampledb.Name) uint64) func(m *move, test bool) table.Cell {
		return func(m *move, test bool) table.Cell {
			if test {
				return table.Count(of(m.Row.Test))
			}
			return table.Count(of(m.Row.Base))
		}
	}
	return slices.Concat(
		[]table.Column[move]{moveState[sampledb.ComparedRow](words)},
		nameColumns(named),
		[]table.Column[move]{{"change", 9, func(m *move) table.Cell { return table.Change(m.Change) }}},
		moveSides("share", 10, func(m *move, test bool) table.Cell {
			if test {
				return table.Ratio(m.Test)
			}
			return table.Ratio(m.Base)
		}),
		moveSides("total", 12, count(func(n *sampledb.Name) uint64 { return n.Total })),
		moveSides("own", 12, count((*sampledb.Name).Own)),
		moveSides("head", 12, count(func(n *sampledb.Name) uint64 { return n.Head })),
		moveSides("max", 12, count(func(n *sampledb.Name) uint64 { return n.Max })),
		moveSides("heat", 9, func(m *move, test bool) table.Cell {
			n, o := m.Row.Base, c.Base
			if test {
				n, o = m.Row.Test, c.Test
			}
			if n.Entries == 0 {
				return table.Text("inlined")
			}
			return table.Text(string(o.HeatOf(n.Max)))
		}),
		moveSides("checksum", 16, func(m *move, test bool) table.Cell {
			n := m.Row.Base
			if test {
				n = m.Row.Test
			}
			if n.Checksum == 0 {
				return table.Null
			}
			return table.Hex(n.Checksum)
		}))
}
