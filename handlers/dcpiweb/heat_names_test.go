package dcpiweb_test

import (
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// A heat map says whose cells are, in the picture, to those who hear it and as a table,
// which can be ordered and filtered; the database has a name of its own.
func TestHeatMapNamesProcedures(t *testing.T) {
	l := webtest.Start(t, nil)
	api := webtest.PutDCPI(l, "db.tar", webtest.DCPIArchive(t, "tar", "app.nmS"))
	at := "/p" + strings.TrimPrefix(api, "/api/v1/profiles")
	if name := l.OK(api).Object(t)["name"]; name != "app on pecan and walnut, 1997-11-04 to 1997-11-05" {
		t.Errorf("the database is called %q", name)
	}
	fine := l.Page(at+"/heat?cell=64", 200)
	if bands := webtest.Text(webtest.ByTestID(t, fine, "heat-bands")); !strings.Contains(bands, "main") {
		t.Errorf("no band of main: %q", bands)
	}
	if label := l.OK(at+"/heat?cell=64", "Accept", "text/html").Text(); !strings.Contains(label, ", in main + 0x") {
		t.Error("no cell says that it is in main")
	}
	rows := l.OK(api + "/heat?cell=64&q=MAIN&sort=-cycles")
	last := 1 << 62
	for _, item := range rows.Object(t)["items"].([]any) {
		cell := item.(map[string]any)
		if cell["procedure"] != "main" {
			t.Errorf("a cell of %v", cell["procedure"])
		}
		if n := webtest.Number(t, cell, "cycles"); n > last {
			t.Errorf("%d after %d", n, last)
		} else {
			last = n
		}
	}
	if last == 1<<62 {
		t.Error("main has no cells")
	}
	l.Page(at+"/heat?q=no+such+procedure", 200)
	webtest.Problem(t, l.Get(api+"/heat?sort=colour"), 400, "bad_parameter")
}

// Every table is ordered by its heads, one way and the other.
func TestSamplesAreOrderedBothWays(t *testing.T) {
	l := webtest.Start(t, nil)
	api := webtest.PutDCPI(l, "db.tar", webtest.DCPIArchive(t, "tar", "app.nmS"))
	for table, words := range map[string][]string{
		"images": {"name", "cycles", "size", "symbols", "address", "profiles"},
		"epochs": {"name", "cycles", "images", "profiles"}, "platforms": {"name", "samples"},
		"procedures": {"name", "imiss", "image"}, "samples": {"address", "cycles"}, "heat": {"address", "name", "cycles"},
		"diff": {"name", "image", "sets", "mean", "deviation"},
	} {
		for _, word := range words {
			up, down := l.OK(api+"/"+table+"?sort="+word), l.OK(api+"/"+table+"?sort=-"+word)
			if a, b := up.Object(t)["total"], down.Object(t)["total"]; a != b {
				t.Errorf("%s by %s: %v rows and %v", table, word, a, b)
			}
		}
	}
	at := "/p" + strings.TrimPrefix(api, "/api/v1/profiles")
	for path, id := range map[string]string{
		"/images": "image-table", "/epochs": "epoch-table", "/heat": "heat-table", "/procedures": "procedure-table",
		"/epochs?show=difference": "diff-table", "/addresses": "address-table",
	} {
		head := webtest.All(webtest.ByTestID(t, l.Page(at+path, 200), id), webtest.Tag("thead"))[0]
		links := webtest.All(head, webtest.Tag("a"))
		if len(links) < 2 {
			t.Errorf("%s has %d columns to order by", path, len(links))
		}
		for _, link := range links {
			if to := webtest.Attr(link, "href"); to != "" && strings.HasPrefix(to, "/") {
				l.Page(to, 200)
			}
		}
	}
	if a := l.OK(api + "/samples?q=main&limit=1").Object(t); a["total"] == a["all"] || a["total"] == "0" {
		t.Errorf("main has %v of %v addresses", a["total"], a["all"])
	}
}
