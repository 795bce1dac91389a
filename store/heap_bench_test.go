package store

import (
	"path/filepath"
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
)

// benchContexts is as many as the largest profiles of the RFC have, three times.
const benchContexts = 100_000

func BenchmarkHeapWrite(b *testing.B) {
	heap := heapProfile(benchContexts, 1, memprof.SchemaToTag25)
	path := filepath.Join(b.TempDir(), "profile.db")
	b.ReportMetric(float64(len(heap.Stacks)), "nodes")
	for b.Loop() {
		if _, err := WriteProfileFile(b.Context(), path, ProfileInput{Source: typical(0, 1), MemProf: heap}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHeap measures what an answer costs: with nothing in the cache but the
// tables, and with all there.
func BenchmarkHeap(b *testing.B) {
	heap := heapProfile(benchContexts, 1, memprof.SchemaToTag25)
	p := openHeap(b, heap)
	fid := heap.Frames[heap.Stacks[heap.Contexts[0].Stack].Frame].Function
	queries := map[string]func() error{
		"allocations": func() error {
			_, err := p.Allocations(b.Context(), HeapQuery{Limit: 100})
			return err
		},
		"allocations/lifetime": func() error {
			_, err := p.Allocations(b.Context(), HeapQuery{Sort: []HeapSortKey{{HeapAvgLifetime, true}}, Offset: 50_000, Limit: 100})
			return err
		},
		"allocations/text": func() error {
			_, err := p.Allocations(b.Context(), HeapQuery{HeapFilter: HeapFilter{Text: "::func12"}, Limit: 100})
			return err
		},
		"allocations/cold": func() error {
			_, err := p.Allocations(b.Context(), HeapQuery{HeapFilter: HeapFilter{Classes: []analyze.HeapClass{analyze.HeapCold}}, Limit: 100})
			return err
		},
		"sites": func() error {
			_, err := p.HeapSites(b.Context(), HeapSiteQuery{Limit: 100})
			return err
		},
		"flame/callees": func() error {
			_, err := p.FlameGraph(b.Context(), FlameQuery{Limit: 5000})
			return err
		},
		"flame/callers": func() error {
			_, err := p.FlameGraph(b.Context(), FlameQuery{Layout: LayoutCallers, Limit: 5000})
			return err
		},
		"flame/sandwich": func() error {
			_, err := p.FlameGraph(b.Context(), FlameQuery{Layout: LayoutSandwich, Around: fid, Limit: 5000})
			return err
		},
		"flame/all": func() error {
			_, err := p.FlameGraph(b.Context(), FlameQuery{Limit: 1 << 30})
			return err
		},
	}
	b.Run("new/tables", func(b *testing.B) {
		for b.Loop() {
			p.cache = NewCache(defaultCacheBytes)
			if _, err := p.heapIndex(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	index, err := p.heapIndex(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for name, query := range queries {
		b.Run("new/"+name, func(b *testing.B) {
			for b.Loop() {
				p.cache = NewCache(defaultCacheBytes)
				p.cache.put(cacheKey{p.id, "heap"}, index, index.bytes())
				if err := query(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("known/"+name, func(b *testing.B) {
			for b.Loop() {
				if err := query(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
