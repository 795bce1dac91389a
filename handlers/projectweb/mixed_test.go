package projectweb_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

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
