package llvm

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
)

// A raw file whose records stay in it is what adding it up gives.
func TestOneRaw(t *testing.T) {
	paths, err := filepath.Glob("../instrprof/testdata/raw/*.profraw")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	stay := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := instrprof.OpenCorrelated(data, nil, nil)
		if err != nil {
			continue
		}
		one, err := sums.OneRaw(t.Context(), path, raw)
		m := sums.NewMerger()
		if other := m.Add(t.Context(), path, raw, 1); (err == nil) != (other == nil) {
			t.Errorf("%s: %v, and added up %v", path, err, other)
		}
		if one == nil {
			continue
		}
		stay++
		want := m.Source()
		if diff := cmp.Diff(recordsOf(t, want), recordsOf(t, one), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-added up +alone):\n%s", path, diff)
		}
		if diff := cmp.Diff(want.Info(), one.Info(), cmpopts.EquateEmpty(),
			cmpopts.IgnoreUnexported(instrprof.Info{})); diff != "" {
			t.Errorf("%s (-added up +alone):\n%s", path, diff)
		}
		if diff := cmp.Diff(want.Findings(), one.Findings(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-added up +alone):\n%s", path, diff)
		}
	}
	if stay < len(paths)/2 {
		t.Errorf("the records of %d of %d files stay in them", stay, len(paths))
	}
}

// recordsOf copies all records.
func recordsOf(t *testing.T, src instrprof.Source) (all []instrprof.Function) {
	t.Helper()
	for f, err := range src.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		copied := *f
		copied.Counters, copied.UniformCounters = slices.Clone(f.Counters), slices.Clone(f.UniformCounters)
		for k, sites := range f.Sites {
			copied.Sites[k] = nil
			for _, site := range sites {
				copied.Sites[k] = append(copied.Sites[k], slices.Clone(site))
			}
		}
		all = append(all, copied)
	}
	return all
}
