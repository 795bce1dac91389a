package tables

import (
	"context"
	"slices"
	"strconv"
	"strings"

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
func Moves[T any](source MoveSource[T], q query.MoveQuery, columns []Column[query.Move[T]], text []string, o Options,
	members []byte) Table {
	var all int
	l := &List[query.Move[T]]{Columns: columns, Text: text, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[query.Move[T]], error) {
		q.Offset, q.Limit = offset, limit
		page, err := source.Page(ctx, q)
		if err != nil {
			return Step[query.Move[T]]{}, err
		}
		all = page.All
		return Step[query.Move[T]]{Rows: page.Rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[query.Move[T]]) []byte {
		return append(strconv.AppendInt(append(b, `,"all":`...), int64(all), 10), members...)
	}
	return l
}

// moveState is the column of a move's states; words are theirs, by bit.
func moveState[T any](words []string) Column[query.Move[T]] {
	return Column[query.Move[T]]{"state", 12, func(m *query.Move[T]) Cell {
		var list []string
		for bit, word := range words {
			if m.State>>bit&1 != 0 {
				list = append(list, word)
			}
		}
		return Text(strings.Join(list, " "))
	}}
}

// moveSides are a pair of columns, base_NAME and test_NAME; a side that is absent is
// null.
func moveSides[T any](name string, width int, value func(m *query.Move[T], test bool) Cell) []Column[query.Move[T]] {
	side := func(test bool) func(m *query.Move[T]) Cell {
		return func(m *query.Move[T]) Cell {
			base, other := m.Absent()
			if base && !test || other && test {
				return Null
			}
			return value(m, test)
		}
	}
	return []Column[query.Move[T]]{{"base_" + name, width, side(false)}, {"test_" + name, width, side(true)}}
}

// ComparedRanks is the functions of two profiles of different families. words are the
// states of moves, by bit.
func ComparedRanks(c *ranks.Comparison, q query.MoveQuery, words []string, o Options, members []byte) Table {
	return Moves(c, q, ComparedRankColumns(words, o.Demangle),
		[]string{"change", "base_share", "test_share", "base_rank", "test_rank", "base_heat", "test_heat", "state",
			"demangled"}, o, members)
}

// ComparedRankColumns are all columns of it.
func ComparedRankColumns(words []string, demangle func(string) string) []Column[query.Move[ranks.Row]] {
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
		[]Column[move]{moveState[ranks.Row](words)},
		slices.DeleteFunc(nameColumns(named), func(c Column[move]) bool { return c.Name == "fid" }),
		[]Column[move]{{"change", 9, func(m *move) Cell { return Change(m.Change) }}},
		moveSides("fid", 16, func(m *move, test bool) Cell { f, _, _ := row(m, test); return Hex(f.ID) }),
		moveSides("share", 10, func(m *move, test bool) Cell { _, share, _ := row(m, test); return Ratio(share) }),
		moveSides("rank", 9, func(m *move, test bool) Cell {
			if _, _, rank := row(m, test); rank > 0 {
				return Int(uint64(rank))
			}
			return Null
		}),
		moveSides("total", 20, func(m *move, test bool) Cell { f, _, _ := row(m, test); return SumCount(f.Total) }),
		moveSides("entry", 20, func(m *move, test bool) Cell { f, _, _ := row(m, test); return SumCount(f.Entry) }),
		moveSides("heat", 9, func(m *move, test bool) Cell {
			if f, _, _ := row(m, test); f.Heat != "" {
				return Text(string(f.Heat))
			}
			return Null
		}))
}
