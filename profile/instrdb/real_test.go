package instrdb_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"proflens/decode/instrprof"
	"proflens/profile/instrdb"
)

// TestRealProfiles stores files of the compiler's own tools and reads every
// record back. The summary computed from the records must be the one that
// llvm-profdata stored in the file.
func TestRealProfiles(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.profdata")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			src, err := instrprof.OpenIndexed(data, nil)
			if err != nil {
				t.Fatal(err)
			}
			held := &synthetic{info: *src.Info()}
			for f, err := range src.Functions() {
				if err != nil {
					t.Fatal(err)
				}
				held.functions = append(held.functions, cloneFunction(f))
			}
			p, want := openSource(t, src), newNaive(held)
			page, err := p.Functions(t.Context(), instrdb.Query{Limit: len(held.functions)})
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range page.Rows {
				if diff := gocmp.Diff(want.rows[i].Row, row, sameRows...); diff != "" {
					t.Fatalf("row %d (-want +got):\n%s", i, diff)
				}
				records, _, err := p.Function(t.Context(), row.Ref, nil)
				if err != nil {
					t.Fatal(err)
				}
				of := slices.IndexFunc(records, func(r instrdb.Record) bool { return r.Rank == row.Rank })
				if of < 0 {
					t.Fatalf("rank %d is not among the records of its name", row.Rank)
				}
				if diff := gocmp.Diff(want.rows[i], records[of], sameRows...); diff != "" {
					t.Fatalf("record %d (-want +got):\n%s", i, diff)
				}
			}
			o := p.Overview
			if diff := gocmp.Diff(o.Info.Summary, &o.Summary, sameRows...); diff != "" {
				t.Errorf("summary (-stored in the file +computed):\n%s", diff)
			}
			if o.Info.CSSummary != nil {
				if diff := gocmp.Diff(o.Info.CSSummary, o.CSSummary, sameRows...); diff != "" {
					t.Errorf("context-sensitive summary (-stored in the file +computed):\n%s", diff)
				}
			}
			if len(page.Rows) != len(held.functions) {
				t.Errorf("%d rows of %d records", len(page.Rows), len(held.functions))
			}
		})
	}
}

// cloneFunction copies a record out of its iterator.
func cloneFunction(f *instrprof.Function) instrprof.Function {
	c := *f
	c.Name, c.Counters, c.Bitmap = slices.Clone(f.Name), slices.Clone(f.Counters), slices.Clone(f.Bitmap)
	for kind, sites := range f.Sites {
		c.Sites[kind] = nil
		for _, site := range sites {
			c.Sites[kind] = append(c.Sites[kind], slices.Clone(site))
		}
	}
	return c
}
