package tables

import (
	"slices"

	"proflens/profiledb/query"
	"proflens/profiledb/sampledb"
)

// ComparedFunctions is the functions of two sample profiles. words are the states of
// moves, by bit.
func ComparedFunctions(c *sampledb.Comparison, q query.MoveQuery, words []string, o Options, members []byte) Table {
	return Moves(c, q, ComparedFunctionColumns(c, words, o.Demangle),
		[]string{"change", "base_share", "test_share", "base_total", "test_total", "base_heat", "test_heat", "state",
			"demangled"}, o, members)
}

// ComparedFunctionColumns are all columns of it.
func ComparedFunctionColumns(c *sampledb.Comparison, words []string,
	demangle func(string) string) []Column[query.Move[sampledb.ComparedRow]] {
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
	count := func(of func(n *sampledb.Name) uint64) func(m *move, test bool) Cell {
		return func(m *move, test bool) Cell {
			if test {
				return Count(of(m.Row.Test))
			}
			return Count(of(m.Row.Base))
		}
	}
	return slices.Concat(
		[]Column[move]{moveState[sampledb.ComparedRow](words)},
		nameColumns(named),
		[]Column[move]{{"change", 9, func(m *move) Cell { return Change(m.Change) }}},
		moveSides("share", 10, func(m *move, test bool) Cell {
			if test {
				return Ratio(m.Test)
			}
			return Ratio(m.Base)
		}),
		moveSides("total", 12, count(func(n *sampledb.Name) uint64 { return n.Total })),
		moveSides("own", 12, count((*sampledb.Name).Own)),
		moveSides("head", 12, count(func(n *sampledb.Name) uint64 { return n.Head })),
		moveSides("max", 12, count(func(n *sampledb.Name) uint64 { return n.Max })),
		moveSides("heat", 9, func(m *move, test bool) Cell {
			n, o := m.Row.Base, c.Base
			if test {
				n, o = m.Row.Test, c.Test
			}
			if n.Entries == 0 {
				return Text("inlined")
			}
			return Text(string(o.HeatOf(n.Max)))
		}),
		moveSides("checksum", 16, func(m *move, test bool) Cell {
			n := m.Row.Base
			if test {
				n = m.Row.Test
			}
			if n.Checksum == 0 {
				return Null
			}
			return Hex(n.Checksum)
		}))
}
