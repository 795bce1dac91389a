package table_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/table"
)

// A comparison made for the test: of berths, by the ships that lie there.
type berth struct {
	Ships uint64 `col:"ships" width:"9" is:"sort,range" change:"more"`
	Depth uint8  `col:"depth" is:"omitzero"`
	Lit   bool   `col:"lit"`
	id    uint64
}

type berths struct {
	table.State        `col:"state" width:"12"`
	Name               table.Label `col:"name" is:"sort,up,words,key"`
	table.Move         `col:"change" width:"9"`
	table.Sides[berth] `pair:"depth:4,ships"`
}

var compared = table.Declare[berths](table.Declaration{
	Noun: "berth", All: true, Usual: "-abs_change", Show: "name change base test more state",
	States: append(slices.Clone(table.States), table.StateWord{Word: "dredged", Label: "dredged"}),
})

func berthRows() *table.Moves[*berths] {
	base := []berth{{id: 1, Ships: 3, Depth: 4}, {id: 2, Ships: 8}, {id: 3, Ships: 5}}
	test := []berth{{id: 3, Ships: 5}, {id: 1, Ships: 4, Depth: 9}, {id: 4, Ships: 2}}
	names := map[uint64]table.Label{1: "east", 2: "north", 3: "south", 4: "west"}
	return table.NewMoves(compared, table.Pairs(base, test,
		func(b *berth) analyze.Keyed { return analyze.Keyed{Key: b.id} },
		func(both table.Sides[berth]) *berths {
			r := &berths{Sides: both, State: both.State(), Name: names[both.Any().id]}
			if r.Base != nil && r.Test != nil && r.Base.Depth != r.Test.Depth {
				r.State |= table.OwnState
			}
			r.Move = both.Move(func(b *berth) float64 { return float64(b.Ships) })
			return r
		}))
}

func picked(t *testing.T, q table.MoveQuery, rows query.RowQuery) (names string, page table.Page) {
	t.Helper()
	if rows.Limit == 0 {
		rows.Limit = 10
	}
	page, err := berthRows().Find(q)(t.Context(), table.Query{RowQuery: rows})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, row := range table.RowsOf[berths](&page) {
		list = append(list, string(row.Name))
	}
	return strings.Join(list, " "), page
}

// Rows of two profiles meet by their keys. They are selected by how they stand, and by how
// much they changed, and sorted by what one side has and by what is subtracted.
func TestPairs(t *testing.T) {
	all := table.MoveQuery{Min: table.AllMoves}
	sorted := func(column query.Column, desc bool) query.RowQuery {
		return query.RowQuery{Sort: []query.Key{{Column: column, Desc: desc}}}
	}
	for _, c := range []struct {
		q    table.MoveQuery
		rows query.RowQuery
		want string
	}{
		{all, query.RowQuery{}, "north west east south"},
		{table.MoveQuery{}, query.RowQuery{}, "north west east"},
		{table.MoveQuery{Min: 2}, query.RowQuery{}, "north west"},
		{table.MoveQuery{Min: table.AllMoves, States: table.OnlyBase | table.OwnState}, query.RowQuery{}, "north east"},
		{table.MoveQuery{Direction: table.More}, query.RowQuery{}, "west east"},
		{table.MoveQuery{Min: table.AllMoves, Direction: table.Same}, query.RowQuery{}, "south"},
		{all, query.RowQuery{Text: "th"}, "north south"},
		{all, query.RowQuery{Ranges: []query.Range{{Column: "base_ships", Min: 4, Max: 9}}}, "north south"},
		{all, sorted("change", false), "north south east west"},
		{all, sorted("base", true), "north south east west"},
		{all, sorted("name", false), "east north south west"},
		// What one side does not have comes last, and is nothing where it is subtracted.
		{all, sorted("test_ships", false), "west east south north"},
		{all, sorted("more", true), "north west east south"},
	} {
		if got, _ := picked(t, c.q, c.rows); got != c.want {
			t.Errorf("%+v, %+v: %s, not %s", c.q, c.rows, got, c.want)
		}
	}
	if _, page := picked(t, all, query.RowQuery{Limit: 1}); page.All != 4 || page.Matching != 4 || page.Len() != 1 {
		t.Errorf("the page is %+v", page)
	}
	for state, want := range map[table.State]table.Held{
		table.Matched: {Rows: 2, Base: 8, Test: 9}, table.Changed: {}, table.OnlyBase: {Rows: 1, Base: 8},
		table.OnlyTest: {Rows: 1, Test: 2}, table.OwnState: {Rows: 1, Base: 3, Test: 4},
	} {
		if got := berthRows().Held(state); got != want {
			t.Errorf("state %d holds %+v, not %+v", state, got, want)
		}
	}
	_, err := berthRows().Find(all)(t.Context(), table.Query{RowQuery: sorted("lit", false)})
	if _, ok := err.(*query.ColumnError); !ok {
		t.Errorf("sorted by what nobody sorts by: %v", err)
	}
	if m := table.NewMove(0.1+0.2, 0.3); m.Change != 0 {
		t.Errorf("what is alike has changed by %g", m.Change)
	}
}

// The columns of a side come in the order of the tag, those of both profiles together.
func TestPairColumns(t *testing.T) {
	var b bytes.Buffer
	rows, err := compared.Open(berthRows().Find(table.MoveQuery{}), table.Query{}, table.Options{}, true).
		Select(nil, table.FormatCSV)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rows.Copy(t.Context(), 0, -1, func() (*table.Writer, error) {
		return table.NewWriter(&b, table.FormatCSV, rows.Head)
	}); err != nil {
		t.Fatal(err)
	}
	const want = "state,name,change,base_depth,test_depth,base_ships,test_ships\n" +
		"only_base,north,-8,,,8,\nonly_test,west,2,,,,2\nmatched dredged,east,1,4,9,3,4\n"
	if got := strings.ReplaceAll(b.String(), "\r", ""); got != want {
		t.Errorf("it writes\n%s", got)
	}
	more := compared.Field("more")
	if more.Script || !more.Page || !more.Signed || more.Head != "Ships, B − A" ||
		compared.Field("base_ships").Head != "Ships in A" {
		t.Errorf("%+v", more)
	}
	if n, ok := more.Float(reflect.ValueOf(berths{Sides: table.Sides[berth]{Test: &berth{Ships: 7}}})); !ok || n != 7 {
		t.Errorf("the test profile has %g more", n)
	}
	if titled := compared.Titled("base", "Left", "on the left"); titled.Field("base").Head != "Left" ||
		compared.Field("base").Head != "A" {
		t.Error("another head is that of all")
	}
	if by := compared.Field("change").Sorts(); by != table.MoveAbsChange {
		t.Errorf("a click on the change sorts by %s", by)
	}
}
