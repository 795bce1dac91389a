package instrweb_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/handlers/webtest"
)

// withSites is a profile with value sites, one with names that try to leave the
// text they stand in.
func withSites() *webtest.Invented {
	called := webtest.Func(webtest.HostileNames[0], 2, 5)
	f := webtest.Func(webtest.HostileNames[1], 1, 1000, 10)
	f.Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{
		{{Value: called.NameRef, Count: 90}, {Value: 0, Count: 9}, {Value: 77, Count: 1}, {Value: 78, Count: 1}}, nil,
	}
	f.Sites[instrprof.MemOPSize] = []instrprof.ValueSite{{{Value: 17, Count: 4}, {Value: 513, Count: 1}}}
	return webtest.Invent(irEntry, f, called)
}

func TestValuesPage(t *testing.T) {
	doc := webtest.GetPage(t, withSites(), "/p/p/values", http.StatusOK)
	said := strings.ReplaceAll(webtest.Text(webtest.ByTestID(t, doc, "sites")), "\u00a0", " ")
	for _, want := range []string{"89.1 %", "+3", "recorded nothing", "<script>alert (1)</script>"} {
		if !strings.Contains(said, want) {
			t.Errorf("the sites do not say %q: %s", want, said)
		}
	}
	// The inspector has every value of the row that is selected.
	selected := webtest.GetPage(t, withSites(), webtest.LinkTo(t, doc, "+3"), http.StatusOK)
	said = strings.ReplaceAll(webtest.Text(webtest.ByTestID(t, selected, "inspector")), "\u00a0", " ")
	for _, want := range []string{
		"<script>alert(1)</script>", "89.1 %", "unknown", "<md5 0x000000000000004d>", "<md5 0x000000000000004e>", "101",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the inspector does not say %q: %s", want, said)
		}
	}
	if got := webtest.LinkTo(t, doc, "Memory operation sizes"); got != "/p/p/values?kind=memop" {
		t.Errorf("the other kind is at %q", got)
	}
	doc = webtest.GetPage(t, withSites(), "/p/p/values?kind=memop", http.StatusOK)
	if said := strings.ReplaceAll(webtest.Text(webtest.ByTestID(t, doc, "sizes")), "\u00a0", " "); !strings.Contains(said,
		"17–31 bytes 80.0 %") || !strings.Contains(said, "≥ 513 bytes") {
		t.Errorf("sizes: %s", said)
	}
	if webtest.LinkTo(t, doc, "CSV") != "/api/v1/profiles/p/values?kind=memop&format=csv" {
		t.Errorf("CSV is at %q", webtest.LinkTo(t, doc, "CSV"))
	}
	if doc := webtest.GetPage(t, withSites(), "/p/p/values?kind=vtable", http.StatusOK); !webtest.HasTestID(doc, "blank") {
		t.Error("a kind without sites is not said")
	}
}

// A profile has the tabs of what it holds, and no others.
func TestContentTabs(t *testing.T) {
	p := withSites()
	p.Traces = []instrprof.Trace{{Weight: 3, NameRefs: []uint64{p.Functions[1].NameRef, p.Functions[0].NameRef, 99}}}
	doc := webtest.GetPage(t, p, "/p/p/order", http.StatusOK)
	webtest.LinkTo(t, doc, "Value sites")
	webtest.LinkTo(t, doc, "Order")
	rows := webtest.All(webtest.ByTestID(t, doc, "order-table"), webtest.Tag("tr"))
	if len(rows) != 4 || !strings.Contains(webtest.Text(rows[1]), "<script>alert") ||
		!strings.Contains(webtest.Text(rows[3]), "<md5 0x0000000000000063>") {
		t.Errorf("%d rows of the order", len(rows))
	}
	if got := webtest.LinkTo(t, doc, "For ld64"); got != "/api/v1/profiles/p/export/order?macho=true" {
		t.Errorf("the order file is at %q", got)
	}
	if !webtest.HasTestID(doc, "strip") {
		t.Error("the trace is not drawn")
	}
	l := webtest.Start(t, nil)
	const raw, vtables = "raw/clang-22_fe_mcdc.profraw", "vtables/vtables.profraw"
	inDecode := func(name string) []byte {
		return webtest.Files(t, webtest.Root()+"/decode/instrprof/testdata", name)[1].([]byte)
	}
	for _, file := range []struct {
		name string
		data []byte
		want string
	}{
		{"ir_c.profraw", webtest.File(t, "ir_c.profraw"), "Overview Functions 45 Tree Value sites 31"},
		{
			"temporal_two.profdata", webtest.File(t, "temporal_two.profdata"),
			"Overview Functions 195 Tree Value sites 216 Order 2 traces",
		},
		{raw, inDecode(raw), "Overview Functions 63 Tree MC/DC bitmaps"},
		{vtables, inDecode(vtables), "Overview Functions 39 Tree Value sites 8 VTables"},
	} {
		page := webtest.Page(l.Upload(filepath.Base(file.name), file.data))
		if got := webtest.Tabs(l, page); got != file.want {
			t.Errorf("%s has the tabs %q, want %q", file.name, got, file.want)
		}
		text := l.OK(page + "?format=text").Text()
		_, next, offered := strings.Cut(text, "/values?format=text&kind=")
		if offered != strings.Contains(file.want, "Value sites") {
			t.Errorf("%s: a terminal is offered value sites: %v", file.name, offered)
		}
		kind, _, _ := strings.Cut(next, "'")
		if offered && webtest.Number(t, l.OK(webtest.API(page[len("/p/"):])+"/values?kind="+kind).Object(t), "total") == 0 {
			t.Errorf("%s: a terminal is offered sites of kind %s, and there are none", file.name, kind)
		}
	}
	without := webtest.GetPage(t, small(), "/p/p", http.StatusOK)
	for _, a := range webtest.All(without, webtest.Tag("a")) {
		if said := webtest.Text(a); strings.HasPrefix(said, "Value sites") || strings.HasPrefix(said, "Order") {
			t.Errorf("a tab %q", said)
		}
	}
	for _, path := range []string{"/p/p/values", "/p/p/order"} {
		if doc := webtest.GetPage(t, small(), path, http.StatusOK); !webtest.HasTestID(doc, "blank") {
			t.Errorf("%s does not say that there is nothing", path)
		}
	}
}

// The list of value sites is sorted and filtered by its address, and says so.
func TestValuesSortAndFilter(t *testing.T) {
	var functions []instrprof.Function
	for i, name := range []string{"alpha", "beta::gamma", "delta"} {
		f := webtest.Func(name, 1, 10)
		f.Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{
			{{Value: 5, Count: uint64(10 + i)}, {Value: 6, Count: uint64(9 - 4*i)}},
		}
		functions = append(functions, f)
	}
	p := webtest.Invent(irEntry, functions...)
	for query, want := range map[string]string{
		"": "delta beta::gamma alpha", "?sort=name": "alpha beta::gamma delta", "?sort=sum": "delta beta::gamma alpha",
		"?sort=top_share": "alpha beta::gamma delta",
		"?q=+GAMMA+beta+": "beta::gamma", "?re=^.elta$": "delta", "?sum=..14": "delta", "?top_count=10": "alpha",
		"?q=nothing": "", "?limit=1&page=2": "beta::gamma",
		"?top_share=60..": "delta beta::gamma", "?top_share=68.75": "beta::gamma", "?top_share=..52.7": "alpha",
	} {
		doc := webtest.GetPage(t, p, "/p/p/values"+query, http.StatusOK)
		var got []string
		if webtest.HasTestID(doc, "sites") {
			for _, cell := range webtest.All(webtest.ByTestID(t, doc, "sites"), webtest.Tag("th")) {
				if webtest.Attr(cell, "scope") == "row" {
					got = append(got, strings.ReplaceAll(strings.TrimSpace(webtest.Text(cell)), " ", ""))
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("values%s has %q, want %q", query, got, want)
		}
	}
	doc := webtest.GetPage(t, p, "/p/p/values?q=beta", http.StatusOK)
	if got := webtest.LinkTo(t, doc, "Sum"); got != "/p/p/values?q=beta&sort=-sum" {
		t.Errorf("sorting by sum leads to %q", got)
	}
	webtest.GetPage(t, p, "/p/p/values?sort=nothing", http.StatusBadRequest)
	webtest.GetPage(t, p, "/p/p/values?top_share=9..3", http.StatusBadRequest)
	webtest.GetPage(t, p, "/p/p/values?top_share=many..", http.StatusBadRequest)
	if said := webtest.Said(webtest.GetPage(t, p, "/p/p/values?top_share=60..", http.StatusOK)); !strings.Contains(said,
		"top_share ≥ 60 %") {
		t.Errorf("a filter by shares reads %q", said)
	}
}
