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
	Bitmap   []byte
	Set      int // bits of it that are set
}

// The columns of bitmaps that can be sorted and filtered by, beside ColName and
// ColRank of the function.
const (
	BitmapBytes query.Column = "bytes"
	BitmapSet   query.Column = "set"   // bits
	BitmapUnset query.Column = "unset" // bits
	BitmapShare query.Column = "share" // of bits that are set; no filter
)

// BitmapColumns are all of them.
var BitmapColumns = []query.Column{BitmapBytes, BitmapSet, BitmapUnset, BitmapShare, ColName, ColRank}

// BitmapPage is one page of the records with a bitmap, the largest bitmap first
// unless the query says otherwise; ties are in the order of the function table.
type BitmapPage struct {
	Rows       []BitmapRow
	All        int    // records with a bitmap
	Matching   int    // of them, those that the query selects
	Bytes, Set uint64 // of All
	// Complete is false for the preview of a profile that is still being stored, and
	// while names are being searched: Scanned functions so far.
	Complete bool
	Scanned  int
}

// bitmapOrder is every record with a bitmap.
type bitmapOrder struct {
	list       []bitmapSize
	bytes, set uint64
}

type bitmapSize struct{ rank, bytes, set uint32 }

// Bitmaps returns one page of the records with a bitmap. The first call scans all
// records. Errors are a *query.ColumnError, that of names.NewMatcher for a pattern,
// the context's, or about the file.
func (p *Profile) Bitmaps(ctx context.Context, q query.RowQuery) (*BitmapPage, error) {
	o, err := stored.Cached(ctx, p.Profile, "bitmaps", func() (*bitmapOrder, int64, error) {
		o, err := p.orderBitmaps(ctx)
		return o, int64(cap(o.list)) * 12, err
	})
	if err != nil {
		return nil, err
	}
	ids, scanned, err := p.pick(ctx, "bitmaps", len(o.list), &q, func(i uint32) uint32 { return o.list[i].rank - 1 },
		o.value)
	if err != nil {
		return nil, err
	}
	page := &BitmapPage{
		All: len(o.list), Matching: len(ids), Bytes: o.bytes, Set: o.set, Complete: !p.Storing() && scanned == p.rows,
		Scanned: scanned,
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	c := p.function.Cursor()
	for _, i := range ids[from:to] {
		b := o.list[i]
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
		bitmap, err := row.Bytes(fnBitmap)
		if err != nil {
			return nil, err
		}
		page.Rows = append(page.Rows, BitmapRow{
			Rank: int(b.rank), Name: slices.Clone(name), NameRef: row.Uint(fnNameRef), FuncHash: row.Uint(fnFuncHash),
			Bitmap: slices.Clone(bitmap), Set: int(b.set),
		})
	}
	return page, nil
}

// value is a column of bitmaps.
func (o *bitmapOrder) value(c query.Column) (query.Value, error) {
	of := func(number func(b bitmapSize) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(o.list[i]) }}, nil
	}
	switch c {
	case BitmapBytes:
		return of(func(b bitmapSize) uint64 { return uint64(b.bytes) })
	case BitmapSet:
		return of(func(b bitmapSize) uint64 { return uint64(b.set) })
	case BitmapUnset:
		return of(func(b bitmapSize) uint64 { return 8*uint64(b.bytes) - uint64(b.set) })
	case BitmapShare:
		return query.Real(func(i uint32) float64 { return float64(o.list[i].set) / float64(8*o.list[i].bytes) }), nil
	case ColRank:
		return of(func(b bitmapSize) uint64 { return uint64(b.rank) })
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: BitmapColumns}
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
