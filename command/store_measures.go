package command

import (
	"proflens/catalog"
	"proflens/catalog/objects"
	"proflens/handlers/metrics"
)

// storeMeasures are of a bucket, its copies on this disk, and the catalog's server.
func storeMeasures(st *catalog.Catalog) []metrics.Measure {
	of := func(number func(s objects.Stats) float64) func(func(float64, ...string)) {
		return func(put func(float64, ...string)) { put(number(st.StoreStats())) }
	}
	counted := func(m metrics.Measure) metrics.Measure {
		m.Counts = true
		return m
	}
	kinds := []objects.Request{objects.Put, objects.Head, objects.Get, objects.Remove, objects.List}
	return []metrics.Measure{
		counted(metrics.Measure{Name: "proflens_store_requests_total",
			Help: "Requests to the object store, by kind and result; each try counts.", Labels: []string{"request", "result"},
			Read: func(put func(float64, ...string)) {
				requests := st.StoreStats().Requests
				for _, kind := range kinds {
					for _, result := range []objects.Result{objects.OK, objects.Missing, objects.Full, objects.Failed} {
						put(float64(requests[objects.Answered{Request: kind, Result: result}]), string(kind), string(result))
					}
				}
			}}),
		counted(metrics.Measure{Name: "proflens_store_request_seconds_total",
			Help: "Total time of these requests, with their content.", Labels: []string{"request"},
			Read: func(put func(float64, ...string)) {
				took := st.StoreStats().Took
				for _, kind := range kinds {
					put(took[kind].Seconds(), string(kind))
				}
			}}),
		{
			Name: "proflens_store_cache_bytes", Help: "Disk space of copies of the object store's files.",
			Read: of(func(s objects.Stats) float64 { return float64(s.Cache.Used) }),
		},
		{
			Name: "proflens_store_cache_limit_bytes", Help: "Limit of that space.",
			Read: of(func(s objects.Stats) float64 { return float64(s.Cache.Limit) }),
		},
		counted(metrics.Measure{
			Name: "proflens_store_cache_hits_total", Help: "Reads of originals and blocks of tables that found a copy.",
			Read: of(func(s objects.Stats) float64 { return float64(s.Cache.Hits) }),
		}),
		counted(metrics.Measure{
			Name: "proflens_store_cache_misses_total", Help: "Reads that fetched from the object store.",
			Read: of(func(s objects.Stats) float64 { return float64(s.Cache.Misses) }),
		}),
		counted(metrics.Measure{
			Name: "proflens_store_cache_evictions_total", Help: "Copies that made way for others.",
			Read: of(func(s objects.Stats) float64 { return float64(s.Cache.Evicted) }),
		}),
		counted(metrics.Measure{Name: "proflens_catalog_away_total",
			Help: "Statements and connections that failed because the catalog's database could not be reached.",
			Read: func(put func(float64, ...string)) { put(float64(st.Away())) }}),
	}
}
