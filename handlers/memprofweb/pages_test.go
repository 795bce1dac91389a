package memprofweb_test

import (
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
			"/sites?by=path": "File or folder", "/sites?class=cold&cold_density=0.1": "own thresholds", "/lifetimes": "Lifetime and access density", "/callsites": "Callees",
			"/flame": "Call tree", "/flame?layout=callers&view=table&w=lifetime": "Callers, from what allocates", "/flame?focus=nothing_like_it": "match",
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
			"/sites/0123456789abcdef": 404, "/sites?by=path&node=/no/where": 200, "/sites?cold_density=-1": 400, "/lifetimes?by=line": 400, "/sites?q=no_such_frame": 200,
		} {
			l.Page(at+path, status)
		}
	}
}
