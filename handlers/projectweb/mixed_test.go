package projectweb_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
)

// Single bytes that follow counts are judged with the warning that a gate of two profiles
// has, in the answer and on the pages; counts that follow counts without.
func TestTheGateWarnsOfOtherCounters(t *testing.T) {
	l := webtest.Start(t, nil)
	l.Measuring(t)
	if a := l.Do("PUT", "/api/v1/projects/app/rules",
		strings.NewReader("[gate]\nmax_total_growth = 10\n")); a.StatusCode != http.StatusNoContent {
		t.Fatal(a.Status, a.Text())
	}
	const want = "of base and test, one has counts, the other single-byte coverage, which only says what ran; their " +
		"counters mean different things"
	ids := []string{}
	for i, file := range []string{"ir_c", "ir_c", "ir_block_cov"} {
		data, err := os.ReadFile("../../decode/instrprof/testdata/raw/clang-22_" + file + ".profraw")
		if err != nil {
			t.Fatal(err)
		}
		day := string(rune('1' + i))
		ids = append(ids, put(t, l, data, "label=commit=aaaa000"+day+"&label=date=2024-01-0"+day+"T00:00:00Z"))
		if i == 0 {
			continue
		}
		var a *webtest.Answer
		for a = l.OK("/api/v1/projects/app/gate"); a.Object(t)["pending"] != false; a = l.OK("/api/v1/projects/app/gate") {
			time.Sleep(20 * time.Millisecond)
		}
		webtest.Validate(t, webtest.Document(t), "/api/v1/projects/{project}/gate", a)
		o, warns := a.Object(t), i == 2
		if said, _ := o["warning"].(string); o["pending"] != false || (said == want) != warns || (said == "") == warns {
			t.Errorf("build %d: %v %q", i, o["pending"], said)
		}
		for _, page := range []string{"/projects/app", "/projects/app/gate", "/projects/app/builds/aaaa000" + day} {
			if said := webtest.Said(l.Page(page, http.StatusOK)); strings.Contains(said, want) != warns {
				t.Errorf("build %d: %s says %q", i, page, said)
			}
		}
	}
	webtest.Validate(t, webtest.Document(t), "/api/v1/projects/{project}/builds/{commit}",
		l.OK("/api/v1/projects/app/builds/aaaa0003"))
	// The gate of the two by themselves says the same.
	if got := l.Get("/api/v1/compare/gate?base=" + ids[1] + "&test=" + ids[2] +
		"&min_overlap=0").Object(t); got["warning"] != want {
		t.Errorf("of two profiles: %v", got)
	}
}

// A project of counters and of a heap shows charts of both, whichever is chosen; the buttons
// above the chart are of the chosen one's family.
func TestEveryFamilyHasItsCharts(t *testing.T) {
	l := webtest.Start(t, nil)
	l.Measuring(t)
	heap, err := os.ReadFile("../../profile/memprofdb/testdata/mem_cold_v4.profdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, day := range []string{"1", "2"} {
		build := "label=commit=aaaa000" + day + "&label=date=2024-01-0" + day + "T00:00:00Z"
		put(t, l, webtest.File(t, "oracles/base.proftext"), build)
		put(t, l, heap, build)
	}
	for _, measure := range []string{"instr.total", "memprof.allocated_bytes"} {
		trend := "/api/v1/projects/app/trends?measure=" + measure
		for a := l.OK(trend); strings.Contains(a.Text(), `"pending":true`); a = l.OK(trend) {
			time.Sleep(20 * time.Millisecond)
		}
	}
	for chosen, want := range map[string]struct{ charts, buttons string }{
		"instr.total": {
			"Bytes allocated, Size of the profile, Functions, Allocations",
			"Total count, Functions, Functions that ran, Counters above zero",
		},
		"memprof.allocated_bytes": {
			"Total count, Size of the profile, Functions, Allocations",
			"Bytes allocated, Allocations, Allocation contexts, Cold bytes",
		},
	} {
		page := l.Page("/projects/app?branch=main&measure="+chosen, http.StatusOK)
		var charts, buttons []string
		for _, chart := range webtest.All(webtest.ByTestID(t, page, "small"), webtest.Tag("a")) {
			charts = append(charts, webtest.Said(chart.FirstChild))
		}
		named := func(n *html.Node) bool { return webtest.Attr(n, "aria-label") == "Measures" }
		for _, button := range webtest.All(webtest.All(page, named)[0], webtest.Tag("a")) {
			buttons = append(buttons, webtest.Said(button))
		}
		if got := strings.Join(charts[:4], ", "); got != want.charts {
			t.Errorf("%s: charts %q, want %q", chosen, got, want.charts)
		}
		if got := strings.Join(buttons, ", "); got != want.buttons {
			t.Errorf("%s: buttons %q, want %q", chosen, got, want.buttons)
		}
	}
}
