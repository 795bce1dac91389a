package table

import (
	"math"

	"proflens/profile/query"
)

// MoveQuery selects the rows of a comparison.
type MoveQuery struct {
	States    State // any of these bits; 0 is all
	Direction Direction
	// Min is the least size of a change; with 0 all that changed. Every row is selected,
	// changed or not, with a negative one.
	Min float64
}

// AllMoves is the Min that leaves nothing out.
const AllMoves = -1

// Selects reports whether a row is in a state and has changed as the query wants it.
func (q *MoveQuery) Selects(s State, m *Move) bool {
	size := m.Size()
	return (q.States == 0 || s&q.States != 0) && (q.Min < 0 || size != 0 && size >= q.Min) &&
		(q.Direction == "" || DirectionOf(m.Change) == q.Direction)
}

// Held is the rows in a state, and what these come to.
type Held struct {
	Rows       int
	Base, Test float64
}

// Moves are the rows of a comparison, all of them in memory. It is immutable.
type Moves[P Pair] struct {
	of   *Declaration
	rows []P
	held []Held // by bit
}

// NewMoves orders rows by the size of their change, the largest first.
func NewMoves[P Pair](of *Declaration, rows []P) *Moves[P] {
	ids := query.All(len(rows))
	query.SortBy(ids, func(i uint32) uint64 { return ^math.Float64bits(rows[i].Measured().Size()) })
	m := &Moves[P]{of, make([]P, len(rows)), make([]Held, len(of.States))}
	for i, id := range ids {
		row := rows[id]
		m.rows[i] = row
		for bit := range m.held {
			if row.Standing()>>bit&1 != 0 {
				h, of := &m.held[bit], row.Measured()
				h.Rows, h.Base, h.Test = h.Rows+1, h.Base+of.InBase, h.Test+of.InTest
			}
		}
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

// Largest is the row that changed most; there must be one.
func (m *Moves[P]) Largest() P { return m.rows[0] }

// Held is what the rows in a state of one bit come to.
func (m *Moves[P]) Held(s State) Held { return m.held[s.Bit()] }

// Find finds the rows that a query selects, as a table wants them.
func (m *Moves[P]) Find(q MoveQuery) Find {
	return m.of.Within(Set{Rows: m.rows, Sorted: true, Tests: []query.Test{
		func(i uint32) bool { return q.Selects(m.rows[i].Standing(), m.rows[i].Measured()) },
	}})
}
