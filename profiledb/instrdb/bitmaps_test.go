package instrdb_test

import (
	"cmp"
	"math/bits"
	"slices"
	"testing"

	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"

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
			var bytes, set uint64
			for _, r := range newNaive(src).rows {
				row := instrdb.BitmapRow{Rank: r.Rank, Name: r.Name, NameRef: r.NameRef, FuncHash: r.FuncHash, Bitmap: r.Bitmap}
				for _, b := range r.Bitmap {
					row.Set += bits.OnesCount8(b)
				}
				if len(row.Bitmap) > 0 {
					want = append(want, row)
					bytes, set = bytes+uint64(len(row.Bitmap)), set+uint64(row.Set)
				}
			}
			slices.SortStableFunc(want, func(a, b instrdb.BitmapRow) int { return cmp.Compare(len(b.Bitmap), len(a.Bitmap)) })
			var got []instrdb.BitmapRow
			for {
				page, err := p.Bitmaps(t.Context(), query.RowQuery{Offset: len(got), Limit: 13})
				if err != nil {
					t.Fatal(err)
				}
				if page.All != len(want) || page.Bytes != bytes || page.Set != set || !page.Complete {
					t.Fatalf("%d records, %d bytes, %d bits; want %d, %d, %d", page.All, page.Bytes, page.Set, len(want), bytes, set)
				}
				if len(page.Rows) == 0 {
					break
				}
				got = append(got, page.Rows...)
			}
			if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%.2000s", diff)
			}
		})
	}
}
