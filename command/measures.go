package command

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"proflens/catalog"
	"proflens/handlers/metrics"
	"proflens/ingest"
	"proflens/ingest/confine"
	"proflens/ingest/tasks"
	"proflens/profile/stored"
)

// readWithin bounds what one look at the metrics may ask of the catalog, and lookEvery how often
// every file of the data folder is looked at for them: less often where that would take more than
// one of lookShare parts of the time.
const (
	readWithin = 5 * time.Second
	lookEvery  = time.Minute
	lookShare  = 100
)

// gauge is a number that rises and falls, of which read puts one for each set of labels.
func gauge(name, help string, read func(metrics.Put), labels ...string) metrics.Measure {
	return metrics.Measure{Name: "proflens_" + name, Help: help, Labels: labels, Read: read}
}

// counter is a gauge that only rises.
func counter(name, help string, read func(metrics.Put), labels ...string) metrics.Measure {
	m := gauge(name, help, read, labels...)
	m.Counts = true
	return m
}

// number reads one without labels.
func number[N int | int64 | uint64 | float64](get func() N) func(metrics.Put) {
	return func(put metrics.Put) { put(float64(get())) }
}

// measures are the numbers for an operator beside those of the HTTP side;
// docs/operations.md says which to watch.
func measures(st *catalog.Catalog, service *ingest.Service, pool *confine.Pool, connections func() float64,
	log *slog.Logger) []metrics.Measure {
	use := &diskUse{st: st, log: log}
	usage := func(read func(u catalog.Usage, put metrics.Put)) func(metrics.Put) {
		return func(put metrics.Put) {
			ctx, cancel := context.WithTimeout(context.Background(), readWithin)
			defer cancel()
			if u, err := st.Usage(ctx); err != nil {
				log.Error("reading the catalog for the metrics", "error", err)
			} else {
				read(u, put)
			}
		}
	}
	disk := func(read func(size, free int64) int64) func(metrics.Put) {
		return func(put metrics.Put) {
			if size, free, err := st.Disk(); err == nil {
				put(float64(read(size, free)))
			}
		}
	}
	return append(storeMeasures(st),
		counter("decodes_total", "Finished decodings, by format, format version and outcome: ready, or the kind of the "+
			"fault.",
			func(put metrics.Put) {
				for o, n := range service.Stats().Decodes {
					put(float64(n), string(o.Format), o.Version, o.Kind)
				}
			}, "format", "version", "outcome"),
		counter("jobs_taken_over_total",
			"Jobs put back into the queue because the process that had them ended or was cut off.",
			number(func() int64 { return service.Stats().TakenOver })),
		counter("decode_seconds_total", "Total time of these decodings.",
			number(func() float64 { return service.Stats().Took.Seconds() })),
		gauge("queue_length", "Profiles waiting (queued) and being decoded (running).",
			usage(func(u catalog.Usage, put metrics.Put) {
				put(float64(u.Queued), "queued")
				put(float64(u.Running), "running")
			}), "state"),
		gauge("queue_oldest_seconds", "Waiting time of the first profile in the queue.",
			usage(func(u catalog.Usage, put metrics.Put) { put(u.Oldest.Seconds()) })),
		gauge("profiles", "Profiles by state, with unlisted ones.",
			usage(func(u catalog.Usage, put metrics.Put) {
				for _, state := range []catalog.State{
					catalog.Received, catalog.Decoding, catalog.Ready, catalog.Failed, catalog.Expired, catalog.Deleted,
				} {
					put(float64(u.Profiles[state]), string(state))
				}
			}), "state"),
		gauge("cache_bytes", "Memory of cached columns, orders and filters.",
			number(func() int64 { return stored.SharedCacheStats().Used })),
		gauge("cache_limit_bytes", "Limit of that memory.", number(func() int64 { return stored.SharedCacheStats().Limit })),
		counter("cache_hits_total", "Columns, orders and filters found in the cache.",
			number(func() int64 { return stored.SharedCacheStats().Hits })),
		counter("cache_misses_total", "Columns, orders and filters computed because the cache lacked them.",
			number(func() int64 { return stored.SharedCacheStats().Misses })),
		counter("children_started_total", "Child processes started to read originals.",
			number(func() int64 { return pool.Stats().Started })),
		counter("children_ended_total",
			"Child processes that ended, by cause: retired and stopped are normal; memory and time mean that a file hit a "+
				"limit; crashed is a fault of Proflens; killed was done by the system.",
			func(put metrics.Put) {
				ended := pool.Stats().Ended
				for _, cause := range []tasks.Cause{
					tasks.Crashed, tasks.NoMemory, tasks.NoTime, tasks.Killed, confine.Stopped, confine.Retired,
				} {
					put(float64(ended[cause]), string(cause))
				}
			}, "cause"),
		gauge("connections", "Open connections.", number(connections)),
		gauge("staging_bytes", "Disk space of uploads and slow downloads in progress, in bytes.",
			number(st.Staged)),
		gauge("disk_size_bytes", "Size of the file system of the data folder.",
			disk(func(size, _ int64) int64 { return size })),
		gauge("disk_free_bytes", "Free space of it for the server.", disk(func(_, free int64) int64 { return free })),
		gauge("data_bytes", "Bytes of the files in the data folder, by part; measured once a minute.", use.read, "part"),
		gauge("aside_files", "Files put aside because the catalog does not know them; proflens repair recovers them.",
			func(put metrics.Put) {
				if originals, tables, err := st.Quarantined(); err == nil {
					put(float64(len(originals) + len(tables)))
				}
			}),
	)
}

// diskUse remembers the size of the parts of a data folder for a while.
type diskUse struct {
	st  *catalog.Catalog
	log *slog.Logger

	mu   sync.Mutex
	next time.Time // when it looks again
	use  map[string]int64
}

func (d *diskUse) read(put metrics.Put) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if began := time.Now(); began.After(d.next) {
		ctx, cancel := context.WithTimeout(context.Background(), readWithin)
		defer cancel()
		use, err := d.st.DiskUse(ctx)
		wait := max(lookEvery, lookShare*time.Since(began))
		if err != nil {
			d.log.Error("looking at the data folder for the metrics", "error", err)
			wait = lookEvery
		}
		d.use, d.next = use, time.Now().Add(wait)
	}
	for part, n := range d.use {
		put(float64(n), part)
	}
}
