package instrprof_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/encode"
)

// benchIndexed is an indexed file of n functions of ten counters, or the one
// that BENCH_PROFDATA names.
func benchIndexed(b *testing.B, n int) []byte {
	b.Helper()
	if path := os.Getenv("BENCH_PROFDATA"); path != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	built := &builtIndexed{version: 13, flags: instrprof.IRProf}
	for i := range n {
		counters := make([]uint64, 10)
		for j := range counters {
			counters[j] = uint64(i * j)
		}
		r := builtRecord{hash: uint64(i), counters: counters}
		if i%20 == 0 {
			r.calls = []instrprof.ValueSite{{{Value: md5of("f1"), Count: 7}, {Value: md5of("f2"), Count: 3}}}
		}
		built.names = append(built.names, builtName{
			fmt.Sprintf("dir/file.c;function_with_a_name_of_usual_length_%d", i), []builtRecord{r},
		})
	}
	return built.bytes()
}

func BenchmarkIndexedStats(b *testing.B) {
	data := benchIndexed(b, 20000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		x, err := instrprof.OpenIndexed(data, nil)
		if err != nil {
			b.Fatal(err)
		}
		var total analyze.Sum
		for f, err := range x.Functions() {
			if err != nil {
				b.Fatal(err)
			}
			s := analyze.StatsOf(f, x.Info().Variant)
			total.AddSum(s.Total)
		}
		if total.IsZero() {
			b.Fatal("nothing counted")
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	data := benchIndexed(b, 20000)
	b.SetBytes(2 * int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		m := sums.NewMerger()
		for range 2 {
			x, err := instrprof.OpenIndexed(data, nil)
			if err != nil {
				b.Fatal(err)
			}
			if err := m.Add(context.Background(), "", x, 1); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkProftext(b *testing.B) {
	data := benchIndexed(b, 20000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		x, err := instrprof.OpenIndexed(data, nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := encode.Proftext(io.Discard, x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkText(b *testing.B) {
	x, err := instrprof.OpenIndexed(benchIndexed(b, 20000), nil)
	if err != nil {
		b.Fatal(err)
	}
	text := proftext(b, x)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		src, err := instrprof.OpenText(text, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range src.Functions() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
