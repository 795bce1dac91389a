package instrdb_test

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

// valuesOf is a page of the value sites of a kind.
func valuesOf(t testing.TB, p *instrdb.Profile, kind instrprof.ValueKind, marks analyze.SiteMark,
	q query.RowQuery) table.Page {
	t.Helper()
	find, err := p.FindValues(t.Context(), kind, marks, "")
	if err != nil {
		t.Fatal(err)
	}
	page, err := find(t.Context(), table.Query{RowQuery: q})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// Pages of value sites, joined, are all sites of the kind by their most
// frequent value's count, whatever the values are.
func TestValues(t *testing.T) {
	for name, src := range map[string]*synthetic{
		"typical": typical(3000, 4), "awkward": awkward(600, 4),
		"none": {info: instrprof.Info{Info: model.Info{Format: instrprof.FormatText}}},
	} {
		t.Run(name, func(t *testing.T) {
			p, naive := openSource(t, src), newNaive(src)
			for kind := range instrprof.ValueKind(instrprof.NumValueKinds) {
				want, total, observed := naiveValues(naive, kind)
				var got []instrdb.ValueRow
				for {
					page := valuesOf(t, p, kind, 0, query.RowQuery{Offset: len(got), Limit: 37})
					sums := page.Around.(*instrdb.ValueSums)
					if page.All != len(want) || sums.Total != total || sums.Observed != observed || page.Searched != nil {
						t.Fatalf("%v: %d sites, %+v; want %d, %d, %v", kind, page.All, sums, len(want), observed, total)
					}
					if page.Len() == 0 {
						break
					}
					got = append(got, page.Rows.([]instrdb.ValueRow)...)
				}
				unsaid := cmpopts.IgnoreFields(instrdb.ValueRow{}, "Targets", "_")
				if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty(), unsaid,
					cmpopts.IgnoreFields(table.Name{}, "_")); diff != "" {
					t.Errorf("%v (-want +got):\n%.2000s", kind, diff)
				}
			}
		})
	}
}

func naiveValues(n *naive, kind instrprof.ValueKind) (rows []instrdb.ValueRow, total analyze.Sum, observed int) {
	for _, r := range n.rows {
		for i, site := range r.Sites[kind] {
			row := instrdb.ValueRow{Kind: kind, Rank: r.Rank, Function: r.Name,
				FuncHash: r.FuncHash,
				CS:       r.CS, Index: i, Values: slices.Clone(site), Distinct: len(site)}
			for _, v := range site {
				row.Sum.Add(v.Count)
			}
			total.AddSum(row.Sum)
			slices.SortStableFunc(row.Values, func(a, b instrprof.Value) int { return cmp.Compare(b.Count, a.Count) })
			if !row.Sum.IsZero() {
				observed++
			}
			rows = append(rows, row)
		}
	}
	for i := range rows {
		if r := &rows[i]; !r.Sum.IsZero() {
			r.Top, r.Share = most(r.Values), r.Sum.Float64()/total.Float64()
			r.TopShare = float64(r.Top) / r.Sum.Float64()
		}
	}
	slices.SortStableFunc(rows, func(a, b instrdb.ValueRow) int { return cmp.Compare(most(b.Values), most(a.Values)) })
	return rows, total, observed
}

func most(site instrprof.ValueSite) uint64 {
	if len(site) == 0 {
		return 0
	}
	return site[0].Count
}

// The sizes of all sites are added up by the ranges of the runtime
// (instrprof.md §2.6), those of older files too.
func TestValueSizes(t *testing.T) {
	f := instrprof.Function{Name: []byte("f"), NameRef: refOf([]byte("f")), Counters: []uint64{1}}
	f.Sites[instrprof.MemOPSize] = []instrprof.ValueSite{
		{{Value: 9, Count: 1}, {Value: 12, Count: 2}, {Value: 8, Count: 3}, {Value: 513, Count: 1<<64 - 1}},
		{
			{Value: 15, Count: 4}, {Value: 16, Count: 5}, {Value: 17, Count: 6}, {Value: 1 << 40, Count: 1},
			{Value: 512, Count: 7}, {Value: 511, Count: 8},
		},
		nil,
	}
	p := openSource(t, &synthetic{functions: []instrprof.Function{f}})
	page := valuesOf(t, p, instrprof.MemOPSize, 0, query.RowQuery{})
	want := []instrdb.SizeCount{
		{8, 1, analyze.Sum{Lo: 3}}, {9, 2, analyze.Sum{Lo: 7}}, {16, 1, analyze.Sum{Lo: 5}}, {17, 1, analyze.Sum{Lo: 6}},
		{257, 1, analyze.Sum{Lo: 8}}, {512, 1, analyze.Sum{Lo: 7}}, {513, 2, analyze.Sum{Hi: 1}},
	}
	if diff := gocmp.Diff(want, page.Around.(*instrdb.ValueSums).Sizes); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}

// BenchmarkValues measures the first page of value sites, which scans them all,
// and a deep one after it.
func BenchmarkValues(b *testing.B) {
	path := profiletest.Path(b, partOf(scaleSource(b, 20_000)))
	p := of(b, profiletest.At(b, path))
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			p := of(b, profiletest.At(b, path))
			valuesOf(b, p, 0, 0, query.RowQuery{Limit: 100})
		}
	})
	b.Run("deep", func(b *testing.B) {
		for b.Loop() {
			valuesOf(b, p, 0, 0, query.RowQuery{Offset: 500, Limit: 100})
		}
	})
}
