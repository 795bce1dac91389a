package metrics

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The page is what Prometheus's own library wrote of the same: labels by name, and the
// bound of a bucket after the others; a bucket counts all values up to its bound.
func TestText(t *testing.T) {
	seconds := &Vector{Name: "seconds", Help: "Time.", Labels: []string{"route"}, Bounds: []float64{.001, .5, 600}}
	requests := &Vector{Name: "requests_total", Help: "Requests.", Labels: []string{"route", "method"}}
	uploads := &Vector{Name: "uploads_total", Help: "Uploads.", Labels: []string{"state"}}
	bytes := &Vector{Name: "bytes_total", Help: "Bytes."}
	families := []*Family{seconds.Family(), requests.Family(), uploads.Family(), bytes.Family(),
		Measured(Measure{Name: "free_bytes", Help: "Free.", Labels: []string{"of"},
			Read: func(put Put) {
				put(402653184, "z\\\"\n")
				put(-.25, "a")
			}}),
		Measured(Measure{Name: "unknown", Help: "Nothing.", Read: func(Put) {}}),
	}
	for _, took := range []float64{.001, .25, .25, 1000} {
		seconds.Add(took, "/p/{id}")
	}
	requests.Add(1, "/x", "GET")
	requests.Add(1, "/x", "GET")
	requests.Add(1, "/", "PUT")
	const want = `# HELP bytes_total Bytes.
# TYPE bytes_total counter
bytes_total 0
# HELP free_bytes Free.
# TYPE free_bytes gauge
free_bytes{of="a"} -0.25
free_bytes{of="z\\\"\n"} 4.02653184e+08
# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{method="GET",route="/x"} 2
requests_total{method="PUT",route="/"} 1
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{route="/p/{id}",le="0.001"} 1
seconds_bucket{route="/p/{id}",le="0.5"} 3
seconds_bucket{route="/p/{id}",le="600"} 3
seconds_bucket{route="/p/{id}",le="+Inf"} 4
seconds_sum{route="/p/{id}"} 1000.501
seconds_count{route="/p/{id}"} 4
`
	if got := string(Text(families)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Requests are counted while somebody reads.
func TestCountedWhileRead(t *testing.T) {
	v := &Vector{Name: "n", Labels: []string{"of"}, Bounds: []float64{1}}
	families := []*Family{v.Family()}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				v.Add(1, "x")
				Text(families)
			}
		})
	}
	wg.Wait()
	if page := string(Text(families)); !strings.Contains(page, "n_count{of=\"x\"} 400\n") {
		t.Error(page)
	}
}

// Go has every number by the name that it is read by.
func TestGoMetricsAreKnown(t *testing.T) {
	page := string(Text(Process()))
	for _, want := range []string{"go_goroutines [1-9]", "go_memstats_sys_bytes [1-9]",
		"go_memstats_mallocs_total [1-9]",
		"go_memstats_next_gc_bytes [1-9]", "go_gc_gogc_percent [1-9]", "go_threads [1-9]", `go_info\{version="go1`,
		`go_gc_duration_seconds\{quantile="0.25"\} `, "process_start_time_seconds [1-9]"} {
		if !regexp.MustCompile("(?m)^" + want).MatchString(page) {
			t.Errorf("the metrics lack %s:\n%s", want, page)
		}
	}
	for _, s := range goSums {
		for _, term := range strings.Fields(s[1]) {
			if sum([]string{term}) == nil {
				t.Errorf("%s: Go has no %s", s[0], term)
			}
		}
	}
}
