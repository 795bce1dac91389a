package sampledb_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
	encode "proflens/encode/sampleprof"
	"proflens/profile/profiletest"
	"proflens/profile/sampledb"
)

const testdata = "../../decode/sampleprof/testdata"

// examples are profiles of every form with the text that llvm-profdata writes of them.
func examples(t *testing.T) (paths []string) {
	t.Helper()
	texts, err := filepath.Glob(testdata + "/*/*.proftext.golden")
	if err != nil || len(texts) < 10 {
		t.Fatal(len(texts), err)
	}
	for _, text := range texts {
		paths = append(paths, strings.TrimSuffix(text, ".proftext.golden"))
	}
	return paths
}

func open(t *testing.T, path string) *sampledb.Profile {
	t.Helper()
	stored, _ := profiletest.Open(t, path)
	p, err := sampledb.Of(stored)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is read back from the tables is what llvm-profdata says of the file.
func TestWholeProfile(t *testing.T) {
	for _, path := range examples(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := open(t, path)
			whole, err := p.Whole(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := encode.Text(&got, whole); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(path + ".proftext.golden")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got\n%.2000s\nwant\n%.2000s", got.Bytes(), want)
			}
		})
	}
}

// Figures by name are those of the functions added up, and no count is lost or counted
// twice between functions and what is inlined into them.
func TestNamesAddUp(t *testing.T) {
	for _, path := range examples(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := open(t, path)
			names, err := p.Names(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var own, sum, total, stacks uint64
			for i := range names {
				own, sum, total = own+names[i].Own(), sum+names[i].Sum, total+names[i].Total
			}
			o := p.Overview
			if o.Max >= 1<<62 {
				return // sums stop at the largest number
			}
			if own != o.Samples.Lo || sum != o.Samples.Lo {
				t.Errorf("own counts %d, counts %d of %d", own, sum, o.Samples.Lo)
			}
			err = p.EachStack(t.Context(), func(s *sampledb.Stack) error {
				stacks += s.Body
				if n := names[s.Names[len(s.Names)-1]]; n.Own() < s.Body {
					t.Errorf("%s has %d of %d", n.Linkage, s.Body, n.Own())
				}
				return nil
			})
			if err != nil || stacks != own {
				t.Errorf("stacks have %d of %d: %v", stacks, own, err)
			}
			whole, err := p.Whole(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			hot := sample.Hot(whole)
			if hot.Samples != total || hot.Threshold != o.HotCount {
				t.Errorf("totals %d, hot from %d; want %d, %d", total, o.HotCount, hot.Samples, hot.Threshold)
			}
		})
	}
}

// Functions come by total, and a function of several contexts is their sum.
func TestFunctions(t *testing.T) {
	for _, path := range examples(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := open(t, path)
			page, err := p.Find(t.Context(), sampledb.Query{})
			if err != nil {
				t.Fatal(err)
			}
			q := sampledb.Query{}
			q.Limit = page.Matching
			if page, err = p.Find(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			whole, err := p.Whole(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			leaves := whole.WithoutContexts()
			if len(page.Rows) != len(leaves.Functions) || page.All != p.Overview.Functions {
				t.Fatalf("%d functions; want %d", len(page.Rows), len(leaves.Functions))
			}
			byName := map[string]*sampleprof.Function{}
			for _, f := range leaves.Functions {
				byName[leaves.Name(f.Name)] = f
			}
			for i, row := range page.Rows {
				if i > 0 && row.Total > page.Rows[i-1].Total {
					t.Errorf("function %d has more than the one before", i)
				}
				f, err := p.Function(t.Context(), row)
				if err != nil {
					t.Fatal(err)
				}
				want := byName[whole.Name(sampleprof.NameID(row.ID-1))]
				if want == nil || f.Total != want.Total || f.Head != want.Head || len(f.Body) != len(want.Body) ||
					len(f.Sites) != len(want.Sites) {
					t.Errorf("%s is %+v; want %+v", row.Linkage, f, want)
				}
				before, after := row.Neighbours()
				if int(row.Rank) != i+1 || (i > 0) != (before != nil) || i > 0 && before != page.Rows[i-1] ||
					(i+1 < len(page.Rows)) != (after != nil) || after != nil && after != page.Rows[i+1] {
					t.Errorf("%s has rank %d, after %+v and before %+v", row.Linkage, row.Rank, before, after)
				}
			}
		})
	}
}

// A name of digits is a hash, also in text: it is the address of the function.
func TestNamesOfDigits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "md5.afdotext")
	const text = "6699318081062747564:10:1\n 1: 10 foo:3\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, path)
	n, err := p.ByGUID(t.Context(), sampleprof.Hash("foo"))
	if err != nil || n.Entries != 1 || n.Total != 10 {
		t.Fatalf("%+v, %v", n, err)
	}
	whole, err := p.Whole(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := encode.Text(&got, whole); err != nil || got.String() != text {
		t.Errorf("%q, %v", got.String(), err)
	}
}
