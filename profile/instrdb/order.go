package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/profile/query"
)

// order is the rows of a filter in an order: a permutation, with the running
// total at every 256th place. It is immutable.
type order struct {
	ids  []uint32      // rank - 1
	sums []analyze.Sum // sums[i] adds up the first (i+1)*sumEvery rows
	all  analyze.Sum
}

func (o *order) bytes() int64 { return int64(len(o.ids))*4 + int64(len(o.sums))*16 }

// before is the total of the first n rows.
func (o *order) before(n int, t *totals) analyze.Sum {
	var s analyze.Sum
	if n >= sumEvery {
		s = o.sums[n/sumEvery-1]
	}
	s.AddSum(t.of(o.ids[n/sumEvery*sumEvery : n]))
	return s
}

// columnOf maps a column of the table to what a query needs of it in memory.
var columnOf = map[query.Column]columnID{
	ColTotal: totalColumn, ColMax: maxColumn, ColEntry: entryColumn, ColCounters: countersColumn, ColZero: zeroColumn,
	ColSites: sitesColumn, ColName: nameColumn, ColHash: hashColumn, ColOrdinal: ordinalColumn, ColFile: placeColumn,
}

// columnsOf is what a column of the table needs in memory.
func columnsOf(c query.Column) ([]columnID, error) {
	if c == ColRank {
		return nil, nil
	}
	id, ok := columnOf[c]
	if !ok {
		return nil, &query.ColumnError{Column: c}
	}
	if c == ColTotal {
		return []columnID{totalColumn, totalHighColumn}, nil
	}
	return []columnID{id}, nil
}

// sortKeys drops the keys that can no longer matter: those after a key that
// has no ties, and repetitions.
func sortKeys(keys []query.Key) []query.Key {
	var kept []query.Key
	seen := map[query.Column]bool{}
	for _, k := range keys {
		if seen[k.Column] {
			continue
		}
		seen[k.Column] = true
		kept = append(kept, k)
		if k.Column == ColRank || k.Column == ColOrdinal {
			break
		}
	}
	// Total descending, when first, is what the default order begins with; all
	// by itself it is the default order.
	if len(kept) == 1 && (kept[0] == query.Key{Column: ColRank} || kept[0] == query.Key{Column: ColTotal, Desc: true}) {
		return nil
	}
	return kept
}

// order returns the order that a query asks for, and how many records a filter by
// name has looked at.
func (p *Profile) order(ctx context.Context, q *Query, keys []query.Key) (*order, int, error) {
	var search func() (*query.Found, error)
	if q.hasNames() {
		search = func() (*query.Found, error) { return p.search(ctx, q) }
	}
	return query.Resumed(ctx, p.Profile, "order "+query.CacheKey(keys)+q.filterKey(), p.rows, search,
		func(named query.Bitset) (*order, int64, error) {
			o, err := p.newOrder(ctx, q, keys, named)
			if err != nil {
				return nil, 0, err
			}
			return o, o.bytes(), nil
		})
}

// newOrder finds the rows that match, named among them unless it is nil, sorts
// them and adds them up.
func (p *Profile) newOrder(ctx context.Context, q *Query, keys []query.Key, named query.Bitset) (*order, error) {
	if err := p.prepareColumns(ctx, q, keys); err != nil {
		return nil, err
	}
	tests, err := p.tests(ctx, q)
	if err != nil {
		return nil, err
	}
	o := &order{}
	switch {
	case len(tests) > 0:
		o.ids = query.Select(p.rows, named, tests)
	case named != nil:
		o.ids = named.IDs()
	default:
		o.ids = query.All(p.rows)
	}
	if err := query.Sort(ctx, o.ids, keys,
		func(c query.Column) (query.Value, error) { return p.value(ctx, c) }); err != nil {
		return nil, err
	}
	t, err := p.totals(ctx)
	if err != nil {
		return nil, err
	}
	ids := o.ids
	for ; len(ids) >= sumEvery; ids = ids[sumEvery:] {
		o.all.AddSum(t.of(ids[:sumEvery]))
		o.sums = append(o.sums, o.all)
	}
	o.all.AddSum(t.of(ids))
	return o, nil
}

// prepareColumns loads at once, by one scan, what sorting and filtering will ask
// for one by one.
func (p *Profile) prepareColumns(ctx context.Context, q *Query, keys []query.Key) error {
	ids := []columnID{totalColumn, totalHighColumn}
	if q.hasNumbers() {
		ids = append(ids, traitsColumn)
	}
	var columns []query.Column
	for _, k := range keys {
		columns = append(columns, k.Column)
	}
	for _, r := range q.Ranges {
		columns = append(columns, r.Column)
	}
	for _, c := range columns {
		need, err := columnsOf(c)
		if err != nil {
			return err
		}
		ids = append(ids, need...)
	}
	_, err := p.columns(ctx, ids...)
	return err
}

// value is a column for sorting.
func (p *Profile) value(ctx context.Context, column query.Column) (query.Value, error) {
	need, err := columnsOf(column)
	if err != nil {
		return query.Value{}, err
	}
	columns, err := p.columns(ctx, need...)
	if err != nil {
		return query.Value{}, err
	}
	switch column {
	case ColRank:
		return query.Value{At: func(i uint32) uint64 { return uint64(i) }}, nil
	case ColTotal:
		// Totals fall as ranks rise, and can pass 64 bits: the first rank with
		// the same total says all.
		groups, err := p.totalGroups(ctx)
		return query.Value{At: func(i uint32) uint64 { return ^uint64(groups[i]) }}, err
	case ColFile:
		at := columns[placeColumn].at
		return query.Value{At: at, Known: func(i uint32) bool { return at(i) > 0 }}, nil
	}
	return query.Value{At: columns[need[0]].at}, nil
}

// totalGroups numbers the totals of the default order.
func (p *Profile) totalGroups(ctx context.Context) ([]uint32, error) {
	t, err := p.totals(ctx)
	if err != nil {
		return nil, err
	}
	groups := make([]uint32, p.rows)
	for i := 1; i < p.rows; i++ {
		groups[i] = groups[i-1]
		if t.at(uint32(i)) != t.at(uint32(i-1)) {
			groups[i]++
		}
	}
	return groups, nil
}
