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
