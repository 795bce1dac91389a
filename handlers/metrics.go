package handlers

import (
	"net/http"
	"strconv"
	"time"

	"proflens/catalog"
	"proflens/handlers/metrics"
)

// counts are of requests and uploads. Labels are routes and words, never ids
// or names: a profile that is not listed must not show.
type counts struct {
	requests, seconds, uploads, bytes metrics.Vector

	families []*metrics.Family // these, and what the other parts of the program count
}

func newCounts(measures []metrics.Measure) *counts {
	c := &counts{
		requests: metrics.Vector{
			Name: "proflens_http_requests_total", Help: "Requests by route, method and status.",
			Labels: []string{"route", "method", "status"},
		},
		seconds: metrics.Vector{
			Name: "proflens_http_request_seconds", Help: "Time from the first byte of a request to the last of its answer.",
			Labels: []string{"route"}, Bounds: []float64{.001, .005, .02, .1, .5, 2, 10, 60, 600},
		},
		uploads: metrics.Vector{
			Name: "proflens_uploads_total", Help: "Profiles that uploads made, by their state when the upload was answered.",
			Labels: []string{"state"},
		},
		bytes: metrics.Vector{Name: "proflens_upload_bytes_total", Help: "Bytes of stored originals, unpacked."},
	}
	c.families = []*metrics.Family{c.requests.Family(), c.seconds.Family(), c.uploads.Family(), c.bytes.Family()}
	for _, m := range measures {
		c.families = append(c.families, metrics.Measured(m))
	}
	return c
}

const getMetricsSays = `
	operation metrics: Metrics for Prometheus
	>200 text: The metrics.
	>default`

func (s *server) getMetrics(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", metrics.ContentType)
	_, err := w.Write(metrics.Text(append(metrics.Process(), s.counts.families...)))
	return err
}

// methods bounds the values of the label: a client may send any word.
var methods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "DELETE": true, "OPTIONS": true}

func (c *counts) request(route, method string, status int, took time.Duration) {
	if !methods[method] {
		method = "other"
	}
	c.requests.Add(1, route, method, strconv.Itoa(status))
	c.seconds.Add(took.Seconds(), route)
}

func (c *counts) uploaded(e *catalog.Entry) {
	c.uploads.Add(1, string(e.State))
	c.bytes.Add(float64(e.Size))
}
