package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"proflens/catalog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"proflens/handlers/site"
)

// healthz says that the process answers.
func (s *server) healthz(w http.ResponseWriter, r *http.Request) error {
	return writeText(w, "ok\n")
}

// readyz says that the catalog answers too.
func (s *server) readyz(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	if _, err := s.Store.List(ctx, catalog.ListQuery{Limit: 1}); err != nil {
		return &site.Problem{Status: http.StatusServiceUnavailable, Kind: "not_ready", Title: "Not ready", Detail: "the catalog does not answer"}
	}
	return writeText(w, "ready\n")
}

func (s *server) version(w http.ResponseWriter, r *http.Request) error {
	return site.WriteJSON(w, http.StatusOK, s.Version)
}

func (s *server) getMetrics(w http.ResponseWriter, r *http.Request) error {
	s.metrics.serve(w, r)
	return nil
}

func writeText(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, err := fmt.Fprint(w, text)
	return err
}

// metrics counts requests and uploads. Labels are routes and words, never ids
// or names: a profile that is not listed must not show.
type metrics struct {
	serve    http.HandlerFunc
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	uploads  *prometheus.CounterVec
	bytes    prometheus.Counter
}

func newMetrics(reg *prometheus.Registry) *metrics {
	m := &metrics{
		serve: promhttp.HandlerFor(reg, promhttp.HandlerOpts{}).ServeHTTP,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "proflens_http_requests_total", Help: "Requests by route, method and status.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "proflens_http_request_seconds", Help: "Time from the first byte of a request to the last of its answer.",
			Buckets: []float64{.001, .005, .02, .1, .5, 2, 10, 60, 600},
		}, []string{"route"}),
		uploads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "proflens_uploads_total", Help: "Profiles that uploads made, by their state when the upload was answered.",
		}, []string{"state"}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "proflens_upload_bytes_total", Help: "Bytes of stored originals, unpacked.",
		}),
	}
	reg.MustRegister(m.requests, m.seconds, m.uploads, m.bytes,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// methods bounds the values of the label: a client may send any word.
var methods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "DELETE": true, "OPTIONS": true}

func (m *metrics) request(route, method string, status int, took time.Duration) {
	if !methods[method] {
		method = "other"
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

func (m *metrics) uploaded(e *catalog.Entry) {
	m.uploads.WithLabelValues(string(e.State)).Inc()
	m.bytes.Add(float64(e.Size))
}
