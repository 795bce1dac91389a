package memprofweb_test

import (
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// What the cells of a page say, the API says too.
func TestHeapPagesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, file := range []string{"mem_prune.profdata", "mem_hist.memprofraw", "mem_cold_v4.profdata"} {
		base := strings.Replace(webtest.PutMemProf(l, file), "/api/v1/profiles", "/p", 1)
		for _, path := range []string{
			"/sites?by=blame", "/sites?by=line&sort=name", "/sites?by=function", "/sites?by=context", "/lifetimes", "/callsites",
		} {
			if rows, items := l.Agree(base+path, "place", "name"); len(rows) != len(items) {
				t.Errorf("%s: %d rows and %d items", path, len(rows), len(items))
			}
		}
	}
}
