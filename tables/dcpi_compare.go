package tables

import (
	"slices"

	"proflens/profiledb/dcpidb"
	"proflens/profiledb/query"
)

// ComparedSamples is the procedures, or the addresses, of two databases. words are the
// states of moves, by bit.
func ComparedSamples(c *dcpidb.Comparison, q query.MoveQuery, words []string, o Options, members []byte) Table {
	return Moves(c, q, ComparedSampleColumns(words),
		[]string{"change", "base_share", "test_share", "base_samples", "test_samples", "state", "image", "procedure",
			"base_address"}, o, members)
}

// ComparedSampleColumns are all columns of it.
func ComparedSampleColumns(words []string) []Column[query.Move[dcpidb.ComparedRow]] {
	type move = query.Move[dcpidb.ComparedRow]
	cell := func(m *move, test bool) *dcpidb.ComparedCell {
		if test {
			return &m.Row.Test
		}
		return &m.Row.Base
	}
	return slices.Concat(
		[]Column[move]{
			moveState[dcpidb.ComparedRow](words),
			{"image", 16, func(m *move) Cell { return Text(m.Row.Image) }},
			{"procedure", 32, func(m *move) Cell {
				if m.Row.Kind != dcpidb.RowProcedure {
					return Null
				}
				return Text(m.Row.Name)
			}},
			{"change", 9, func(m *move) Cell { return Change(m.Change) }},
		},
		moveSides("share", 10, func(m *move, test bool) Cell {
			if test {
				return Ratio(m.Test)
			}
			return Ratio(m.Base)
		}),
		moveSides("samples", 12, func(m *move, test bool) Cell { return Count(cell(m, test).Samples) }),
		moveSides("events", 14, func(m *move, test bool) Cell { return DCPIFigure(cell(m, test).Events, dcpidb.UnitEvents) }),
		moveSides("address", 12, func(m *move, test bool) Cell { return addressCell(cell(m, test).Address) }),
		moveSides("offset", 10, func(m *move, test bool) Cell { return addressCell(cell(m, test).Offset) }),
		moveSides("size", 9, func(m *move, test bool) Cell {
			if n := cell(m, test).Size; n > 0 {
				return Int(n)
			}
			return Null
		}))
}
