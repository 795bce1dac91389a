package tables

import (
	"context"
	"strconv"
	"strings"

	"proflens/profile/table"
	"proflens/profiledb/query"
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
