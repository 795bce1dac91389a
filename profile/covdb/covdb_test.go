package covdb_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/decode"
	"proflens/decode/covmap"
	"proflens/decode/format"
	"proflens/profile/covdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

const testdata = "../../decode/covmap/testdata/"

// opened stores a profile with its program, and joins the same.
func opened(t *testing.T, paths ...string) (*covdb.Profile, *coverage.Coverage) {
	t.Helper()
	for i := range paths {
		paths[i] = testdata + paths[i]
	}
	stored, _ := profiletest.Open(t, paths...)
	p, err := covdb.Of(stored)
	if err != nil {
		t.Fatal(err)
	}
	profile := decoded(t, paths...) // storing has taken the records of the other
	r, ok := format.PartOf[*covmap.Records](profile)
	if !ok {
		t.Fatal("no part")
	}
	c, err := coverage.JoinRecords(t.Context(), r, coverage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, c
}

func decoded(t *testing.T, paths ...string) *format.Profile {
	t.Helper()
	var files []format.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, format.File{Name: filepath.Base(path), Data: data})
	}
	p, err := decode.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// cases are profiles with programs of each kind.
var cases = [][]string{
	{"clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"},
	{"clang-22/dup/dup.profdata", "clang-22/dup/dup.exe"},
	{"clang-22/uni/uni.profdata", "clang-22/uni/uni.exe"},
	{"clang-22/lto/lto.profdata", "clang-22/lto/lto.exe"},
	{"clang-22/single_byte/single_byte.profdata", "clang-22/single_byte/single_byte.exe"},
	{"clang-22/correlate/correlate.profdata", "clang-22/correlate/correlate.exe"},
	{"rustc-stable/shop/shop.profdata", "rustc-stable/shop/shop.exe"},
	{"joined/stale.profdata", "joined/stale.exe"},
	{"joined/order.profdata", "joined/libbar.so", "joined/order.exe"},
	{"joined/short.profdata", "joined/tiny.exe"},
	{"joined/calc.profdata", "clang-22/archive/libcalc.a"},
	{"joined/xmac.profdata", "clang-22/coff/coff.o"},
	{"joined/xmac.profdata", "clang-22/wasm/wasm.wasm"},
	{"joined/xmac.profdata", "clang-22/pe/pe.exe"},
	{"joined/xmac.profdata", "clang-22/fat/fat.dylib"},
	{"clang-22/rules/rules.profraw", "clang-22/rules/rules.exe"},
}

// What is read back is what was joined: the numbers of files and functions, and every
// view of a file.
func TestStoredIsJoined(t *testing.T) {
	for _, files := range cases {
		t.Run(files[0]+" "+files[1], func(t *testing.T) {
			p, c := opened(t, slices.Clone(files)...)
			list, _, err := p.Files(t.Context(), covdb.FileQuery{RowQuery: query.RowQuery{
				Sort: []query.Key{{Column: "name"}}, Limit: 1 << 20,
			}})
			if err != nil || len(list) != len(c.Files) {
				t.Fatalf("%d files, expected %d: %v", len(list), len(c.Files), err)
			}
			for i, s := range c.Summaries(nil) {
				f := list[i]
				if f.Name != c.Files[i].Name || f.Summary != s {
					t.Errorf("%s: %+v, expected %+v", f.Name, f.Summary, s)
				}
				part, at, err := p.File(t.Context(), i)
				if err != nil {
					t.Fatal(err)
				}
				got, want := part.UnionView(at), c.UnionView(i)
				if !slices.Equal(got.Segments, want.Segments) || len(got.Branches) != len(want.Branches) ||
					len(got.Expansions) != len(want.Expansions) || len(got.Decisions) != len(want.Decisions) {
					t.Errorf("%s: another view", f.Name)
				}
				for n := range got.Decisions {
					if a, b := got.Decisions[n], want.Decisions[n]; a.Metric() != b.Metric() || len(a.Vectors) != len(b.Vectors) ||
						a.Start != b.Start || a.False != b.False {
						t.Errorf("%s: decision %d is %+v, expected %+v", f.Name, n, a, b)
					}
				}
				if got, want := part.Groups(at), c.Groups(i); len(got) != len(want) {
					t.Errorf("%s: %d groups, expected %d", f.Name, len(got), len(want))
				}
			}
			all, err := p.Functions(t.Context(), covdb.FunctionQuery{
				Instances: true, RowQuery: query.RowQuery{Sort: []query.Key{{Column: "index"}}, Limit: 1 << 20},
			})
			if err != nil || len(all.Rows) != len(c.Functions) || !all.Complete {
				t.Fatalf("%d functions, expected %d: %v", len(all.Rows), len(c.Functions), err)
			}
			for i := range c.Functions {
				f, got := &c.Functions[i], &all.Rows[i]
				if got.Shown != f.Name || got.Count != f.Count() || got.Summary != c.Summary(f) ||
					(covmap.Position{Line: got.Line, Column: got.Column}) != f.Start() {
					t.Errorf("%+v, expected %+v", got, f)
				}
			}
			groups, err := p.Functions(t.Context(), covdb.FunctionQuery{RowQuery: query.RowQuery{Limit: 1 << 20}})
			if o := &p.Overview.Totals; err != nil || groups.Totals.Functions != o.Functions || groups.Totals.Lines != o.Lines {
				t.Errorf("groups come to %+v, the whole to %+v: %v", groups.Totals, o.Summary, err)
			}
			tree, err := p.Tree(t.Context(), "", covdb.TreeQuery{Limit: 1000})
			if err != nil || tree.Node.Sums != p.Overview.Totals || tree.Node.Files != len(c.Files) {
				t.Errorf("the tree comes to %+v: %v", tree.Node.Sums, err)
			}
			find, err := p.FindDecisions(t.Context(), covdb.DecisionQuery{Instances: true})
			if err != nil {
				t.Fatal(err)
			}
			decisions, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 1 << 20}})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for i := range c.Functions {
				n += len(c.Functions[i].Decisions)
			}
			if decisions.Len() != n {
				t.Errorf("%d decisions, expected %d", decisions.Len(), n)
			}
		})
	}
}

// The lines of a file that are partly covered are those that its view shows so, and what
// the union of instances counts is what the view's lines count.
func TestUnionIsTheView(t *testing.T) {
	for _, files := range cases {
		p, _ := opened(t, slices.Clone(files)...)
		for i := range p.Overview.Files {
			f, err := p.FileAt(i)
			if err != nil {
				t.Fatal(err)
			}
			c, at, err := p.File(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			var lines coverage.Metric
			partly, sides := 0, 0
			for _, r := range c.UnionView(at).Rows() {
				n := int(r.Last-r.First) + 1
				sides += len(r.Sides)
				switch r.State {
				case coverage.Partly:
					partly += n
					fallthrough
				case coverage.Ran:
					lines.Covered += n
					fallthrough
				case coverage.Missed:
					lines.Total += n
				}
			}
			if lines != f.Union.Lines || partly != f.Partly || sides != f.Conditions {
				t.Errorf("%s: %+v and %d partly with %d conditions, expected %+v, %d and %d", f.Name, f.Union.Lines, f.Partly,
					f.Conditions, lines, partly, sides)
			}
		}
	}
}

// Paths are without what all names begin with, of one file without its directory; of files that are all
// of one kind, that is one's own.
func TestPathsAndKinds(t *testing.T) {
	for _, files := range cases {
		p, c := opened(t, slices.Clone(files)...)
		prefix := p.Overview.Prefix
		if prefix != "" && !strings.HasSuffix(prefix, "/") && !strings.HasSuffix(prefix, `\\`) {
			t.Errorf("%s: %q is no directory", files[0], prefix)
		}
		own, kinds := false, map[sources.Kind]int{}
		for i := range c.Files {
			name, ok := strings.CutPrefix(c.Files[i].Name, prefix)
			f, err := p.FileAt(i)
			if err != nil {
				t.Fatal(err)
			}
			path := strings.TrimLeft(strings.ReplaceAll(name, `\\`, "/"), "/")
			if !ok || f.Path != path || len(c.Files) == 1 && strings.Contains(path, "/") {
				t.Errorf("%s: %s is %s without %q", files[0], c.Files[i].Name, f.Path, prefix)
			}
			kind := sources.KindOf(path)
			kinds[kind]++
			own = own || kind == sources.Own
		}
		delete(kinds, sources.Own)
		if !own {
			clear(kinds)
		}
		if !maps.Equal(p.Overview.Kinds, kinds) {
			t.Errorf("%s: kinds are %v, not %v", files[0], p.Overview.Kinds, kinds)
		}
	}
}
