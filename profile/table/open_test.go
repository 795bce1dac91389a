package table

import (
	"bytes"
	"context"
	"slices"
	"testing"
)

// Scripts that want all of a table wait while names are searched, but not for a profile that
// is still being stored; pages have what there is.
func TestOpenWaitsForASearch(t *testing.T) {
	for _, test := range []struct {
		storing, whole bool
		asked          int
	}{{false, true, 3}, {false, false, 1}, {true, true, 1}} {
		asked := 0
		find := animals.Within(Set{Rows: zoo()})
		table := animals.Open(func(ctx context.Context, q Query) (Page, error) {
			page, err := find(ctx, q)
			if asked++; asked < 3 {
				page.Searched = &Progress{Done: asked, Of: 3, Storing: test.storing}
			}
			if q.Whole != test.whole {
				t.Errorf("whole is %t, want %t", q.Whole, test.whole)
			}
			return page, err
		}, Query{}, Options{}, test.whole)
		rows, err := table.Select([]string{"id"}, FormatJSON)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := rows.Page(t.Context(), &b, 0, 10); err != nil || asked != test.asked {
			t.Errorf("%+v: asked %d times, %v", test, asked, err)
		}
	}
}

// Text has the columns that it declares, but those that are asked for by name alone only
// with [Declaration.And]; a list has its values, or an object each.
func TestExtraColumnsAndLists(t *testing.T) {
	type leg struct {
		Side string `col:"side"`
	}
	type row struct {
		Name  string   `col:"name"`
		Age   int      `col:"age" is:"extra"`
		Marks []string `col:"marks"`
		Legs  []leg    `col:"legs"`
	}
	d := Declare[row](Declaration{Text: "age name"})
	rows := []row{{"cat", 3, []string{"a", "b"}, []leg{{"left"}, {"right"}}}}
	read := func(d *Declaration, format Format, cols ...string) string {
		t.Helper()
		opened, err := d.Open(d.Within(Set{Rows: rows}), Query{}, Options{}, true).Select(cols, format)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := opened.Copy(t.Context(), 0, -1,
			func() (*Writer, error) { return NewWriter(&b, format, opened.Head) }); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for got, want := range map[string]string{
		read(d, FormatText):               "name\ncat\n",
		read(d.And("age"), FormatText):    "age  name\n3  cat\n",
		read(d, FormatCSV, "age", "name"): "age,name\r\n3,cat\r\n",
		read(d, FormatNDJSON): `{"name":"cat","marks":["a","b"],"legs":[{"side":"left"},{"side":"right"}]}` +
			"\n" + `{"_end":true,"rows":1}` + "\n",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// measured is a row with a column of every kind.
type measured struct {
	Text  string   `col:"text"`
	Hash  uint64   `col:"hash" is:"hex"`
	At    *uint64  `col:"at" is:"address"`
	State State    `col:"state"`
	Yes   bool     `col:"yes"`
	Count uint64   `col:"count"`
	Least int32    `col:"least"`
	Half  *float64 `col:"half"`
	_     Computed `col:"made" is:"number"`
	_     Computed `col:"said"`
}

func (*measured) Cell(column string, _ *Options) Cell { return Text(column) }

// Columns hold numbers or not by what is in them and how it is shown.
func TestNumber(t *testing.T) {
	for d, want := range map[*Declaration][]string{
		Declare[measured](Declaration{}): {"count", "least", "half", "made"},
		animals:                          {"weight", "food", "born", "share", "wild_count", "tame_count"},
	} {
		var numbers []string
		for _, f := range d.Fields() {
			if f.Number() {
				numbers = append(numbers, f.Name)
			}
		}
		if !slices.Equal(numbers, want) {
			t.Errorf("%v, want %v", numbers, want)
		}
	}
}
