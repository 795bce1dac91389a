package query

import (
	"slices"
	"testing"

	"proflens/analyze"
)

func someMoves() *Moves[string] {
	turned := NewMove("t", []byte("turned"), MoveMatched, 3, 3)
	turned.Turned = 2
	return NewMoves([]Move[string]{
		NewMove("s", []byte("same"), MoveMatched, 5, 5),
		NewMove("u", []byte("up"), MoveMatched, 1, 4),
		NewMove("l", []byte("lost"), MoveOnlyBase, 7, 0),
		NewMove("n", []byte("new"), MoveOnlyTest, 0, 1),
		NewMove("d", []byte("down"), MoveChanged, 4, 3.5),
		turned,
	}, map[Column]func(*Move[string]) float64{"letter": func(m *Move[string]) float64 { return float64(m.Row[0]) }})
}

func TestMoves(t *testing.T) {
	m := someMoves()
	for _, test := range []struct {
		query      MoveQuery
		want       string
		base, test float64
	}{
		{MoveQuery{Min: AllMoves}, "lutnds", 20, 16.5},
		{MoveQuery{}, "lutnd", 15, 11.5},
		{MoveQuery{Min: 1}, "lutn", 11, 8},
		{MoveQuery{Min: 1.5}, "lut", 11, 7},
		{MoveQuery{Direction: More}, "un", 1, 5},
		{MoveQuery{Direction: Less}, "ld", 11, 3.5},
		{MoveQuery{Direction: Same, Min: AllMoves}, "ts", 8, 8},
		{MoveQuery{States: MoveOnlyBase | MoveChanged}, "ld", 11, 3.5},
		{MoveQuery{Text: "e", Min: AllMoves}, "tns", 8, 9},
		{MoveQuery{Regexp: "^[a-l]"}, "ld", 11, 3.5},
		{MoveQuery{Sort: []Key{{MoveChange, false}}}, "ldtnu", 15, 11.5},
		{MoveQuery{Sort: []Key{{MoveAbsChange, false}}}, "dntul", 15, 11.5},
		{MoveQuery{Sort: []Key{{MoveBase, true}}}, "ldtun", 15, 11.5},
		{MoveQuery{Sort: []Key{{MoveTest, true}}}, "udtnl", 15, 11.5},
		{MoveQuery{Sort: []Key{{MoveName, false}}}, "dlntu", 15, 11.5},
		{MoveQuery{Sort: []Key{{"letter", true}}}, "utnld", 15, 11.5},
	} {
		test.query.Limit = 10
		page, err := m.Page(t.Context(), test.query)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, row := range page.Rows {
			got += row.Row
		}
		if got != test.want || page.Base != test.base || page.Test != test.test || page.All != 6 ||
			page.Matching != len(got) {
			t.Errorf("%+v: %s, %v to %v, %d of %d; want %s, %v to %v", test.query, got, page.Base, page.Test,
				page.Matching, page.All, test.want, test.base, test.test)
		}
	}
	if page, err := m.Page(t.Context(), MoveQuery{Offset: 1, Limit: 2}); err != nil || len(page.Rows) != 2 ||
		page.Rows[0].Row != "u" || page.Matching != 5 {
		t.Errorf("the second to third: %+v, %v", page, err)
	}
	for _, q := range []MoveQuery{{Sort: []Key{{Column: "no"}}}, {Regexp: "("}} {
		if _, err := m.Page(t.Context(), q); err == nil {
			t.Errorf("%+v: no error", q)
		}
	}
	if m.Len() != 6 || !slices.Contains(m.Sorts(), "letter") || len(m.Sorts()) != 6 {
		t.Errorf("%d moves, sorted by %v", m.Len(), m.Sorts())
	}
}

// Figures that differ by what doubles cannot tell are alike.
func TestNewMove(t *testing.T) {
	third := 1.0 / 3
	for _, test := range []struct {
		base, test, change float64
		direction          Direction
	}{
		{third, third + 1e-17, 0, Same}, {1, 1 + 5e-13, 0, Same}, {1, 1.25, 0.25, More},
		{1, 1 + 0x1p-36, 0x1p-36, More}, {2, 1, -1, Less}, {0, 0, 0, Same}, {-1, -1 - 5e-13, 0, Same},
	} {
		m := NewMove("", nil, MoveMatched, test.base, test.test)
		if m.Change != test.change || DirectionOf(m.Change) != test.direction {
			t.Errorf("%v to %v is %v, %s", test.base, test.test, m.Change, DirectionOf(m.Change))
		}
	}
	lost, added := NewMove("", nil, MoveOnlyBase, 1, 0), NewMove("", nil, MoveOnlyTest, 0, 1)
	if base, test := lost.Absent(); base || !test {
		t.Error("what is lost is in the base profile alone")
	}
	if base, test := added.Absent(); !base || test {
		t.Error("what is new is in the test profile alone")
	}
}

func TestPairMoves(t *testing.T) {
	type thing struct {
		name string
		n    float64
	}
	base, test := []thing{{"a", 1}, {"b", 2}}, []thing{{"b", 5}, {"c", 3}}
	moves := PairMoves(base, test, func(a *thing) analyze.Keyed { return analyze.Keyed{Key: uint64(a.name[0])} },
		func(b, t *thing) Move[string] {
			switch {
			case b == nil:
				return NewMove(t.name, nil, MoveOnlyTest, 0, t.n)
			case t == nil:
				return NewMove(b.name, nil, MoveOnlyBase, b.n, 0)
			}
			return NewMove(b.name, nil, MoveMatched, b.n, t.n)
		})
	got := map[string]float64{}
	for _, m := range moves {
		got[m.Row] = m.Change
	}
	if len(moves) != 3 || got["a"] != -1 || got["b"] != 3 || got["c"] != 3 {
		t.Errorf("%v", got)
	}
}
