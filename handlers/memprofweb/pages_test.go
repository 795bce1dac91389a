package memprofweb_test

import (
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
			"": "Functions that allocate most", "/sites": "needs cloning", "/sites?by=function": "Contexts", "/sites?by=line": "Line",
			"/sites?by=path": "File or folder", "/sites?class=cold&cold_density=0.1": "own thresholds", "/lifetimes": "Lifetime and access density", "/callsites": "Callees", "/cloning": "What would be cloned", "/cloning?cold_lifetime=0&cold_density=1": "change class",
			"/flame": "Call tree", "/flame?layout=callers&view=table&w=lifetime": "Callers, from what allocates", "/flame?focus=nothing_like_it": "match",
		},
		"mem_prune.profdata": {
			"": "As a radix tree", "/cloning": "No site needs cloning", "/cloning?cold_lifetime=0&cold_density=1": "What would be cloned",
			"/cloning?hot_density=100&hot_hints=true": "get hot hints", "/sites?changed=true&cold_lifetime=0&cold_density=1": "of another class",
		},
		"mem_hist.memprofraw":   {"": "Not in this file: names", "/sites": "Frames are addresses", "/flame?view=table": "all allocation contexts"},
		"mem_instr_v3.profdata": {"": "Heap profile", "/sites": "Allocated in", "/flame": "Call tree"},
		"mem_dap.yaml":          {"/data": "known to be cold"},
	} {
		at := strings.Replace(webtest.PutMemProf(l, name), "/api/v1/profiles", "/p", 1)
		for path, want := range pages {
			if doc := l.Page(at+path, http.StatusOK); !strings.Contains(webtest.Text(doc), want) {
				t.Errorf("%s: %s does not say %q", name, path, want)
			}
		}
		for path, status := range map[string]int{
			"/flame?w=pounds": 400, "/flame?layout=sandwich": 400, "/flame?z=0123456789abcdef": 404, "/sites?class=warm": 400, "/sites?bytes=5..1": 400,
			"/sites/0123456789abcdef": 404, "/cloning/0123456789abcdef": 404, "/cloning/xyz": 404, "/cloning?sort=mood": 400, "/cloning?hot_hints=perhaps": 400, "/sites?by=path&node=/no/where": 200, "/sites?cold_density=-1": 400, "/lifetimes?by=line": 400, "/sites?q=no_such_frame": 200,
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
