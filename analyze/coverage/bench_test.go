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
