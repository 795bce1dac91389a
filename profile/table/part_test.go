package table_test

import (
	"slices"
	"testing"

	"proflens/analyze/sources"
	"proflens/profile/query"
	"proflens/profile/table"
)

// seats are how many of a hall's are taken.
type seats struct {
	All   int      `col:"all" is:"self"`
	Taken int      `col:"taken"`
	_     struct{} `col:"share"`
}

func (s *seats) Part() (part, whole int) { return s.Taken, s.All }

type hall struct {
	Seats seats `col:"seats_" head:"Seats" is:"sort"`
}

// A part of a whole is ordered by its share, and written with it; nothing of nothing comes
// last and has none.
func TestParts(t *testing.T) {
	d := table.Declare[hall](table.Declaration{})
	rows := []hall{{seats{All: 4, Taken: 2}}, {seats{}}, {seats{All: 5, Taken: 5}}, {seats{All: 8, Taken: 2}}}
	find := d.Within(table.Set{Rows: rows})
	for sort, want := range map[bool][]uint32{false: {3, 0, 2, 1}, true: {2, 0, 3, 1}} {
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{
			Limit: 9, Sort: []query.Key{{Column: "seats", Desc: sort}},
		}})
		if err != nil || !slices.Equal(page.IDs, want) {
			t.Errorf("descending %t: %v, %v, want %v", sort, page.IDs, err, want)
		}
	}
	for i, want := range []string{
		`{"seats":4,"seats_taken":2,"seats_share":0.5}`, `{"seats":0,"seats_taken":0,"seats_share":null}`,
	} {
		if got := string(d.AppendObject(nil, &rows[i], &table.Options{})); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if f := d.Field("seats"); !f.Number() {
		t.Error("a share is no number")
	}
}

// A line's address is that of its file, whichever file the row before was of.
func TestSourceURL(t *testing.T) {
	at, err := sources.ParseTemplate("https://host/{path}#L{line}")
	if err != nil {
		t.Fatal(err)
	}
	o := table.Options{Sources: at.Links(nil)}
	for _, test := range []struct {
		path string
		line uint32
		want table.Cell
	}{
		{"a.c", 3, table.Text("https://host/a.c#L3")}, {"b.c", 0, table.Text("https://host/b.c")}, {"../c.c", 1, table.Null},
		{"a.c", 4, table.Text("https://host/a.c#L4")},
	} {
		if got := o.SourceURL("/src/"+test.path, test.path, test.line); got != test.want {
			t.Errorf("%s:%d: %v, want %v", test.path, test.line, got, test.want)
		}
	}
	if got := new(table.Options).SourceURL("a.c", "a.c", 1); got != table.Null {
		t.Errorf("without links: %v", got)
	}
}
