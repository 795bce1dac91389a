package coverage_test

import (
	"context"
	"fmt"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

// many is an object and a profile of functions with nested conditions.
func many(b *testing.B, n int) (*covmap.Object, *coverage.Profile) {
	var list []function
	p := &coverage.Profile{}
	for i := range n {
		f := conditional
		f.name = fmt.Sprintf("function_%d", i)
		list = append(list, f)
		p.Add([]byte(f.name), coverage.Record{Hash: f.hash, Counters: []uint64{uint64(i), uint64(i / 2)}})
	}
	return object(b, list...), p
}

func BenchmarkJoin(b *testing.B) {
	o, p := many(b, 20_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := coverage.Join(context.Background(), []*covmap.Object{o}, p, coverage.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSummaries(b *testing.B) {
	o, p := many(b, 20_000)
	c := join(b, p, coverage.Options{}, o)
	b.ReportAllocs()
	for b.Loop() {
		c.Summaries(nil)
	}
}

func BenchmarkFileView(b *testing.B) {
	o, p := many(b, 20_000)
	c := join(b, p, coverage.Options{}, o)
	b.ReportAllocs()
	for b.Loop() {
		c.FileView(0)
	}
}

// BenchmarkNested is a function with many uses of a macro, each with a condition: its cost is
// that of the uses, not of their square.
func BenchmarkNested(b *testing.B) {
	const uses = 12_000
	f := coverage.Function{Files: make([]int32, uses+1)}
	for id := range uint32(uses) {
		at := covmap.Position{Line: id + 1, Column: 1}
		f.Regions = append(f.Regions, coverage.Region{Start: at, End: at, Kind: covmap.Expansion, Expanded: id + 1})
		f.Branches = append(f.Branches, coverage.Region{Start: at, End: at, Kind: covmap.Branch, File: id + 1})
	}
	for b.Loop() {
		found := 0
		for i := range f.Regions {
			coverage.Nested(coverage.Expansion{Function: &f, Region: &f.Regions[i]}, func([]*coverage.Region, *coverage.Region) {
				found++
			})
		}
		if found != uses {
			b.Fatalf("%d conditions, want %d", found, uses)
		}
	}
}
