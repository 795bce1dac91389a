package handlers

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/store"
)

// get asks for a page of the invented profile and parses the answer.
func getPage(t *testing.T, p *inventedProfile, address string, status int) *html.Node {
	t.Helper()
	r := httptest.NewRequest("GET", address, nil)
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	serveProfile(p).ServeHTTP(w, r)
	if w.Code != status {
		t.Fatalf("GET %s: status %d, want %d\n%s", address, w.Code, status, w.Body)
	}
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	checkPage(t, doc)
	return doc
}

// checkPage asserts what holds on every page: nothing inline, one h1, every id once.
func checkPage(t *testing.T, doc *html.Node) {
	t.Helper()
	ids, h1 := map[string]bool{}, 0
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "h1" {
			h1++
		}
		if n.Data == "script" && attr(n, "src") == "" {
			t.Errorf("an inline script: %q", text(n))
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s %s=%q>: the content policy forbids it", n.Data, a.Key, a.Val)
			}
			if a.Key == "href" && strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") {
				t.Errorf("a link to %q", a.Val)
			}
			if a.Key == "id" {
				if ids[a.Val] {
					t.Errorf("id %q is there twice", a.Val)
				}
				ids[a.Val] = true
			}
		}
	}
	if h1 != 1 {
		t.Errorf("%d h1, want 1", h1)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// text is a node's text with white space folded.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// all are the elements that a predicate picks, in order.
func all(n *html.Node, pick func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && pick(d) {
			found = append(found, d)
		}
	}
	return found
}

func tag(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

// byTestID is the one element with a data-testid.
func byTestID(t *testing.T, n *html.Node, id string) *html.Node {
	t.Helper()
	found := all(n, func(n *html.Node) bool { return attr(n, "data-testid") == id })
	if len(found) != 1 {
		t.Fatalf("%d elements with data-testid %q, want 1", len(found), id)
	}
	return found[0]
}

func hasTestID(n *html.Node, id string) bool {
	return len(all(n, func(n *html.Node) bool { return attr(n, "data-testid") == id })) > 0
}

// linkTo is the address of the link with a text, or with an aria-label.
func linkTo(t *testing.T, n *html.Node, label string) string {
	t.Helper()
	for _, a := range all(n, tag("a")) {
		if strings.HasPrefix(text(a), label) || attr(a, "aria-label") == label {
			return attr(a, "href")
		}
	}
	t.Fatalf("no link %q", label)
	return ""
}

const irEntry = instrprof.IRProf | instrprof.InstrEntry

func small() *inventedProfile {
	return invent(irEntry,
		inventedFunction("_ZN4llvm3FooC2Ev", 0x11, 1000, 900, 0),
		inventedFunction("lib/a.c;helper", 0x22, 10, 0),
		inventedFunction("main", 0x33, 1),
		inventedFunction("unused", 0x44, 0, 0),
	)
}

func TestOverviewPage(t *testing.T) {
	p := small()
	doc := getPage(t, p, "/p/p", http.StatusOK)
	for id, want := range map[string]string{
		"tile-functions": "4 1 never executed",
		"tile-counters":  "8 50.0 % are zero",
		"tile-total":     "1 911 sum of all counters",
		"tile-max":       "1 000 Foo, no. 0",
		"tile-sites":     "0 none recorded",
	} {
		if got := strings.NewReplacer("\u00a0", " ").Replace(text(byTestID(t, doc, id))); !strings.HasSuffix(got, want) {
			t.Errorf("%s says %q, want it to end in %q", id, got, want)
		}
	}
	for _, id := range []string{"curve", "distribution"} {
		if chart := byTestID(t, doc, id); chart.Data != "svg" || attr(chart, "aria-label") == "" {
			t.Errorf("%s is no labelled svg", id)
		}
	}
	rows := all(byTestID(t, doc, "hottest"), tag("tr"))
	if len(rows) != 4 { // the head and what was executed
		t.Errorf("%d rows of hottest functions, want 4", len(rows))
	}
	if got := linkTo(t, doc, "1 never executed"); got != "/p/p/functions?class=never" {
		t.Errorf("never executed leads to %q", got)
	}
	hot := all(byTestID(t, doc, "summary"), func(n *html.Node) bool { return strings.HasPrefix(attr(n, "class"), "row-") })
	if len(hot) != 2 || attr(hot[0], "class") != "row-hot" || !strings.Contains(text(hot[0]), "99 %") || attr(hot[1], "class") != "row-cold" {
		t.Errorf("the threshold rows are not marked: %d", len(hot))
	}
}

func TestOverviewPageStates(t *testing.T) {
	t.Run("no functions", func(t *testing.T) {
		doc := getPage(t, invent(irEntry), "/p/p", http.StatusOK)
		if !strings.Contains(text(byTestID(t, doc, "blank")), "no function records") || hasTestID(doc, "curve") {
			t.Error("the empty profile does not say so")
		}
	})
	t.Run("nothing executed", func(t *testing.T) {
		doc := getPage(t, invent(irEntry, inventedFunction("f", 1, 0, 0)), "/p/p", http.StatusOK)
		if hasTestID(doc, "curve") || !hasTestID(doc, "distribution") || hasTestID(doc, "hottest") {
			t.Error("charts of a profile without counts")
		}
	})
	t.Run("names in the executable", func(t *testing.T) {
		f := inventedFunction("f", 1, 5)
		f.Name = nil
		doc := getPage(t, invent(instrprof.IRProf|instrprof.DbgCorrelate, f), "/p/p", http.StatusOK)
		notes := text(byTestID(t, doc, "notes"))
		if !strings.Contains(notes, "Names are in the executable") || !strings.Contains(notes, "Counter 0 is not an entry count") {
			t.Errorf("the notes say %q", notes)
		}
		if !strings.Contains(text(byTestID(t, doc, "hottest")), "<md5 0x") {
			t.Error("a function without a name is not shown by its MD5")
		}
	})
	t.Run("unknown parameter", func(t *testing.T) {
		r := httptest.NewRequest("GET", "/p/p?colour=red", nil)
		w := httptest.NewRecorder()
		serveProfile(small()).ServeHTTP(w, r)
		if w.Code != http.StatusBadRequest {
			t.Errorf("status %d, want 400", w.Code)
		}
	})
}

func TestFunctionsPage(t *testing.T) {
	p := small()
	doc := getPage(t, p, "/p/p/functions", http.StatusOK)
	table := byTestID(t, doc, "functions")
	if rows := all(table, tag("tr")); len(rows) != 5 {
		t.Fatalf("%d rows, want a head and 4", len(rows))
	}
	sorted := all(table, func(n *html.Node) bool { return attr(n, "aria-sort") != "" })
	if len(sorted) != 1 || text(sorted[0]) != "Total ↓ ?" || attr(sorted[0], "aria-sort") != "descending" {
		t.Errorf("the default order is not marked on one head")
	}
	if got := linkTo(t, table, "Maximum"); got != "/p/p/functions?sort=-max" {
		t.Errorf("Maximum sorts by %q", got)
	}
	if got := linkTo(t, table, "Total"); got != "/p/p/functions?sort=total" {
		t.Errorf("Total turns to %q", got)
	}
	base := all(table, func(n *html.Node) bool { return attr(n, "class") == "fn-base" })
	if len(base) != 4 || text(base[0]) != "Foo" || text(base[1]) != "helper" {
		t.Errorf("base names: %d", len(base))
	}
	if csv := attr(byTestID(t, doc, "csv"), "href"); csv != "/p/p/functions?format=csv" {
		t.Errorf("CSV is at %q", csv)
	}
}

func TestFunctionsPageQuery(t *testing.T) {
	p := small()
	p.matching = 2
	doc := getPage(t, p, "/p/p/functions?class=hot&class=warm&q=&entry=1000..&sort=-max,name&page=1&limit=1&cols=total,path", http.StatusOK)
	if len(p.asked.Classes) != 2 || len(p.asked.Ranges) != 1 || p.asked.Limit != 1 || p.asked.Sort[0] != (store.SortKey{Column: store.ColMax, Desc: true}) {
		t.Errorf("the query is %+v", p.asked)
	}
	chips := byTestID(t, doc, "chips")
	if got := text(chips); !strings.Contains(got, "class = hot, warm") || !strings.Contains(strings.ReplaceAll(got, "\u00a0", " "), "entry ≥ 1 000") {
		t.Errorf("the chips say %q", got)
	}
	if got := linkTo(t, chips, "Remove filter class = hot, warm"); got != "/p/p/functions?entry=1000..&sort=-max,name&limit=1&cols=total,path" {
		t.Errorf("without the class: %q", got)
	}
	if heads := all(byTestID(t, doc, "functions"), tag("th")); attr(heads[0], "abbr") != "Function" || attr(heads[1], "abbr") != "Total" || text(heads[2]) != "File path" {
		t.Error("cols= does not choose the columns")
	}
	if got := linkTo(t, doc, "› Next page"); !strings.Contains(got, "page=2") || !strings.Contains(got, "class=hot,warm") {
		t.Errorf("the next page is %q", got)
	}
	if got := text(byTestID(t, doc, "status-share")); !strings.HasPrefix(got, "matching hold ") {
		t.Errorf("the status bar says %q", got)
	}
}

// The form of columns sends each on its own; the address has them as one list.
func TestColumnsAreOneList(t *testing.T) {
	w := getStatus(t, small(), "/p/p/functions?sort=-max&q=&cols=total&cols=max", http.StatusSeeOther)
	if got := w.Header().Get("Location"); got != "/p/p/functions?sort=-max&cols=total,max" {
		t.Errorf("it leads to %s", got)
	}
}

func TestFunctionsPageStates(t *testing.T) {
	t.Run("no match", func(t *testing.T) {
		p := small()
		p.matching = -1
		doc := getPage(t, p, "/p/p/functions?q=zzz&class=hot", http.StatusOK)
		blank := byTestID(t, doc, "blank")
		if !strings.Contains(text(blank), "0 of 4 functions match") {
			t.Errorf("it says %q", text(blank))
		}
		if got := linkTo(t, blank, "Remove filter name has zzz"); got != "/p/p/functions?class=hot" {
			t.Errorf("without the name: %q", got)
		}
	})
	t.Run("incomplete", func(t *testing.T) {
		p := small()
		p.partial = true
		doc := getPage(t, p, "/p/p/functions?q=a", http.StatusOK)
		line := byTestID(t, doc, "incomplete")
		if bar := text(byTestID(t, doc, "statusbar")); strings.Contains(bar, " match ") && !strings.Contains(bar, "so far") {
			t.Errorf("what was not searched counts as not matching: %q", bar)
		}
		if !strings.Contains(text(line), "searched 1 of 4") || linkTo(t, line, "go on") != "/p/p/functions?q=a" {
			t.Errorf("it says %q", text(line))
		}
	})
	t.Run("no entry counts", func(t *testing.T) {
		doc := getPage(t, invent(instrprof.IRProf, inventedFunction("f", 1, 7, 8)), "/p/p/functions?cols=entry,max", http.StatusOK)
		cells := all(byTestID(t, doc, "functions"), tag("td"))
		if text(cells[0]) != "–" || text(cells[1]) != "8" {
			t.Errorf("entry is %q", text(cells[0]))
		}
	})
	t.Run("wrong column", func(t *testing.T) {
		getStatus(t, small(), "/p/p/functions?cols=colour", http.StatusBadRequest)
	})
	t.Run("past the end", func(t *testing.T) {
		doc := getPage(t, small(), "/p/p/functions?page=99", http.StatusOK)
		if linkTo(t, byTestID(t, doc, "blank"), "First page") != "/p/p/functions" {
			t.Error("no way back")
		}
	})
	t.Run("as CSV", func(t *testing.T) {
		w := getStatus(t, small(), "/p/p/functions?format=csv&class=hot&cols=total", http.StatusSeeOther)
		if got := w.Header().Get("Location"); got != "/api/v1/profiles/p/functions?class=hot&cols=total&format=csv" {
			t.Errorf("redirects to %q", got)
		}
	})
}

func getStatus(t *testing.T, p *inventedProfile, address string, status int) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	serveProfile(p).ServeHTTP(w, httptest.NewRequest("GET", address, nil))
	if w.Code != status {
		t.Fatalf("GET %s: status %d, want %d", address, w.Code, status)
	}
	return w
}

func TestInspector(t *testing.T) {
	p := small()
	first := &p.records[0]
	callee := p.records[2]
	first.Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{{}, {{Value: callee.NameRef, Count: 3}, {Value: 0x99, Count: 1}}}
	doc := getPage(t, p, "/p/p/functions?sel="+rowID(&first.FunctionRow), http.StatusOK)
	inspector := byTestID(t, doc, "inspector")
	said := strings.ReplaceAll(text(inspector), "\u00a0", " ")
	for _, want := range []string{"rank 1 of 4", "1 900", "0x0000000000000011", "site 1", "75.0 %", "<md5 0x0000000000000099>", "entry"} {
		if !strings.Contains(said, want) {
			t.Errorf("the inspector lacks %q: %s", want, said)
		}
	}
	if got := linkTo(t, inspector, "main"); got != "/p/p/functions/"+fid(callee.NameRef) {
		t.Errorf("the target leads to %q", got)
	}
	if selected := all(doc, func(n *html.Node) bool { return attr(n, "aria-selected") == "true" }); len(selected) != 1 {
		t.Errorf("%d rows are selected", len(selected))
	}
	doc = getPage(t, p, "/p/p/functions?sel=0000000000000001:0000000000000002", http.StatusOK)
	if !strings.Contains(text(byTestID(t, doc, "inspector")), "not in this profile") {
		t.Error("a selection that is not there is not told of")
	}
}

func TestFunctionPage(t *testing.T) {
	f := inventedFunction("lib/a.c;_ZN4llvm3FooC2Ev", 0x11)
	for i := range 2500 {
		f.Counters = append(f.Counters, uint64(i))
	}
	f.Bitmap = []byte{0x05, 0x80}
	f.Sites[instrprof.MemOPSize] = []instrprof.ValueSite{{{Value: 9, Count: 5}, {Value: 513, Count: 3}, {Value: 8, Count: 1}}}
	second := f
	second.FuncHash, second.Counters = 0x12, []uint64{1, 2}
	p := invent(irEntry, f, second, inventedFunction("main", 1, 5))
	address := "/p/p/functions/" + fid(f.NameRef)

	doc := getPage(t, p, address, http.StatusOK)
	if rows := all(byTestID(t, doc, "records"), tag("tr")); len(rows) != 3 {
		t.Errorf("%d rows of records, want a head and 2", len(rows))
	}
	counters := all(byTestID(t, doc, "counters"), tag("tr"))
	if len(counters) != 1001 || text(counters[1]) != "0 entry 0" {
		t.Errorf("%d rows of counters; the first is %q", len(counters), text(counters[1]))
	}
	if strip := byTestID(t, doc, "strip"); len(all(strip, tag("a"))) != 3 {
		t.Error("the strip does not link to its three pages")
	}
	if got := linkTo(t, doc, "› Next page"); got != address+"?counters=1000..1999" {
		t.Errorf("the next counters are at %q", got)
	}
	sizes := text(byTestID(t, doc, "sites-memory-ops"))
	for _, want := range []string{"9–15 bytes", "≥ 513 bytes", "8 bytes"} {
		if !strings.Contains(sizes, want) {
			t.Errorf("sizes lack %q: %s", want, sizes)
		}
	}
	if got := attr(byTestID(t, doc, "bitmap"), "aria-label"); got != "3 of 16 bits are set" {
		t.Errorf("the bitmap is labelled %q", got)
	}
	if got := linkTo(t, doc, "lib/a.c"); got != "/p/p/functions?path=lib%2Fa.c" {
		t.Errorf("the path leads to %q", got)
	}

	doc = getPage(t, p, address+"?counters=2000..2999", http.StatusOK)
	counters = all(byTestID(t, doc, "counters"), tag("tr"))
	if len(counters) != 501 || !strings.Contains(text(counters[500]), "maximum") {
		t.Errorf("%d rows of counters, want 501 with the maximum last", len(counters))
	}
	doc = getPage(t, p, address+"?hash=0x12", http.StatusOK)
	if counters = all(byTestID(t, doc, "counters"), tag("tr")); len(counters) != 3 {
		t.Errorf("%d rows of counters of the second record, want 3", len(counters))
	}
	getStatus(t, p, address+"?hash=0x13", http.StatusNotFound)
	getStatus(t, p, "/p/p/functions/0123456789abcdef", http.StatusNotFound)
	getStatus(t, p, "/p/p/functions/main", http.StatusNotFound)
}

func TestFunctionPagePseudo(t *testing.T) {
	p := invent(irEntry, inventedFunction("f", 1, instrprof.PseudoHot, 0))
	doc := getPage(t, p, "/p/p/functions/"+fid(p.records[0].NameRef), http.StatusOK)
	if !strings.Contains(text(byTestID(t, doc, "pseudo")), "pseudo count") || hasTestID(doc, "counters") {
		t.Error("a pseudo-count record shows counters")
	}
}

// TestPagesPrintHostileNames prints names that try to leave the text they stand in on
// every page that shows names.
func TestPagesPrintHostileNames(t *testing.T) {
	var functions []instrprof.Function
	for i, name := range hostileNames {
		functions = append(functions, inventedFunction(name, uint64(i), uint64(100-i), 5))
	}
	p := invent(irEntry, functions...)
	p.overview.Inputs[0].Name = hostileNames[0]
	p.overview.Inputs[0].Sections[0].Name = hostileNames[1]
	p.overview.Findings = []model.Finding{{Severity: model.Warning, Message: hostileNames[0], File: hostileNames[1], Cause: hostileNames[4]}}
	var site instrprof.ValueSite
	for _, f := range functions {
		site = append(site, instrprof.Value{Value: f.NameRef, Count: 1})
	}
	p.records[0].Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{site}

	addresses := []string{"/p/p", "/p/p/functions", "/p/p/functions?names=mangled&cols=path,func_hash"}
	for _, name := range hostileNames {
		addresses = append(addresses, "/p/p/functions?q="+url.QueryEscape(name), "/p/p/functions?sel="+url.QueryEscape(name))
	}
	for i := range p.records {
		addresses = append(addresses, "/p/p/functions/"+fid(p.records[i].NameRef), "/p/p/functions?sel="+rowID(&p.records[i].FunctionRow))
	}
	for _, address := range addresses {
		doc := getPage(t, p, address, http.StatusOK)
		for _, n := range all(doc, func(n *html.Node) bool { return n.Data == "img" || n.Data == "script" && attr(n, "src") == "" }) {
			t.Errorf("%s: an element came out of a name: <%s>", address, n.Data)
		}
		for n := range doc.Descendants() {
			if strings.ContainsAny(n.Data, "\x00\x1b\u202e") {
				t.Errorf("%s: a control character is shown: %q", address, n.Data)
			}
		}
	}
}

var _ Profile = (*inventedProfile)(nil)

// TestFaultyFilter keeps the table's page, and what was typed, where a filter
// cannot be read.
func TestFaultyFilter(t *testing.T) {
	for query, says := range map[string]string{
		"re=(":          "missing closing",
		"max=many":      "max",
		"class=warmish": "hot, warm, cold",
		"hash=0xzz":     "hash",
	} {
		doc := getPage(t, small(), "/p/p/functions?sort=-max&"+query, http.StatusBadRequest)
		blank := text(byTestID(t, doc, "blank"))
		if !strings.Contains(blank, "This filter cannot be read") || !strings.Contains(blank, says) {
			t.Errorf("%s: the page says %q", query, blank)
		}
		_, typed, _ := strings.Cut(query, "=")
		if chips := all(doc, func(n *html.Node) bool {
			return strings.Contains(attr(n, "aria-label"), "Remove filter") && strings.Contains(attr(n, "aria-label"), typed)
		}); len(chips) == 0 {
			t.Errorf("%s: no chip takes the filter away", query)
		}
	}
	getPage(t, small(), "/p/p/functions?re=(&max=many", http.StatusBadRequest)
}

// TestPageBeyondTheLast does not say that nothing matches.
func TestPageBeyondTheLast(t *testing.T) {
	doc := getPage(t, small(), "/p/p/functions?page=999", http.StatusOK)
	if blank := text(byTestID(t, doc, "blank")); !strings.Contains(blank, "There is no page 999") {
		t.Errorf("the page says %q", blank)
	}
}

// TestFunctionsKeys asserts that the help tells the keys of the table.
func TestFunctionsKeys(t *testing.T) {
	help := text(byTestID(t, getPage(t, small(), "/p/p/functions", http.StatusOK), "help"))
	for _, does := range []string{"inspect the row", "next, previous page", "how names are written"} {
		if !strings.Contains(help, does) {
			t.Errorf("the help does not say what key does %q", does)
		}
	}
}
