package instrdb_test

import (
	"os"
	"path/filepath"
	"testing"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/names"
	"proflens/profile"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
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
		if _, err := profile.Write(b.Context(), path,
			profile.Input{Profile: partOf(src), Preview: filepath.Join(dir, "preview.db")}, nil); err != nil {
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
		if _, err := instrdb.Collect(b.Context(), src); err != nil {
			b.Fatal(err)
		}
	}
}

// warm asks until the answer is complete.
func warm(b *testing.B, path string, c *stored.Cache, q instrdb.Query) {
	b.Helper()
	p, err := stored.OpenWith(path, c)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for {
		page, err := of(b, p).Functions(b.Context(), q)
		if err != nil {
			b.Fatal(err)
		}
		if page.Complete {
			return
		}
	}
}

// BenchmarkCompare measures the first page of comparing two profiles that nobody has looked at.
func BenchmarkCompare(b *testing.B) {
	var paths [2]string
	for side := range paths {
		paths[side] = filepath.Join(b.TempDir(), "profile.db")
		if _, err := profile.Write(b.Context(), paths[side], profile.Input{Profile: partOf(typical(20_000, 1))},
			nil); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		cache := stored.NewCache(cacheBytes)
		var sides [2]*instrdb.Profile
		for side, path := range paths {
			p, err := stored.OpenWith(path, cache)
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			sides[side] = of(b, p)
		}
		c, err := instrdb.Compare(b.Context(), sides[0], sides[1])
		if err != nil {
			b.Fatal(err)
		}
		find := c.Find(instrdb.CompareQuery{})
		if _, err := find(b.Context(), table.Query{RowQuery: query.RowQuery{Limit: 100}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkQuery measures what a page costs: with nothing in the cache, and
// with the order there.
func BenchmarkQuery(b *testing.B) {
	path := filepath.Join(b.TempDir(), "profile.db")
	if _, err := profile.Write(b.Context(), path, profile.Input{Profile: partOf(scaleSource(b, 10_000))},
		nil); err != nil {
		b.Fatal(err)
	}
	hot := []analyze.Class{analyze.Hot}
	for name, q := range map[string]instrdb.Query{
		"default":      {Limit: 100},
		"default/deep": {Offset: 9000, Limit: 100},
		"max":          {Sort: []query.Key{{Column: instrdb.ColMax, Desc: true}}, Limit: 100},
		"max/deep":     {Sort: []query.Key{{Column: instrdb.ColMax, Desc: true}}, Offset: 9000, Limit: 100},
		"name":         {Sort: []query.Key{{Column: instrdb.ColName}}, Limit: 100},
		"three columns": {
			Sort: []query.Key{{Column: instrdb.ColCounters, Desc: true}, {Column: instrdb.ColZero},
				{Column: instrdb.ColName, Desc: true}}, Limit: 100,
		},
		"class":        {Classes: hot, Limit: 100},
		"text/common":  {Names: query.Names{Text: "set"}, Limit: 100},
		"text/rare":    {Names: query.Names{Text: "Prunequeue"}, Limit: 100},
		"text/missing": {Names: query.Names{Text: "zzyzx"}, Limit: 100},
		"text/scoped":  {Names: query.Names{Text: "store::"}, Limit: 100},
		"regexp":       {Names: query.Names{Regexp: "get(Row|query.Column)[0-9a-f]+"}, Limit: 100},
		"path":         {Names: query.Names{Path: "base/"}, Limit: 100},
		"merged":       {Merge: true, Mode: names.NoTemplates, Limit: 100},
		"merged/max": {
			Merge: true, Mode: names.NoTemplates, Sort: []query.Key{{Column: instrdb.ColMax, Desc: true}}, Limit: 100,
		},
	} {
		run := func(b *testing.B, cache func() *stored.Cache) {
			c := cache()
			for b.Loop() {
				p, err := stored.OpenWith(path, c)
				if err != nil {
					b.Fatal(err)
				}
				page, err := of(b, p).Functions(b.Context(), q)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(page.Matching), "matching")
				p.Close()
				c = cache()
			}
		}
		b.Run("new/"+name, func(b *testing.B) { run(b, func() *stored.Cache { return stored.NewCache(cacheBytes) }) })
		known := stored.NewCache(cacheBytes)
		warm(b, path, known, q)
		b.Run("known/"+name, func(b *testing.B) { run(b, func() *stored.Cache { return known }) })
	}
	p, err := stored.OpenWith(path, stored.NewCache(cacheBytes))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	page, err := of(b, p).Functions(b.Context(), instrdb.Query{Offset: 5000, Limit: 100})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("function", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := of(b, p).Function(b.Context(), page.Rows[50].Ref, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("names", func(b *testing.B) {
		var refs []uint64
		for _, r := range page.Rows {
			refs = append(refs, r.Ref)
		}
		for b.Loop() {
			if _, err := of(b, p).NamesOf(b.Context(), refs); err != nil {
				b.Fatal(err)
			}
		}
	})
}
