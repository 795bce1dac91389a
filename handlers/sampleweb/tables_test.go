package sampleweb_test

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
)

// Every table is sorted, has ranges, and is searched in its names; what is selected are the
// rows of the whole table that are meant.
func TestTablesAreSortedAndSelected(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutSamples(l, "llvm-22/line.ext.afdo", "programs/lines.elf")
	listed := webtest.PutSamples(l, "llvm-22/symlist.ext.afdo")
	number := func(o object, key string) uint64 {
		n, err := strconv.ParseUint(o.text(key), 10, 64)
		if err != nil {
			t.Fatalf("%s is %v", key, o[key])
		}
		return n
	}
	rows := func(path string) []object { return objects(l.OK(path).Object(t)["items"]) }
	for _, c := range []struct{ at, path, key, word, in string }{
		{at, "/functions", "total", "walk", "linkage_name"}, {at, "/functions", "own", "Grid", "linkage_name"},
		{at, "/functions", "calls", "", ""},
		{at, "/contexts", "max", "walk", "context"}, {at, "/hot", "sum", "walk", "context"},
		{at, "/records", "count", "walk", "function_linkage_name"}, {at, "/records", "depth", "", ""},
		{at, "/records", "targets", "", ""},
		{at, "/targets", "count", "walk", "callee_linkage_name"}, {at, "/targets", "depth", "", ""},
		{at, "/calls", "inlined", "walk", "callee_linkage_name"}, {at, "/calls", "places", "", ""},
		{listed, "/symbols", "own", "help", "linkage_name"}, {listed, "/symbols", "contexts", "", ""},
		{listed, "/sections", "size", "NameTable", "name"}, {listed, "/summary", "min_count", "", ""},
	} {
		all := rows(c.at + c.path + "?limit=1000")
		var values []uint64
		for _, row := range all {
			values = append(values, number(row, c.key))
		}
		slices.Sort(values)
		middle := values[len(values)/2]
		var sorted []uint64
		for _, row := range rows(c.at + c.path + "?limit=1000&sort=" + c.key) {
			sorted = append(sorted, number(row, c.key))
		}
		if !slices.Equal(sorted, values) {
			t.Errorf("%s by %s has %v", c.path, c.key, sorted)
		}
		if first := number(rows(c.at + c.path + "?limit=1&sort=-" + c.key)[0], c.key); first != values[len(values)-1] {
			t.Errorf("%s by %s downwards begins with %d", c.path, c.key, first)
		}
		want := 0
		for _, n := range values {
			if n >= middle {
				want++
			}
		}
		if got := len(rows(c.at + c.path + "?limit=1000&" + c.key + "=" + strconv.FormatUint(middle, 10) +
			"..")); got != want {
			t.Errorf("%s has %d rows with %s from %d, want %d", c.path, got, c.key, middle, want)
		}
		if c.word == "" {
			continue
		}
		found := 0
		for _, row := range rows(c.at + c.path + "?limit=1000&q=" + c.word) {
			found++
			if text := row.text(c.in) + row.text("caller_linkage_name") +
				row.text("inlined_linkage_name"); !strings.Contains(text, c.word) {
				t.Errorf("%s finds %q by %s", c.path, text, c.word)
			}
		}
		if found == 0 || found == len(all) {
			t.Errorf("%s finds %d of %d rows by %s", c.path, found, len(all), c.word)
		}
	}
	// Rows that are looked at whole are paged as those that are read where they are shown.
	var offsets []string
	for from := range 5 {
		offsets = append(offsets, rows(at + "/records?limit=1&sort=entry_index&cursor=" +
			strconv.Itoa(from))[0].text("offset"))
	}
	var plain []string
	for _, row := range rows(at + "/records?limit=5") {
		plain = append(plain, row.text("offset"))
	}
	if !slices.Equal(offsets, plain) {
		t.Errorf("records one by one are at %v, together at %v", offsets, plain)
	}
}

// What the rows that match come to stands beside them.
func TestSumsOfWhatMatches(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutSamples(l, "llvm-22/line.ext.afdo")
	for _, c := range []struct {
		path string
		sums map[string]string // member of the envelope to column
	}{
		{"/functions?q=Grid", map[string]string{"matching_total": "total"}},
		{"/functions?among=sampled&q=Grid", map[string]string{"matching_total": "own"}},
		{"/calls?q=Grid", map[string]string{"matching_calls": "calls", "matching_inlined": "inlined"}},
		{"/contexts?q=Grid", map[string]string{"matching_total": "total"}},
	} {
		list := object(l.OK(at + c.path + "&limit=1000").Object(t))
		for member, column := range c.sums {
			sum := 0
			for _, row := range list.list("items") {
				n, _ := strconv.Atoi(row.text(column))
				sum += n
			}
			if list[member] != json.Number(strconv.Itoa(sum)) || sum == 0 {
				t.Errorf("%s: %s is %v, the rows have %d", c.path, member, list[member], sum)
			}
		}
		if all, _ := strconv.Atoi(list.text("all")); all <= len(list.list("items")) {
			t.Errorf("%s: %d of %d rows", c.path, len(list.list("items")), all)
		}
	}
}

// A row of each page is shown in an inspector, with its figures; functions lead to their
// pages.
func TestInspectorsOfSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	lost := webtest.PutSamples(l, "llvm-22/preinlined.ext.afdo", "programs/changed.elf")
	listed := webtest.PutSamples(l, "llvm-22/symlist.ext.afdo")
	for _, c := range []struct {
		at, path, table string
		says            []string
		api             string
	}{
		{
			lost, "/functions", "functions", []string{"run (std::vector<vm::Ins", "rank 1", "GUID", "Where inlined"},
			"/functions?",
		},
		{lost, "/functions?among=sampled", "functions", []string{"Own samples"}, "/functions?among=sampled"},
		{lost, "/stale", "functions", []string{"inside", "stale"}, "/functions?among=sampled&fit=stale"},
		{lost, "/calls", "calls", []string{"Callee", "Weight", "Inlined at"}, "/calls?"},
		{listed, "/symbols?never=true", "symbols", []string{"Own samples", "Contexts"}, "/symbols?"},
	} {
		page := "/p" + strings.TrimPrefix(c.at, "/api/v1/profiles") + c.path
		doc := l.Page(page, 200)
		selects := webtest.All(webtest.ByTestID(t, doc, c.table), func(n *html.Node) bool {
			return webtest.Attr(n, "data-select") != ""
		})
		if len(selects) == 0 {
			t.Errorf("%s: no row can be selected", page)
			continue
		}
		said := webtest.Said(webtest.ByTestID(t, l.Page(webtest.Attr(selects[0], "data-select"), 200), "inspector"))
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s does not say %q: %s", page, want, said)
			}
		}
		if csv := webtest.LinkTo(t, doc, "CSV"); !strings.Contains(csv, strings.SplitN(c.api, "&", 2)[0]) ||
			!strings.Contains(csv, "format=csv") {
			t.Errorf("%s has its CSV at %s", page, csv)
		} else if rows := strings.Count(l.OK(csv).Text(), "\n") - 1; rows < len(selects) {
			t.Errorf("%s shows %d rows, its CSV %d", page, len(selects), rows)
		}
		links := webtest.All(webtest.ByTestID(t, doc, c.table), func(n *html.Node) bool {
			return n.Data == "a" && strings.Contains(webtest.Attr(n, "href"), "/functions/")
		})
		if never := c.table == "symbols"; never != (len(links) == 0) {
			t.Errorf("%s has %d links to functions", page, len(links))
		}
		for _, a := range links[:min(len(links), 2)] {
			l.Page(webtest.Attr(a, "href"), 200)
		}
	}
}

// Calls that could still be inlined come first, then what is inlined: the heaviest of each.
func TestCallsWorthInliningComeFirst(t *testing.T) {
	l := webtest.Start(t, nil)
	api := webtest.PutSamples(l, "llvm-22/line.ext.afdo")
	calls, inlined := uint64(math.MaxUint64), uint64(math.MaxUint64)
	for _, row := range objects(l.OK(api + "/calls?limit=1000").Object(t)["items"]) {
		n, in := uint64(webtest.Number(t, row, "calls")), uint64(webtest.Number(t, row, "inlined"))
		if n > calls || n == calls && in > inlined {
			t.Fatalf("%d calls and %d inlined after %d and %d", n, in, calls, inlined)
		}
		calls, inlined = n, in
	}
	if calls != 0 || inlined == math.MaxUint64 {
		t.Errorf("the last call has %d calls", calls)
	}
}
