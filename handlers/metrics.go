package handlers

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"proflens/catalog"
	"proflens/handlers/site"
)

func (s *server) getMetrics(w http.ResponseWriter, r *http.Request) error {
	s.metrics.serve(w, r)
	return nil
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

func newMetrics(reg *prometheus.Registry, measures []site.Measure) *metrics {
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
		measured(measures), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
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

// measured are the numbers that the other parts of the program count by
// themselves, read when somebody asks for the metrics.
type measured []site.Measure

// Describe leaves it at what Collect sends: no number is known before it is read.
func (measured) Describe(chan<- *prometheus.Desc) {}

// Collect reads the numbers.
func (all measured) Collect(to chan<- prometheus.Metric) {
	for _, m := range all {
		kind := prometheus.GaugeValue
		if m.Counts {
			kind = prometheus.CounterValue
		}
		desc := prometheus.NewDesc(m.Name, m.Help, m.Labels, nil)
		m.Read(func(value float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(desc, kind, value, labels...)
		})
	}
}
