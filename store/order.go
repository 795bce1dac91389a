package store

import (
	"context"
	"fmt"
	"strings"

	"proflens/analyze"
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
func (o *order) before(n int, low, high *column) analyze.Sum {
	var s analyze.Sum
	if n >= sumEvery {
		s = o.sums[n/sumEvery-1]
	}
	s.AddSum(sumOf(o.ids[n/sumEvery*sumEvery:n], low, high))
	return s
}

// sortColumn maps a column of the table to what a query needs of it in memory.
var sortColumn = map[Column]columnID{
	ColTotal: totalColumn, ColMax: maxColumn, ColEntry: entryColumn, ColCounters: countersColumn, ColZero: zeroColumn,
	ColSites: sitesColumn, ColName: nameColumn, ColHash: hashColumn, ColOrdinal: ordinalColumn,
}

// ColumnError is returned for a column that does not exist or cannot be
// filtered by a range.
type ColumnError struct{ Column Column }

// Error names the column.
func (e *ColumnError) Error() string { return fmt.Sprintf("no column %q", string(e.Column)) }

// columnsOf is what a column of the table needs in memory.
func columnsOf(c Column) ([]columnID, error) {
	if c == ColRank {
		return nil, nil
	}
	id, ok := sortColumn[c]
	if !ok {
		return nil, &ColumnError{c}
	}
	if c == ColTotal {
		return []columnID{totalColumn, totalHighColumn}, nil
	}
	return []columnID{id}, nil
}

// sortKeys drops the keys that can no longer matter: those after a key that
// has no ties, and repetitions.
func sortKeys(keys []SortKey) []SortKey {
	var kept []SortKey
	seen := map[Column]bool{}
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
	if len(kept) == 1 && kept[0] == (SortKey{ColRank, false}) {
		return nil
	}
	// Total descending, when first, is what the default order begins with; all
	// by itself it is the default order.
	if len(kept) == 1 && kept[0] == (SortKey{ColTotal, true}) {
		return nil
	}
	return kept
}

func orderKey(keys []SortKey) string {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, " %s %v", k.Column, k.Desc)
	}
	return b.String()
}

// sort brings ids, which are in the default order, into another.
func (p *Profile) sort(ctx context.Context, ids []uint32, keys []SortKey) error {
	for i := len(keys) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		key, err := p.sortValue(ctx, keys[i].Column)
		if err != nil {
			return err
		}
		if keys[i].Desc {
			sortBy(ids, func(id uint32) uint64 { return ^key(id) })
		} else {
			sortBy(ids, key)
		}
	}
	return nil
}

// sortValue gives a number for each row that orders as the column does.
func (p *Profile) sortValue(ctx context.Context, column Column) (func(id uint32) uint64, error) {
	need, err := columnsOf(column)
	if err != nil {
		return nil, err
	}
	columns, err := p.columns(ctx, need...)
	if err != nil {
		return nil, err
	}
	switch column {
	case ColRank:
		return func(id uint32) uint64 { return uint64(id) }, nil
	case ColTotal:
		// Totals fall as ranks rise, and can pass 64 bits: the first rank with
		// the same total says all.
		return p.totalGroups(columns[totalColumn], columns[totalHighColumn]), nil
	}
	return columns[need[0]].at, nil
}

func (p *Profile) totalGroups(low, high *column) func(id uint32) uint64 {
	groups := make([]uint32, p.rows)
	for i := 1; i < p.rows; i++ {
		groups[i] = groups[i-1]
		if a, b := uint32(i), uint32(i-1); low.at(a) != low.at(b) || high.at(a) != high.at(b) {
			groups[i]++
		}
	}
	return func(id uint32) uint64 { return ^uint64(groups[id]) }
}

// addUp sorts the rows of a filter and adds them up; it takes over ids.
func (p *Profile) addUp(ctx context.Context, ids []uint32, keys []SortKey) (*order, error) {
	if err := p.sort(ctx, ids, keys); err != nil {
		return nil, err
	}
	columns, err := p.columns(ctx, totalColumn, totalHighColumn)
	if err != nil {
		return nil, err
	}
	o := &order{ids: ids, sums: make([]analyze.Sum, 0, len(ids)/sumEvery)}
	low, high := columns[totalColumn], columns[totalHighColumn]
	for len(ids) >= sumEvery {
		o.all.AddSum(sumOf(ids[:sumEvery], low, high))
		o.sums = append(o.sums, o.all)
		ids = ids[sumEvery:]
	}
	o.all.AddSum(sumOf(ids, low, high))
	return o, nil
}
