package command

import (
	"proflens/catalog"
	"proflens/catalog/objects"
	"proflens/handlers/metrics"
)

// storeMeasures are of a bucket, its copies on this disk, and the catalog's server.
func storeMeasures(st *catalog.Catalog) []metrics.Measure {
	kinds := []objects.Request{objects.Put, objects.Head, objects.Get, objects.Remove, objects.List}
	return []metrics.Measure{
		counter("store_requests_total", "Requests to the object store, by kind and result; each try counts.",
			func(put metrics.Put) {
				requests := st.StoreStats().Requests
				for _, kind := range kinds {
					for _, result := range []objects.Result{objects.OK, objects.Missing, objects.Full, objects.Failed} {
						put(float64(requests[objects.Answered{Request: kind, Result: result}]), string(kind), string(result))
					}
				}
			}, "request", "result"),
		counter("store_request_seconds_total", "Total time of these requests, with their content.",
			func(put metrics.Put) {
				took := st.StoreStats().Took
				for _, kind := range kinds {
					put(took[kind].Seconds(), string(kind))
				}
			}, "request"),
		gauge("store_cache_bytes", "Disk space of copies of the object store's files.",
			number(func() int64 { return st.StoreStats().Cache.Used })),
		gauge("store_cache_limit_bytes", "Limit of that space.",
			number(func() int64 { return st.StoreStats().Cache.Limit })),
		counter("store_cache_hits_total", "Reads of originals and blocks of tables that found a copy.",
			number(func() int64 { return st.StoreStats().Cache.Hits })),
		counter("store_cache_misses_total", "Reads that fetched from the object store.",
			number(func() int64 { return st.StoreStats().Cache.Misses })),
		counter("store_cache_evictions_total", "Copies that made way for others.",
			number(func() int64 { return st.StoreStats().Cache.Evicted })),
		counter("catalog_away_total",
			"Statements and connections that failed because the catalog's database could not be reached.",
			number(st.Away)),
	}
}
