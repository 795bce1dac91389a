package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// column is a column of numbers.
func column(name string, width int, of func(n uint64) Cell) *Field {
	return &Field{
		Name: name, width: width, made: true,
		cell: func(v reflect.Value, _ *Options) Cell { return of(v.Uint()) },
	}
}

// numbered is a step of n numbers.
func numbered(n, offset, limit int) Step {
	row := reflect.New(reflect.TypeFor[uint64]()).Elem()
	return Step{Rows: max(min(n-offset, limit), 0), Total: n, Row: func(i int) reflect.Value {
		row.SetUint(uint64(offset + i))
		return row
	}}
}

// numbers is a table of n rows, and how it was asked for them.
func numbers(n int) (*List, *[][2]int) {
	asked := &[][2]int{}
	return &List{
		Columns: []*Field{
			column("n", 5, Int),
			column("square", 9, func(n uint64) Cell { return Count(n * n) }),
			column("word", 0, func(uint64) Cell { return Text("word") }),
		},
		Usual: []string{"n", "square"}, Text: []string{"n", "word"},
		Read: func(ctx context.Context, offset, limit int) (Step, error) {
			*asked = append(*asked, [2]int{offset, limit})
			return numbered(n, offset, limit), ctx.Err()
		},
	}, asked
}

func written(t *testing.T, l *List, f Format, columns []string, offset, limit int) (string, End) {
	t.Helper()
	rows, err := l.Select(columns, f)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	end, err := rows.Copy(t.Context(), offset, limit, func() (*Writer, error) { return NewWriter(&b, f, rows.Head) })
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), end
}

// A table is read in steps, and no further than asked.
func TestCopyReadsInSteps(t *testing.T) {
	for _, c := range []struct {
		n, offset, limit int
		want             End
		asked            [][2]int
	}{
		{2500, 0, -1, End{Rows: 2500, Total: 2500, Next: -1}, [][2]int{{0, 1000}, {1000, 1000}, {2000, 1000}}},
		{2500, 900, 1200, End{Rows: 1200, Total: 2500, Next: 2100}, [][2]int{{900, 1000}, {1900, 200}}},
		{10, 5, 5, End{Rows: 5, Total: 10, Next: -1}, [][2]int{{5, 5}}},
		{10, 20, 5, End{Rows: 0, Total: 10, Next: -1}, [][2]int{{20, 5}}},
		{10, 0, 0, End{Rows: 0, Total: 10, Next: -1}, [][2]int{{0, 0}}},
		{0, 0, -1, End{Rows: 0, Total: 0, Next: -1}, [][2]int{{0, 1000}}},
	} {
		l, asked := numbers(c.n)
		text, end := written(t, l, FormatNDJSON, nil, c.offset, c.limit)
		if end.Rows != c.want.Rows || end.Total != c.want.Total || end.Next != c.want.Next {
			t.Errorf("%d from %d, %d: %+v, expected %+v", c.n, c.offset, c.limit, end, c.want)
		}
		if !slices.Equal(*asked, c.asked) {
			t.Errorf("%d from %d, %d: asked %v, expected %v", c.n, c.offset, c.limit, *asked, c.asked)
		}
		if lines := strings.Count(text, "\n"); lines != c.want.Rows+1 {
			t.Errorf("%d lines of %d rows", lines, c.want.Rows)
		}
	}
}

func TestJSONEnvelope(t *testing.T) {
	l, _ := numbers(7)
	l.Quote = true
	l.More = func(b []byte, columns []*Field) []byte {
		return append(b, `,"columns":`+string(rune('0'+len(columns)))...)
	}
	text, _ := written(t, l, FormatJSON, nil, 2, 2)
	if want := `{"items":[{"n":2,"square":"4"},{"n":3,"square":"9"}],"next_cursor":"4","total":7,"columns":2}` +
		"\n"; text != want {
		t.Errorf("got %s, expected %s", text, want)
	}
	text, _ = written(t, l, FormatJSON, []string{"word"}, 7, 2)
	if want := `{"items":[],"next_cursor":null,"total":7,"columns":1}` + "\n"; text != want || !json.Valid([]byte(text)) {
		t.Errorf("got %s, expected %s", text, want)
	}
}

// A table whose rows stand apart is written by every core as it is by one, rows of any
// length too.
func TestCopyOnEveryCore(t *testing.T) {
	long := strings.Repeat("x", pieceBytes/8)
	for _, n := range []int{0, 1, pieceRows, pieceRows + 1, 5000} {
		for _, at := range [][2]int{{0, -1}, {100, 700}, {4000, 5000}, {9000, 10}} {
			for _, f := range []Format{FormatJSON, FormatCSV, FormatNDJSON} {
				of := func(apart bool) *List {
					l, _ := numbers(n)
					l.Apart, l.Usual = apart, nil
					l.Columns = []*Field{l.Columns[0], column("long", 0, func(n uint64) Cell {
						if n%1000 < 12 {
							return Text(long)
						}
						return Null
					})}
					l.Read = func(_ context.Context, offset, limit int) (Step, error) { return numbered(n, offset, limit), nil }
					return l
				}
				want, wantEnd := written(t, of(false), f, nil, at[0], at[1])
				got, end := written(t, of(true), f, nil, at[0], at[1])
				if got != want || end.Rows != wantEnd.Rows || end.Next != wantEnd.Next || end.Total != wantEnd.Total {
					t.Errorf("%d rows, %v, %s: %d bytes %+v, want %d, %+v", n, at, f, len(got), end, len(want), wantEnd)
				}
			}
		}
	}
}

// An export of the beginning of a file says so where the format can.
func TestPartialExports(t *testing.T) {
	l, _ := numbers(1)
	for f, want := range map[Format]string{
		FormatJSON:   `{"items":[{"n":0}],"next_cursor":null,"total":1,"partial":["partial: \"a\""]}` + "\n",
		FormatNDJSON: `{"n":0}` + "\n" + `{"_end":true,"rows":1,"partial":["partial: \"a\""]}` + "\n",
		FormatCSV:    "n\r\n0\r\n",
	} {
		rows, err := l.Select([]string{"n"}, f)
		if err != nil {
			t.Fatal(err)
		}
		rows.Head.Partial = []string{`partial: "a"`}
		var b bytes.Buffer
		if _, err := rows.Copy(t.Context(), 0, -1,
			func() (*Writer, error) { return NewWriter(&b, f, rows.Head) }); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v", f, b.String(), err)
		}
	}
}

// What a filter has not seen yet is asked for again at the same place.
func TestUnsettledRowsKeepTheirPlace(t *testing.T) {
	l, _ := numbers(100)
	read := l.Read
	l.Read = func(ctx context.Context, offset, limit int) (Step, error) {
		s, err := read(ctx, offset, limit)
		s.Unsettled = true
		return s, err
	}
	if _, end := written(t, l, FormatJSON, nil, 10, 5); end.Next != 10 || !end.Unsettled {
		t.Errorf("%+v", end)
	}
}

func TestSelect(t *testing.T) {
	l, _ := numbers(1)
	for f, want := range map[Format]string{FormatCSV: "n square", FormatText: "n word"} {
		if rows, err := l.Select(nil, f); err != nil || strings.Join(rows.Head.Names, " ") != want {
			t.Errorf("%s has %v, %v", f, rows, err)
		}
	}
	_, err := l.Select([]string{"n", "cube"}, FormatCSV)
	if unknown, ok := errors.AsType[*ColumnError](err); !ok || unknown.Name != "cube" ||
		!strings.Contains(err.Error(), "n, square, word") {
		t.Error(err)
	}
}

// What fails before the first row fails before anything is written.
func TestCopyBeginsAfterTheFirstStep(t *testing.T) {
	l, _ := numbers(1)
	fault := errors.New("the file is damaged")
	l.Read = func(context.Context, int, int) (Step, error) { return Step{}, fault }
	rows, err := l.Select(nil, FormatCSV)
	if err != nil {
		t.Fatal(err)
	}
	_, err = rows.Copy(t.Context(), 0, -1, func() (*Writer, error) {
		t.Error("a table was begun")
		return nil, nil
	})
	if err != fault {
		t.Error(err)
	}
}

// A page ends at about eight megabytes, has a row at least, and says where the next one
// begins; the pages together are the table. What needs no page is written whole.
func TestPagesEndBySize(t *testing.T) {
	l, asked := numbers(500)
	long := strings.Repeat("x", 60<<10)
	l.Columns[2] = column("word", 0, func(n uint64) Cell {
		if n == 450 { // longer than a page
			return Text(strings.Repeat(long, 200))
		}
		return Text(long)
	})
	rows, err := l.Select([]string{"n", "word"}, FormatJSON)
	if err != nil {
		t.Fatal(err)
	}
	seen, pages := 0, 0
	for at := 0; at >= 0; pages++ {
		var b bytes.Buffer
		end, err := rows.Page(t.Context(), &b, at, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Items []struct{ N int }
			Total int
		}
		if err := json.Unmarshal(b.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		for _, item := range list.Items {
			if item.N != seen {
				t.Fatalf("the page from %d has %d, expected %d", at, item.N, seen)
			}
			seen++
		}
		if len(list.Items) == 0 || b.Len() > pageBytes+200*len(long)+1000 || list.Total != 500 {
			t.Errorf("the page from %d has %d rows of %d, %d bytes", at, len(list.Items), list.Total, b.Len())
		}
		at = end.Next
	}
	if seen != 500 || pages < 4 || pages > 6 {
		t.Errorf("%d rows on %d pages", seen, pages)
	}
	for _, a := range *asked {
		if a[1] > pageRows {
			t.Errorf("a page reads %d rows at a time", a[1])
		}
	}
	if text, end := written(t, l, FormatJSON, []string{"word"}, 0, -1); end.Rows != 500 || len(text) < 500*len(long) {
		t.Errorf("%d rows of the whole table", end.Rows)
	}
}

// A page whose filter is not through does not search on for each step of it.
func TestUnsettledPagesSearchOnce(t *testing.T) {
	l, asked := numbers(900)
	read := l.Read
	l.Read = func(ctx context.Context, offset, limit int) (Step, error) {
		s, err := read(ctx, offset, limit)
		s.Unsettled = true
		return s, err
	}
	rows, err := l.Select(nil, FormatJSON)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if end, err := rows.Page(t.Context(), &b, 10, 500); err != nil || end.Next != 10 || len(*asked) != 1 {
		t.Errorf("%+v, %v, asked %v", end, err, *asked)
	}
}
