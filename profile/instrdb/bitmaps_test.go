package instrdb_test

import (
	"cmp"
	"math/bits"
	"slices"
	"testing"

	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/table"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Pages of bitmaps, joined, are all records that have one, the largest first.
func TestBitmaps(t *testing.T) {
	for name, src := range map[string]*synthetic{
		"typical": typical(1000, 11), "awkward": awkward(800, 12), "none": awkward(0, 13),
	} {
		t.Run(name, func(t *testing.T) {
			p := openSource(t, src)
			var want []instrdb.BitmapRow
			var bytes, set int
			for _, r := range newNaive(src).rows {
				row := instrdb.BitmapRow{Rank: r.Rank, Function: r.Name,
					FuncHash: r.FuncHash,
					Bitmap:   r.Bitmap, Bytes: len(r.Bitmap)}
				for _, b := range r.Bitmap {
					row.Set += bits.OnesCount8(b)
				}
				if row.Unset = 8*row.Bytes - row.Set; row.Bytes > 0 {
					row.Share = float64(row.Set) / float64(8*row.Bytes)
					want = append(want, row)
					bytes, set = bytes+row.Bytes, set+row.Set
				}
			}
			slices.SortStableFunc(want, func(a, b instrdb.BitmapRow) int { return cmp.Compare(len(b.Bitmap), len(a.Bitmap)) })
			find, err := p.FindBitmaps(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []instrdb.BitmapRow
			for {
				page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Offset: len(got), Limit: 13}})
				if err != nil {
					t.Fatal(err)
				}
				if sums := page.Around.(*instrdb.BitmapSums); page.All != len(want) || sums.Bytes != bytes || sums.Set != set ||
					page.Searched != nil {
					t.Fatalf("%d records, %+v; want %d, %d, %d", page.All, sums, len(want), bytes, set)
				}
				if page.Len() == 0 {
					break
				}
				got = append(got, page.Rows.([]instrdb.BitmapRow)...)
			}
			if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(instrdb.BitmapRow{}, "_"),
				cmpopts.IgnoreFields(table.Name{}, "_")); diff != "" {
				t.Errorf("(-want +got):\n%.2000s", diff)
			}
		})
	}
}
