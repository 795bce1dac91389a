package table

import (
	"context"
	"math"
	"reflect"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/profile/query"
)

// State is how a row stands in two profiles: bits, of which a table may have more than these.
// A row of a comparison embeds it with the tag of its column; its words are those of
// Declaration.States.
type State uint16

// The bits that all comparisons have; one of the first four is set.
const (
	Matched  State = 1 << iota // both have it
	Changed                    // both have it, and its code or shape differs
	OnlyBase                   // the test profile does not have it
	OnlyTest                   // the base profile does not have it
	OwnState                   // the first of the bits that are a table's own
)

// StateWord is a bit of [State] in words.
type StateWord struct {
	Word  string // in addresses and cells
	Label string // among those to choose from
	// Tag marks the rows that are in it; Tone is its colour, and Title says more of it.
	// Where Tag is empty they are not marked.
	Tag, Tone, Title string
}

// States are the words of the bits that all comparisons have.
var States = []StateWord{
	{Word: "matched", Label: "in both"},
	{Word: "changed", Label: "code changed", Tag: "code changed"},
	{Word: "only_base", Label: "lost", Tag: "lost", Tone: "less", Title: "in A, not in B"},
	{Word: "only_test", Label: "new", Tag: "new", Tone: "more", Title: "in B, not in A"},
}

// Absent reports whether a profile does not have the row: the base, or the test profile.
func (s State) Absent() (base, test bool) { return s&OnlyTest != 0, s&OnlyBase != 0 }

// Standing implements [Pair].
func (s State) Standing() State { return s }

// Move is what a row is compared by. A row of a comparison embeds it with the tag of its
// column: that is the change, and of pages also what each profile has. The column's unit
// says how scripts have the change: a part, bytes, or else a number.
type Move struct {
	InBase, InTest float64 // 0 where a profile does not have it
	Change         float64 // InTest minus InBase, to the last digit nothing where they are alike
	// Turned is how much moved to and fro, where that is more than Change, in which what
	// came and what went cancel out.
	Turned float64
}

// NewMove compares two figures.
func NewMove(base, test float64) Move {
	m := Move{InBase: base, InTest: test, Change: test - base}
	if math.Abs(m.Change) <= closeMoves*max(math.Abs(base), math.Abs(test)) {
		m.Change = 0
	}
	return m
}

// closeMoves is how near two figures must be, relatively, for their doubles not to tell
// which is larger.
const closeMoves = 1e-12

// Size is how large a move is.
func (m *Move) Size() float64 { return max(math.Abs(m.Change), m.Turned) }

// Measured implements [Pair].
func (m *Move) Measured() *Move { return m }

// Sides is what two profiles have of a row; nil in one that does not have it. A row of a
// comparison embeds it with the tag pair, which lists the columns of a side in their order,
// with their widths behind a colon: "total:12,max". Each comes twice, with base_ and test_ in
// front; where the tag is:"apart" is there, all of the base profile come first. A column of S
// that has the tag change:"NAME" is also subtracted: pages have the column NAME of how much
// more of it the test profile has.
type Sides[S any] struct{ Base, Test *S }

// Any is what the base profile has, or else the test profile.
func (s *Sides[S]) Any() *S {
	if s.Base != nil {
		return s.Base
	}
	return s.Test
}

// State is one of the bits that all comparisons have: whether both have the row.
func (s *Sides[S]) State() State {
	switch {
	case s.Base == nil:
		return OnlyTest
	case s.Test == nil:
		return OnlyBase
	}
	return Matched
}

// Pair is a pointer to a row of a comparison: a struct that embeds a [State] and a [Move].
type Pair interface {
	Standing() State
	Measured() *Move
}

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

// The columns that come with a [Move].
const (
	MoveChange    query.Column = "change"
	MoveAbsChange query.Column = "abs_change" // its size: descending, the usual order
	MoveBase      query.Column = "base"
	MoveTest      query.Column = "test"
)

// MoveQuery selects, orders and pages the rows of a comparison.
type MoveQuery struct {
	query.RowQuery
	States    State // any of these bits; 0 is all
	Direction Direction
	// Min is the least size of a change; with 0 all that changed. Every row is selected,
	// changed or not, with a negative one.
	Min float64
}

// AllMoves is the Min that leaves nothing out.
const AllMoves = -1

// Over reports whether a change, of a size or with its sign, is one by the query's threshold.
func (q *MoveQuery) Over(change float64) bool {
	return q.Min < 0 || change != 0 && math.Abs(change) >= q.Min
}

// selects reports whether a row is in a state and has changed as the query wants it.
func (q *MoveQuery) selects(p Pair) bool {
	m := p.Measured()
	return (q.States == 0 || p.Standing()&q.States != 0) && q.Over(m.Size()) &&
		(q.Direction == "" || DirectionOf(m.Change) == q.Direction)
}

// MovePage is one page of rows.
type MovePage[P Pair] struct {
	Rows       []P
	All        int     // rows of the comparison
	Matching   int     // that match
	Base, Test float64 // what these come to
}

// Moves are the rows of a comparison, all of them in memory. It is immutable.
type Moves[P Pair] struct {
	of   *Declaration
	rows []P
}

// NewMoves orders rows by the size of their change, the largest first.
func NewMoves[P Pair](of *Declaration, rows []P) *Moves[P] {
	ids := query.All(len(rows))
	query.SortBy(ids, func(i uint32) uint64 { return ^math.Float64bits(rows[i].Measured().Size()) })
	m := &Moves[P]{of, make([]P, len(rows))}
	for i, id := range ids {
		m.rows[i] = rows[id]
	}
	return m
}

// Len is how many there are.
func (m *Moves[P]) Len() int { return len(m.rows) }

// Each visits all rows, the largest change first.
func (m *Moves[P]) Each(visit func(P)) {
	for _, row := range m.rows {
		visit(row)
	}
}

func (m *Moves[P]) set(q MoveQuery) Set {
	return Set{Rows: m.rows, Sorted: true, Tests: []query.Test{func(i uint32) bool { return q.selects(m.rows[i]) }}}
}

// Find finds the rows that a query selects, as a table wants them.
func (m *Moves[P]) Find(q MoveQuery) Find { return m.of.Within(m.set(q)) }

// Page answers a query. Errors are those of query.RowQuery.
func (m *Moves[P]) Page(ctx context.Context, q MoveQuery) (*MovePage[P], error) {
	found, ids, err := m.of.pick(ctx, m.set(q), Query{RowQuery: q.RowQuery})
	if err != nil {
		return nil, err
	}
	page := &MovePage[P]{All: found.All, Matching: found.Matching}
	for _, i := range ids {
		page.Base += m.rows[i].Measured().InBase
		page.Test += m.rows[i].Measured().InTest
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, m.rows[i])
	}
	return page, ctx.Err()
}

// Pairs lays the rows of two profiles on each other: those that analyze.Pair joins by their
// keys, and those that one alone has.
func Pairs[S any, P any](base, test []S, key func(*S) analyze.Keyed, row func(base, test *S) P) []P {
	keys := func(list []S) []analyze.Keyed {
		k := make([]analyze.Keyed, len(list))
		for i := range list {
			k[i] = key(&list[i])
		}
		return k
	}
	pairs := analyze.Pair(keys(base), keys(test))
	rows := make([]P, len(pairs))
	for i, p := range pairs {
		var b, t *S
		if p.A >= 0 {
			b = &base[p.A]
		}
		if p.B >= 0 {
			t = &test[p.B]
		}
		rows[i] = row(b, t)
	}
	return rows
}

var (
	stateType = reflect.TypeFor[State]()
	moveType  = reflect.TypeFor[Move]()
)

// words are those of a state, with blanks between.
func (d *Declaration) words(s State) string {
	var list []string
	for bit, word := range d.States {
		if s>>bit&1 != 0 {
			list = append(list, word.Word)
		}
	}
	return strings.Join(list, " ")
}

// Titled is the declaration with another head and help of a column.
func (d *Declaration) Titled(name, head, help string) *Declaration {
	return d.altered(func(f *Field) {
		if f.Name == name {
			f.Head, f.Help = head, help
		}
	})
}

// Shown is the declaration with other columns for its page.
func (d *Declaration) Shown(columns string) *Declaration {
	other := *d
	other.Show = columns
	return &other
}

// changeCell is the cell of a change, by the unit of its column.
func (f *Field) changeCell(change float64) Cell {
	switch f.Unit {
	case Part:
		return Change(change)
	case Bytes:
		return BigCount(strconv.FormatFloat(change, 'f', 0, 64))
	}
	return Number(change)
}

// addMove adds the columns of a move, of which c is the change.
func (d *Declaration) addMove(c *Field) {
	for _, of := range []struct {
		name, head, help string
		number           func(m *Move) float64
	}{
		{
			c.Name, "Change", "B minus A; the largest change of either sign comes first",
			func(m *Move) float64 { return m.Change },
		},
		{string(MoveAbsChange), "", "", (*Move).Size},
		{string(MoveBase), "A", "", func(m *Move) float64 { return m.InBase }},
		{string(MoveTest), "B", "", func(m *Move) float64 { return m.InTest }},
	} {
		f := *c
		f.Name, f.Head, f.Help, f.Sort = of.name, of.head, of.help, true
		f.number = func(v reflect.Value) float64 { return of.number(v.Addr().Interface().(*Move)) }
		f.cell = func(v reflect.Value, _ *Options) Cell { return Number(f.number(v)) }
		f.Page, f.Script = of.head != "", false
		if of.name == c.Name {
			f.Script, f.by, f.Signed = c.Script, MoveAbsChange, true
			f.cell = func(v reflect.Value, _ *Options) Cell { return f.changeCell(f.number(v)) }
		}
		d.Fields = append(d.Fields, &f)
	}
}

// addSides adds the columns of [Sides] in the order of the tag pair, and what is subtracted.
func (d *Declaration) addSides(f reflect.StructField, list string, path []int) {
	var sides [2]*Declaration
	for i, prefix := range []string{"base_", "test_"} {
		sides[i] = &Declaration{States: d.States}
		of := f.Type.Field(i).Type
		sides[i].read(structOf(of), append(path[:len(path):len(path)], i), scope{within: true, prefix: prefix})
	}
	apart := f.Tag.Get("is") == "apart"
	var later []*Field // of the test profile, where they stand apart
	for column := range strings.SplitSeq(list, ",") {
		own, width, sized := strings.Cut(column, ":")
		var pair [2]*Field
		for i, side := range sides {
			c := side.Field([2]string{"base_", "test_"}[i] + own)
			if c == nil {
				panic("table: no side has the column " + own)
			}
			if sized {
				c.width, _ = strconv.Atoi(width)
			}
			if c.Head == headOfName(c.Name) {
				c.Head = headOfName(own)
			}
			c.Head += [2]string{" in A", " in B"}[i]
			if pair[i] = c; apart && i == 1 {
				later = append(later, c)
			} else {
				d.Fields = append(d.Fields, c)
			}
		}
		if name := pair[0].change; name != "" {
			d.Fields = append(d.Fields, difference(name, pair))
		}
	}
	d.Fields = append(d.Fields, later...)
}

// difference is the column of how much more the test profile has in a column than the base;
// one that does not have the row has nothing.
func difference(name string, of [2]*Field) *Field {
	c := *of[0]
	c.Name, c.Head, c.Help = name, strings.TrimSuffix(c.Head, " in A")+", B − A", "in B minus that in A"
	c.path, c.within, c.Script, c.Page, c.Sort, c.Range, c.Signed = nil, false, false, true, true, false, true
	c.number = func(row reflect.Value) float64 {
		base, _ := of[0].Float(row)
		test, _ := of[1].Float(row)
		return test - base
	}
	c.cell = func(row reflect.Value, _ *Options) Cell { return Number(c.number(row)) }
	c.size = true
	return &c
}
