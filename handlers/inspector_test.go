package handlers_test

import (
	"os"
	"strings"
	"testing"

	"proflens/handlers/webtest"

	"golang.org/x/net/html"
)

// Every table of every family shows its selected row in an inspector, by the address
// alone. What leads elsewhere goes without the selection, and the API has none.
func TestEveryTableHasAnInspector(t *testing.T) {
	l := webtest.Start(t, nil)
	mip := webtest.PutMIP(l, webtest.MIPCounts...)
	dcpi := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nmS"))
	put := func(name, file string) string {
		data, err := os.ReadFile(webtest.Root() + file)
		if err != nil {
			t.Fatal(err)
		}
		return "/api/v1/profiles/" + l.Put(name, data)["id"].(string)
	}
	vtables := put("vtables.profraw", "/decode/instrprof/testdata/vtables/vtables.profraw")
	order := put("temporal.profdata", "/handlers/examples/cxx-temporal.profdata.zst")
	class := l.OK(vtables+"/vtables?limit=1").Column(t, "fid")[0]
	for _, c := range []struct {
		at, path, table, api string
		says                 []string
	}{
		{mip, "/functions", "functions", "/functions", []string{"CFG signature", "Merge count", "Runs", "counts.0.mipraw"}},
		{mip, "/dead?names=short", "functions", "/functions", []string{"never ran", "Raw offset"}},
		{mip, "/calls", "functions", "/functions", []string{"Calls × size"}},
		{mip, "/runs", "run-matrix", "/runs", []string{"Merge count", "Open function", "it ran in 1 of 3",
			"counts.2.mipraw"}},
		{mip, "/order?min-runs=1", "order-table", "/traces", []string{"place 1 of 21", "First position"}},
		{
			dcpi, "/procedures", "procedure-table", "/procedures",
			[]string{"cycles", "imiss / 1000 cycles", "most samples first", "more addresses with samples"},
		},
		{dcpi, "/addresses?event=cycles", "address-table", "/samples", []string{"Procedure", "Around it", "+0x0"}},
		{order, "/order", "order-table", "/traces", []string{"place 1", "Trace 0", "0 of 167"}},
		{vtables, "/vtables", "vtables", "/vtables", []string{"NameRef", "most calls first"}},
		{vtables, "/vtables/" + class, "vtable-sites", "/vtables/" + class, []string{"FuncHash", "of the site’s vtables"}},
	} {
		page := "/p" + strings.TrimPrefix(c.at, "/api/v1/profiles") + c.path
		plain := l.Page(page, 200)
		if webtest.HasTestID(plain, "inspector") {
			t.Errorf("%s: an inspector of no row", page)
		}
		rows := webtest.All(webtest.ByTestID(t, plain, c.table), func(n *html.Node) bool {
			return webtest.Attr(n, "data-select") != ""
		})
		if len(rows) == 0 {
			t.Errorf("%s: no row can be selected", page)
			continue
		}
		address := webtest.Attr(rows[0], "data-select")
		doc := l.Page(address, 200)
		said := strings.ReplaceAll(webtest.Said(webtest.ByTestID(t, doc, "inspector")), "'", "’")
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s does not say %q: %s", address, want, said)
			}
		}
		selected := webtest.All(doc, func(n *html.Node) bool { return webtest.Attr(n, "aria-selected") == "true" })
		if len(selected) != 1 || webtest.Attr(selected[0], "data-select") != address {
			t.Errorf("%s: %d rows are selected", address, len(selected))
		}
		for _, label := range []string{"CSV", "Esc"} {
			if to := webtest.LinkTo(t, doc, label); strings.Contains(to, "sel=") {
				t.Errorf("%s: %s keeps the selection: %s", address, label, to)
			}
		}
		if hidden := webtest.All(doc, func(n *html.Node) bool {
			return n.Data == "input" &&
				webtest.Attr(n, "name") == "sel"
		}); len(hidden) > 0 {
			t.Errorf("%s: a form keeps the selection", address)
		}
		if a := l.OK(address + "&format=csv"); !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") {
			t.Errorf("%s as CSV is %.300s", address, a.Text())
		}
		if a := l.Get(c.at + c.api + "?sel=1"); a.StatusCode != 400 {
			t.Errorf("%s: the API takes a selection: %s", c.api, a.Status)
		}
		gone := page + "?sel=none"
		if strings.Contains(page, "?") {
			gone = page + "&sel=none"
		}
		if said := webtest.Said(webtest.ByTestID(t, l.Page(gone, 200), "inspector")); !strings.Contains(
			said, "is not in these rows") {
			t.Errorf("%s: %s", gone, said)
		}
	}
}
