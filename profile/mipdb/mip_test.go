package mipdb_test

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/profile/mipdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/stored"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/analyze"
	"proflens/decode/format"
	"proflens/decode/mip"
	"proflens/names"
)

// openMIP stores a Machine IR Profile of files of package decode/mip and opens
// it.
func openMIP(t testing.TB, paths ...string) (*mipdb.Profile, *mip.Profile) {
	t.Helper()
	var files []string
	for _, path := range paths {
		files = append(files, filepath.Join("../../decode/mip/testdata", path))
	}
	p, decoded := profiletest.Open(t, files...)
	m, _ := format.PartOf[*mip.Profile](decoded)
	return of(t, p), m
}

func storeMIP(t testing.TB, m *mip.Profile) *mipdb.Profile {
	t.Helper()
	return of(t, profiletest.Store(t, profiletest.Of(mip.Family, m)))
}

func of(t testing.TB, p *stored.Profile) *mipdb.Profile {
	t.Helper()
	m, err := mipdb.Of(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var mergedRuns = []string{
	"merged/counts.mipmap", "merged/counts.0.mipraw", "merged/counts.1.mipraw", "merged/counts.2.mipraw",
}

// mipSets are profiles of all kinds.
var mipSets = map[string][]string{
	"counts":         mergedRuns,
	"coverage":       {"merged/coverage.mipmap", "merged/coverage.0.mipraw", "merged/coverage.1.mipraw"},
	"blocks":         {"blocks/small.mipmap", "blocks/small.mipraw"},
	"counts, blocks": {"counts_blocks/small.mip"},
	"map":            {"names/all.mipmap"},
	"twins":          {"names/duplicate.mipmap", "names/duplicate.mipraw"},
	"huge":           {"numbers/huge.mip"},
	"unnamed":        {"variants/no_names.mip"},
	"empty":          {"hand/none.mip"},
	"raw":            {"merged/counts.0.mipraw"},
}

func TestMIPFunctionsAreThoseOfTheFile(t *testing.T) {
	for name, paths := range mipSets {
		t.Run(name, func(t *testing.T) {
			p, m := openMIP(t, paths...)
			var got []mipdb.Row
			for {
				page, err := p.Functions(t.Context(), mipdb.Query{
					Sort: []query.Key{{Column: mipdb.ColIndex}}, Offset: len(got), Limit: 3,
				})
				if err != nil {
					t.Fatal(err)
				}
				if page.All != len(m.Functions) || page.Matching != len(m.Functions) || !page.Complete {
					t.Fatalf("%+v of %d", page, len(m.Functions))
				}
				if len(page.Rows) == 0 {
					break
				}
				got = append(got, page.Rows...)
			}
			if len(got) != len(m.Functions) {
				t.Fatalf("%d functions of %d", len(got), len(m.Functions))
			}
			for i, row := range got {
				f := &m.Functions[i]
				if !bytes.Equal(row.Name, f.Name) || row.Signature != f.Signature || row.RawOffset != f.RawOffset ||
					row.Offset != f.Offset ||
					row.Size != f.Size || row.CFGSignature != f.CFGSignature || row.MergeCount != f.MergeCount ||
					row.Calls != f.CallCount ||
					row.TimestampSum != f.TimestampSum || row.Executed != f.Executed() || row.NameSource != f.NameSource {
					t.Errorf("%d: %+v, want %+v", i, row, f)
				}
				whole, err := p.Function(t.Context(), row.FID)
				if err != nil {
					t.Fatal(row.FID, err)
				}
				if diff := gocmp.Diff(row, whole.Row, cmpopts.IgnoreUnexported(mipdb.Row{})); diff != "" {
					t.Errorf("%s: %s", row.FID, diff)
				}
				if len(f.Blocks)+len(whole.BlockData) > 0 && !slices.Equal(f.Blocks, whole.BlockData) {
					t.Errorf("%s: blocks %v, want %v", row.FID, whole.BlockData, f.Blocks)
				}
				checkSpans(t, whole)
				checkFunctionRuns(t, m, i, whole.Runs)
			}
		})
	}
}

// checkSpans checks that spans are the function's bytes, once each.
func checkSpans(t *testing.T, f *mipdb.Function) {
	t.Helper()
	at, covered := uint32(0), uint64(0)
	for _, s := range f.Spans {
		if s.From != at || s.To < s.From {
			t.Errorf("%s: span %+v at %d", f.FID, s, at)
		}
		if at = s.To; s.Covered {
			covered += uint64(s.To - s.From)
		}
	}
	if at != f.Size || covered != f.CoveredBytes {
		t.Errorf("%s: spans of %d bytes, %d covered; want %d, %d", f.FID, at, covered, f.Size, f.CoveredBytes)
	}
}

func checkFunctionRuns(t *testing.T, m *mip.Profile, i int, got []mipdb.FunctionRun) {
	t.Helper()
	var want []mipdb.FunctionRun
	for n := range m.Runs {
		if run := &m.Runs[n]; run.Executed.Has(i) {
			r := mipdb.FunctionRun{Run: n + 1}
			if run.Calls != nil {
				r.Calls, r.First = run.Calls[i], run.First[i]
			}
			want = append(want, r)
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("runs of function %d: %s", i, diff)
	}
}

func TestMIPFID(t *testing.T) {
	p, m := openMIP(t, mipSets["twins"]...)
	seen := map[string]bool{}
	twins := 0
	page, err := p.Functions(t.Context(), mipdb.Query{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range page.Rows {
		if seen[row.FID] {
			t.Errorf("%s twice", row.FID)
		}
		seen[row.FID] = true
		if strings.Contains(row.FID, "-") {
			twins++
			f, err := p.Function(t.Context(), row.FID[:16])
			if err != nil || len(f.Twins) == 0 {
				t.Error(row.FID, err)
			}
		}
	}
	if twins == 0 || len(seen) != len(m.Functions) {
		t.Errorf("%d twins of %d", twins, len(seen))
	}
	for _, fid := range []string{
		"", "1", "0123456789abcdeg", "0123456789abcdef", "0123456789ABCDEF", page.Rows[0].FID[:16] + "-",
		page.Rows[0].FID[:16] + "-ffff",
	} {
		if _, err := p.Function(t.Context(), fid); err != stored.ErrNoPart {
			t.Errorf("%q: %v", fid, err)
		}
	}
}

func TestMIPOverview(t *testing.T) {
	for name, paths := range mipSets {
		p, m := openMIP(t, paths...)
		o := p.Overview
		var want analyze.MIPTotals
		saturated, removed := 0, uint64(0)
		for i := range m.Functions {
			f := &m.Functions[i]
			want.Functions++
			want.Bytes += uint64(f.Size)
			want.Blocks++
			if f.Executed() {
				want.Executed++
				want.ExecutedBytes += uint64(f.Size)
				want.CoveredBlocks++
			}
			for _, b := range f.Blocks {
				switch {
				case b.Removed():
					removed++
				case b.Covered:
					want.CoveredBlocks++
					want.Blocks++
				default:
					want.Blocks++
				}
			}
			if m.HasTimestamps() {
				want.Calls.Add(f.CallCount)
			}
			if m.HasTimestamps() && f.CallCount >= mip.MaxCalls {
				saturated++
			}
		}
		want.CoveredBytes = o.CoveredBytes
		if diff := gocmp.Diff(want, o.MIPTotals); diff != "" || o.Saturated != saturated || o.RemovedBlocks != removed ||
			o.Runs != len(m.Runs) {
			t.Errorf("%s: %s %+v", name, diff, o)
		}
		if !m.HasBlocks() && o.CoveredBytes != o.ExecutedBytes || o.CoveredBytes > o.ExecutedBytes && !m.HasBlocks() ||
			o.CoveredBytes > o.Bytes {
			t.Errorf("%s: %d bytes covered of %d executed", name, o.CoveredBytes, o.ExecutedBytes)
		}
		if o.ModuleHash != m.Header.ModuleHash || o.ProfileType != m.Header.ProfileType || o.MapFile != m.MapFile {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestMIPQueries(t *testing.T) {
	p, m := openMIP(t, mergedRuns...)
	yes, no := true, false
	ran := func(run, i int) bool { return m.Runs[run-1].Executed.Has(i) }
	matcher, _ := names.NewMatcher("get", "")
	for name, test := range map[string]struct {
		q       mipdb.Query
		matches func(i int) bool
	}{
		"all":      {mipdb.Query{}, func(int) bool { return true }},
		"executed": {mipdb.Query{Executed: &yes}, func(i int) bool { return m.Functions[i].Executed() }},
		"dead":     {mipdb.Query{Executed: &no}, func(i int) bool { return !m.Functions[i].Executed() }},
		"run":      {mipdb.Query{Run: 2}, func(i int) bool { return ran(2, i) }},
		"only":     {mipdb.Query{OnlyRun: 1}, func(i int) bool { return ran(1, i) && !ran(2, i) && !ran(3, i) }},
		"often":    {mipdb.Query{MinRuns: 2}, func(i int) bool { return m.Functions[i].MergeCount >= 2 }},
		"range": {
			mipdb.Query{Ranges: []query.Range{{Column: mipdb.ColSize, Min: 100, Max: 500}}},
			func(i int) bool { return m.Functions[i].Size >= 100 && m.Functions[i].Size <= 500 },
		},
		"text": {
			mipdb.Query{Names: query.Names{Text: "get"}}, func(i int) bool { return matcher.Match(m.Functions[i].Name) },
		},
		"both": {
			mipdb.Query{Names: query.Names{Text: "get"}, Executed: &yes},
			func(i int) bool { return matcher.Match(m.Functions[i].Name) && m.Functions[i].Executed() },
		},
		"saturated": {mipdb.Query{Saturated: &yes}, func(i int) bool { return m.Functions[i].CallCount >= mip.MaxCalls }},
	} {
		test.q.Limit = 1000
		page, err := p.Functions(t.Context(), test.q)
		if err != nil {
			t.Fatal(name, err)
		}
		var want, got []int
		var bytes uint64
		for i := range m.Functions {
			if test.matches(i) {
				want = append(want, i)
				bytes += uint64(m.Functions[i].Size)
			}
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(m.Functions[b].Size, m.Functions[a].Size) })
		for _, row := range page.Rows {
			got = append(got, row.Index)
		}
		if diff := gocmp.Diff(want, got); diff != "" || page.Totals.Bytes != bytes ||
			page.Totals.Functions != uint64(len(want)) {
			t.Errorf("%s: %s, %+v", name, diff, page.Totals)
		}
	}
	for _, q := range []mipdb.Query{{Run: 4}, {OnlyRun: -1}} {
		if _, err := p.Functions(t.Context(), q); err != stored.ErrNoPart {
			t.Error(q, err)
		}
	}
	if _, err := p.Functions(t.Context(), mipdb.Query{Sort: []query.Key{{Column: "colour"}}}); err == nil {
		t.Error("sorted by colour")
	}
}

func TestMIPSorts(t *testing.T) {
	p, m := openMIP(t, mergedRuns...)
	first := func(i int) float64 {
		if f := &m.Functions[i]; f.MergeCount > 0 {
			return float64(f.TimestampSum) / float64(f.MergeCount)
		}
		return 1 << 60
	}
	linked, err := p.Functions(t.Context(), mipdb.Query{Sort: []query.Key{{Column: mipdb.ColIndex}}, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	share := func(i int) float64 { return float64(linked.Rows[i].CoveredBytes) / float64(linked.Rows[i].Size) }
	by := map[query.Column]func(a, b int) int{
		mipdb.ColShare: func(a, b int) int { return cmp.Compare(share(a), share(b)) },
		mipdb.ColIndex: func(a, b int) int { return cmp.Compare(a, b) },
		mipdb.ColName:  func(a, b int) int { return bytes.Compare(m.Functions[a].Name, m.Functions[b].Name) },
		mipdb.ColSize:  func(a, b int) int { return cmp.Compare(m.Functions[a].Size, m.Functions[b].Size) },
		mipdb.ColCalls: func(a, b int) int { return cmp.Compare(m.Functions[a].CallCount, m.Functions[b].CallCount) },
		mipdb.ColWeight: func(a, b int) int {
			return cmp.Compare(m.Functions[a].CallCount*uint64(m.Functions[a].Size),
				m.Functions[b].CallCount*uint64(m.Functions[b].Size))
		},
		mipdb.ColRuns:    func(a, b int) int { return cmp.Compare(m.Functions[a].MergeCount, m.Functions[b].MergeCount) },
		mipdb.ColFirst:   func(a, b int) int { return cmp.Compare(first(a), first(b)) },
		mipdb.ColAddress: func(a, b int) int { return cmp.Compare(m.Functions[a].Offset, m.Functions[b].Offset) },
		mipdb.ColBlocks:  nil, mipdb.ColMissed: nil, mipdb.ColCovered: nil,
	}
	for _, column := range mipdb.Columns {
		compare, ok := by[column]
		if !ok {
			t.Errorf("%s is not tested", column)
		}
		for _, desc := range []bool{false, true} {
			page, err := p.Functions(t.Context(), mipdb.Query{Sort: []query.Key{{Column: column, Desc: desc}}, Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			for n := 1; n < len(page.Rows) && compare != nil; n++ {
				a, b := page.Rows[n-1], page.Rows[n]
				c := compare(a.Index, b.Index)
				if desc && (column != mipdb.ColFirst || b.Executed) {
					c = -c
				}
				if c > 0 || c == 0 && a.Index > b.Index {
					t.Errorf("%s %v: %d before %d", column, desc, a.Index, b.Index)
				}
			}
		}
	}
}

func TestMIPStartup(t *testing.T) {
	p, m := openMIP(t, mergedRuns...)
	for _, q := range []mipdb.StartupQuery{{}, {Run: 2}, {MinRuns: 2}, {Run: 1, MinRuns: 3}} {
		s, err := p.Startup(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		order := analyze.MIPOrder(m.Functions)
		if q.Run > 0 {
			order = analyze.MIPRunOrder(&m.Runs[q.Run-1])
		}
		var want []uint32
		pages := map[int64]bool{}
		for _, i := range order {
			f := &m.Functions[i]
			if f.MergeCount < uint64(q.MinRuns) {
				continue
			}
			want = append(want, uint32(i))
			for at := f.Offset >> 12; f.Size > 0 && at <= (f.Offset+int64(f.Size)-1)>>12; at++ {
				pages[at] = true
			}
		}
		if diff := gocmp.Diff(want, s.Indices); diff != "" || s.Pages != uint64(len(pages)) || s.NeededPages > s.Pages {
			t.Errorf("%+v: %s; %d pages, want %d", q, diff, s.Pages, len(pages))
		}
	}
	for _, q := range []mipdb.StartupQuery{{Run: 4}, {Run: -1}} {
		if _, err := p.Startup(t.Context(), q); err != stored.ErrNoPart {
			t.Error(err)
		}
	}
	covered, _ := openMIP(t, mipSets["coverage"]...)
	if _, err := covered.Startup(t.Context(), mipdb.StartupQuery{}); err != stored.ErrNoPart {
		t.Error(err)
	}
}

func TestMIPRunsGrow(t *testing.T) {
	p, m := openMIP(t, mergedRuns...)
	runs, err := p.Runs(t.Context())
	if err != nil || len(runs) != 3 {
		t.Fatal(runs, err)
	}
	seen := map[int]bool{}
	for n, r := range runs {
		ran, only := uint64(0), uint64(0)
		for i := range m.Functions {
			if !m.Runs[n].Executed.Has(i) {
				continue
			}
			ran++
			seen[i] = true
			if m.Functions[i].MergeCount == 1 {
				only++
			}
		}
		if r.Run != n+1 || r.Functions != ran || r.OnlyFunctions != only || r.SumFunctions != uint64(len(seen)) ||
			r.File != filepath.Base(mergedRuns[n+1]) {
			t.Errorf("%+v; %d ran, %d only here, %d so far", r, ran, only, len(seen))
		}
	}
	o := p.Overview
	if last := runs[2]; last.SumFunctions != o.Executed || last.SumBytes != o.ExecutedBytes ||
		last.SumBlocks != o.CoveredBlocks {
		t.Errorf("%+v, of %+v", last, o)
	}
}

func TestMIPTree(t *testing.T) {
	for name, paths := range mipSets {
		p, m := openMIP(t, paths...)
		o := p.Overview
		for _, by := range []query.TreeBy{query.ByNamespace, query.ByPath} {
			tree, err := p.Tree(t.Context(), by)
			if err != nil {
				t.Fatal(name, err)
			}
			if diff := gocmp.Diff(o.MIPTotals, tree.Root().Sum); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			checkMIPNode(t, p, tree, tree.Root(), len(m.Functions))
		}
	}
}

// checkMIPNode checks that children add up to their parent, and that the filter
// of each finds as many functions, and the node itself.
func checkMIPNode(t *testing.T, p *mipdb.Profile, tree *mipdb.Tree, of mipdb.Node, depth int) {
	t.Helper()
	kids := tree.Children(of)
	var sum analyze.MIPTotals
	for i := range kids {
		kid := &kids[i]
		sum.Add(&kid.Sum)
		q := mipdb.Query{Names: query.Names{Path: kid.Filter}}
		if tree.By == query.ByNamespace {
			q = mipdb.Query{Scope: kid.Filter}
		}
		page, err := p.Functions(t.Context(), q)
		if err != nil || kid.Filter != "" && page.Totals != kid.Sum {
			t.Errorf("%s %q: %+v, want %+v, %v", tree.By, kid.Filter, page.Totals, kid.Sum, err)
		}
		if kid.Kind == query.Branch || kid.Kind == query.Leaf {
			if found, _, ok := tree.Find(kid.Path); !ok || found.Sum != kid.Sum {
				t.Errorf("%q is not found", kid.Path)
			}
		}
		if kid.Kind == query.Branch && depth > 0 {
			checkMIPNode(t, p, tree, *kid, depth-1)
		}
	}
	if len(kids) > 0 && sum != of.Sum {
		t.Errorf("%s %q: children are %+v, of %+v", tree.By, of.Path, sum, of.Sum)
	}
}

func TestMIPUnderscoreOfMachO(t *testing.T) {
	m := &mip.Profile{Form: mip.FormatMap, Header: mip.Header{ProfileType: mip.FunctionCoverage}}
	for i, name := range []string{"_main", "__ZN3app3runEv", "_helper"} {
		m.Functions = append(m.Functions, mip.Function{
			Name: []byte(name), NameSource: mip.NameMD5, Signature: uint64(i), Size: 4,
		})
	}
	p := storeMIP(t, m)
	for text, want := range map[string]int{"app::run": 1, "__ZN3app": 1, "_main": 1, "main": 1, "": 3} {
		page, err := p.Functions(t.Context(), mipdb.Query{Names: query.Names{Text: text}, Limit: 3})
		if err != nil || page.Matching != want {
			t.Errorf("%q: %+v, %v", text, page, err)
		}
		if text == "_main" && (string(page.Rows[0].Linkage) != "main" || string(page.Rows[0].Name) != "_main") {
			t.Errorf("%+v", page.Rows)
		}
	}
	tree, err := p.Tree(t.Context(), query.ByNamespace)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := tree.Find("app"); !ok {
		t.Error("the namespace is not found")
	}
}

func TestOtherFamiliesHaveNoMIP(t *testing.T) {
	p := profiletest.Store(t, &format.Profile{})
	if _, err := mipdb.Of(p); err != stored.ErrNoPart {
		t.Error(err)
	}
}
