package instrdb

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"

	"proflens/profile/btree"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// BitmapRow is a function record with an MC/DC bitmap.
type BitmapRow struct {
	Function table.Name `col:"name" head:"Function" is:"sort,up,words"`
	FuncHash uint64     `col:"func_hash" width:"16" head:"FuncHash" is:"hex,key"`
	Rank     int        `col:"rank" width:"8" is:"sort" help:"of the function record" as:"integer 1.."`
	Bytes    int        `col:"bytes" width:"8" is:"sort,range" help:"of the bitmap" as:"integer 1.."`
	_        column     `col:"bits" width:"8" is:"number" as:"integer 8.."`
	Set      int        `col:"set" width:"8" head:"Bits set" is:"sort,range" help:"combinations that were executed"`
	Unset    int        `col:"unset" width:"8" head:"Not set" is:"sort,range" help:"never executed, or not in use"`
	Share    float64    `col:"share" width:"8" head:"Share set" is:"sort,range,part,bar,whole"`
	_        column     `help:"of all bits of the bitmap"`
	_        column     `col:"which" head:"Which bits are set" is:"page" help:"by their number in the bitmap, from 0"`
	Bitmap   []byte
}

// Cell implements [table.Celler].
func (b *BitmapRow) Cell(string, *table.Options) table.Cell { return table.Int(8 * uint64(b.Bytes)) }

// Bitmaps is the table of function records with a bitmap, the largest bitmap first.
var Bitmaps = table.Declare[BitmapRow](table.Declaration{
	About: "A function record with an MC/DC bitmap.", Noun: "function", Usual: "-bytes",
	Show: "name bytes set unset share which", Text: "bytes bits set share demangled", Least: "set",
})

// BitmapSums are what all bitmaps come to.
type BitmapSums struct{ Bytes, Set int }

// FindBitmaps finds records with a bitmap; ties are in the order of the function table.
// The first call scans all records. Errors are the context's, or about the file.
func (p *Profile) FindBitmaps(ctx context.Context) (table.Find, error) {
	set, err := stored.Cached(ctx, p.Profile, "bitmaps", func() (table.Set, int64, error) {
		rows, err := p.readBitmaps(ctx)
		var sums BitmapSums
		for i := range rows {
			sums.Bytes, sums.Set = sums.Bytes+rows[i].Bytes, sums.Set+rows[i].Set
		}
		return table.Set{Rows: rows, Around: &sums}, int64(cap(rows)) * 104, err
	})
	if err != nil {
		return nil, err
	}
	rows := set.Rows.([]BitmapRow)
	record := func(i uint32) int { return rows[i].Rank }
	return among(p, "bitmaps", set, len(rows), record, Bitmaps.Values(rows),
		func(i uint32, row *btree.Row) (BitmapRow, error) {
			b := rows[i]
			b.FuncHash, b.Bitmap, b.Function = row.Uint(fnFuncHash), slices.Clone(row.Bytes(fnBitmap)), nameOf(row)
			return b, nil
		}), nil
}

// readBitmaps scans the function table.
func (p *Profile) readBitmaps(ctx context.Context) ([]BitmapRow, error) {
	list := []BitmapRow{}
	var mu sync.Mutex
	err := p.eachRow(ctx, 1, p.rows, func(row *btree.Row) error {
		bitmap := row.Bytes(fnBitmap)
		if len(bitmap) == 0 {
			return nil
		}
		b := BitmapRow{Rank: int(row.ID), Bytes: len(bitmap)}
		for _, x := range bitmap {
			b.Set += bits.OnesCount8(x)
		}
		b.Unset = 8*b.Bytes - b.Set
		b.Share = float64(b.Set) / float64(8*b.Bytes)
		mu.Lock()
		defer mu.Unlock()
		list = append(list, b)
		return nil
	})
	slices.SortFunc(list, func(a, b BitmapRow) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Rank, b.Rank))
	})
	return list, err
}
