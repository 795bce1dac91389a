package tables

import (
	"fmt"
	"slices"

	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
)

// ComparedMIP is the functions of two Machine IR Profiles. words are the states of
// moves, by bit.
func ComparedMIP(c *mipdb.Comparison, q query.MoveQuery, words []string, o Options, members []byte) Table {
	return Moves(c, q, ComparedMIPColumns(words, o.Demangle),
		[]string{"state", "change", "base_covered_bytes", "test_covered_bytes", "base_size", "test_size", "base_place",
			"test_place", "demangled"}, o, members)
}

// ComparedMIPColumns are all columns of it.
func ComparedMIPColumns(words []string, demangle func(string) string) []Column[query.Move[mipdb.ComparedRow]] {
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
	place := func(m *move, test bool) Cell {
		at := m.Row.BasePlace
		if test {
			at = m.Row.TestPlace
		}
		if at == 0 {
			return Null
		}
		return Int(uint64(at))
	}
	return slices.Concat(
		[]Column[move]{
			moveState[mipdb.ComparedRow](words),
			{"fid", 16, func(m *move) Cell { return Text(m.Row.Any().FID) }},
		},
		slices.DeleteFunc(nameColumns(named), func(c Column[move]) bool { return c.Name == "fid" }),
		[]Column[move]{{"change", 9, func(m *move) Cell { return Number(m.Change) }}},
		moveSides("executed", 13, func(m *move, test bool) Cell { return Bool(row(m, test).Executed) }),
		moveSides("size", 9, func(m *move, test bool) Cell { return Int(uint64(row(m, test).Size)) }),
		moveSides("covered_bytes", 18, func(m *move, test bool) Cell { return Int(row(m, test).CoveredBytes) }),
		moveSides("place", 10, place),
		moveSides("merge_count", 16, func(m *move, test bool) Cell { return Count(row(m, test).MergeCount) }),
		moveSides("call_count", 16, func(m *move, test bool) Cell { return Count(row(m, test).Calls) }),
		moveSides("cfg_signature", 18, func(m *move, test bool) Cell {
			return Text(fmt.Sprintf("0x%08x", row(m, test).CFGSignature))
		}))
}
