package tables

import (
	"fmt"
	"slices"

	"proflens/profile/table"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
)

// ComparedMIP is the functions of two Machine IR Profiles. words are the states of
// moves, by bit.
func ComparedMIP(c *mipdb.Comparison, q query.MoveQuery, words []string, o table.Options, members []byte) table.Table {
	return Moves(c, q, ComparedMIPColumns(words, o.Demangle),
		[]string{"state", "change", "base_covered_bytes", "test_covered_bytes", "base_size", "test_size", "base_place",
			"test_place", "demangled"}, o, members)
}

// ComparedMIPColumns are all columns of it.
func ComparedMIPColumns(words []string, demangle func(string) string) []table.Column[query.Move[mipdb.ComparedRow]] {
	type move = query.Move[mipdb.ComparedRow]
	row := func(m *move, test bool) *mipdb.Row {
		if test {
			return m.Row.Test
		}
		return m.Row.Base
	}
	var name named
	var of *move
	named := func(m *move) *named {
		if of != m {
			f := m.Row.Any()
			of, name = m, newNamed(f.Signature, f.Linkage, demangle)
		}
		return &name
	}
	place := func(m *move, test bool) table.Cell {
		at := m.Row.BasePlace
		if test {
			at = m.Row.TestPlace
		}
		if at == 0 {
			return table.Null
		}
		return table.Int(uint64(at))
	}
	return slices.Concat(
		[]table.Column[move]{
			moveState[mipdb.ComparedRow](words),
			{"fid", 16, func(m *move) table.Cell { return table.Text(m.Row.Any().FID) }},
		},
		slices.DeleteFunc(nameColumns(named), func(c table.Column[move]) bool { return c.Name == "fid" }),
		[]table.Column[move]{{"change", 9, func(m *move) table.Cell { return table.Number(m.Change) }}},
		moveSides("executed", 13, func(m *move, test bool) table.Cell { return table.Bool(row(m, test).Executed) }),
		moveSides("size", 9, func(m *move, test bool) table.Cell { return table.Int(uint64(row(m, test).Size)) }),
		moveSides("covered_bytes", 18, func(m *move, test bool) table.Cell { return table.Int(row(m, test).CoveredBytes) }),
		moveSides("place", 10, place),
		moveSides("merge_count", 16, func(m *move, test bool) table.Cell { return table.Count(row(m, test).MergeCount) }),
		moveSides("call_count", 16, func(m *move, test bool) table.Cell { return table.Count(row(m, test).Calls) }),
		moveSides("cfg_signature", 18, func(m *move, test bool) table.Cell {
			return table.Text(fmt.Sprintf("0x%08x", row(m, test).CFGSignature))
		}))
}
