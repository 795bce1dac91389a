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
	"proflens/profiledb/instrdb"
	"proflens/profiledb/profiledbtest"
	"proflens/profiledb/query"
)

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
					page, err := p.Values(t.Context(), instrdb.ValueQuery{
						Kind: kind, RowQuery: query.RowQuery{Offset: len(got), Limit: 37},
					})
					if err != nil {
						t.Fatal(err)
					}
					if page.All != len(want) || page.Total != total || page.Observed != observed || !page.Complete {
						t.Fatalf("%v: %d sites, %d observed, total %v, complete %v; want %d, %d, %v", kind, page.All, page.Observed,
							page.Total, page.Complete, len(want), observed, total)
					}
					if len(page.Rows) == 0 {
						break
					}
					got = append(got, page.Rows...)
				}
				if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%v (-want +got):\n%.2000s", kind, diff)
				}
			}
		})
	}
}

func naiveValues(n *naive, kind instrprof.ValueKind) (rows []instrdb.ValueRow, total analyze.Sum, observed int) {
	for _, r := range n.rows {
		for i, site := range r.Sites[kind] {
			row := instrdb.ValueRow{
				Rank: r.Rank, Name: r.Name, NameRef: r.NameRef, FuncHash: r.FuncHash, CS: r.CS, Index: i,
				Values: slices.Clone(site),
			}
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
	page, err := p.Values(t.Context(), instrdb.ValueQuery{Kind: instrprof.MemOPSize})
	if err != nil {
		t.Fatal(err)
	}
	want := []instrdb.SizeCount{
		{8, 1, analyze.Sum{Lo: 3}}, {9, 2, analyze.Sum{Lo: 7}}, {16, 1, analyze.Sum{Lo: 5}}, {17, 1, analyze.Sum{Lo: 6}},
		{257, 1, analyze.Sum{Lo: 8}}, {512, 1, analyze.Sum{Lo: 7}}, {513, 2, analyze.Sum{Hi: 1}},
	}
	if diff := gocmp.Diff(want, page.Sizes); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}

// BenchmarkValues measures the first page of value sites, which scans them all,
// and a deep one after it.
func BenchmarkValues(b *testing.B) {
	path := profiledbtest.Path(b, partOf(scaleSource(b, 20_000)))
	p := of(b, profiledbtest.At(b, path))
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			p := of(b, profiledbtest.At(b, path))
			if _, err := p.Values(b.Context(), instrdb.ValueQuery{RowQuery: query.RowQuery{Limit: 100}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("deep", func(b *testing.B) {
		for b.Loop() {
			if _, err := p.Values(b.Context(),
				instrdb.ValueQuery{RowQuery: query.RowQuery{Offset: 500, Limit: 100}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
