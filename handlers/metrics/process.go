package metrics

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// started is about when the process was.
var started = time.Now()

// goSums are metrics of Go under the names that Prometheus's own library gives them,
// each a sum of what runtime/metrics has.
var goSums = [][2]string{
	{"go_gc_gogc_percent", "/gc/gogc:percent"},
	{"go_gc_gomemlimit_bytes", "/gc/gomemlimit:bytes"},
	{"go_goroutines", "/sched/goroutines:goroutines"},
	{"go_memstats_alloc_bytes", "/memory/classes/heap/objects:bytes"},
	{"go_memstats_alloc_bytes_total", "/gc/heap/allocs:bytes"},
	{"go_memstats_buck_hash_sys_bytes", "/memory/classes/profiling/buckets:bytes"},
	{"go_memstats_frees_total", "/gc/heap/frees:objects /gc/heap/tiny/allocs:objects"},
	{"go_memstats_gc_sys_bytes", "/memory/classes/metadata/other:bytes"},
	{"go_memstats_heap_alloc_bytes", "/memory/classes/heap/objects:bytes"},
	{"go_memstats_heap_idle_bytes", "/memory/classes/heap/released:bytes /memory/classes/heap/free:bytes"},
	{"go_memstats_heap_inuse_bytes", "/memory/classes/heap/objects:bytes /memory/classes/heap/unused:bytes"},
	{"go_memstats_heap_objects", "/gc/heap/objects:objects"},
	{"go_memstats_heap_released_bytes", "/memory/classes/heap/released:bytes"},
	{"go_memstats_heap_sys_bytes", "/memory/classes/heap/objects:bytes /memory/classes/heap/unused:bytes " +
		"/memory/classes/heap/released:bytes /memory/classes/heap/free:bytes"},
	{"go_memstats_mallocs_total", "/gc/heap/allocs:objects /gc/heap/tiny/allocs:objects"},
	{"go_memstats_mcache_inuse_bytes", "/memory/classes/metadata/mcache/inuse:bytes"},
	{
		"go_memstats_mcache_sys_bytes",
		"/memory/classes/metadata/mcache/inuse:bytes /memory/classes/metadata/mcache/free:bytes",
	},
	{"go_memstats_mspan_inuse_bytes", "/memory/classes/metadata/mspan/inuse:bytes"},
	{
		"go_memstats_mspan_sys_bytes", "/memory/classes/metadata/mspan/inuse:bytes /memory/classes/metadata/mspan/free:bytes",
	},
	{"go_memstats_next_gc_bytes", "/gc/heap/goal:bytes"},
	{"go_memstats_other_sys_bytes", "/memory/classes/other:bytes"},
	{"go_memstats_stack_inuse_bytes", "/memory/classes/heap/stacks:bytes"},
	{"go_memstats_stack_sys_bytes", "/memory/classes/heap/stacks:bytes /memory/classes/os-stacks:bytes"},
	{"go_memstats_sys_bytes", "/memory/classes/total:bytes"},
	{"go_sched_gomaxprocs_threads", "/sched/gomaxprocs:threads"},
}

// one is a metric of one line. Its kind shows in its name.
func one(name, help string, value float64) *Family {
	kind := "gauge"
	if strings.HasSuffix(name, "_total") {
		kind = "counter"
	}
	return &Family{name, help, kind, func(put putLine) { put("", "", value) }}
}

// sum adds up numbers of runtime/metrics, if this Go has them all.
func sum(names []string) *float64 {
	samples := make([]metrics.Sample, len(names))
	for i, name := range names {
		samples[i].Name = name
	}
	metrics.Read(samples)
	var n uint64
	for _, s := range samples {
		if s.Value.Kind() != metrics.KindUint64 {
			return nil
		}
		n += s.Value.Uint64()
	}
	value := float64(n)
	return &value
}

// Process is what Go and the system know of the process now.
func Process() []*Family {
	list := append(system(),
		one("process_start_time_seconds", "Start of the process, in seconds since 1970.", float64(started.UnixMilli())/1e3))
	for _, s := range goSums {
		terms := strings.Fields(s[1])
		if value := sum(terms); value != nil {
			list = append(list, one(s[0], "In Go's runtime/metrics: "+strings.Join(terms, " + ")+".", *value))
		}
	}
	threads, _ := runtime.ThreadCreateProfile(nil)
	gc := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&gc)
	return append(list,
		one("go_threads", "Threads that were made.", float64(threads)),
		one("go_memstats_last_gc_time_seconds", "End of the last garbage collection, in seconds since 1970.",
			float64(gc.LastGC.UnixNano())/1e9),
		&Family{
			"go_info", "Version of Go.", "gauge",
			func(put putLine) { put("", labelled([]string{"version"}, []string{runtime.Version()}), 1) },
		},
		&Family{"go_gc_duration_seconds", "Pauses of garbage collections.", "summary", func(put putLine) {
			for i, pause := range gc.PauseQuantiles {
				put("", `quantile="`+strconv.FormatFloat(float64(i)/4, 'g', -1, 64)+`"`, pause.Seconds())
			}
			put("_sum", "", gc.PauseTotal.Seconds())
			put("_count", "", float64(gc.NumGC))
		}})
}
