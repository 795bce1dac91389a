package lists_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// plain leaves out what stands between the parts of a name.
var plain = strings.NewReplacer(" ", "")

// The page of a table answers with the rows that the API has of the same address, with the columns asked for,
// and leads to them as CSV: also where it is of some rows alone, which the API must be told.
func TestPagesOfTables(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutSamples(l, "llvm-22/preinlined.ext.afdo", "programs/changed.elf")
	page := strings.Replace(at, "/api/v1/profiles", "/p", 1)
	for path, api := range map[string]string{
		"/functions?q=vm": "/functions?q=vm", "/functions?sort=-head&cols=name,head,max": "/functions?sort=-head",
		"/stale":          "/functions?among=sampled&fit=stale,gone",
		"/stale?fit=gone": "/functions?among=sampled&fit=gone", "/calls?sort=calls&limit=5": "/calls?sort=calls&limit=5",
		"/calls?page=2&limit=5": "/calls?page=2&limit=5",
	} {
		a := l.OK(page+path, "Accept", "text/html")
		if says := a.Header.Get("Cache-Control"); says != "private, no-cache" {
			t.Errorf("%s, which is settled, is kept as %q", path, says)
		}
		doc, want := a.Parse(t), l.OK(at + api).Object(t)["items"].([]any)
		rows, columns := 0, []string{}
		var hover []string // the whole of names that are shortened to be told apart, but for the end of very long ones
		for _, n := range webtest.All(doc, webtest.Tag("bdi")) {
			hover = append(hover, webtest.Attr(n, "title"))
		}
		for _, row := range webtest.Grid(doc) {
			if row.At == "" {
				continue
			}
			item := want[rows].(map[string]any)
			for column, text := range row.Cells {
				if !slices.Contains(columns, column) {
					columns = append(columns, column)
				}
				name, ok := item["demangled"].(string)
				if column == "name" && ok && !strings.HasPrefix(plain.Replace(text), plain.Replace(name)) &&
					!slices.ContainsFunc(hover, func(s string) bool { return strings.HasPrefix(s, name[:min(700, len(name))]) }) {
					t.Errorf("%s: row %d is %q, want %q", path, rows, text, name)
				}
			}
			rows++
		}
		if rows != len(want) || rows == 0 {
			t.Errorf("%s has %d rows, want %d", path, rows, len(want))
		}
		if strings.Contains(path, "cols=") && slices.Contains(columns, "total") {
			t.Errorf("%s has the columns %q", path, columns)
		}
		csv := l.OK(webtest.Attr(webtest.ByTestID(t, doc, "csv"), "href")).Text()
		whole := strings.NewReplacer("page=2", "", "limit=5", "").Replace(api)
		if csv != l.OK(at+whole+"&format=csv").Text() {
			t.Errorf("%s leads to other rows as CSV: %.300s", path, csv)
		}
	}
	for path, says := range map[string]string{
		"/functions?cols=depth": "head", "/functions?cols=name,depth": "depth", "/functions?sort=depth": "total",
		"/functions?re=(": "re",
	} {
		if said := webtest.Said(l.Page(page+path, http.StatusBadRequest)); !strings.Contains(said, says) {
			t.Errorf("%s does not say %q: %.300s", path, says, said)
		}
	}
}
