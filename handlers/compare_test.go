package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// pairOf is the comparison of two profiles in the API, and as a page.
func pairOf(base, test string) (api, page string) {
	id := func(at string) string { return at[strings.LastIndex(at, "/")+1:] }
	page = "/compare/" + id(base) + "..." + id(test)
	return "/api/v1" + page, page
}

func mipPair(l *webtest.Server) (api, page string) {
	return pairOf(webtest.PutMIP(l, webtest.MIPCounts[:2]...),
		webtest.PutMIP(l, webtest.MIPCounts[0], webtest.MIPCounts[2], webtest.MIPCounts[3]))
}

func dcpiPair(t *testing.T, l *webtest.Server) (api, page string) {
	put := func(epoch string) string {
		root := filepath.Join(webtest.Root(), "decode/dcpi/testdata/db")
		files, err := filepath.Glob(filepath.Join(root, epoch, "*", "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no samples of %s: %v", epoch, err)
		}
		paths := []string{"app.nm"}
		for _, f := range files {
			rel, _ := filepath.Rel(root, f)
			if !strings.HasSuffix(rel, ".json") {
				paths = append(paths, rel)
			}
		}
		return webtest.API(l.Together(webtest.Files(t, root, paths...)...))
	}
	return pairOf(put("9711040900"), put("9711050900"))
}

func heapPair(l *webtest.Server) (api, page string) {
	return pairOf(webtest.PutMemProf(l, "mem_hist.memprofraw"), webtest.PutMemProf(l, "mem_cold_v4.profdata"))
}

func items(t *testing.T, a *webtest.Answer) []map[string]any {
	t.Helper()
	var list []map[string]any
	for _, item := range a.Object(t)["items"].([]any) {
		list = append(list, item.(map[string]any))
	}
	return list
}

func number(v any) float64 {
	n, ok := v.(json.Number)
	if !ok {
		return 0
	}
	f, _ := n.Float64()
	return f
}

// What every comparison has, whatever the family: the answer of the document, a page
// and a text, changes that are what B has less what A has, and the same backwards with
// the other sign.
func TestEveryFamilyCompares(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	mipAPI, mipPage := mipPair(l)
	dcpiAPI, dcpiPage := dcpiPair(t, l)
	heapAPI, heapPage := heapPair(l)
	for _, c := range []struct{ api, page, family, side string }{
		{mipAPI, mipPage, "mip", "covered_bytes"}, {dcpiAPI, dcpiPage, "dcpi", "share"},
		{heapAPI, heapPage, "memprof", "bytes"},
	} {
		answer := l.OK(c.api + "?min=0")
		webtest.Validate(t, doc, "/api/v1/compare/{pair}", answer)
		object := answer.Object(t)
		if object["family"] != c.family || object["links"].(map[string]any)["page"] != c.page {
			t.Errorf("%s: %v at %v", c.family, object["family"], object["links"])
		}
		rows := items(t, answer)
		if len(rows) == 0 {
			t.Fatalf("%s: nothing moved", c.family)
		}
		last, changes := 0.0, map[string]float64{}
		for i, row := range rows {
			change := number(row["change"])
			if want := number(row["test_"+c.side]) - number(row["base_"+c.side]); change-want > 1e-9 || want-change > 1e-9 {
				t.Errorf("%s: row %d changed by %v, from %v to %v", c.family, i, change, row["base_"+c.side], row["test_"+c.side])
			}
			size := max(change, -change)
			if i > 0 && size > last {
				t.Errorf("%s: row %d changed by more than the one before", c.family, i)
			}
			last = size
			changes[fmt.Sprint(row["fid"], row["procedure"], row["function"], row["line"])] += change
		}
		_, sides, _ := strings.Cut(c.page, "/compare/")
		a, b, _ := strings.Cut(sides, "...")
		back := 0.0
		for _, row := range items(t, l.OK("/api/v1/compare/"+b+"..."+a+"?min=0")) {
			back += changes[fmt.Sprint(row["fid"], row["procedure"], row["function"], row["line"])] + number(row["change"])
		}
		if back > 1e-6 || back < -1e-6 {
			t.Errorf("%s: backwards the changes differ by %v", c.family, back)
		}
		page := l.OK(c.page, "Accept", "text/html").Parse(t)
		webtest.CheckPage(t, page)
		for _, id := range []string{"sentence", "largest-moves", "pairs", "side-A", "side-B"} {
			if !webtest.HasTestID(page, id) {
				t.Errorf("%s: the page has no %s", c.family, id)
			}
		}
		if said := l.OK(c.page, webtest.Terminal...).Text(); !strings.Contains(said, "\nnext\n") ||
			!strings.Contains(said, "change") {
			t.Errorf("%s: a terminal is told\n%s", c.family, said)
		}
		text := l.OK(c.page+"?format=text", "Accept", "text/html").Text()
		if text != l.OK("/api/v1"+c.page+"?format=text").Text() {
			t.Errorf("%s: the text of the page is not the API's:\n%s", c.family, text)
		}
		// A threshold above all leaves nothing, and says what moved most.
		high := l.OK(c.page+"?min=90000000000", "Accept", "text/html").Parse(t)
		if said := webtest.Said(webtest.ByTestID(t, high, "sentence")); c.family == "dcpi" &&
			!strings.Contains(said, "the largest move is") {
			t.Errorf("%s: above all changes it says %s", c.family, said)
		}
		if webtest.HasTestID(high, "pairs") || !webtest.HasTestID(high, "blank") {
			t.Errorf("%s: there are rows above all changes", c.family)
		}
		for query, says := range map[string]string{
			"min=x": "threshold", "state=x": "matched", "sort=x": "abs_change", "x=1": "known parameters",
			"family=instr": "use one of",
		} {
			p := webtest.Problem(t, l.Get(c.api+"?"+query), http.StatusBadRequest, "bad_parameter")
			if !strings.Contains(p["detail"].(string), says) {
				t.Errorf("%s?%s: %v does not say %q", c.family, query, p["detail"], says)
			}
		}
	}
	// Profiles that measure different things are told so.
	_, sides, _ := strings.Cut(mipPage, "/compare/")
	a, _, _ := strings.Cut(sides, "...")
	_, sides, _ = strings.Cut(dcpiPage, "/compare/")
	b, _, _ := strings.Cut(sides, "...")
	p := webtest.Problem(t, l.Get("/api/v1/compare/"+a+"..."+b), http.StatusUnprocessableEntity, "incompatible")
	if !strings.Contains(p["detail"].(string), "measure different things") {
		t.Errorf("they cannot be compared: %v", p["detail"])
	}
}

func TestCompareMachineCode(t *testing.T) {
	l := webtest.Start(t, nil)
	api, page := mipPair(l)
	for _, row := range items(t, l.OK(api+"?state=newly_covered&limit=1000")) {
		if row["base_executed"] != false || row["test_executed"] != true ||
			!strings.Contains(row["state"].(string), "newly_covered") {
			t.Errorf("newly covered is %v", row)
		}
	}
	covered := l.OK(api + "?state=newly_covered").Object(t)
	if covered["total"] != covered["figures"].(map[string]any)["newly_covered"] || covered["total"] == json.Number("0") {
		t.Errorf("%v rows are newly covered, the figures say %v", covered["total"], covered["figures"])
	}
	// By order every row ran in both, and one that kept its order has not moved.
	for _, row := range items(t, l.OK(api+"?by=order&min=0&limit=1000")) {
		if row["base_place"] == nil || row["test_place"] == nil || !strings.Contains(row["state"].(string), "moved") {
			t.Errorf("moved in the order is %v", row)
		}
	}
	said := webtest.Said(webtest.ByTestID(t, l.OK(page, "Accept", "text/html").Parse(t), "sentence"))
	if !strings.Contains(said, "16 functions newly covered, 0 newly dead.") ||
		!strings.Contains(said, "2 moved in the start-up order") {
		t.Errorf("the page says %s", said)
	}
}

func TestCompareSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	api, page := dcpiPair(t, l)
	object := l.OK(api + "?min=0").Object(t)
	if events := object["figures"].(map[string]any)["events"].([]any); len(events) < 2 || events[0] != "cycles" {
		t.Errorf("events in common are %v", events)
	}
	// A procedure's addresses come to what the procedure has.
	for _, row := range items(t, l.OK(api+"?q=memcpy")) {
		var base, test float64
		for _, at := range items(t, l.OK(api+"?image=app&procedure=memcpy&min=0&limit=1000")) {
			base, test = base+number(at["base_samples"]), test+number(at["test_samples"])
		}
		if base != number(row["base_samples"]) || test != number(row["test_samples"]) {
			t.Errorf("memcpy has %v and %v samples, its addresses %v and %v", row["base_samples"], row["test_samples"], base,
				test)
		}
	}
	webtest.Problem(t, l.Get(api+"?event=none"), http.StatusBadRequest, "bad_parameter")
	webtest.Problem(t, l.Get(api+"?image=none"), http.StatusNotFound, "not_found")
	webtest.Problem(t, l.Get(api+"?procedure=main"), http.StatusBadRequest, "bad_parameter")
	// What is wrong in a request is refused before anything is compared.
	for _, wrong := range []string{"min=x", "state=none", "sort=none", "cols=none", "re=("} {
		webtest.Problem(t, l.Get(api+"?image=none&"+wrong), http.StatusBadRequest, "bad_parameter")
		l.Page(page+"?image=none&"+wrong, http.StatusBadRequest)
	}
	body := l.OK(page+"?event=imiss", "Accept", "text/html").Text()
	if !strings.Contains(body, "overlap of imiss") {
		t.Error("the page of another event is that of cycles")
	}
}

func TestCompareHeaps(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	api, page := heapPair(l)
	figures := l.OK(api).Object(t)["figures"].(map[string]any)
	for _, by := range []string{"blame", "site", "function", "context"} {
		var base, test float64
		for _, row := range items(t, l.OK(api+"?by="+by+"&state=matched,changed,only_base,only_test&limit=1000")) {
			base, test = base+number(row["base_bytes"]), test+number(row["test_bytes"])
		}
		if base != number(figures["base_bytes"]) || test != number(figures["test_bytes"]) {
			t.Errorf("by %s there are %v and %v bytes, of %v and %v", by, base, test, figures["base_bytes"],
				figures["test_bytes"])
		}
	}
	// Of a threshold only the table tells, which has one.
	if said := webtest.Said(l.Page(page+"/flame", http.StatusOK)); !strings.Contains(said, "less, −") ||
		strings.Contains(said, "moved by") {
		t.Errorf("the page of the flame graph says %.2000s", said)
	}
	flame := l.OK(api + "/flamegraph?lib=show&rec=show")
	webtest.Validate(t, doc, "/api/v1/compare/{pair}/flamegraph", flame)
	nodes := flame.Object(t)["nodes"].(map[string]any)
	column := func(name string) []any { return nodes[name].([]any) }
	if number(column("base")[0]) != number(figures["base_bytes"]) ||
		number(column("bytes")[0]) != number(figures["test_bytes"]) {
		t.Errorf("the root has %v and %v bytes", column("base")[0], column("bytes")[0])
	}
	// Every frame is as wide as what is below it, or wider, and no narrower than a side.
	below := make([]float64, len(column("id")))
	for i := len(below) - 1; i >= 0; i-- {
		width := number(column("width")[i])
		if width < below[i] || width < number(column("base")[i]) || width < number(column("bytes")[i]) {
			t.Errorf("node %d is %v wide: %v below it, %v and %v bytes", i, width, below[i], column("base")[i],
				column("bytes")[i])
		}
		if parent := int(number(column("parent")[i])); parent >= 0 {
			below[parent] += width
		}
	}
	// A heap compared with itself has not changed anywhere.
	_, sides, _ := strings.Cut(page, "/compare/")
	a, _, _ := strings.Cut(sides, "...")
	same := l.OK("/api/v1/compare/" + a + "..." + a + "/flamegraph").Object(t)["nodes"].(map[string]any)
	if !slices.EqualFunc(same["base"].([]any), same["width"].([]any), func(x, y any) bool { return x == y }) {
		t.Error("a heap differs from itself")
	}
	table := l.OK(page+"/flame?view=table", "Accept", "text/html").Parse(t)
	webtest.CheckPage(t, table)
	if !webtest.HasTestID(table, "treegrid-callees") {
		t.Error("the flame graph has no table")
	}
	webtest.Problem(t, l.Get(api+"/tree"), http.StatusNotFound, "not_found")
	// The stacks as text add up to the same.
	var base, test float64
	for line := range strings.Lines(l.OK(api + "/flamegraph?format=folded").Text()) {
		words := strings.Fields(line)
		a, errA := strconv.ParseFloat(words[len(words)-2], 64)
		b, errB := strconv.ParseFloat(words[len(words)-1], 64)
		if errA != nil || errB != nil {
			t.Fatalf("%q: %v, %v", line, errA, errB)
		}
		base, test = base+a, test+b
	}
	if base != number(figures["base_bytes"]) || test != number(figures["test_bytes"]) {
		t.Errorf("the stacks have %v and %v bytes, of %v and %v", base, test, figures["base_bytes"], figures["test_bytes"])
	}
	webtest.Problem(t, l.Get(api+"/flamegraph?format=folded&layout=callers"), http.StatusBadRequest, "bad_parameter")
}

// Whatever columns a page shows, its CSV is that of the API, which lacks some of them.
func TestCompareColumnsAsCSV(t *testing.T) {
	l := webtest.Start(t, nil)
	api, page := heapPair(l)
	want := l.OK(api + "?format=csv").Text()
	for _, cols := range []string{"name,at", "name,base,test,objects"} {
		doc := l.OK(page+"?cols="+cols, "Accept", "text/html").Parse(t)
		csv := webtest.Attr(webtest.ByTestID(t, doc, "csv"), "href")
		for _, address := range []string{csv, page + "?format=csv&cols=" + cols} {
			if got := l.OK(address, "Accept", "text/html").Text(); got != want {
				t.Errorf("%s: it has\n%s", address, got)
			}
		}
	}
}

// Profiles of one program come first among those to choose from, and a slow
// comparison says so.
func TestCompareChoices(t *testing.T) {
	l := webtest.Start(t, nil)
	a := l.Put("a.proftext", webtest.File(t, "oracles/base.proftext"))["id"].(string)
	webtest.PutMIP(l, webtest.MIPCounts[:2]...)
	l.Put("a.proftext", webtest.File(t, "oracles/test.proftext"))
	l.Put("other.proftext", webtest.File(t, "oracles/test.proftext"))
	body := webtest.Text(webtest.ByTestID(t, l.OK("/compare?base="+a, "Accept", "text/html").Parse(t), "side-B"))
	first, second := strings.Index(body, "same name"), strings.Index(body, "other.proftext")
	if first < 0 || second < first || strings.Contains(body, "counts.mipmap") {
		t.Errorf("the same program stands at %d, another at %d", first, second)
	}
	if alone := l.OK("/compare", "Accept", "text/html").Text(); !strings.Contains(alone, "/compare?base="+a) ||
		!strings.Contains(alone, "/compare?test="+a) {
		t.Error("/compare alone offers no profiles")
	}
}
