package dcpiweb_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
)

// sampled is a row of a table: what its address is, if it has one, and its samples of cycles.
type sampled struct {
	address any
	cycles  int
}

// rowsOf are the rows that a page has in the API.
func rowsOf(t *testing.T, l *webtest.Server, page string) (list []sampled) {
	t.Helper()
	sign := map[bool]string{true: "&", false: "?"}[strings.Contains(page, "?")]
	object := l.OK(page + sign + "limit=1000&format=json").Object(t)
	for _, item := range object["items"].([]any) {
		item := item.(map[string]any)
		row := sampled{address: item["address"]}
		for _, c := range object["columns"].([]any) { // of all epochs or hosts
			if c := c.(map[string]any); c["event"] == "cycles" {
				row.cycles += webtest.Number(t, item, c["name"].(string))
			}
		}
		list = append(list, row)
	}
	return list
}

// leadsTo is where the cell of a column leads.
func leadsTo(tr *html.Node, column string) string {
	for _, cell := range webtest.All(tr, func(n *html.Node) bool { return n.Data == "td" || n.Data == "th" }) {
		if slices.Contains(strings.Fields(webtest.Attr(cell, "class")), "col-"+column) {
			for _, a := range webtest.All(cell, webtest.Tag("a")) {
				return webtest.Attr(a, "href")
			}
		}
	}
	return ""
}

// A row leads to as many samples as it has: a procedure to its addresses, an image, an epoch and a host to
// their procedures, an address to its cell of the heat map, a cell to the finer ones in it, and an
// instruction's to its address.
func TestRowsLeadToTheirSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, at := range []string{webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm")), twoImages(l)} {
		page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
		followed := map[string]int{}
		for path, column := range map[string]string{
			"/procedures": "name", "/images": "name", "/epochs": "name", "/epochs?by=platform": "name",
			"/addresses": "address", "/addresses?sort=address": "procedure", "/heat": "",
			"/heat?cell=4&cells=64&from=0x120001000": "",
		} {
			list := rowsOf(t, l, page+path)
			doc := l.Page(page+path, 200)
			var rows []*html.Node
			for _, tr := range webtest.All(doc, webtest.Tag("tr")) {
				if webtest.Attr(tr, "data-select") != "" {
					rows = append(rows, tr)
				}
			}
			if column == "" { // cells, of which those without samples of the first event are the ground
				list = slices.DeleteFunc(list, func(cell sampled) bool { return cell.cycles == 0 })
				rows = webtest.All(webtest.ByTestID(t, doc, "heat"), webtest.Tag("a"))
			}
			for i, row := range rows[:min(len(rows), 12)] {
				to := webtest.Attr(row, "href")
				if column != "" {
					to = leadsTo(row, column)
				}
				if to == "" {
					continue
				}
				if !strings.HasPrefix(to, "/") {
					to = page + "/" + to
				}
				followed[path]++
				sum := 0
				for _, there := range rowsOf(t, l, to) {
					if column != "address" && column != "procedure" || there.address == list[i].address {
						sum += there.cycles
					}
				}
				if sum != list[i].cycles {
					t.Errorf("%s: row %d has %d samples, and %s has %d", path, i, list[i].cycles, to, sum)
				}
				if i == 0 {
					l.Page(to, 200)
				}
			}
			if followed[path] == 0 {
				t.Errorf("%s leads nowhere", path)
			}
		}
	}
}

// A heat map that names no image is of the one with the most samples, whichever comes first, and so is the
// overview; sizes are taken from 1 byte on.
func TestHottestImage(t *testing.T) {
	l := webtest.Start(t, nil)
	db := filepath.Join(webtest.Root(), "decode/dcpi/testdata/db")
	files := webtest.Files(t, db, "9711040900/pecan/app_660b03cd5eed_cycles", "9711040900/walnut/app_660b03cd5eed_cycles")
	other := func(data any, id, name string) []byte {
		renamed := bytes.Replace(data.([]byte), []byte("660b03cd5eed"), []byte(id), 1)
		return bytes.Replace(renamed, []byte("demo/app"), []byte("demo/"+name), 1)
	}
	for _, hottest := range []string{"aaa", "zzz"} {
		at := webtest.API(l.Together("app_660b03cd5eed_cycles", files[1], "one_cycles",
			other(files[1], "770b03cd5eed", hottest), "two_cycles", other(files[3], "770b03cd5eed", hottest)))
		page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
		doc := l.Page(page+"/heat", 200)
		chosen := ""
		for _, option := range webtest.All(doc, webtest.Tag("option")) {
			if webtest.Attr(option.Parent, "name") == "image" && slices.ContainsFunc(option.Attr, func(a html.Attribute) bool {
				return a.Key == "selected"
			}) {
				chosen = webtest.Said(option)
			}
		}
		if said := webtest.Said(l.Page(page, 200)); chosen != hottest || !strings.Contains(said, "Heat of "+hottest) {
			t.Errorf("the heat map is of %q, want %s", chosen, hottest)
		}
		for query, status := range map[string]int{
			"/procedures?range=1": 200, "/procedures?range=0": 400, "/heat?cell=1&cells=4": 200, "/heat?cell=0": 400,
			"/procedures?range=0x40000000": 200, "/procedures?range=0x40000001": 400,
		} {
			l.Page(page+query, status)
		}
	}
}
