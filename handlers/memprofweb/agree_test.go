package memprofweb_test

import (
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// What the cells of a page say, the API says too.
func TestHeapPagesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	const usual = "Flame graph Lifetimes Cloning Call sites"
	for file, tabs := range map[string]string{
		"mem_prune.profdata":   "Overview Allocation sites 5 " + usual,
		"mem_hist.memprofraw":  "Overview Allocation sites 5 " + usual,
		"mem_cold_v4.profdata": "Overview Allocation sites 13 " + usual,
	} {
		base := strings.Replace(webtest.PutMemProf(l, file), "/api/v1/profiles", "/p", 1)
		if got := webtest.Tabs(l, base); got != tabs {
			t.Errorf("%s has the tabs %q, want %q", file, got, tabs)
		}
		for _, path := range []string{
			"/sites?by=blame", "/sites?by=line&sort=name", "/sites?by=function", "/sites?by=context", "/lifetimes", "/callsites",
		} {
			if rows, items := l.Agree(base+path, "place", "name"); len(rows) != len(items) {
				t.Errorf("%s: %d rows and %d items", path, len(rows), len(items))
			}
		}
	}
}
