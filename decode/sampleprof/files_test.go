package sampleprof_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/decode/wire"
)

// real are the profiles of testdata, by path.
func real(tb testing.TB) map[string][]byte {
	tb.Helper()
	list := map[string][]byte{}
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "fuzz") || !strings.Contains(filepath.Ext(path), "afdo") {
			return err
		}
		list[path], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(list) < 40 {
		tb.Fatal(len(list), err)
	}
	return list
}

func file(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func open(tb testing.TB, data []byte) *sampleprof.Profile {
	tb.Helper()
	p, err := sampleprof.Open(data, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// fault is the error for data that must be refused.
func fault(tb testing.TB, data []byte) *model.FormatError {
	tb.Helper()
	_, err := sampleprof.Open(data, &wire.Recorder{})
	f, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		tb.Fatalf("%q: %v", data[:min(len(data), 40)], err)
	}
	return f
}

// sound fails when records are out of order, stand twice, or name what there is not.
func sound(tb testing.TB, p *sampleprof.Profile) {
	tb.Helper()
	for i, f := range p.Functions {
		if i > 0 && p.Functions[i-1].Total < f.Total {
			tb.Fatalf("function %d is out of order", i)
		}
		if (f.Context >= 0) != p.Has(sampleprof.FullContexts) {
			tb.Fatalf("function %d has context %d", i, f.Context)
		}
		_ = p.ContextText(f)
		_ = p.Entry(f)
		soundFunction(tb, p, f)
	}
}

func soundFunction(tb testing.TB, p *sampleprof.Profile, f *sampleprof.Function) {
	tb.Helper()
	_ = p.Name(f.Name)
	for i, r := range f.Body {
		if i > 0 && f.Body[i-1].Compare(r.Loc) >= 0 {
			tb.Fatal("records are out of order")
		}
		for n, t := range r.Targets {
			_ = p.Name(t.Name)
			if n > 0 && r.Targets[n-1].Count < t.Count {
				tb.Fatal("targets are out of order")
			}
		}
	}
	for i, s := range f.Sites {
		if i > 0 && f.Sites[i-1].Compare(s.Loc) > 0 {
			tb.Fatal("callsites are out of order")
		}
		if i > 0 && f.Sites[i-1].Loc == s.Loc && f.Sites[i-1].Callee.Name == s.Callee.Name {
			tb.Fatal("a callee stands twice")
		}
		soundFunction(tb, p, s.Callee)
	}
	for i, v := range f.VTables {
		_ = p.Name(v.Type)
		if i > 0 && f.VTables[i-1].Compare(v.Loc) > 0 {
			tb.Fatal("types are out of order")
		}
	}
}
