package tables

import (
	"context"
	"slices"

	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
)

// bitmap is a function record with an MC/DC bitmap.
type bitmap struct {
	*instrdb.BitmapRow
	named
}

var bitmapColumns = slices.Concat(
	nameColumns(func(b *bitmap) *named { return &b.named }),
	[]Column[bitmap]{
		{"func_hash", 16, func(b *bitmap) Cell { return Hex(b.FuncHash) }},
		{"rank", 8, func(b *bitmap) Cell { return Int(uint64(b.Rank)) }},
		{"bytes", 8, func(b *bitmap) Cell { return Int(uint64(len(b.Bitmap))) }},
		{"bits", 8, func(b *bitmap) Cell { return Int(8 * uint64(len(b.Bitmap))) }},
		{"set", 8, func(b *bitmap) Cell { return Int(uint64(b.Set)) }},
		{"unset", 8, func(b *bitmap) Cell { return Int(8*uint64(len(b.Bitmap)) - uint64(b.Set)) }},
		{"share", 8, func(b *bitmap) Cell { return Ratio(float64(b.Set) / float64(8*len(b.Bitmap))) }},
	})

var bitmapText = []string{"bytes", "bits", "set", "share", "demangled"}

func openBitmaps(_ context.Context, p *instrdb.Profile, o Options) (Table, error) {
	return Bitmaps(p, query.RowQuery{}, o), nil
}

// Bitmaps is the function records with an MC/DC bitmap that a query selects, in its
// order; its Offset and Limit do not count.
func Bitmaps(p *instrdb.Profile, q query.RowQuery, o Options) Table {
	return &List[bitmap]{Columns: bitmapColumns, Text: bitmapText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[bitmap], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.Bitmaps(ctx, q)
			if err != nil {
				return Step[bitmap]{}, err
			}
			rows := make([]bitmap, len(page.Rows))
			for i := range page.Rows {
				row := &page.Rows[i]
				rows[i] = bitmap{row, newNamed(row.NameRef, row.Name, o.Demangle)}
			}
			return Step[bitmap]{Rows: rows, Total: page.Matching, Unsettled: !page.Complete && !p.Storing()}, nil
		}}
}
