package table

import (
	"math"
	"reflect"
	"strconv"

	"proflens/profile/query"
)

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

var moveType = reflect.TypeFor[Move]()

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
		d.fields = append(d.fields, &f)
	}
}
