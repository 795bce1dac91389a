package store

import (
	"os"
	"path/filepath"
	"testing"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/names"
)

// scaleSource is what benchmarks run on: the indexed profile that PROFLENS_SCALE
// names, or n made-up records.
func scaleSource(b *testing.B, n int) instrprof.Source {
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

// warm asks until the answer is complete.
func warm(b *testing.B, path string, c *Cache, q FunctionQuery) {
	b.Helper()
	p, err := openProfile(path, c)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for {
		page, err := p.Functions(b.Context(), q)
		if err != nil {
			b.Fatal(err)
		}
		if page.Complete {
			return
		}
	}
}

// BenchmarkQuery measures what a page costs: with nothing in the cache, and
// with the order there.
func BenchmarkQuery(b *testing.B) {
	path := filepath.Join(b.TempDir(), "profile.db")
	if _, err := WriteProfileFile(b.Context(), path, ProfileInput{Source: scaleSource(b, 10_000)}, nil); err != nil {
		b.Fatal(err)
	}
	hot := []analyze.Class{analyze.Hot}
	for name, q := range map[string]FunctionQuery{
		"default":       {Limit: 100},
		"default/deep":  {Offset: 9000, Limit: 100},
		"max":           {Sort: []SortKey{{ColMax, true}}, Limit: 100},
		"max/deep":      {Sort: []SortKey{{ColMax, true}}, Offset: 9000, Limit: 100},
		"name":          {Sort: []SortKey{{ColName, false}}, Limit: 100},
		"three columns": {Sort: []SortKey{{ColCounters, true}, {ColZero, false}, {ColName, true}}, Limit: 100},
		"class":         {Classes: hot, Limit: 100},
		"text/common":   {Text: "set", Limit: 100},
		"text/rare":     {Text: "Prunequeue", Limit: 100},
		"text/missing":  {Text: "zzyzx", Limit: 100},
		"text/scoped":   {Text: "store::", Limit: 100},
		"regexp":        {Regexp: "get(Row|Column)[0-9a-f]+", Limit: 100},
		"path":          {Path: "base/", Limit: 100},
		"merged":        {Merge: true, Mode: names.NoTemplates, Limit: 100},
		"merged/max":    {Merge: true, Mode: names.NoTemplates, Sort: []SortKey{{ColMax, true}}, Limit: 100},
	} {
		run := func(b *testing.B, cache func() *Cache) {
			c := cache()
			for b.Loop() {
				p, err := openProfile(path, c)
				if err != nil {
					b.Fatal(err)
				}
				page, err := p.Functions(b.Context(), q)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(page.Matching), "matching")
				p.Close()
				c = cache()
			}
		}
		b.Run("new/"+name, func(b *testing.B) { run(b, func() *Cache { return NewCache(defaultCacheBytes) }) })
		known := NewCache(defaultCacheBytes)
		warm(b, path, known, q)
		b.Run("known/"+name, func(b *testing.B) { run(b, func() *Cache { return known }) })
	}
	p, err := openProfile(path, NewCache(defaultCacheBytes))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	page, err := p.Functions(b.Context(), FunctionQuery{Offset: 5000, Limit: 100})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("function", func(b *testing.B) {
		for b.Loop() {
			if _, err := p.Function(b.Context(), page.Rows[50].NameRef); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("names", func(b *testing.B) {
		var refs []uint64
		for _, r := range page.Rows {
			refs = append(refs, r.NameRef)
		}
		for b.Loop() {
			if _, err := p.NamesOf(b.Context(), refs); err != nil {
				b.Fatal(err)
			}
		}
	})
}
