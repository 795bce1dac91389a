package memprofdb_test

import (
	"path/filepath"
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile"
	"proflens/profile/calltree"
	"proflens/profile/memprofdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
)

// benchContexts is as many as the largest profiles of the RFC have, three times.
const benchContexts = 100_000

func BenchmarkHeapWrite(b *testing.B) {
	heap := heapProfile(benchContexts, 1, memprof.SchemaToTag25)
	path, whole := filepath.Join(b.TempDir(), "profile.db"), profiletest.Of(memprof.Family, heap)
	b.ReportMetric(float64(len(heap.Stacks)), "nodes")
	for b.Loop() {
		if _, err := profile.Write(b.Context(), path, profile.Input{Profile: whole}, nil); err != nil {
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
	queries := map[string]func(p *memprofdb.Profile) error{
		"allocations": func(p *memprofdb.Profile) error {
			_, err := p.Contexts(b.Context(), memprofdb.Query{Limit: 100})
			return err
		},
		"allocations/lifetime": func(p *memprofdb.Profile) error {
			_, err := p.Contexts(b.Context(), memprofdb.Query{
				Sort: []query.Key{{Column: memprofdb.ColAvgLifetime, Desc: true}}, Offset: 50_000, Limit: 100,
			})
			return err
		},
		"allocations/text": func(p *memprofdb.Profile) error {
			_, err := p.Contexts(b.Context(), memprofdb.Query{Filter: memprofdb.Filter{Text: "::func12"}, Limit: 100})
			return err
		},
		"allocations/cold": func(p *memprofdb.Profile) error {
			_, err := p.Contexts(b.Context(), memprofdb.Query{
				Filter: memprofdb.Filter{Classes: []analyze.MemProfClass{analyze.MemProfCold}}, Limit: 100,
			})
			return err
		},
		"sites": func(p *memprofdb.Profile) error {
			_, err := p.Sites(b.Context(), memprofdb.SiteQuery{Limit: 100})
			return err
		},
		"flame/callees": func(p *memprofdb.Profile) error {
			_, err := p.FlameGraph(b.Context(), memprofdb.FlameQuery{Query: calltree.Query{Limit: 5000}})
			return err
		},
		"flame/callers": func(p *memprofdb.Profile) error {
			_, err := p.FlameGraph(b.Context(), memprofdb.FlameQuery{
				Query: calltree.Query{Layout: calltree.Callers, Limit: 5000},
			})
			return err
		},
		"flame/sandwich": func(p *memprofdb.Profile) error {
			_, err := p.FlameGraph(b.Context(), memprofdb.FlameQuery{
				Query: calltree.Query{Layout: calltree.Sandwich, Around: fid, Limit: 5000},
			})
			return err
		},
		"flame/all": func(p *memprofdb.Profile) error {
			_, err := p.FlameGraph(b.Context(), memprofdb.FlameQuery{Query: calltree.Query{Limit: 1 << 30}})
			return err
		},
	}
	b.Run("new/tables", func(b *testing.B) {
		for b.Loop() {
			if err := memprofdb.Again(b.Context(), p, false, func(*memprofdb.Profile) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, ask := range queries {
		b.Run("new/"+name, func(b *testing.B) {
			for b.Loop() {
				if err := memprofdb.Again(b.Context(), p, true, ask); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("known/"+name, func(b *testing.B) {
			for b.Loop() {
				if err := ask(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
