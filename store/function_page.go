package store

import (
	"context"
	"fmt"

	"proflens/analyze"
	"proflens/store/btree"
)

// maxRecords is how many records a profile can hold: ranks are 31 bits.
const maxRecords = 1<<31 - 1

// Functions returns one page of the function table. A page of an order that
// was asked for before costs the same wherever it is. Errors are a ColumnError
// for an unknown column, that of names.NewMatcher for a pattern, the context's,
// or about the file.
//
// A preview has the first rows only; it says so by Complete being false.
func (p *Profile) Functions(ctx context.Context, q FunctionQuery) (*FunctionPage, error) {
	keys := sortKeys(q.Sort)
	if q.Merge {
		return p.mergedFunctions(ctx, q, keys)
	}
	if len(keys) == 0 && !q.hasNumbers() && !q.hasNames() {
		return p.defaultFunctions(ctx, q)
	}
	page := &FunctionPage{All: p.all, Scanned: p.rows, Complete: !p.storing}
	o, err := p.order(ctx, &q, keys, page)
	if err != nil {
		return nil, err
	}
	page.Matching, page.Records, page.MatchingTotal = len(o.ids), len(o.ids), o.all
	page.Rows, err = p.orderPage(ctx, o, q.Offset, q.Limit)
	return page, err
}

// order returns the order that a query asks for, from the cache when it was
// asked for before. It tells page how far a filter by name has got: the order
// of a part is not kept.
func (p *Profile) order(ctx context.Context, q *FunctionQuery, keys []SortKey, page *FunctionPage) (*order, error) {
	key := cacheKey{p.id, "order" + orderKey(keys) + " of " + q.filterKey()}
	if v, ok := p.cache.peek(key); ok {
		return v.(*order), nil
	}
	var named bitset
	if q.hasNames() {
		var err error
		if named, page.Scanned, err = p.matchNames(ctx, q); err != nil {
			return nil, err
		}
		if page.Scanned < p.rows {
			page.Complete = false
			return p.newOrder(ctx, q, keys, named)
		}
	}
	v, err := p.cache.get(ctx, key, func() (any, int64, error) {
		o, err := p.newOrder(ctx, q, keys, named)
		if err != nil {
			return nil, 0, err
		}
		return o, o.bytes(), nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*order), nil
}

// newOrder makes the order of the rows that match a query's numbers and, when it
// is not nil, stand in named.
func (p *Profile) newOrder(ctx context.Context, q *FunctionQuery, keys []SortKey, named bitset) (*order, error) {
	if err := p.prepareColumns(ctx, q, keys); err != nil {
		return nil, err
	}
	matching := named
	if q.hasNumbers() {
		var err error
		if matching, err = p.matchNumbers(ctx, q); err != nil {
			return nil, err
		}
		for i := range named {
			matching[i] &= named[i]
		}
	}
	var ids []uint32
	if matching == nil {
		ids = make([]uint32, p.rows)
		for i := range ids {
			ids[i] = uint32(i)
		}
	} else {
		ids = matching.ids()
	}
	return p.addUp(ctx, ids, keys)
}

// prepareColumns loads at once, by one scan, what sorting and filtering will ask
// for one by one.
func (p *Profile) prepareColumns(ctx context.Context, q *FunctionQuery, keys []SortKey) error {
	ids := []columnID{totalColumn, totalHighColumn}
	if q.hasNumbers() {
		ids = append(ids, traitsColumn)
	}
	var names []Column
	for _, k := range keys {
		names = append(names, k.Column)
	}
	for _, r := range q.Ranges {
		names = append(names, r.Column)
	}
	for _, name := range names {
		need, err := columnsOf(name)
		if err != nil {
			return err
		}
		ids = append(ids, need...)
	}
	_, err := p.columns(ctx, ids...)
	return err
}

// orderPage reads the rows at places offset to offset+limit of an order.
func (p *Profile) orderPage(ctx context.Context, o *order, offset, limit int) ([]FunctionRow, error) {
	from, to := clamp(offset, limit, len(o.ids))
	if from == to {
		return nil, nil
	}
	columns, err := p.columns(ctx, totalColumn, totalHighColumn)
	if err != nil {
		return nil, err
	}
	sum := o.before(from, columns[totalColumn], columns[totalHighColumn])
	rows := make([]FunctionRow, 0, to-from)
	c := p.function.Cursor()
	var counters []uint64
	for n, id := range o.ids[from:to] {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		stored, err := find(c, int(id)+1)
		if err != nil {
			return nil, err
		}
		var row FunctionRow
		if row, counters, err = p.functionRow(stored, counters); err != nil {
			return nil, err
		}
		sum.AddSum(row.Total)
		row.Cum = share(sum, p.total)
		rows = append(rows, row)
	}
	return rows, nil
}

// defaultFunctions is the whole table in the default order, which needs
// nothing in memory.
func (p *Profile) defaultFunctions(ctx context.Context, q FunctionQuery) (*FunctionPage, error) {
	page := &FunctionPage{All: p.all, Matching: p.all, Records: p.all, MatchingTotal: p.total, Scanned: p.rows, Complete: !p.storing}
	var err error
	page.Rows, err = p.defaultPage(ctx, q.Offset, q.Limit)
	return page, err
}

// defaultPage reads rows in the default order, from an offset on.
func (p *Profile) defaultPage(ctx context.Context, offset, limit int) ([]FunctionRow, error) {
	from, to := clamp(offset, limit, p.rows)
	if from == to {
		return nil, nil
	}
	sum, err := p.totalBefore(from + 1)
	if err != nil {
		return nil, err
	}
	rows := make([]FunctionRow, 0, to-from)
	c := p.function.Cursor()
	stored, err := find(c, from+1)
	var counters []uint64
	for {
		if err != nil {
			return nil, err
		}
		var row FunctionRow
		if row, counters, err = p.functionRow(stored, counters); err != nil {
			return nil, err
		}
		sum.AddSum(row.Total)
		row.Cum = share(sum, p.total)
		if rows = append(rows, row); len(rows) == to-from {
			return rows, nil
		}
		if len(rows)%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		stored, err = next(c, row.Rank+1)
	}
}

// totalBefore adds up the totals of the ranks below rank.
func (p *Profile) totalBefore(rank int) (analyze.Sum, error) {
	var sum analyze.Sum
	from := (rank - 1) / sumEvery * sumEvery // the last running total at or before rank-1
	if from > 0 {
		c := p.runningTotal.Cursor()
		if !c.Find(int64(from)) {
			return sum, errOr(c.Err(), "no running total at %d", from)
		}
		row, err := c.Row()
		if err != nil {
			return sum, err
		}
		if row.ID != int64(from) {
			return sum, errOr(nil, "running total %d where %d was expected", row.ID, from)
		}
		sum = analyze.Sum{Hi: row.Uint(2), Lo: row.Uint(1)}
	}
	if from+1 == rank {
		return sum, nil
	}
	c := p.function.Cursor()
	var row *btree.Row
	row, err := find(c, from+1)
	for r := from + 1; ; {
		if err != nil {
			return sum, err
		}
		sum.AddSum(analyze.Sum{Hi: row.Uint(fnTotalHigh), Lo: row.Uint(fnTotal)})
		if r++; r == rank {
			return sum, nil
		}
		row, err = next(c, r)
	}
}

func errOr(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// clamp is the part of n things that a page of limit from offset on holds.
func clamp(offset, limit, n int) (from, to int) {
	from = min(max(offset, 0), n)
	return from, from + min(max(limit, 0), n-from)
}
