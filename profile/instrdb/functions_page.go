package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// FindFunctions finds the records that a query selects. Errors are those of Functions.
func (p *Profile) FindFunctions(q Query) table.Find {
	return func(ctx context.Context, at table.Query) (table.Page, error) {
		q := q
		q.Offset, q.Limit = at.Offset, at.Limit
		page, err := p.Functions(ctx, q)
		if err != nil {
			return table.Page{}, err
		}
		return page.found(q.Filtered()), nil
	}
}

// Functions returns one page of the function table. A page of an order that
// was asked for before costs the same wherever it is. Errors are a
// *query.ColumnError, that of names.NewMatcher for a pattern, the context's, or
// about the file.
//
// A preview has the first rows only; it says so by Complete being false.
func (p *Profile) Functions(ctx context.Context, q Query) (*Page, error) {
	keys := sortKeys(q.Sort)
	page := &Page{All: p.all, Scanned: p.rows, Complete: !p.Storing(), merged: q.Merge, storing: p.Storing()}
	if q.Merge {
		return page, p.mergedFunctions(ctx, page, q, keys)
	}
	if len(keys) == 0 && !q.Filtered() {
		page.Matching, page.Records, page.MatchingTotal = p.all, p.all, p.total
		var err error
		page.Rows, err = p.defaultPage(ctx, q.Offset, q.Limit)
		return page, err
	}
	o, scanned, err := p.order(ctx, &q, keys)
	if err != nil {
		return nil, err
	}
	page.Scanned, page.Complete = scanned, page.Complete && scanned == p.rows
	page.Matching, page.Records, page.MatchingTotal = len(o.ids), len(o.ids), o.all
	page.Rows, err = p.orderPage(ctx, o, q.Offset, q.Limit)
	return page, err
}

// orderPage reads the rows at places offset to offset+limit of an order.
func (p *Profile) orderPage(ctx context.Context, o *order, offset, limit int) ([]Row, error) {
	from, to := query.Clamp(offset, limit, len(o.ids))
	if from == to {
		return nil, nil
	}
	t, err := p.totals(ctx)
	if err != nil {
		return nil, err
	}
	sum := o.before(from, t)
	return p.readRows(ctx, to-from, func(n int) uint32 { return o.ids[from+n] }, func(_ int, row *Row) {
		sum.AddSum(row.Total)
		row.Cum = query.Share(sum, p.total)
	})
}

// readRows reads n rows, each by rank - 1, and finishes them.
func (p *Profile) readRows(ctx context.Context, n int, index func(n int) uint32,
	finish func(n int, row *Row)) ([]Row, error) {
	rows := make([]Row, n)
	var counters []uint64
	err := stored.Pick(ctx, p.function, n, func(i int) int { return int(index(i)) + 1 },
		func(i int, found *btree.Row) (err error) {
			rows[i], counters, err = p.functionRow(found, counters)
			finish(i, &rows[i])
			return err
		})
	return rows, err
}

// defaultPage reads rows in the default order, from an offset on, which needs
// nothing in memory.
func (p *Profile) defaultPage(ctx context.Context, offset, limit int) ([]Row, error) {
	from, to := query.Clamp(offset, limit, p.rows)
	if from == to {
		return nil, nil
	}
	sum, err := p.totalBefore(from + 1)
	if err != nil {
		return nil, err
	}
	return p.readRows(ctx, to-from, func(n int) uint32 { return uint32(from + n) }, func(_ int, row *Row) {
		sum.AddSum(row.Total)
		row.Cum = query.Share(sum, p.total)
	})
}

// totalBefore adds up the totals of the ranks below rank.
func (p *Profile) totalBefore(rank int) (analyze.Sum, error) {
	var sum analyze.Sum
	from := (rank - 1) / sumEvery * sumEvery // the last running total at or before rank-1
	if from > 0 {
		row, err := stored.Find(p.runningTotal.Cursor(), from)
		if err != nil {
			return sum, err
		}
		sum = analyze.Sum{Hi: row.Uint(2), Lo: row.Uint(1)}
	}
	if from+1 == rank {
		return sum, nil
	}
	c := p.function.Cursor()
	var row *btree.Row
	row, err := stored.Find(c, from+1)
	for r := from + 1; ; {
		if err != nil {
			return sum, err
		}
		sum.AddSum(analyze.Sum{Hi: row.Uint(fnTotalHigh), Lo: row.Uint(fnTotal)})
		if r++; r == rank {
			return sum, nil
		}
		row, err = stored.Next(c, r)
	}
}
