package handlers

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instrMembers are what a profile's object has of counters alone.
var instrMembers = []string{"counts", "quality", "summary", "thresholds", "histogram", "curve", "hot90", "hot99"}

// familyProfile is a profile of a family with what its object must and must not have.
type familyProfile struct {
	at       string
	has      []string // of memprof, mip, dcpi
	counters bool
}

func familyProfiles(t testing.TB, l *live) map[string]familyProfile {
	return map[string]familyProfile{
		"counters":          {"/api/v1/profiles/" + l.put("ir_c.profraw", sample(t, "ir_c.profraw"))["id"].(string), nil, true},
		"counters and heap": {l.putHeap("mem_instr_v3.profdata"), []string{"memprof"}, true},
		"heap":              {l.putHeap("mem_cold_v4.profdata"), []string{"memprof"}, false},
		"raw heap":          {l.putHeap("mem_hist.memprofraw"), []string{"memprof"}, false},
		"heap in text":      {l.putHeap("mem_dap.yaml"), []string{"memprof"}, false},
		"machine IR":        {l.putMIP(mipCounts...), []string{"mip"}, false},
		"samples":           {l.putDCPI("db.zip", dcpiArchive(t, "zip", "app.nmS")), []string{"dcpi"}, false},
		"bare samples":      {l.putDCPI("db.zip", dcpiArchive(t, "zip")), []string{"dcpi"}, false},
	}
}

// Each family has its own figures and none of the others; what its object links
// to is there; and the commands of its summary for a terminal work.
func TestEachFamilyHasItsOwnFigures(t *testing.T) {
	doc := loadDocument(t)
	l := startLive(t, nil)
	command := regexp.MustCompile(`(?m)^  .*  curl (?:-OJ )?'([^']*)'$`)
	for name, p := range familyProfiles(t, l) {
		object := l.ok(p.at).object(t)
		for _, key := range instrMembers {
			if _, ok := object[key]; ok != p.counters {
				t.Errorf("%s: %s is there: %t", name, key, ok)
			}
		}
		for _, key := range []string{"memprof", "mip", "dcpi"} {
			if _, ok := object[key]; ok != slices.Contains(p.has, key) {
				t.Errorf("%s: %s is there: %t", name, key, ok)
			}
		}
		validate(t, doc, "/api/v1/profiles/{id}", l.ok(p.at))
		validate(t, doc, "/api/v1/profiles/{id}", l.ok(p.at+"?counts=string"))
		for link, path := range object["links"].(map[string]any) {
			if a := l.get(path.(string)); a.StatusCode != http.StatusOK {
				t.Errorf("%s: the link %s: %s %s", name, link, a.Status, a.text())
			}
		}
		said := l.ok("/p/"+object["id"].(string), curl...)
		wantText(t, said, "\nnext\n")
		calls := command.FindAllStringSubmatch(said.text(), -1)
		if len(calls) < 8 {
			t.Errorf("%s: %d commands in\n%s", name, len(calls), said.text())
		}
		for _, call := range calls {
			if strings.HasSuffix(call[1], "/export/profdata") && !p.counters {
				t.Errorf("%s: %s is of counters", name, call[1])
			}
			if a := l.get(strings.TrimPrefix(call[1], l.url)); a.StatusCode != http.StatusOK {
				t.Errorf("%s: %s: %s %s", name, call[1], a.Status, a.text())
			}
		}
	}
}

// The object of a heap profile agrees with its tables.
func TestFiguresOfHeapsAreThoseOfTheTables(t *testing.T) {
	l := startLive(t, nil)
	for _, file := range []string{"mem_cold_v4.profdata", "mem_instr_v3.profdata", "mem_hist.memprofraw"} {
		at := l.putHeap(file)
		heap := l.ok(at).object(t)["memprof"].(map[string]any)
		list := l.ok(at + "/allocations?limit=1").object(t)
		sites := l.ok(at + "/sites?by=line&limit=1").object(t)
		functions := l.ok(at + "/sites?limit=1").object(t)
		for key, want := range map[string]any{"contexts": list["total"], "sites": sites["total"], "allocating_functions": functions["total"]} {
			if heap[key] != want || want == nil {
				t.Errorf("%s: %s is %v, in the tables %v", file, key, heap[key], want)
			}
		}
		sums := list["matching"].(map[string]any)
		for key, column := range map[string]string{"bytes": "bytes", "allocations": "count", "accesses": "accesses", "lifetime": "total_lifetime"} {
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
	l := startLive(t, nil)
	at := l.putDCPI("db.zip", dcpiArchive(t, "zip", "app.nmS"))
	db := l.ok(at).object(t)["dcpi"].(map[string]any)
	sum := 0
	columns := l.ok(at + "/procedures").object(t)["columns"].([]any)
	events := db["events"].([]any)
	if len(events) != len(columns) {
		t.Fatalf("%v, in the tables %v", events, columns)
	}
	for i, e := range events {
		e, column := e.(map[string]any), columns[i].(map[string]any)
		if e["event"] != column["name"] || e["samples"] != column["total"] || len(e["periods"].([]any)) == 0 {
			t.Errorf("%v, in the tables %v", e, column)
		}
		sum += number(t, e, "samples")
	}
	if number(t, db, "samples") != sum {
		t.Errorf("%v samples, of the events %v", db["samples"], sum)
	}
	for _, of := range []string{"images", "epochs", "platforms"} {
		if items := l.ok(at + "/" + of).object(t)["items"].([]any); number(t, db, of) != len(items) {
			t.Errorf("%v %s, in the tables %d", db[of], of, len(items))
		}
	}
}

// A terminal is told what allocates most, and which procedures were sampled most.
func TestPlainTextOfHeapsAndSamples(t *testing.T) {
	l := startLive(t, nil)
	text := func(at string) *answer { return l.ok(at+"?format=text", curl...) }
	first := func(at, column string) string { return columnOf(t, l.ok(at), column)[0] }

	heap := l.putHeap("mem_cold_v4.profdata")
	wantText(t, text(heap), "contexts", "requested", "ms, of all objects", "mixed sites", "functions that allocate, by bytes",
		first(heap+"/sites?limit=1&names=short", "function"), "/allocations?format=text'")
	if said := text(heap).text(); strings.Contains(said, "counters") || strings.Contains(said, "@PROGRAM") {
		t.Errorf("a heap profile with names says\n%s", said)
	}
	wantText(t, text(l.putHeap("mem_hist.memprofraw")), "longest lifetime", "/modules?format=text'", "-F file=@PROGRAM '")
	wantText(t, text(l.putHeap("mem_instr_v3.profdata")), "hottest functions", "functions that allocate, by bytes", "/export/proftext'", "/export/pprof'")

	db := l.putDCPI("db.zip", dcpiArchive(t, "zip", "app.nmS"))
	wantText(t, text(db), "samples", "one every ", "procedures known", "hosts", "procedures, by samples of cycles",
		first(db+"/procedures?limit=1", "procedure"), "/heat?format=text'", "/diff?format=text'")
	wantText(t, text(l.putDCPI("db.zip", dcpiArchive(t, "zip"))), "0 procedures known", "0x")
}

// The list says what its figures are of, whatever the family; the API has numbers.
func TestHomePageListsEachFamily(t *testing.T) {
	l := startLive(t, nil)
	profiles := familyProfiles(t, l)
	list := byTestID(t, l.openPage("/", http.StatusOK), "profiles")
	for name, want := range map[string]string{
		"counters": " counts", "counters and heap": " counts", "heap": "iB", "machine IR": " calls", "samples": " samples", "bare samples": " samples",
	} {
		id := strings.TrimPrefix(profiles[name].at, "/api/v1/profiles/")
		found := false
		for _, row := range all(list, tag("tr")) {
			if links := all(row, tag("a")); len(links) == 0 || attr(links[0], "href") != pageOf(id) {
				continue
			}
			found = true
			cells := all(row, tag("td"))
			if functions, total := text(cells[2]), text(cells[3]); !strings.Contains(total, want) ||
				strings.Contains(functions, "procedure") != (name == "samples") || strings.Contains(functions, "–") != (name == "bare samples") {
				t.Errorf("%s: %q, %q", name, functions, total)
			}
		}
		if !found {
			t.Errorf("%s is not in the list", name)
		}
	}
	for _, item := range l.ok("/api/v1/profiles").object(t)["items"].([]any) {
		item := item.(map[string]any)
		_, ok1 := item["functions"].(json.Number)
		_, ok2 := item["total"].(json.Number)
		if !ok1 || !ok2 {
			t.Errorf("%v: %v functions, total %v", item["name"], item["functions"], item["total"])
		}
	}
	heap := l.ok(profiles["heap"].at).object(t)
	of := heap["memprof"].(map[string]any)
	if heap["functions"] != of["allocating_functions"] || heap["total"] != of["bytes"] || number(t, of, "bytes") == 0 {
		t.Errorf("%v functions and %v in the list, of %v", heap["functions"], heap["total"], of)
	}
}

// Whoever comes with a file finds its kind on the page.
func TestHomePageNamesWhatIsAccepted(t *testing.T) {
	l := startLive(t, nil)
	said := text(byTestID(t, l.openPage("/", http.StatusOK), "drop"))
	empty := text(byTestID(t, l.openPage("/", http.StatusOK), "profiles"))
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
