package instrdb

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"

	"proflens/profiledb/btree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// BitmapRow is a function record with an MC/DC bitmap.
type BitmapRow struct {
	Rank     int    // of the function record
	Name     []byte // its PGO name; empty when the file has none
	NameRef  uint64
	FuncHash uint64
	Bytes    int // of the bitmap
	Set      int // bits of it that are set
}

// BitmapPage is one page of the records with a bitmap, the largest bitmap first;
// ties are in the order of the function table.
type BitmapPage struct {
	Rows       []BitmapRow
	All        int // records with a bitmap
	Bytes, Set uint64
	Complete   bool // false for the preview of a profile that is still being stored
}

// bitmapOrder is every record with a bitmap.
type bitmapOrder struct {
	list       []bitmapSize
	bytes, set uint64
}

type bitmapSize struct{ rank, bytes, set uint32 }

// Bitmaps returns one page of the records with a bitmap. The first call scans all
// records. The error is the context's, or about the file.
func (p *Profile) Bitmaps(ctx context.Context, offset, limit int) (*BitmapPage, error) {
	o, err := stored.Cached(ctx, p.Profile, "bitmaps", func() (*bitmapOrder, int64, error) {
		o, err := p.orderBitmaps(ctx)
		return o, int64(cap(o.list)) * 12, err
	})
	if err != nil {
		return nil, err
	}
	page := &BitmapPage{All: len(o.list), Bytes: o.bytes, Set: o.set, Complete: !p.Storing()}
	from, to := query.Clamp(offset, limit, len(o.list))
	c := p.function.Cursor()
	for _, b := range o.list[from:to] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row, err := stored.Find(c, int(b.rank))
		if err != nil {
			return nil, err
		}
		name, err := row.Bytes(fnName)
		if err != nil {
			return nil, err
		}
		page.Rows = append(page.Rows, BitmapRow{
			Rank: int(b.rank), Name: append([]byte{}, name...), NameRef: row.Uint(fnNameRef), FuncHash: row.Uint(fnFuncHash),
			Bytes: int(b.bytes), Set: int(b.set),
		})
	}
	return page, nil
}

// orderBitmaps scans the function table.
func (p *Profile) orderBitmaps(ctx context.Context) (*bitmapOrder, error) {
	o := &bitmapOrder{}
	var mu sync.Mutex
	err := p.eachRow(ctx, 1, p.rows, func(row *btree.Row) error {
		if row.IsNull(fnBitmap) {
			return nil
		}
		bitmap, err := row.Bytes(fnBitmap)
		if err != nil || len(bitmap) == 0 {
			return err
		}
		set := 0
		for _, b := range bitmap {
			set += bits.OnesCount8(b)
		}
		mu.Lock()
		defer mu.Unlock()
		o.list = append(o.list, bitmapSize{uint32(row.ID), uint32(len(bitmap)), uint32(set)})
		o.bytes += uint64(len(bitmap))
		o.set += uint64(set)
		return nil
	})
	slices.SortFunc(o.list, func(a, b bitmapSize) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.rank, b.rank))
	})
	return o, err
}
