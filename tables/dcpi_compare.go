package tables

import (
	"fmt"
	"slices"

	"proflens/profile/table"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/query"
)

// ComparedSamples is the procedures, or the addresses, of two databases. words are the
// states of moves, by bit.
func ComparedSamples(c *dcpidb.Comparison, q query.MoveQuery, words []string, o table.Options,
	members []byte) table.Table {
	return Moves(c, q, ComparedSampleColumns(words),
		[]string{"change", "base_share", "test_share", "base_samples", "test_samples", "state", "image", "procedure",
			"base_address"}, o, members)
}

// ComparedSampleColumns are all columns of it.
func ComparedSampleColumns(words []string) []table.Column[query.Move[dcpidb.ComparedRow]] {
	type move = query.Move[dcpidb.ComparedRow]
	cell := func(m *move, test bool) *dcpidb.ComparedCell {
		if test {
			return &m.Row.Test
		}
		return &m.Row.Base
	}
	return slices.Concat(
		[]table.Column[move]{
			moveState[dcpidb.ComparedRow](words),
			{"image", 16, func(m *move) table.Cell { return table.Text(m.Row.Image) }},
			{"procedure", 32, func(m *move) table.Cell {
				if m.Row.Kind != dcpidb.RowProcedure {
					return table.Null
				}
				return table.Text(m.Row.Name)
			}},
			{"change", 9, func(m *move) table.Cell { return table.Change(m.Change) }},
		},
		moveSides("share", 10, func(m *move, test bool) table.Cell {
			if test {
				return table.Ratio(m.Test)
			}
			return table.Ratio(m.Base)
		}),
		moveSides("samples", 12, func(m *move, test bool) table.Cell { return table.Count(cell(m, test).Samples) }),
		moveSides("events", 14, func(m *move, test bool) table.Cell {
			return (&dcpidb.Amount{Of: cell(m, test).Events, Unit: dcpidb.UnitEvents}).Cell("", nil)
		}),
		moveSides("address", 12, func(m *move, test bool) table.Cell {
			return table.Text(fmt.Sprintf("0x%x", cell(m, test).Address))
		}),
		moveSides("offset", 10, func(m *move, test bool) table.Cell {
			return table.Text(fmt.Sprintf("0x%x", cell(m, test).Offset))
		}),
		moveSides("size", 9, func(m *move, test bool) table.Cell {
			if n := cell(m, test).Size; n > 0 {
				return table.Int(n)
			}
			return table.Null
		}))
}
