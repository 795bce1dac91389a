package handlers

import (
	"net/http"
	"strings"
	"testing"

	"proflens/decode/instrprof"
)

// withSites is a profile with value sites, one with names that try to leave the
// text they stand in.
func withSites() *inventedProfile {
	called := inventedFunction(hostileNames[0], 2, 5)
	f := inventedFunction(hostileNames[1], 1, 1000, 10)
	f.Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{
		{{Value: called.NameRef, Count: 90}, {Value: 0, Count: 9}, {Value: 77, Count: 1}, {Value: 78, Count: 1}}, nil,
	}
	f.Sites[instrprof.MemOPSize] = []instrprof.ValueSite{{{Value: 17, Count: 4}, {Value: 513, Count: 1}}}
	return invent(irEntry, f, called)
}

func TestValuesPage(t *testing.T) {
	doc := getPage(t, withSites(), "/p/p/values", http.StatusOK)
	said := strings.ReplaceAll(text(byTestID(t, doc, "sites")), "\u00a0", " ")
	for _, want := range []string{"89.1 %", "unknown", "other (1)", "<md5 0x000000000000004d>", "recorded nothing", "<script>alert (1)</script>"} {
		if !strings.Contains(said, want) {
			t.Errorf("the sites do not say %q: %s", want, said)
		}
	}
	if got := linkTo(t, doc, "Memory operation sizes"); got != "/p/p/values?kind=memop" {
		t.Errorf("the other kind is at %q", got)
	}
	doc = getPage(t, withSites(), "/p/p/values?kind=memop", http.StatusOK)
	if said := strings.ReplaceAll(text(byTestID(t, doc, "sizes")), "\u00a0", " "); !strings.Contains(said, "17–31 bytes 80.0 %") || !strings.Contains(said, "≥ 513 bytes") {
		t.Errorf("sizes: %s", said)
	}
	if linkTo(t, doc, "CSV") != "/p/p/values?kind=memop&format=csv" {
		t.Errorf("CSV is at %q", linkTo(t, doc, "CSV"))
	}
	if doc := getPage(t, withSites(), "/p/p/values?kind=vtable", http.StatusOK); !hasTestID(doc, "blank") {
		t.Error("a kind without sites is not said")
	}
}

// A profile has the tabs of what it holds, and no others.
func TestContentTabs(t *testing.T) {
	p := withSites()
	p.traces = []instrprof.Trace{{Weight: 3, NameRefs: []uint64{p.records[1].NameRef, p.records[0].NameRef, 99}}}
	p.overview.Traces = 1
	doc := getPage(t, p, "/p/p/order", http.StatusOK)
	linkTo(t, doc, "Value sites")
	linkTo(t, doc, "Order")
	rows := all(byTestID(t, doc, "order-table"), tag("tr"))
	if len(rows) != 4 || !strings.Contains(text(rows[1]), "<script>alert") || !strings.Contains(text(rows[3]), "<md5 0x0000000000000063>") {
		t.Errorf("%d rows of the order", len(rows))
	}
	if got := linkTo(t, doc, "For ld64"); got != "/api/v1/profiles/p/export/order?macho=true" {
		t.Errorf("the order file is at %q", got)
	}
	if !hasTestID(doc, "strip") {
		t.Error("the trace is not drawn")
	}
	without := getPage(t, small(), "/p/p", http.StatusOK)
	for _, a := range all(without, tag("a")) {
		if said := text(a); strings.HasPrefix(said, "Value sites") || strings.HasPrefix(said, "Order") {
			t.Errorf("a tab %q", said)
		}
	}
	for _, path := range []string{"/p/p/values", "/p/p/order"} {
		if doc := getPage(t, small(), path, http.StatusOK); !hasTestID(doc, "blank") {
			t.Errorf("%s does not say that there is nothing", path)
		}
	}
}
