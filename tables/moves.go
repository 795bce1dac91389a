package tables

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"proflens/profile/table"
	"proflens/profiledb/query"
	"proflens/profiledb/ranks"
)

// MoveSource gives moves as a query asks for them.
type MoveSource[T any] interface {
	Page(ctx context.Context, q query.MoveQuery) (*query.MovePage[T], error)
}

// Moves is a table of what two profiles have, side by side; the query's Offset and
// Limit do not count. members are further members of the envelope of JSON, each after
// a comma.
func Moves[T any](source MoveSource[T], q query.MoveQuery, columns []table.Column[query.Move[T]], text []string,
	o table.Options, members []byte) table.Table {
	var all int
	l := &table.List[query.Move[T]]{Columns: columns, Text: text, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (table.Step[query.Move[T]], error) {
		q.Offset, q.Limit = offset, limit
		page, err := source.Page(ctx, q)
		if err != nil {
			return table.Step[query.Move[T]]{}, err
		}
		all = page.All
		return table.Step[query.Move[T]]{Rows: page.Rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []table.Column[query.Move[T]]) []byte {
		return append(strconv.AppendInt(append(b, `,"all":`...), int64(all), 10), members...)
	}
	return l
}

// moveState is the column of a move's states; words are theirs, by bit.
func moveState[T any](words []string) table.Column[query.Move[T]] {
	return table.Column[query.Move[T]]{"state", 12, func(m *query.Move[T]) table.Cell {
		var list []string
		for bit, word := range words {
			if m.State>>bit&1 != 0 {
				list = append(list, word)
			}
		}
		return table.Text(strings.Join(list, " "))
	}}
}

// moveSides are a pair of columns, base_NAME and test_NAME; a side that is absent is
// null.
func moveSides[T any](name string, width int,
	value func(m *query.Move[T], test bool) table.Cell) []table.Column[query.Move[T]] {
	side := func(test bool) func(m *query.Move[T]) table.Cell {
		return func(m *query.Move[T]) table.Cell {
			base, other := m.Absent()
			if base && !test || other && test {
				return table.Null
			}
			return value(m, test)
		}
	}
	return []table.Column[query.Move[T]]{{"base_" + name, width, side(false)}, {"test_" + name, width, side(true)}}
}

// ComparedRanks is the functions of two profiles of different families. words are the
// states of moves, by bit.
func ComparedRanks(c *ranks.Comparison, q query.MoveQuery, words []string, o table.Options,
	members []byte) table.Table {
	return Moves(c, q, ComparedRankColumns(words, o.Demangle),
		[]string{"change", "base_share", "test_share", "base_rank", "test_rank", "base_heat", "test_heat", "state",
			"demangled"}, o, members)
}

// ComparedRankColumns are all columns of it.
func ComparedRankColumns(words []string, demangle func(string) string) []table.Column[query.Move[ranks.Row]] {
	type move = query.Move[ranks.Row]
	row := func(m *move, test bool) (f *ranks.Function, share float64, rank int) {
		if test {
			return m.Row.Test, m.Test, m.Row.TestRank
		}
		return m.Row.Base, m.Base, m.Row.BaseRank
	}
	var name named
	var of *move
	named := func(m *move) *named {
		if of != m {
			f := m.Row.Any()
			of, name = m, newNamed(f.GUID, f.Linkage, demangle)
		}
		return &name
	}
	return slices.Concat(
		[]table.Column[move]{moveState[ranks.Row](words)},
		slices.DeleteFunc(nameColumns(named), func(c table.Column[move]) bool { return c.Name == "fid" }),
		[]table.Column[move]{{"change", 9, func(m *move) table.Cell { return table.Change(m.Change) }}},
		moveSides("fid", 16, func(m *move, test bool) table.Cell { f, _, _ := row(m, test); return table.Hex(f.ID) }),
		moveSides("share", 10, func(m *move, test bool) table.Cell {
			_, share, _ := row(m, test)
			return table.Ratio(share)
		}),
		moveSides("rank", 9, func(m *move, test bool) table.Cell {
			if _, _, rank := row(m, test); rank > 0 {
				return table.Int(uint64(rank))
			}
			return table.Null
		}),
		moveSides("total", 20, func(m *move, test bool) table.Cell {
			f, _, _ := row(m, test)
			return table.SumCount(f.Total)
		}),
		moveSides("entry", 20, func(m *move, test bool) table.Cell {
			f, _, _ := row(m, test)
			return table.SumCount(f.Entry)
		}),
		moveSides("heat", 9, func(m *move, test bool) table.Cell {
			if f, _, _ := row(m, test); f.Heat != "" {
				return table.Text(string(f.Heat))
			}
			return table.Null
		}))
}
