package store

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/names"
)

// openMIP stores a Machine IR Profile of files of package decode/mip and opens
// it.
func openMIP(t testing.TB, paths ...string) (*Profile, *mip.Profile) {
	t.Helper()
	var files []format.File
	for _, path := range paths {
		data, err := os.ReadFile(filepath.Join("../decode/mip/testdata", path))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, format.File{Name: filepath.Base(path), Data: data})
	}
	d, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return storeMIP(t, d.Source, d.MIP), d.MIP
}

func storeMIP(t testing.TB, src instrprof.Source, m *mip.Profile) *Profile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.db")
	if _, err := WriteProfileFile(t.Context(), path, ProfileInput{Source: src, MIP: m}, nil); err != nil {
		t.Fatal(err)
	}
	p, err := openProfile(path, NewCache(defaultCacheBytes))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

var mergedRuns = []string{"merged/counts.mipmap", "merged/counts.0.mipraw", "merged/counts.1.mipraw", "merged/counts.2.mipraw"}

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
			var got []MIPRow
			for {
				page, err := p.MIPFunctions(t.Context(), MIPQuery{Sort: []MIPSortKey{{MIPColIndex, false}}, Offset: len(got), Limit: 3})
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
				if !bytes.Equal(row.Name, f.Name) || row.Signature != f.Signature || row.RawOffset != f.RawOffset || row.Offset != f.Offset ||
					row.Size != f.Size || row.CFGSignature != f.CFGSignature || row.MergeCount != f.MergeCount || row.Calls != f.CallCount ||
					row.TimestampSum != f.TimestampSum || row.Executed != f.Executed() || row.NameSource != f.NameSource {
					t.Errorf("%d: %+v, want %+v", i, row, f)
				}
				whole, err := p.MIPFunction(t.Context(), row.FID)
				if err != nil {
					t.Fatal(row.FID, err)
				}
				if diff := gocmp.Diff(row, whole.MIPRow); diff != "" {
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
func checkSpans(t *testing.T, f *MIPFunction) {
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

func checkFunctionRuns(t *testing.T, m *mip.Profile, i int, got []MIPFunctionRun) {
	t.Helper()
	var want []MIPFunctionRun
	for n := range m.Runs {
		if run := &m.Runs[n]; run.Executed.Has(i) {
			r := MIPFunctionRun{Run: n + 1}
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
	page, err := p.MIPFunctions(t.Context(), MIPQuery{Limit: 100})
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
			f, err := p.MIPFunction(t.Context(), row.FID[:16])
			if err != nil || len(f.Twins) == 0 {
				t.Error(row.FID, err)
			}
		}
	}
	if twins == 0 || len(seen) != len(m.Functions) {
		t.Errorf("%d twins of %d", twins, len(seen))
	}
	for _, fid := range []string{"", "1", "0123456789abcdeg", "0123456789abcdef", "0123456789ABCDEF", page.Rows[0].FID[:16] + "-", page.Rows[0].FID[:16] + "-ffff"} {
		if _, err := p.MIPFunction(t.Context(), fid); err != ErrNotFound {
			t.Errorf("%q: %v", fid, err)
		}
	}
}

func TestMIPOverview(t *testing.T) {
	for name, paths := range mipSets {
		p, m := openMIP(t, paths...)
		o, err := p.Overview(t.Context())
		if err != nil {
			t.Fatal(err)
		}
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
		want.CoveredBytes = o.MIP.CoveredBytes
		if diff := gocmp.Diff(want, o.MIP.MIPTotals); diff != "" || o.MIP.Saturated != saturated || o.MIP.RemovedBlocks != removed || o.MIP.Runs != len(m.Runs) {
			t.Errorf("%s: %s %+v", name, diff, o.MIP)
		}
		if !m.HasBlocks() && o.MIP.CoveredBytes != o.MIP.ExecutedBytes || o.MIP.CoveredBytes > o.MIP.ExecutedBytes && !m.HasBlocks() || o.MIP.CoveredBytes > o.MIP.Bytes {
			t.Errorf("%s: %d bytes covered of %d executed", name, o.MIP.CoveredBytes, o.MIP.ExecutedBytes)
		}
		if o.MIP.Header.ModuleHash != m.Header.ModuleHash || o.MIP.Header.ProfileType != m.Header.ProfileType || o.MIP.MapFile != m.MapFile {
			t.Errorf("%s: %+v", name, o.MIP)
		}
	}
}

func TestMIPQueries(t *testing.T) {
	p, m := openMIP(t, mergedRuns...)
	yes, no := true, false
	ran := func(run, i int) bool { return m.Runs[run-1].Executed.Has(i) }
	matcher, _ := names.NewMatcher("get", "")
	for name, test := range map[string]struct {
		q       MIPQuery
		matches func(i int) bool
	}{
		"all":       {MIPQuery{}, func(int) bool { return true }},
		"executed":  {MIPQuery{Executed: &yes}, func(i int) bool { return m.Functions[i].Executed() }},
		"dead":      {MIPQuery{Executed: &no}, func(i int) bool { return !m.Functions[i].Executed() }},
		"run":       {MIPQuery{Run: 2}, func(i int) bool { return ran(2, i) }},
		"only":      {MIPQuery{OnlyRun: 1}, func(i int) bool { return ran(1, i) && !ran(2, i) && !ran(3, i) }},
		"often":     {MIPQuery{MinRuns: 2}, func(i int) bool { return m.Functions[i].MergeCount >= 2 }},
		"range":     {MIPQuery{Ranges: []MIPRange{{MIPColSize, 100, 500}}}, func(i int) bool { return m.Functions[i].Size >= 100 && m.Functions[i].Size <= 500 }},
		"text":      {MIPQuery{Text: "get"}, func(i int) bool { return matcher.Match(m.Functions[i].Name) }},
		"both":      {MIPQuery{Text: "get", Executed: &yes}, func(i int) bool { return matcher.Match(m.Functions[i].Name) && m.Functions[i].Executed() }},
		"saturated": {MIPQuery{Saturated: &yes}, func(i int) bool { return m.Functions[i].CallCount >= mip.MaxCalls }},
	} {
		test.q.Limit = 1000
		page, err := p.MIPFunctions(t.Context(), test.q)
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
		if diff := gocmp.Diff(want, got); diff != "" || page.Totals.Bytes != bytes || page.Totals.Functions != uint64(len(want)) {
			t.Errorf("%s: %s, %+v", name, diff, page.Totals)
		}
	}
	for _, q := range []MIPQuery{{Run: 4}, {OnlyRun: -1}} {
		if _, err := p.MIPFunctions(t.Context(), q); err != ErrNotFound {
			t.Error(q, err)
		}
	}
	if _, err := p.MIPFunctions(t.Context(), MIPQuery{Sort: []MIPSortKey{{"colour", false}}}); err == nil {
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
	by := map[MIPColumn]func(a, b int) int{
		MIPColIndex: func(a, b int) int { return cmp.Compare(a, b) },
		MIPColName:  func(a, b int) int { return bytes.Compare(m.Functions[a].Name, m.Functions[b].Name) },
		MIPColSize:  func(a, b int) int { return cmp.Compare(m.Functions[a].Size, m.Functions[b].Size) },
		MIPColCalls: func(a, b int) int { return cmp.Compare(m.Functions[a].CallCount, m.Functions[b].CallCount) },
		MIPColWeight: func(a, b int) int {
			return cmp.Compare(m.Functions[a].CallCount*uint64(m.Functions[a].Size), m.Functions[b].CallCount*uint64(m.Functions[b].Size))
		},
		MIPColRuns:    func(a, b int) int { return cmp.Compare(m.Functions[a].MergeCount, m.Functions[b].MergeCount) },
		MIPColFirst:   func(a, b int) int { return cmp.Compare(first(a), first(b)) },
		MIPColAddress: func(a, b int) int { return cmp.Compare(m.Functions[a].Offset, m.Functions[b].Offset) },
		MIPColBlocks:  nil, MIPColMissed: nil, MIPColCovered: nil,
	}
	for _, column := range MIPColumns {
		compare, ok := by[column]
		if !ok {
			t.Errorf("%s is not tested", column)
		}
		for _, desc := range []bool{false, true} {
			page, err := p.MIPFunctions(t.Context(), MIPQuery{Sort: []MIPSortKey{{column, desc}}, Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			for n := 1; n < len(page.Rows) && compare != nil; n++ {
				a, b := page.Rows[n-1], page.Rows[n]
				c := compare(a.Index, b.Index)
				if desc && (column != MIPColFirst || b.Executed) {
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
	for _, q := range []MIPStartupQuery{{}, {Run: 2}, {MinRuns: 2}, {Run: 1, MinRuns: 3}} {
		s, err := p.MIPStartup(t.Context(), q)
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
	for _, q := range []MIPStartupQuery{{Run: 4}, {Run: -1}} {
		if _, err := p.MIPStartup(t.Context(), q); err != ErrNotFound {
			t.Error(err)
		}
	}
	covered, _ := openMIP(t, mipSets["coverage"]...)
	if _, err := covered.MIPStartup(t.Context(), MIPStartupQuery{}); err != ErrNotFound {
		t.Error(err)
	}
}

func TestMIPRunsGrow(t *testing.T) {
	p, m := openMIP(t, mergedRuns...)
	runs, err := p.MIPRuns(t.Context())
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
		if r.Run != n+1 || r.Functions != ran || r.OnlyFunctions != only || r.SumFunctions != uint64(len(seen)) || r.File != filepath.Base(mergedRuns[n+1]) {
			t.Errorf("%+v; %d ran, %d only here, %d so far", r, ran, only, len(seen))
		}
	}
	o, _ := p.Overview(t.Context())
	if last := runs[2]; last.SumFunctions != o.MIP.Executed || last.SumBytes != o.MIP.ExecutedBytes || last.SumBlocks != o.MIP.CoveredBlocks {
		t.Errorf("%+v, of %+v", last, o.MIP)
	}
}

func TestMIPTree(t *testing.T) {
	for name, paths := range mipSets {
		p, m := openMIP(t, paths...)
		o, err := p.Overview(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []TreeBy{ByNamespace, ByPath} {
			tree, err := p.MIPTree(t.Context(), by)
			if err != nil {
				t.Fatal(name, err)
			}
			if diff := gocmp.Diff(o.MIP.MIPTotals, tree.Root().MIPTotals); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			checkMIPNode(t, p, tree, tree.Root(), len(m.Functions))
		}
	}
}

// checkMIPNode checks that children add up to their parent, and that the filter
// of each finds as many functions, and the node itself.
func checkMIPNode(t *testing.T, p *Profile, tree *MIPTree, of MIPNode, depth int) {
	t.Helper()
	kids := tree.Children(of)
	var sum analyze.MIPTotals
	for i := range kids {
		kid := &kids[i]
		sum.Add(&kid.MIPTotals)
		q := MIPQuery{Path: kid.Filter}
		if tree.By == ByNamespace {
			q = MIPQuery{Scope: kid.Filter}
		}
		page, err := p.MIPFunctions(t.Context(), q)
		if err != nil || kid.Filter != "" && page.Totals != kid.MIPTotals {
			t.Errorf("%s %q: %+v, want %+v, %v", tree.By, kid.Filter, page.Totals, kid.MIPTotals, err)
		}
		if kid.Kind == Branch || kid.Kind == Leaf {
			if found, _, ok := tree.Find(kid.Path); !ok || found.MIPTotals != kid.MIPTotals {
				t.Errorf("%q is not found", kid.Path)
			}
		}
		if kid.Kind == Branch && depth > 0 {
			checkMIPNode(t, p, tree, *kid, depth-1)
		}
	}
	if len(kids) > 0 && sum != of.MIPTotals {
		t.Errorf("%s %q: children are %+v, of %+v", tree.By, of.Path, sum, of.MIPTotals)
	}
}

func TestMIPUnderscoreOfMachO(t *testing.T) {
	m := &mip.Profile{Form: mip.FormatMap, Header: mip.Header{ProfileType: mip.FunctionCoverage}}
	for i, name := range []string{"_main", "__ZN3app3runEv", "_helper"} {
		m.Functions = append(m.Functions, mip.Function{Name: []byte(name), NameSource: mip.NameMD5, Signature: uint64(i), Size: 4})
	}
	p := storeMIP(t, &synthetic{info: instrprof.Info{Info: model.Info{Format: mip.FormatMap, Families: []model.Family{mip.Family}}}}, m)
	for text, want := range map[string]int{"app::run": 1, "__ZN3app": 1, "_main": 1, "main": 1, "": 3} {
		page, err := p.MIPFunctions(t.Context(), MIPQuery{Text: text, Limit: 3})
		if err != nil || page.Matching != want {
			t.Errorf("%q: %+v, %v", text, page, err)
		}
		if text == "_main" && (string(page.Rows[0].Linkage) != "main" || string(page.Rows[0].Name) != "_main") {
			t.Errorf("%+v", page.Rows)
		}
	}
	tree, err := p.MIPTree(t.Context(), ByNamespace)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := tree.Find("app"); !ok {
		t.Error("the namespace is not found")
	}
}

func TestOtherFamiliesHaveNoMIP(t *testing.T) {
	p := openSource(t, typical(10, 1))
	if _, err := p.MIPFunctions(t.Context(), MIPQuery{}); err != ErrNotFound {
		t.Error(err)
	}
	if _, err := p.MIPTree(t.Context(), ByPath); err != ErrNotFound {
		t.Error(err)
	}
	if o, err := p.Overview(t.Context()); err != nil || o.MIP != nil {
		t.Error(o.MIP, err)
	}
}
