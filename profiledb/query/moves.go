package query

import (
	"context"
	"math"

	"proflens/analyze"
	"proflens/names"
)

// MoveState is what two profiles have of a thing: bits, of which a family may have
// more than these.
type MoveState uint16

// The bits that all families have; exactly one of these is set.
const (
	MoveMatched  MoveState = 1 << iota // both have it
	MoveChanged                        // both have it, and its code or shape differs
	MoveOnlyBase                       // the test profile does not have it
	MoveOnlyTest                       // the base profile does not have it
	MoveOwn                            // the first of the bits that are a family's own
)

// Move is a thing in two profiles, measured in both.
type Move[T any] struct {
	Row        T
	Name       []byte // what a filter by name looks at
	State      MoveState
	Base, Test float64 // 0 where a profile does not have it
	Change     float64 // Test minus Base, to the last digit nothing where they are alike
	// Turned is how much moved to and fro, where that is more than Change, in which what
	// came and what went cancel out.
	Turned float64
}

// Size is how large a move is.
func (m *Move[T]) Size() float64 { return max(math.Abs(m.Change), m.Turned) }

// Absent reports whether a profile does not have it: the base, or the test profile.
func (m *Move[T]) Absent() (base, test bool) {
	return m.State&MoveOnlyTest != 0, m.State&MoveOnlyBase != 0
}

// NewMove measures a thing in both profiles.
func NewMove[T any](row T, name []byte, state MoveState, base, test float64) Move[T] {
	m := Move[T]{Row: row, Name: name, State: state, Base: base, Test: test, Change: test - base}
	if math.Abs(m.Change) <= closeMoves*max(math.Abs(base), math.Abs(test)) {
		m.Change = 0
	}
	return m
}

// closeMoves is how near two figures must be, relatively, for their doubles not to
// tell which is larger.
const closeMoves = 1e-12

// Direction is the sign of a change.
type Direction string

// The directions.
const (
	More Direction = "more"
	Less Direction = "less"
	Same Direction = "same"
)

// DirectionOf is the sign of a change.
func DirectionOf(change float64) Direction {
	switch {
	case change > 0:
		return More
	case change < 0:
		return Less
	}
	return Same
}

// The columns of moves that can be sorted by; families add their own.
const (
	MoveChange    Column = "change"
	MoveAbsChange Column = "abs_change" // Size: descending, the usual order
	MoveBase      Column = "base"
	MoveTest      Column = "test"
	MoveName      Column = "name"
)

// MoveQuery selects, orders and pages moves.
type MoveQuery struct {
	Text, Regexp string    // over the name
	States       MoveState // any of these bits; 0 is all
	Direction    Direction
	// Min is the least size of a change; with 0 all that changed. Every row is
	// selected, changed or not, with a negative one.
	Min           float64
	Sort          []Key // empty is the usual order
	Offset, Limit int
}

// AllMoves is the Min that leaves nothing out.
const AllMoves = -1

// Over reports whether a change, of a size or with its sign, is one by the query's
// threshold.
func (q *MoveQuery) Over(change float64) bool {
	return q.Min < 0 || change != 0 && math.Abs(change) >= q.Min
}

// MovePage is one page of moves.
type MovePage[T any] struct {
	Rows       []Move[T]
	All        int     // moves
	Matching   int     // that match
	Base, Test float64 // what these come to
}

// Moves are the things of two profiles, side by side. It is immutable.
type Moves[T any] struct {
	list    []Move[T]
	columns map[Column]func(*Move[T]) float64
}

// NewMoves orders a list, which it takes over, by change, the largest first, of
// either sign. columns are what it can be sorted by besides.
func NewMoves[T any](list []Move[T], columns map[Column]func(*Move[T]) float64) *Moves[T] {
	ids := All(len(list))
	SortBy(ids, func(i uint32) uint64 { return ^math.Float64bits(list[i].Size()) })
	m := &Moves[T]{list: make([]Move[T], len(list)), columns: columns}
	for i, id := range ids {
		m.list[i] = list[id]
	}
	return m
}

// Len is how many there are.
func (m *Moves[T]) Len() int { return len(m.list) }

// Each visits all moves, the largest change first.
func (m *Moves[T]) Each(visit func(*Move[T])) {
	for i := range m.list {
		visit(&m.list[i])
	}
}

// Page answers a query. Errors are a *ColumnError, that of names.NewMatcher for a
// pattern, or the context's.
func (m *Moves[T]) Page(ctx context.Context, q MoveQuery) (*MovePage[T], error) {
	var tests []Test
	if q.States != 0 {
		tests = append(tests, func(i uint32) bool { return m.list[i].State&q.States != 0 })
	}
	if q.Min >= 0 {
		tests = append(tests, func(i uint32) bool { return q.Over(m.list[i].Size()) })
	}
	if q.Direction != "" {
		tests = append(tests, func(i uint32) bool { return DirectionOf(m.list[i].Change) == q.Direction })
	}
	if q.Text != "" || q.Regexp != "" {
		matcher, err := names.NewMatcher(q.Text, q.Regexp)
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(i uint32) bool { return matcher.Match(m.list[i].Name) })
	}
	ids := Select(len(m.list), nil, tests)
	page := &MovePage[T]{All: len(m.list), Matching: len(ids)}
	for _, i := range ids {
		page.Base += m.list[i].Base
		page.Test += m.list[i].Test
	}
	if err := Sort(ctx, ids, q.Sort, m.value); err != nil {
		return nil, err
	}
	from, to := Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, m.list[i])
	}
	return page, ctx.Err()
}

// value is a column for sorting.
func (m *Moves[T]) value(by Column) (Value, error) {
	number := func(of func(*Move[T]) float64) (Value, error) {
		return Real(func(i uint32) float64 { return of(&m.list[i]) }), nil
	}
	switch by {
	case MoveChange:
		return number(func(r *Move[T]) float64 { return r.Change })
	case MoveAbsChange:
		return number((*Move[T]).Size)
	case MoveBase:
		return number(func(r *Move[T]) float64 { return r.Base })
	case MoveTest:
		return number(func(r *Move[T]) float64 { return r.Test })
	case MoveName:
		return Words(len(m.list), func(i uint32) string { return string(m.list[i].Name) }), nil
	}
	if of := m.columns[by]; of != nil {
		return number(of)
	}
	return Value{}, &ColumnError{Column: by, Known: m.Sorts()}
}

// Sorts are the columns that can be sorted by.
func (m *Moves[T]) Sorts() []Column {
	list := []Column{MoveChange, MoveAbsChange, MoveBase, MoveTest, MoveName}
	for c := range m.columns {
		list = append(list, c)
	}
	return list
}

// PairMoves makes pairs of a list of things in each profile, as analyze.Pair joins them.
func PairMoves[A any, T any](base, test []A, key func(*A) analyze.Keyed, row func(base, test *A) Move[T]) []Move[T] {
	keys := func(list []A) []analyze.Keyed {
		k := make([]analyze.Keyed, len(list))
		for i := range list {
			k[i] = key(&list[i])
		}
		return k
	}
	pairs := analyze.Pair(keys(base), keys(test))
	moves := make([]Move[T], len(pairs))
	for i, p := range pairs {
		var b, t *A
		if p.A >= 0 {
			b = &base[p.A]
		}
		if p.B >= 0 {
			t = &test[p.B]
		}
		moves[i] = row(b, t)
	}
	return moves
}
