package store

import (
	"context"
	"math/bits"

	"proflens/analyze"
	"proflens/decode/instrprof"
)

// nameRows is the rows of a filter with those made one whose names read the same,
// in an order. It is immutable.
type nameRows struct {
	rows    []nameRow
	sums    []analyze.Sum // sums[i] adds up the first (i+1)*sumEvery rows
	all     analyze.Sum
	records int // that were merged
}

// nameRow adds up the records of one name, plain or context-sensitive.
type nameRow struct {
	total                 analyze.Sum
	max, entry            uint64 // the largest; the sum, or the largest number where it is more
	first                 uint32 // rank - 1 of the record with the largest total
	records               uint32
	counters, zero, sites uint32 // sums
}

const nameRowBytes = 64

func (m *nameRows) bytes() int64 { return int64(len(m.rows))*nameRowBytes + int64(len(m.sums))*16 }

// mergedColumns are what merging adds up.
var mergedColumns = []columnID{
	totalColumn, totalHighColumn, maxColumn, entryColumn, countersColumn, zeroColumn, sitesColumn, traitsColumn,
}

// mergedFunctions is Functions with equal names merged.
func (p *Profile) mergedFunctions(ctx context.Context, q FunctionQuery, keys []SortKey) (*FunctionPage, error) {
	page := &FunctionPage{All: p.all, Scanned: p.rows, Complete: !p.storing}
	key := cacheKey{p.id, "merged " + string(q.Mode) + orderKey(keys) + " of " + q.filterKey()}
	v, found := p.cache.peek(key)
	m, _ := v.(*nameRows)
	if !found {
		whole := q
		whole.Sort, whole.Merge = nil, false
		o, err := p.order(ctx, &whole, nil, page)
		if err != nil {
			return nil, err
		}
		g, err := p.nameGroups(ctx, q.Mode)
		if err != nil {
			return nil, err
		}
		page.Scanned = min(page.Scanned, len(g.of))
		page.Complete = page.Complete && page.Scanned == p.rows
		if m, err = p.merge(ctx, o.ids, g, keys); err != nil {
			return nil, err
		}
		if page.Complete {
			p.cache.put(key, m, m.bytes())
		}
	}
	page.Matching, page.MatchingTotal, page.Records = len(m.rows), m.all, m.records
	var err error
	page.Rows, err = p.mergedPage(ctx, m, q.Offset, q.Limit)
	return page, err
}

// merge adds up records, given in the default order, by name and sorts the sums.
func (p *Profile) merge(ctx context.Context, ids []uint32, g *nameGroups, keys []SortKey) (*nameRows, error) {
	columns, err := p.columns(ctx, mergedColumns...)
	if err != nil {
		return nil, err
	}
	m := &nameRows{}
	place := make([]uint32, 2*len(g.hashes)) // of a name's row, from 1, plain and context-sensitive
	for _, id := range ids {
		if int(id) >= len(g.of) {
			break // not numbered yet
		}
		slot := &place[2*g.of[id]]
		if columns[traitsColumn].at(id)&traitCS != 0 {
			slot = &place[2*g.of[id]+1]
		}
		if *slot == 0 {
			m.rows = append(m.rows, nameRow{first: id})
			*slot = uint32(len(m.rows))
		}
		m.rows[*slot-1].add(id, columns)
		m.records++
	}
	if err := p.sortMerged(ctx, m, keys); err != nil {
		return nil, err
	}
	for i := range m.rows {
		m.all.AddSum(m.rows[i].total)
		if (i+1)%sumEvery == 0 {
			m.sums = append(m.sums, m.all)
		}
	}
	return m, nil
}

func (r *nameRow) add(id uint32, columns map[columnID]*column) {
	r.total.AddSum(analyze.Sum{Hi: columns[totalHighColumn].at(id), Lo: columns[totalColumn].at(id)})
	r.max = max(r.max, columns[maxColumn].at(id))
	entry, over := bits.Add64(r.entry, columns[entryColumn].at(id), 0)
	if over != 0 {
		entry = 1<<64 - 1
	}
	r.entry = entry
	r.records++
	r.counters += uint32(columns[countersColumn].at(id))
	r.zero += uint32(columns[zeroColumn].at(id))
	r.sites += uint32(columns[sitesColumn].at(id))
}

// sortMerged sorts rows by keys, and where these are equal by total, descending,
// and by their first record.
func (p *Profile) sortMerged(ctx context.Context, m *nameRows, keys []SortKey) error {
	order := make([]uint32, len(m.rows))
	for i := range order {
		order[i] = uint32(i)
	}
	sortBy(order, func(i uint32) uint64 { return ^m.rows[i].total.Lo })
	sortBy(order, func(i uint32) uint64 { return ^m.rows[i].total.Hi })
	for i := len(keys) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.sortMergedBy(ctx, m, order, keys[i]); err != nil {
			return err
		}
	}
	sorted := make([]nameRow, len(m.rows))
	for i, at := range order {
		sorted[i] = m.rows[at]
	}
	m.rows = sorted
	return nil
}

func (p *Profile) sortMergedBy(ctx context.Context, m *nameRows, order []uint32, key SortKey) error {
	value := func(column Column) (func(r *nameRow) uint64, error) {
		switch column {
		case ColMax:
			return func(r *nameRow) uint64 { return r.max }, nil
		case ColEntry:
			return func(r *nameRow) uint64 { return r.entry }, nil
		case ColCounters:
			return func(r *nameRow) uint64 { return uint64(r.counters) }, nil
		case ColZero:
			return func(r *nameRow) uint64 { return uint64(r.zero) }, nil
		case ColSites:
			return func(r *nameRow) uint64 { return uint64(r.sites) }, nil
		}
		of, err := p.sortValue(ctx, column) // of the first record
		return func(r *nameRow) uint64 { return of(r.first) }, err
	}
	flip := uint64(0)
	if key.Desc {
		flip = 1<<64 - 1
	}
	if key.Column == ColTotal {
		sortBy(order, func(i uint32) uint64 { return m.rows[i].total.Lo ^ flip })
		sortBy(order, func(i uint32) uint64 { return m.rows[i].total.Hi ^ flip })
		return nil
	}
	of, err := value(key.Column)
	if err != nil {
		return err
	}
	sortBy(order, func(i uint32) uint64 { return of(&m.rows[i]) ^ flip })
	return nil
}

// mergedPage reads the rows at places offset to offset+limit. A row of several
// records shows their sums over what its first record is.
func (p *Profile) mergedPage(ctx context.Context, m *nameRows, offset, limit int) ([]FunctionRow, error) {
	from, to := clamp(offset, limit, len(m.rows))
	if from == to {
		return nil, nil
	}
	var sum analyze.Sum
	if from >= sumEvery {
		sum = m.sums[from/sumEvery-1]
	}
	for i := from / sumEvery * sumEvery; i < from; i++ {
		sum.AddSum(m.rows[i].total)
	}
	rows := make([]FunctionRow, 0, to-from)
	c := p.function.Cursor()
	var counters []uint64
	for n, r := range m.rows[from:to] {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		stored, err := find(c, int(r.first)+1)
		if err != nil {
			return nil, err
		}
		var row FunctionRow
		if row, counters, err = p.functionRow(stored, counters); err != nil {
			return nil, err
		}
		sum.AddSum(r.total)
		if r.records > 1 {
			p.addMerged(&row, &r)
		}
		row.Cum = share(sum, p.total)
		rows = append(rows, row)
	}
	return rows, nil
}

// addMerged puts the sums of several records into the row of the first.
func (p *Profile) addMerged(row *FunctionRow, r *nameRow) {
	row.Records = int(r.records)
	row.Total, row.Max, row.Entry = r.total, r.max, r.entry
	row.NumCounters, row.NumZero, row.SiteCount = r.counters, r.zero, r.sites
	row.Class, row.Share = p.classify(&row.Stats), share(r.total, p.total)
	row.FuncHash, row.MaxIndex, row.Ordinal, row.Shape = 0, 0, 0, nil
	row.NumSites = [instrprof.NumValueKinds]uint32{}
}
