package instrweb_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/handlers/webtest"
)

func fid(f instrprof.Function) string { return fmt.Sprintf("%016x", f.NameRef) }

func rowID(f instrprof.Function) string { return fmt.Sprintf("%016x:%016x", f.NameRef, f.FuncHash) }

const irEntry = instrprof.IRProf | instrprof.InstrEntry

func small() *webtest.Invented {
	return webtest.Invent(irEntry,
		webtest.Func("_ZN4llvm3FooC2Ev", 0x11, 1000, 900, 0),
		webtest.Func("lib/a.c;helper", 0x22, 10, 0),
		webtest.Func("main", 0x33, 1),
		webtest.Func("unused", 0x44, 0, 0),
	)
}

func TestOverviewPage(t *testing.T) {
	p := small()
	doc := webtest.GetPage(t, p, "/p/p", http.StatusOK)
	for id, want := range map[string]string{
		"tile-functions": "4 1 never executed",
		"tile-counters":  "8 50.0 % are zero",
		"tile-total":     "1 911 sum of all counters",
		"tile-max":       "1 000 Foo, no. 0",
		"tile-sites":     "0 none recorded",
	} {
		if got := strings.NewReplacer("\u00a0",
			" ").Replace(webtest.Text(webtest.ByTestID(t, doc, id))); !strings.HasSuffix(got, want) {
			t.Errorf("%s says %q, want it to end in %q", id, got, want)
		}
	}
	for _, id := range []string{"curve", "distribution"} {
		if chart := webtest.ByTestID(t, doc, id); chart.Data != "svg" || webtest.Attr(chart, "aria-label") == "" {
			t.Errorf("%s is no labelled svg", id)
		}
	}
	rows := webtest.All(webtest.ByTestID(t, doc, "hottest"), webtest.Tag("tr"))
	if len(rows) != 4 { // the head and what was executed
		t.Errorf("%d rows of hottest functions, want 4", len(rows))
	}
	if got := webtest.LinkTo(t, doc, "1 never executed"); got != "/p/p/functions?class=never" {
		t.Errorf("never executed leads to %q", got)
	}
	hot := webtest.All(webtest.ByTestID(t, doc, "summary"), func(n *html.Node) bool {
		return strings.HasPrefix(webtest.Attr(n, "class"), "row-")
	})
	if len(hot) != 2 || webtest.Attr(hot[0], "class") != "row-hot" || !strings.Contains(webtest.Text(hot[0]), "99 %") ||
		webtest.Attr(hot[1], "class") != "row-cold" {
		t.Errorf("the threshold rows are not marked: %d", len(hot))
	}
}

func TestOverviewPageStates(t *testing.T) {
	t.Run("no functions", func(t *testing.T) {
		doc := webtest.GetPage(t, webtest.Invent(irEntry), "/p/p", http.StatusOK)
		if !strings.Contains(webtest.Text(webtest.ByTestID(t, doc, "blank")), "no function records") ||
			webtest.HasTestID(doc, "curve") {
			t.Error("the empty profile does not say so")
		}
	})
	t.Run("nothing executed", func(t *testing.T) {
		doc := webtest.GetPage(t, webtest.Invent(irEntry, webtest.Func("f", 1, 0, 0)), "/p/p", http.StatusOK)
		if webtest.HasTestID(doc, "curve") || !webtest.HasTestID(doc, "distribution") || webtest.HasTestID(doc, "hottest") {
			t.Error("charts of a profile without counts")
		}
	})
	t.Run("the program is missing", func(t *testing.T) {
		for variant, want := range map[instrprof.Variant]bool{0: true, instrprof.IRProf: false} {
			doc := webtest.GetPage(t, webtest.Invent(variant, webtest.Func("f", 1, 5)), "/p/p", http.StatusOK)
			if got := strings.Contains(webtest.Text(doc), "upload it together with this profile"); got != want {
				t.Errorf("variant %x: the program is asked for: %v", variant, got)
			}
		}
	})
	t.Run("names in the executable", func(t *testing.T) {
		f := webtest.Func("f", 1, 5)
		f.Name = nil
		doc := webtest.GetPage(t, webtest.Invent(instrprof.IRProf|instrprof.DbgCorrelate, f), "/p/p", http.StatusOK)
		notes := webtest.Text(webtest.ByTestID(t, doc, "notes"))
		if !strings.Contains(notes, "Names are in the executable") ||
			strings.Contains(notes, "Counter 0") { // nothing follows from that here
			t.Errorf("the notes say %q", notes)
		}
		if !strings.Contains(webtest.Text(webtest.ByTestID(t, doc, "hottest")), "<md5 0x") {
			t.Error("a function without a name is not shown by its MD5")
		}
	})
	t.Run("unknown parameter", func(t *testing.T) {
		getStatus(t, small(), "/p/p?colour=red", http.StatusBadRequest)
	})
}

func TestFunctionsPage(t *testing.T) {
	p := small()
	doc := webtest.GetPage(t, p, "/p/p/functions", http.StatusOK)
	table := webtest.ByTestID(t, doc, "functions")
	if rows := webtest.All(table, webtest.Tag("tr")); len(rows) != 5 {
		t.Fatalf("%d rows, want a head and 4", len(rows))
	}
	sorted := webtest.All(table, func(n *html.Node) bool { return webtest.Attr(n, "aria-sort") != "" })
	if len(sorted) != 1 || webtest.Text(sorted[0]) != "Total ↓" || webtest.Attr(sorted[0], "aria-sort") != "descending" {
		t.Errorf("the default order is not marked on one head")
	}
	if got := webtest.LinkTo(t, table, "Maximum"); got != "/p/p/functions?sort=-max" {
		t.Errorf("Maximum sorts by %q", got)
	}
	if got := webtest.LinkTo(t, table, "Total"); got != "/p/p/functions?sort=total" {
		t.Errorf("Total turns to %q", got)
	}
	base := webtest.All(table, func(n *html.Node) bool { return webtest.Attr(n, "class") == "fn-base" })
	if len(base) != 4 || webtest.Text(base[0]) != "Foo" || webtest.Text(base[1]) != "helper" {
		t.Errorf("base names: %d", len(base))
	}
	if csv := webtest.Attr(webtest.ByTestID(t, doc, "csv"), "href"); csv != "/p/p/functions?format=csv" {
		t.Errorf("CSV is at %q", csv)
	}
}

func TestFunctionsPageQuery(t *testing.T) {
	p := small()
	p.Functions[1].Counters[0] = 1200 // helper is hot too, but runs less often than Foo
	p.Functions[0].Counters[1] = 1500
	doc := webtest.GetPage(t, p, "/p/p/functions?class=hot&class=warm&q=&entry=1000..&sort=-max,name&page=1&limit=1&cols=total,path",
		http.StatusOK)
	if base := webtest.All(webtest.ByTestID(t, doc, "functions"),
		func(n *html.Node) bool { return webtest.Attr(n, "class") == "fn-base" }); len(base) != 1 ||
		webtest.Text(base[0]) != "Foo" {
		t.Error("the first row is not that with the highest maximum")
	}
	chips := webtest.ByTestID(t, doc, "chips")
	if got := webtest.Text(chips); !strings.Contains(got, "class = hot, warm") ||
		!strings.Contains(strings.ReplaceAll(got, "\u00a0", " "), "entry ≥ 1 000") {
		t.Errorf("the chips say %q", got)
	}
	if got := webtest.LinkTo(t, chips,
		"Remove filter class = hot, warm"); got != "/p/p/functions?entry=1000..&sort=-max,name&limit=1&cols=total,path" {
		t.Errorf("without the class: %q", got)
	}
	if heads := webtest.All(webtest.ByTestID(t, doc, "functions"), webtest.Tag("th")); webtest.Attr(heads[0],
		"abbr") != "Function" || !strings.HasPrefix(webtest.Text(heads[1]), "Total") ||
		webtest.Attr(heads[1], "abbr") != "" || webtest.Text(heads[2]) != "File path" {
		t.Error("cols= does not choose the columns")
	}
	if got := webtest.LinkTo(t, doc, "› Next page"); !strings.Contains(got, "page=2") ||
		!strings.Contains(got, "class=hot,warm") {
		t.Errorf("the next page is %q", got)
	}
	if got := webtest.Text(webtest.ByTestID(t, doc, "status-share")); !strings.HasPrefix(got, "matching hold ") {
		t.Errorf("the status bar says %q", got)
	}
}

// The form of columns sends each on its own; the address has them as one list.
func TestColumnsAreOneList(t *testing.T) {
	w := getStatus(t, small(), "/p/p/functions?sort=-max&q=&cols=total&cols=max", http.StatusSeeOther)
	if got := w.Header.Get("Location"); got != "/p/p/functions?sort=-max&cols=total,max" {
		t.Errorf("it leads to %s", got)
	}
}

func TestFunctionsPageStates(t *testing.T) {
	t.Run("no match", func(t *testing.T) {
		doc := webtest.GetPage(t, small(), "/p/p/functions?q=zzz&class=hot", http.StatusOK)
		blank := webtest.ByTestID(t, doc, "blank")
		if !strings.Contains(webtest.Text(blank), "0 of 4 functions match") {
			t.Errorf("it says %q", webtest.Text(blank))
		}
		if got := webtest.LinkTo(t, blank, "Remove filter name contains zzz"); got != "/p/p/functions?class=hot" {
			t.Errorf("without the name: %q", got)
		}
	})
	t.Run("no entry counts", func(t *testing.T) {
		doc := webtest.GetPage(t, webtest.Invent(instrprof.IRProf, webtest.Func("f", 1, 7, 8)),
			"/p/p/functions?cols=entry,max", http.StatusOK)
		cells := webtest.All(webtest.ByTestID(t, doc, "functions"), webtest.Tag("td"))
		if webtest.Text(cells[0]) != "–" || webtest.Text(cells[1]) != "8" {
			t.Errorf("entry is %q", webtest.Text(cells[0]))
		}
	})
	t.Run("wrong column", func(t *testing.T) {
		getStatus(t, small(), "/p/p/functions?cols=colour", http.StatusBadRequest)
	})
	t.Run("past the end", func(t *testing.T) {
		doc := webtest.GetPage(t, small(), "/p/p/functions?page=99", http.StatusOK)
		if webtest.LinkTo(t, webtest.ByTestID(t, doc, "blank"), "First page") != "/p/p/functions" {
			t.Error("no way back")
		}
	})
	t.Run("as CSV", func(t *testing.T) {
		w := getStatus(t, small(), "/p/p/functions?format=csv&class=hot&cols=total", http.StatusOK)
		if got := w.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/csv;") {
			t.Errorf("%q", got)
		}
	})
}

func TestInspector(t *testing.T) {
	p := small()
	first, callee := &p.Functions[0], p.Functions[2]
	first.Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{
		{}, {{Value: callee.NameRef, Count: 3}, {Value: 0x99, Count: 1}},
	}
	doc := webtest.GetPage(t, p, "/p/p/functions?sel="+rowID(*first), http.StatusOK)
	inspector := webtest.ByTestID(t, doc, "inspector")
	said := strings.ReplaceAll(webtest.Text(inspector), "\u00a0", " ")
	for _, want := range []string{
		"rank 1 of 4", "1 900", "0x0000000000000011", "site 1", "75.0 %", "<md5 0x0000000000000099>", "entry",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the inspector lacks %q: %s", want, said)
		}
	}
	if got := webtest.LinkTo(t, inspector, "main"); got != "/p/p/functions/"+fid(callee) {
		t.Errorf("the target leads to %q", got)
	}
	if selected := webtest.All(doc,
		func(n *html.Node) bool { return webtest.Attr(n, "aria-selected") == "true" }); len(selected) != 1 {
		t.Errorf("%d rows are selected", len(selected))
	}
	doc = webtest.GetPage(t, p, "/p/p/functions?sel=0000000000000001:0000000000000002", http.StatusOK)
	if !strings.Contains(webtest.Text(webtest.ByTestID(t, doc, "inspector")), "not in this profile") {
		t.Error("a selection that is not there is not told of")
	}
}

func TestFunctionPage(t *testing.T) {
	f := webtest.Func("lib/a.c;_ZN4llvm3FooC2Ev", 0x11)
	for i := range 2500 {
		f.Counters = append(f.Counters, uint64(i))
	}
	f.Bitmap = []byte{0x05, 0x80}
	f.Sites[instrprof.MemOPSize] = []instrprof.ValueSite{
		{{Value: 9, Count: 5}, {Value: 513, Count: 3}, {Value: 8, Count: 1}},
	}
	second := f
	second.FuncHash, second.Counters = 0x12, []uint64{1, 2}
	p := webtest.Invent(irEntry, f, second, webtest.Func("main", 1, 5))
	address := "/p/p/functions/" + fid(f)

	doc := webtest.GetPage(t, p, address, http.StatusOK)
	if rows := webtest.All(webtest.ByTestID(t, doc, "records"), webtest.Tag("tr")); len(rows) != 3 {
		t.Errorf("%d rows of records, want a head and 2", len(rows))
	}
	// So many counters stand by their counts, and what is 0 in one line.
	rows := func(doc *html.Node) []string {
		var list []string
		for _, row := range webtest.All(webtest.ByTestID(t, doc, "counters"), webtest.Tag("tr"))[1:] {
			list = append(list, webtest.Said(row))
		}
		return list
	}
	if got := rows(doc); len(got) != 20 || !strings.HasPrefix(got[0], "2 499 2 499 0.1 %") {
		t.Errorf("%d rows of counters by count: %q", len(got), got)
	}
	if got := webtest.Text(webtest.ByTestID(t, doc, "zeros")); got != "1 counter is 0 0" {
		t.Errorf("zeros: %q", got)
	}
	if got := webtest.LinkTo(t, doc, "2 479 more above 0"); got != address+"?sort=-count&limit=1000" {
		t.Errorf("more counters are at %q", got)
	}
	if strip := webtest.ByTestID(t, doc, "strip"); len(webtest.All(strip, webtest.Tag("a"))) != 13 {
		t.Error("the strip does not link to its parts")
	}
	if got := webtest.LinkTo(t, doc, "Maximum m"); got != address+"?range=2449..2499" || webtest.HasTestID(doc, "zoom") {
		t.Errorf("the maximum is at %q", got)
	}
	if got := webtest.LinkTo(t, doc,
		"CSV"); got != "/api/v1/profiles/p/functions/"+fid(f)+"?hash=0x0000000000000011&sort=-count&format=csv" {
		t.Errorf("the CSV is at %q", got)
	}
	sizes := webtest.Text(webtest.ByTestID(t, doc, "sites-memory-ops"))
	for _, want := range []string{"9–15 bytes", "≥ 513 bytes", "8 bytes"} {
		if !strings.Contains(sizes, want) {
			t.Errorf("sizes lack %q: %s", want, sizes)
		}
	}
	if got := webtest.Attr(webtest.ByTestID(t, doc, "bitmap"), "aria-label"); got != "3 of 16 bits are set" {
		t.Errorf("the bitmap is labelled %q", got)
	}
	if got := webtest.LinkTo(t, doc, "lib/a.c"); got != "/p/p/functions?path=lib%2Fa.c" {
		t.Errorf("the path leads to %q", got)
	}

	doc = webtest.GetPage(t, p, address+"?range=60..159", http.StatusOK)
	if got := webtest.Text(webtest.ByTestID(t, doc, "brushed")); got != "60–159" || !webtest.HasTestID(doc, "zoom") ||
		len(rows(doc)) != 20 {
		t.Errorf("the enlarged part is %q", got)
	}
	doc = webtest.GetPage(t, p, address+"?range=60..159&sort=index", http.StatusOK)
	if got := rows(doc); len(got) != 100 || got[0] != "60 60" {
		t.Errorf("%d rows of the part in order, the first %q", len(got), got[0])
	}
	doc = webtest.GetPage(t, p, address+"?range=9000..", http.StatusOK)
	if webtest.HasTestID(doc, "zoom") {
		t.Error("a part that is not there is drawn")
	}
	doc = webtest.GetPage(t, p, address+"?counters=0..999", http.StatusOK)
	if got := rows(doc); len(got) != 1000 || got[0] != "0 entry 0" {
		t.Errorf("%d rows of an old link, the first %q", len(got), got[0])
	}
	if got := webtest.LinkTo(t, doc, "› Next page"); got != address+"?counters=1000..1999&sort=index" {
		t.Errorf("the next counters are at %q", got)
	}
	doc = webtest.GetPage(t, p, address+"?counters=2000..2999", http.StatusOK)
	counters := webtest.All(webtest.ByTestID(t, doc, "counters"), webtest.Tag("tr"))
	if len(counters) != 501 || !strings.Contains(webtest.Text(counters[500]), "maximum") {
		t.Errorf("%d rows of counters, want 501 with the maximum last", len(counters))
	}
	doc = webtest.GetPage(t, p, address+"?hash=0x12", http.StatusOK)
	if counters := webtest.All(webtest.ByTestID(t, doc, "counters"), webtest.Tag("tr")); len(counters) != 3 {
		t.Errorf("%d rows of counters of the second record, want 3", len(counters))
	}
	for _, wrong := range []string{"?range=9..1", "?range=x", "?sort=total", "?range=1..2&range=3..4"} {
		getStatus(t, p, address+wrong, http.StatusBadRequest)
	}
	getStatus(t, p, address+"?hash=0x13", http.StatusNotFound)
	getStatus(t, p, "/p/p/functions/0123456789abcdef", http.StatusNotFound)
	getStatus(t, p, "/p/p/functions/main", http.StatusNotFound)
}

// Zeros in a row are one line of counters in order, a single one stands for itself.
func TestFunctionPageFoldsZeros(t *testing.T) {
	p := webtest.Invent(irEntry, webtest.Func("f", 1, 5, 0, 0, 0, 0, 7, 0, 1), webtest.Func("g", 2, 0, 0, 0))
	doc := webtest.GetPage(t, p, "/p/p/functions/"+fid(p.Functions[0]), http.StatusOK)
	if got := webtest.Text(webtest.ByTestID(t, doc, "counters")); !strings.Contains(
		got, "1–4 4 counters are 0 5 maximum 7 6 0 7 1") {
		t.Errorf("counters: %q", got)
	}
	doc = webtest.GetPage(t, p, "/p/p/functions/"+fid(p.Functions[1])+"?sort=-count", http.StatusOK)
	if got := webtest.Text(webtest.ByTestID(t, doc, "zeros")); got != "All 3 counters are 0" {
		t.Errorf("zeros: %q", got)
	}
}

func TestFunctionPagePseudo(t *testing.T) {
	p := webtest.Invent(irEntry, webtest.Func("f", 1, instrprof.PseudoHot, 0))
	doc := webtest.GetPage(t, p, "/p/p/functions/"+fid(p.Functions[0]), http.StatusOK)
	if !strings.Contains(webtest.Text(webtest.ByTestID(t, doc, "pseudo")), "pseudo count") ||
		webtest.HasTestID(doc, "counters") {
		t.Error("a pseudo-count record shows counters")
	}
}

// TestPagesPrintHostileNames prints names that try to leave the text they stand in on
// every page that shows names.
func TestPagesPrintHostileNames(t *testing.T) {
	var functions []instrprof.Function
	for i, name := range webtest.HostileNames {
		functions = append(functions, webtest.Func(name, uint64(i), uint64(100-i), 5))
	}
	p := webtest.Invent(irEntry, functions...)
	p.Inputs[0].Name = webtest.HostileNames[0]
	p.Inputs[0].Sections[0].Name = webtest.HostileNames[1]
	p.Findings = []model.Finding{
		{
			Severity: model.Warning, Message: webtest.HostileNames[0], File: webtest.HostileNames[1],
			Cause: webtest.HostileNames[4],
		},
	}
	var site instrprof.ValueSite
	for _, f := range functions {
		site = append(site, instrprof.Value{Value: f.NameRef, Count: 1})
	}
	p.Functions[0].Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{site}

	addresses := []string{"/p/p", "/p/p/functions", "/p/p/functions?names=mangled&cols=path,func_hash"}
	for _, name := range webtest.HostileNames {
		addresses = append(addresses, "/p/p/functions?q="+url.QueryEscape(name), "/p/p/functions?sel="+url.QueryEscape(name))
	}
	for i := range p.Functions {
		addresses = append(addresses, "/p/p/functions/"+fid(p.Functions[i]), "/p/p/functions?sel="+rowID(p.Functions[i]))
	}
	for _, address := range addresses {
		doc := webtest.GetPage(t, p, address, http.StatusOK)
		for _, n := range webtest.All(doc, func(n *html.Node) bool {
			return n.Data == "img" || n.Data == "script" && webtest.Attr(n, "src") == ""
		}) {
			t.Errorf("%s: an element came out of a name: <%s>", address, n.Data)
		}
		for n := range doc.Descendants() {
			if strings.ContainsAny(n.Data, "\x00\x1b\u202e") {
				t.Errorf("%s: a control character is shown: %q", address, n.Data)
			}
		}
	}
}

// TestFaultyFilter keeps the table's page, and what was typed, where a filter
// cannot be read.
func TestFaultyFilter(t *testing.T) {
	for query, says := range map[string]string{
		"re=(":          "missing closing",
		"max=many":      "max",
		"class=warmish": "hot, warm, cold",
		"hash=0xzz":     "hash",
	} {
		doc := webtest.GetPage(t, small(), "/p/p/functions?sort=-max&"+query, http.StatusBadRequest)
		blank := webtest.Text(webtest.ByTestID(t, doc, "blank"))
		if !strings.Contains(blank, "Invalid filter") || !strings.Contains(blank, says) {
			t.Errorf("%s: the page says %q", query, blank)
		}
		_, typed, _ := strings.Cut(query, "=")
		if chips := webtest.All(doc, func(n *html.Node) bool {
			return strings.Contains(webtest.Attr(n, "aria-label"), "Remove filter") &&
				strings.Contains(webtest.Attr(n, "aria-label"), typed)
		}); len(chips) == 0 {
			t.Errorf("%s: no chip takes the filter away", query)
		}
	}
	webtest.GetPage(t, small(), "/p/p/functions?re=(&max=many", http.StatusBadRequest)
}

// TestPageBeyondTheLast does not say that nothing matches.
func TestPageBeyondTheLast(t *testing.T) {
	doc := webtest.GetPage(t, small(), "/p/p/functions?page=999", http.StatusOK)
	if blank := webtest.Text(webtest.ByTestID(t, doc, "blank")); !strings.Contains(blank, "There is no page 999") {
		t.Errorf("the page says %q", blank)
	}
}

// TestFunctionsKeys asserts that the help tells the keys of the table.
func TestFunctionsKeys(t *testing.T) {
	help := webtest.Text(webtest.ByTestID(t, webtest.GetPage(t, small(), "/p/p/functions", http.StatusOK), "help"))
	for _, does := range []string{"inspect the row", "next, previous page", "how names are written"} {
		if !strings.Contains(help, does) {
			t.Errorf("the help does not say what key does %q", does)
		}
	}
}

// Rows of one template are told by their own arguments; the whole name is on hover and in the inspector.
func TestInstantiationsAreToldApart(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Put("match.proftext", []byte(":ir\n"+
		"_Z5matchIN3tao5pegtl8internal3seqINS1_5digitEEEEvv\n1\n1\n9\n\n"+
		"_Z5matchIN3tao5pegtl8internal4starINS1_5digitEEEEvv\n1\n1\n7\n"))["id"].(string)
	initial := l.Put("initial.proftext", []byte(":ir\n_GLOBAL__sub_I_singledocparser.cpp\n1\n1\n1\n"))["id"].(string)
	doc := l.OK("/p/"+initial+"/functions", "Accept", "text/html").Text()
	if !strings.Contains(doc, `<b class="fn-base">_<wbr>GLOBAL_`) {
		t.Error("the initialisation of a file with a long name has no base")
	}
	for path, table := range map[string]string{"": "hottest", "/functions": "functions"} {
		doc := l.Page("/p/"+id+path, 200)
		var read, whole []string
		for _, n := range webtest.All(webtest.ByTestID(t, doc, table), webtest.Tag("bdi")) {
			if title := webtest.Attr(n, "title"); title != "" {
				read, whole = append(read, webtest.Said(n)), append(whole, title)
			}
		}
		if got := strings.Join(read, "|"); got != "void match <seq<digit>> ()|void match <star<digit>> ()" {
			t.Errorf("the rows of %q read %s", path, got)
		}
		if got := whole[0]; got != "void match<tao::pegtl::internal::seq<tao::pegtl::digit>>()" {
			t.Errorf("the whole name is %s", got)
		}
	}
	of := l.OK("/api/v1/profiles/" + id + "/functions").Object(t)["items"].([]any)[0].(map[string]any)
	in := webtest.ByTestID(t, l.Page("/p/"+id+"/functions?sel="+of["fid"].(string), 200), "inspector")
	if !strings.Contains(webtest.Said(in), "internal::seq<tao") {
		t.Errorf("the inspector says %s", webtest.Said(in))
	}
}

// getStatus asks for an address of an invented profile, and fails unless the answer has a status.
func getStatus(t *testing.T, p *webtest.Invented, address string, status int) *webtest.Answer {
	t.Helper()
	a := p.Serve(t).Get(address)
	if a.StatusCode != status {
		t.Fatalf("GET %s: %s, want %d", address, a.Status, status)
	}
	return a
}
