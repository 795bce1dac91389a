package handlers_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// instrMembers are what a profile's object has of counters alone.
var instrMembers = []string{"counts", "quality", "summary", "thresholds", "histogram", "curve", "hot90", "hot99"}

// familyProfile is a profile of a family with what its object must and must not have.
type familyProfile struct {
	at       string
	has      []string // of memprof, mip, dcpi, sample
	counters bool
}

func familyProfiles(t testing.TB, l *webtest.Server) map[string]familyProfile {
	return map[string]familyProfile{
		"counters": {
			at: "/api/v1/profiles/" + l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string), has: nil,
			counters: true,
		},
		"counters and heap": {at: webtest.PutMemProf(l, "mem_instr_v3.profdata"), has: []string{"memprof"}, counters: true},
		"heap":              {at: webtest.PutMemProf(l, "mem_cold_v4.profdata"), has: []string{"memprof"}, counters: false},
		"raw heap":          {at: webtest.PutMemProf(l, "mem_hist.memprofraw"), has: []string{"memprof"}, counters: false},
		"heap in text":      {at: webtest.PutMemProf(l, "mem_dap.yaml"), has: []string{"memprof"}, counters: false},
		"machine IR":        {at: webtest.PutMIP(l, webtest.MIPCounts...), has: []string{"mip"}, counters: false},
		"samples": {
			at: webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nmS")), has: []string{"dcpi"}, counters: false,
		},
		"coverage": {
			at:  webtest.PutCoverage(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"),
			has: []string{"source_coverage"}, counters: true,
		},
		"stale coverage": {
			at: webtest.PutCoverage(l, "joined/stale.profdata", "joined/stale.exe"), has: []string{"source_coverage"},
			counters: true,
		},
		"sample profile":   {at: webtest.PutSamples(l, "text/small.ext.afdo"), has: []string{"sample"}, counters: false},
		"sampled contexts": {at: webtest.PutSamples(l, "text/contexts.afdotext"), has: []string{"sample"}, counters: false},
		"bare samples": {
			at: webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip")), has: []string{"dcpi"}, counters: false,
		},
	}
}

// Each family has its own figures and none of the others; what its object links
// to is there; and the commands of its summary for a terminal work.
func TestEachFamilyHasItsOwnFigures(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	command := regexp.MustCompile(`(?m)^  .*  curl (?:-OJ )?'([^']*)'$`)
	for name, p := range familyProfiles(t, l) {
		object := l.OK(p.at).Object(t)
		for _, key := range instrMembers {
			if _, ok := object[key]; ok != p.counters {
				t.Errorf("%s: %s is there: %t", name, key, ok)
			}
		}
		for _, key := range []string{"memprof", "mip", "dcpi", "source_coverage", "sample"} {
			if _, ok := object[key]; ok != slices.Contains(p.has, key) {
				t.Errorf("%s: %s is there: %t", name, key, ok)
			}
		}
		webtest.Validate(t, doc, "/api/v1/profiles/{id}", l.OK(p.at))
		webtest.Validate(t, doc, "/api/v1/profiles/{id}", l.OK(p.at+"?counts=string"))
		for link, path := range object["links"].(map[string]any) {
			if a := l.Get(path.(string)); a.StatusCode != http.StatusOK {
				t.Errorf("%s: the link %s: %s %s", name, link, a.Status, a.Text())
			}
		}
		said := l.OK("/p/"+object["id"].(string), webtest.Terminal...)
		wantText(t, said, "\nnext\n")
		calls := command.FindAllStringSubmatch(said.Text(), -1)
		if len(calls) < 8 {
			t.Errorf("%s: %d commands in\n%s", name, len(calls), said.Text())
		}
		for _, call := range calls {
			if strings.HasSuffix(call[1], "/export/profdata") && !p.counters {
				t.Errorf("%s: %s is of counters", name, call[1])
			}
			if a := l.Get(strings.TrimPrefix(call[1], l.URL)); a.StatusCode != http.StatusOK {
				t.Errorf("%s: %s: %s %s", name, call[1], a.Status, a.Text())
			}
		}
	}
}

// The object of a heap profile agrees with its tables.
func TestFiguresOfHeapsAreThoseOfTheTables(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, file := range []string{"mem_cold_v4.profdata", "mem_instr_v3.profdata", "mem_hist.memprofraw"} {
		at := webtest.PutMemProf(l, file)
		heap := l.OK(at).Object(t)["memprof"].(map[string]any)
		list := l.OK(at + "/allocations?limit=1").Object(t)
		sites := l.OK(at + "/sites?by=line&limit=1").Object(t)
		functions := l.OK(at + "/sites?limit=1").Object(t)
		for key, want := range map[string]any{
			"contexts": list["total"], "sites": sites["total"], "allocating_functions": functions["total"],
		} {
			if heap[key] != want || want == nil {
				t.Errorf("%s: %s is %v, in the tables %v", file, key, heap[key], want)
			}
		}
		sums := list["matching"].(map[string]any)
		for key, column := range map[string]string{
			"bytes": "bytes", "allocations": "count", "accesses": "accesses", "lifetime": "total_lifetime",
		} {
			if key == "accesses" && !strings.HasSuffix(file, "raw") { // the compiler's own schema has densities alone
				if heap[key] != nil {
					t.Errorf("%s: %v accesses, which the profile does not have", file, heap[key])
				}
				continue
			}
			if heap[key] != sums[column] || heap[key] == nil {
				t.Errorf("%s: %s is %v, in the tables %v", file, key, heap[key], sums[column])
			}
		}
		classes := list["classes"].(map[string]any)
		for class, of := range heap["classes"].(map[string]any) {
			want, ok := classes[class].(map[string]any)
			if got := of.(map[string]any); !ok || got["bytes"] != want["bytes"] || got["contexts"] != want["contexts"] {
				t.Errorf("%s: %s is %v, in the tables %v", file, class, of, classes[class])
			}
		}
		modules := heap["modules"].([]any)
		wanted := 0
		for _, m := range modules {
			if m := m.(map[string]any); m["wanted"] == true && m["build_id"] != nil {
				wanted++
			}
		}
		if raw := strings.HasSuffix(file, "raw"); raw != (wanted > 0) || raw == (heap["symbolized"] == true) {
			t.Errorf("%s: %v of the modules %v", file, heap["symbolized"], modules)
		}
	}
}

// The object of a database agrees with its tables, event by event.
func TestFiguresOfSamplesAreThoseOfTheTables(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nmS"))
	db := l.OK(at).Object(t)["dcpi"].(map[string]any)
	sum := 0
	columns := l.OK(at + "/procedures").Object(t)["columns"].([]any)
	events := db["events"].([]any)
	if len(events) != len(columns) {
		t.Fatalf("%v, in the tables %v", events, columns)
	}
	for i, e := range events {
		e, column := e.(map[string]any), columns[i].(map[string]any)
		if e["event"] != column["name"] || e["samples"] != column["total"] || len(e["periods"].([]any)) == 0 {
			t.Errorf("%v, in the tables %v", e, column)
		}
		sum += webtest.Number(t, e, "samples")
	}
	if webtest.Number(t, db, "samples") != sum {
		t.Errorf("%v samples, of the events %v", db["samples"], sum)
	}
	for _, of := range []string{"images", "epochs", "platforms"} {
		if items := l.OK(at + "/" + of).Object(t)["items"].([]any); webtest.Number(t, db, of) != len(items) {
			t.Errorf("%v %s, in the tables %d", db[of], of, len(items))
		}
	}
}

// A terminal is told what allocates most, and which procedures were sampled most.
func TestPlainTextOfHeapsAndSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	text := func(at string) *webtest.Answer { return l.OK(at+"?format=text", webtest.Terminal...) }
	first := func(at, column string) string { return l.OK(at).Column(t, column)[0] }

	heap := webtest.PutMemProf(l, "mem_cold_v4.profdata")
	wantText(t, text(heap), "contexts", "requested", "ms, of all objects", "mixed sites",
		"blame frames, by bytes",
		first(heap+"/sites?by=blame&limit=1&names=short", "function"),
		"/sites?format=text&by=blame'", "/allocations?format=text'")
	if said := text(heap).Text(); strings.Contains(said, "counters") || strings.Contains(said, "@PROGRAM") {
		t.Errorf("a heap profile with names says\n%s", said)
	}
	wantText(t, text(webtest.PutMemProf(l, "mem_hist.memprofraw")), "longest lifetime", "/modules?format=text'",
		"-F file=@PROGRAM '")
	wantText(t, text(webtest.PutMemProf(l, "mem_instr_v3.profdata")), "hottest functions",
		"blame frames, by bytes", "/export/proftext'", "/export/pprof'")

	db := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nmS"))
	wantText(t, text(db), "samples", "one every ", "procedures known", "hosts", "procedures, by samples of cycles",
		first(db+"/procedures?limit=1", "procedure"), "/heat?format=text'", "/diff?format=text'")
	wantText(t, text(webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip"))), "0 procedures known", "0x")
}

// The list says what its figures are of, whatever the family; the API has numbers.
func TestHomePageListsEachFamily(t *testing.T) {
	l := webtest.Start(t, nil)
	profiles := familyProfiles(t, l)
	list := webtest.ByTestID(t, l.Page("/", http.StatusOK), "profiles")
	for name, want := range map[string]string{
		"counters": " counts", "counters and heap": " counts", "heap": "iB", "machine IR": " of bytes", "samples": " samples",
		"bare samples": " samples",
	} {
		id := strings.TrimPrefix(profiles[name].at, "/api/v1/profiles/")
		found := false
		for _, row := range webtest.All(list, webtest.Tag("tr")) {
			if links := webtest.All(row, webtest.Tag("a")); len(links) == 0 ||
				webtest.Attr(links[0], "href") != webtest.Page(id) {
				continue
			}
			found = true
			cells := webtest.All(row, webtest.Tag("td"))
			if functions, total := webtest.Text(cells[3]), webtest.Text(cells[4]); !strings.Contains(total, want) ||
				strings.Contains(functions, "procedure") != (name == "samples") ||
				strings.Contains(functions, "–") != (name == "bare samples") {
				t.Errorf("%s: %q, %q", name, functions, total)
			}
		}
		if !found {
			t.Errorf("%s is not in the list", name)
		}
	}
	for _, item := range l.OK("/api/v1/profiles").Object(t)["items"].([]any) {
		item := item.(map[string]any)
		_, ok1 := item["functions"].(json.Number)
		_, ok2 := item["total"].(json.Number)
		if !ok1 || !ok2 {
			t.Errorf("%v: %v functions, total %v", item["name"], item["functions"], item["total"])
		}
	}
	heap := l.OK(profiles["heap"].at).Object(t)
	of := heap["memprof"].(map[string]any)
	if heap["functions"] != of["allocating_functions"] || heap["total"] != of["bytes"] ||
		webtest.Number(t, of, "bytes") == 0 {
		t.Errorf("%v functions and %v in the list, of %v", heap["functions"], heap["total"], of)
	}
}

// Whoever comes with a file finds its kind on the page.
func TestHomePageNamesWhatIsAccepted(t *testing.T) {
	l := webtest.Start(t, nil)
	said := webtest.Text(webtest.ByTestID(t, l.Page("/", http.StatusOK), "drop"))
	empty := webtest.Text(webtest.ByTestID(t, l.Page("/", http.StatusOK), "profiles"))
	for _, word := range []string{"MemProf", "YAML", "report", "DCPI", "nm"} {
		if !strings.Contains(said, word) || !strings.Contains(empty, word) {
			t.Errorf("%s is not in %q, or not in %q", word, said, empty)
		}
	}
	for _, word := range []string{".memprofraw", ".mipmap", "dcpicat", "ELF"} {
		if !strings.Contains(said, word) {
			t.Errorf("%s is not in %q", word, said)
		}
	}
}

// The downloads offer the weights that a heap has, and no others.
func TestDownloadsOfferTheWeightsThatThereAre(t *testing.T) {
	l := webtest.Start(t, nil)
	heap := `---
HeapProfileRecords:
  - GUID:            0x1111111111111111
    AllocSites:
      - Callstack:
          - { Function: 0x1111111111111111, LineOffset: 11, Column: 10, IsInlineFrame: false }
        MemInfoBlock:
          AllocCount:      111
          TotalSize:       222
...
`
	at := l.Upload("bytes.yaml", []byte(heap))
	page := l.Page("/p/"+at+"/downloads", http.StatusOK)
	var words []string
	for _, s := range webtest.All(page, webtest.Tag("select")) {
		if webtest.Attr(s, "name") == "w" {
			for _, o := range webtest.All(s, webtest.Tag("option")) {
				words = append(words, webtest.Attr(o, "value"))
				l.OK("/api/v1/profiles/" + at + "/export/folded?w=" + webtest.Attr(o, "value"))
			}
		}
	}
	if !slices.Equal(words, []string{"bytes", "allocations"}) {
		t.Errorf("offers %q", words)
	}
}
