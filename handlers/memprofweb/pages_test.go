package memprofweb_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// TestHeapPages asks for every page of real profiles: indexed, raw without its
// executable, and beside counters.
func TestHeapPages(t *testing.T) {
	l := webtest.Start(t, nil)
	for name, pages := range map[string]map[string]string{
		"mem_cold_v4.profdata": {
			"": "Functions to blame for most bytes", "/sites": "needs cloning", "/sites?by=function": "Contexts",
			"/sites?by=line": "Line",
			"/sites?by=path": "File or folder", "/sites?by=path&sort=-contexts,name": "File or folder",
			"/sites?class=cold&cold_density=0.1": "own thresholds", "/lifetimes": "Lifetime and access density",
			"/callsites": "needs a clone", "/callsites?by=recorded": "Callees", "/sites?by=blame": "Blame frame",
			"/sites?by=type&lib=show&rec=show": "Most from", "/sites?by=site": "needs cloning",
			"/flame?lib=fold&rec=collapse": "Library folded", "/cloning": "What would be cloned",
			"/cloning?cold_lifetime=0&cold_density=1": "change class",
			"/flame": "Call tree", "/flame?layout=callers&view=table&w=lifetime": "Callers, from what allocates",
			"/flame?focus=nothing_like_it": "match",
		},
		"mem_prune.profdata": {
			"": "As a radix tree", "/cloning": "No site needs cloning",
			"/cloning?cold_lifetime=0&cold_density=1":            "What would be cloned",
			"/cloning?hot_density=100&hot_hints=true":            "get hot hints",
			"/sites?changed=true&cold_lifetime=0&cold_density=1": "of another class",
		},
		"mem_hist.memprofraw": {
			"": "Not in this file: names", "/sites": "so frames are addresses", "/flame?view=table": "all allocation contexts",
			"/sites?class=cold": "Nothing can be cold in a run shorter than 200 s",
		},
		"mem_instr_v3.profdata": {"": "Heap profile", "/sites": "Allocated in", "/flame": "requested in"},
		"mem_dap.yaml":          {"/data": "known to be cold"},
	} {
		at := strings.Replace(webtest.PutMemProf(l, name), "/api/v1/profiles", "/p", 1)
		for path, want := range pages {
			if doc := l.Page(at+path, http.StatusOK); !strings.Contains(webtest.Text(doc), want) {
				t.Errorf("%s: %s does not say %q", name, path, want)
			}
		}
		for path, status := range map[string]int{
			"/flame?w=pounds": 400, "/flame?layout=sandwich": 400, "/flame?z=0123456789abcdef": 404, "/sites?class=warm": 400,
			"/sites?bytes=5..1":       400,
			"/sites/0123456789abcdef": 404, "/cloning/0123456789abcdef": 404, "/cloning/xyz": 404, "/cloning?sort=mood": 400,
			"/cloning?hot_hints=perhaps": 400, "/sites?by=path&node=/no/where": 200, "/sites?cold_density=-1": 400,
			"/lifetimes?by=line": 400, "/sites?q=no_such_frame": 200,
			"/sites?by=blame&q=no_such_frame": 200, "/sites?lib=fold": 400, "/sites?by=blame&lib=hide": 400,
			"/sites?by=blame&library=-std::": 400, "/sites?by=blame&open=0123456789abcdef": 200,
			"/sites?by=path&sort=mood": 400, "/callsites?mixed=1": 200, "/callsites?q=no_such_frame&lib=show": 200,
			"/callsites?sort=mood": 400, "/flame?rec=fold": 400,
		} {
			l.Page(at+path, status)
		}
	}
}

// TestPrunedPage goes from the list of sites that need cloning to each of them:
// its page has as many MIBs as the API, and links back by the same thresholds.
func TestPrunedPage(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMemProf(l, "mem_prune.profdata")
	const thresholds = "?cold_density=1&cold_lifetime=0"
	sites := l.OK(at+"/cloning"+thresholds).Column(t, "site")
	if len(sites) != 3 {
		t.Fatalf("%d sites need cloning", len(sites))
	}
	for _, site := range sites {
		page := l.Page(strings.Replace(at, "/api/v1/profiles", "/p", 1)+"/cloning/"+site+thresholds, http.StatusOK)
		text := webtest.Text(page)
		kept := 0
		for _, as := range l.OK(at+"/pruned-contexts"+thresholds+"&site="+site).Column(t, "as") {
			if as == "metadata" {
				kept++
			}
		}
		if want := fmt.Sprintf("!memprof metadata with %d MIB", kept); !strings.Contains(text, want) {
			t.Errorf("site %s does not say %q", site, want)
		}
	}
}

// TestUnfold opens a row of sites by blame: its callers are those of the API, and
// its contexts the ones that the row's link selects.
func TestUnfold(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMemProf(l, "mem_prune.profdata")
	row := l.OK(at + "/sites?by=blame&limit=1")
	fid := row.Column(t, "fid")[0]
	callers := l.OK(at+"/callers?blame="+fid).Column(t, "caller")
	page := l.Page(strings.Replace(at, "/api/v1/profiles", "/p", 1)+"/sites?by=blame&open="+fid, http.StatusOK)
	for _, caller := range callers {
		if name, _, _ := strings.Cut(caller, "("); !strings.Contains(webtest.Text(page), name) {
			t.Errorf("the open row has no caller %s", caller)
		}
	}
	if want, got := row.Column(t, "contexts")[0], len(l.OK(at+"/allocations?limit=1000&blame="+fid).Column(
		t, "context")); want != fmt.Sprint(got) {
		t.Errorf("%d contexts of %s", got, want)
	}
}

// chain is a heap of one stack, a hundred bytes of what f0 allocates below so many callers.
func chain(callers int, bytes string) []byte {
	var b strings.Builder
	b.WriteString("---\nHeapProfileRecords:\n  - GUID: f0\n    AllocSites:\n      - Callstack:\n")
	for i := range callers + 1 {
		fmt.Fprintf(&b, "          - { Function: f%d, LineOffset: %d, Column: 1, IsInlineFrame: false }\n", i, i)
	}
	b.WriteString("        MemInfoBlock: { AllocCount: 7, TotalSize: " + bytes + ", TotalLifetime: 14 }\n" +
		"    CallSites: []\n...\n")
	return []byte(b.String())
}

// A row that is open names three callers, and says how many more there are.
func TestUnfoldedChain(t *testing.T) {
	l := webtest.Start(t, nil)
	for callers, more := range map[int]string{2: "", 3: "", 4: "+1 frame", 6: "+3 frames"} {
		at := webtest.Page(l.Upload("chain.yaml", chain(callers, "700")))
		fid := l.OK(strings.Replace(at, "/p/", "/api/v1/profiles/", 1)+"/sites?by=blame").Column(t, "fid")[0]
		said := webtest.Said(webtest.ByTestID(t, l.Page(at+"/sites?by=blame&open="+fid, http.StatusOK), "blame"))
		for i := 1; i <= callers; i++ {
			if name := fmt.Sprintf("f%d", i); strings.Contains(said, name) != (i <= 3) {
				t.Errorf("%d callers: %s is named, or not: %s", callers, name, said)
			}
		}
		if strings.Contains(said, "+") != (more != "") || !strings.Contains(said, more) {
			t.Errorf("%d callers: %q is not in %s", callers, more, said)
		}
	}
}

// Two heaps of different programs have no site in common, and say so.
func TestStrangeHeaps(t *testing.T) {
	l := webtest.Start(t, nil)
	other := bytes.ReplaceAll(chain(2, "9000"), []byte("f0"), []byte("e0"))
	at := "/compare/" + l.Upload("a.yaml", chain(2, "700")) + "..." + l.Upload("b.yaml", other)
	l.Says(at, "8.1 KiB more", "They have no site in common.", "!moved by")
}

// Two heaps are measured by what is asked for, in its unit, on their page and in the API.
func TestComparedMeasures(t *testing.T) {
	l := webtest.Start(t, nil)
	a, b := l.Upload("a.yaml", chain(2, "700")), l.Upload("b.yaml", chain(2, "1400"))
	for w, want := range map[string][2]string{
		"bytes": {"moved by 1 byte ", "700"}, "allocations": {"change 1 object", "0"},
		"lifetime": {"moved by 1 byte-millisecond",
			"1400"},
	} {
		for _, by := range []string{"blame", "site", "function", "context"} {
			at := a + "..." + b + "?w=" + w + "&by=" + by
			if said := webtest.Said(l.Page("/compare/"+at, http.StatusOK)); !strings.Contains(said, want[0]) ||
				!strings.Contains(said, "700 bytes more") {
				_, said, _ = strings.Cut(said, "Measure ")
				t.Errorf("%s does not say %q: %.200s", at, want[0], said)
			}
			answer := l.OK("/api/v1/compare/" + at + "&min=0").Object(t)
			if of := answer["figures"].(map[string]any); of["by"] != by || of["weight"] != w ||
				fmt.Sprintf("%v %v", of["base_bytes"], of["test_bytes"]) != "700 1400" {
				t.Errorf("%s: %v", at, of)
			}
			items := answer["items"].([]any)
			if want[1] == "0" {
				continue
			}
			if change := fmt.Sprint(items[0].(map[string]any)["change"]); change != want[1] {
				t.Errorf("%s changes by %s, not %s", at, change, want[1])
			}
		}
	}
}

// Pages of what allocates have the rows of the API, in its order, with their figures.
func TestPagesHaveTheRowsOfTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, name := range []string{"mem_cold_v4.profdata", "mem_prune.profdata", "mem_hist.memprofraw"} {
		api := webtest.PutMemProf(l, name)
		at := strings.Replace(api, "/api/v1/profiles", "/p", 1)
		for page, query := range map[string]string{
			"/sites?by=line": "/sites?by=line", "/sites?by=function&sort=-contexts": "/sites?by=function&sort=-contexts",
			"/sites?by=blame": "/sites?by=blame", "/sites?by=context&class=notcold": "/allocations?class=notcold",
			"/sites?by=type&sort=-count":    "/sites?by=type&sort=-count",
			"/sites?by=line&limit=2&page=2": "/sites?by=line&limit=2&page=2",
		} {
			var rows []string
			for _, table := range webtest.All(l.Page(at+page, http.StatusOK), webtest.Tag("table")) {
				if !strings.Contains(webtest.Attr(table, "class"), "grid-heap") {
					continue
				}
				for _, tr := range webtest.All(webtest.All(table, webtest.Tag("tbody"))[0], webtest.Tag("tr")) {
					rows = append(rows, webtest.Said(tr))
				}
			}
			items := l.OK(api + query).Object(t)["items"].([]any)
			if len(rows) != len(items) {
				t.Errorf("%s: %s has %d rows, the API %d", name, page, len(rows), len(items))
				continue
			}
			for i, item := range items {
				count := fmt.Sprint(item.(map[string]any)["count"])
				if len(count) < 4 && !strings.Contains(rows[i], count) {
					t.Errorf("%s: row %d of %s has no %s objects: %s", name, i, page, count, rows[i])
				}
			}
		}
	}
}

// The flame graph of two heaps has what each has of a stack, on its page, in the API and as lines of both.
func TestComparedFlameGraph(t *testing.T) {
	l := webtest.Start(t, nil)
	a, b := l.Upload("a.yaml", chain(2, "700")), l.Upload("b.yaml", chain(2, "1400"))
	at := "/compare/" + a + "..." + b + "/flame"
	for w, want := range map[string]string{"bytes": "f2;f1;f0 700 1400", "allocations": "f2;f1;f0 7 7",
		"lifetime": "f2;f1;f0 1400 2800"} {
		said := webtest.Said(l.Page(at+"?w="+w, http.StatusOK))
		if !strings.Contains(said, "700 bytes more") || !strings.Contains(said, "f1") {
			t.Errorf("w=%s says %.300s", w, said)
		}
		api := "/api/v1" + at + "graph?w=" + w
		if folded := strings.TrimSpace(l.OK(api + "&format=folded").Text()); folded != want {
			t.Errorf("w=%s has %q, not %q", w, folded, want)
		}
		if nodes := l.OK(api).Object(t)["nodes"].(map[string]any)["id"].([]any); len(nodes) != 4 {
			t.Errorf("w=%s has %d nodes", w, len(nodes))
		}
	}
	l.Page(at+"?z=0123456789abcdef", http.StatusNotFound)
}

// A profile of a heap has a picture, and one beside counters says what a function allocates.
func TestHeapBesideOthers(t *testing.T) {
	l := webtest.Start(t, nil)
	at := strings.Replace(webtest.PutMemProf(l, "mem_instr_v3.profdata"), "/api/v1/profiles", "/p", 1)
	for _, path := range []string{at, webtest.Page(l.Upload("a.yaml", chain(2, "700")))} {
		if a := l.OK(path + "/card.png"); !strings.HasPrefix(a.Text(), "\x89PNG") || len(a.Text()) < 2000 {
			t.Errorf("%s has a picture of %d bytes", path, len(a.Text()))
		}
	}
	function := webtest.LinkTo(t, l.Page(at+"/functions?q=main", http.StatusOK), "main")
	said := webtest.Said(webtest.ByTestID(t, l.Page(function, http.StatusOK), "function-heap"))
	for _, want := range []string{"allocated here,", "through it", "Allocated here", "Through it", "of all bytes"} {
		if !strings.Contains(said, want) {
			t.Errorf("the function does not say %q: %.300s", want, said)
		}
	}
}

// The page of static data says how much of it was accessed, as the API has it.
func TestDataOnItsPage(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMemProf(l, "mem_dap.yaml")
	cold, rest := 0, 0
	for _, item := range l.OK(at + "/data-access").Object(t)["items"].([]any) {
		if item.(map[string]any)["cold"] == true {
			cold++
		} else {
			rest++
		}
	}
	said := webtest.Said(l.Page(strings.Replace(at, "/api/v1/profiles", "/p", 1)+"/data", http.StatusOK))
	if want := fmt.Sprintf("%d known to be cold.", cold); cold == 0 || !strings.Contains(said, want) ||
		!strings.Contains(said, fmt.Sprintf("%d symbol", rest)) {
		t.Errorf("the page does not say %q, of %d others", want, rest)
	}
}
