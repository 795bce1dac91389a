package lines_test

import (
	"testing"

	"proflens/profile/lines"
	"proflens/profile/query"
	"proflens/profile/table"
)

// Lines are found from any one on, across files; files by their figures, of which the first that does
// not only count what is there is the usual order.
func TestRows(t *testing.T) {
	b := lines.New(lines.Column{Key: "calls", Label: "Calls"}, lines.Column{Key: "bytes"})
	for i, at := range []struct {
		file string
		line uint32
	}{{"a.c", 3}, {"a.c", 7}, {"b.c", 0}, {"b.c", 1}, {"c.c", 2}} {
		b.Add(at.file, at.line, 0, uint64(i))
	}
	all := b.Table()
	d, find := all.FindLines(all.Files)
	for offset := range 6 {
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Offset: offset, Limit: 2}})
		if err != nil || page.Matching != 5 || page.Len() != min(2, 5-offset) {
			t.Fatalf("from %d: %d of %d, %v", offset, page.Len(), page.Matching, err)
		}
		for i := range page.Len() {
			if got := d.Field("calls").Text(page.Row(i)); got != string("01234"[offset+i]) {
				t.Errorf("line %d has %s", offset+i, got)
			}
		}
	}
	if page, _ := find(t.Context(), table.Query{RowQuery: query.RowQuery{Offset: 2, Limit: 1}}); string(d.AppendObject(nil,
		page.Row(0).Addr().Interface(), &table.Options{})) != `{"file":"b.c","line":null,"calls":2,"bytes":0}` {
		t.Error("a line that is not known has a number")
	}
	d = all.FileRows()
	page, err := d.Within(table.Set{Rows: all.Files})(t.Context(), table.Query{RowQuery: query.RowQuery{
		Limit: 9, Text: "c", Ranges: []query.Range{{Column: "calls", Min: 2, Max: 9}},
	}})
	files := table.RowsOf[lines.File](&page)
	if err != nil || len(files) != 2 || files[0].Name != "b.c" || files[1].Name != "c.c" {
		t.Errorf("%v, %v", files, err)
	}
	counted := lines.New(lines.Column{Key: "functions", Counts: true}, lines.Column{Key: "total"}).Table()
	if usual := counted.FileRows().Usual; usual != "-total" {
		t.Errorf("files are usually by %s", usual)
	}
}
