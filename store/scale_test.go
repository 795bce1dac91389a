package store

import (
	"os"
	"path/filepath"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// scaleSource is what benchmarks run on: the indexed profile that PROFLENS_SCALE
// names, or n made-up records.
func scaleSource(b *testing.B, n int) model.Source {
	b.Helper()
	path := os.Getenv("PROFLENS_SCALE")
	if path == "" {
		return typical(n, 1)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	src, err := instrprof.OpenIndexed(data, nil)
	if err != nil {
		b.Fatal(err)
	}
	return src
}

func BenchmarkWrite(b *testing.B) {
	src := scaleSource(b, 10_000)
	dir := b.TempDir()
	path := filepath.Join(dir, "profile.db")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := WriteProfileFile(b.Context(), path, ProfileInput{Source: src, Preview: filepath.Join(dir, "preview.db")}, nil); err != nil {
			b.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err == nil {
		b.ReportMetric(float64(info.Size())/1e6, "MB")
	}
}

func BenchmarkCollect(b *testing.B) {
	src := scaleSource(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		c, err := collect(b.Context(), src, func(uint64, uint64) {})
		if err != nil {
			b.Fatal(err)
		}
		c.overview(ProfileInput{Source: src})
	}
}
