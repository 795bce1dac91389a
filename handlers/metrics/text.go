// Package metrics counts what the server does, and writes it in the text format that
// Prometheus reads, with what Go and the system know of the process.
package metrics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ContentType is that of [Text].
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Family is a metric: a name, and a line for each set of labels.
type Family struct {
	name, help, kind string
	read             func(put putLine)
}

// putLine takes a line: what follows the name, the labels as they are written, the value.
type putLine func(suffix, labels string, value float64)

// Text is the page of these metrics, by name. A metric without a line now is left out.
func Text(families []*Family) []byte {
	var page []byte
	for _, f := range slices.SortedFunc(slices.Values(families),
		func(a, b *Family) int { return cmp.Compare(a.name, b.name) }) {
		var lines []byte
		f.read(func(suffix, labels string, value float64) {
			lines = append(lines, f.name+suffix...)
			if labels != "" {
				lines = append(lines, "{"+labels+"}"...)
			}
			lines = strconv.AppendFloat(append(lines, ' '), value, 'g', -1, 64)
			lines = append(lines, '\n')
		})
		if lines != nil {
			page = fmt.Appendf(page, "# HELP %s %s\n# TYPE %s %s\n%s", f.name, f.help, f.name, f.kind, lines)
		}
	}
	return page
}

var escaped = strings.NewReplacer("\\", `\\`, "\n", `\n`, `"`, `\"`)

// labelled writes labels, by name.
func labelled(names, values []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = name + `="` + escaped.Replace(values[i]) + `"`
	}
	slices.Sort(list)
	return strings.Join(list, ",")
}

// Measured is a number that another part of the program counts by itself, read when
// somebody asks for the metrics.
func Measured(m Measure) *Family {
	kind := "gauge"
	if m.Counts {
		kind = "counter"
	}
	return &Family{m.Name, m.Help, kind, func(put putLine) {
		lines := map[string]float64{}
		m.Read(func(value float64, labels ...string) { lines[labelled(m.Labels, labels)] = value })
		for _, labels := range slices.Sorted(maps.Keys(lines)) {
			put("", labels, lines[labels])
		}
	}}
}

// Vector is a counter, or a histogram if it has Bounds, by the values of its Labels.
type Vector struct {
	Name, Help string
	Labels     []string
	Bounds     []float64 // upper ones of the buckets, ascending

	mu      sync.Mutex
	entries map[string]*entry // by labels as they are written
}

type entry struct {
	sum     float64
	count   float64
	buckets []float64 // values up to each bound
}

// Add adds a value. It is called as often as requests come, from many goroutines.
func (v *Vector) Add(value float64, labels ...string) {
	key := labelled(v.Labels, labels)
	v.mu.Lock()
	defer v.mu.Unlock()
	e := v.entries[key]
	if e == nil {
		if v.entries == nil {
			v.entries = map[string]*entry{}
		}
		e = &entry{buckets: make([]float64, len(v.Bounds))}
		v.entries[key] = e
	}
	e.sum += value
	e.count++
	for i, bound := range v.Bounds {
		if value <= bound {
			e.buckets[i]++
		}
	}
}

// Family is the metric. A counter without labels starts at 0.
func (v *Vector) Family() *Family {
	kind := "counter"
	if v.Bounds != nil {
		kind = "histogram"
	} else if len(v.Labels) == 0 {
		v.entries = map[string]*entry{"": {}}
	}
	return &Family{v.Name, v.Help, kind, func(put putLine) {
		v.mu.Lock()
		defer v.mu.Unlock()
		for _, labels := range slices.Sorted(maps.Keys(v.entries)) {
			e := v.entries[labels]
			if v.Bounds == nil {
				put("", labels, e.sum)
				continue
			}
			for i, bound := range v.Bounds {
				put("_bucket", labels+`,le="`+strconv.FormatFloat(bound, 'g', -1, 64)+`"`, e.buckets[i])
			}
			put("_bucket", labels+`,le="+Inf"`, e.count)
			put("_sum", labels, e.sum)
			put("_count", labels, e.count)
		}
	}}
}
