package memprofweb_test

import (
	"fmt"
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
			blank := []string{"cold_bytes", "hot_bytes", "mixed"} // where there are none
			rows, items := l.Agree(base+path, append(blank, "place", "name")...)
			if len(rows) != len(items) {
				t.Errorf("%s: %d rows and %d items", path, len(rows), len(items))
			}
			for i, row := range rows {
				for _, column := range blank[:2] {
					text, shown := row.Cells[column]
					if n := fmt.Sprint(items[i][column]); shown && strings.Trim(text, "0 bytes") == "" && n != "0" {
						t.Errorf("%s: %s of row %d is %q, %s in the API", path, column, i, text, n)
					}
				}
			}
		}
	}
}
