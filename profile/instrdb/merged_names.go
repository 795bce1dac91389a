package instrdb

import (
	"context"
	"math/bits"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profile/query"
	"proflens/profile/stored"
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

// mergedFunctions fills the page of Functions with equal names merged.
func (p *Profile) mergedFunctions(ctx context.Context, page *Page, q Query, keys []query.Key) error {
	key := "merged " + string(q.Mode) + query.CacheKey(keys) + " of " + q.filterKey()
	m, kept := stored.Kept[*nameRows](p.Profile, key)
	if !kept {
		o, scanned, err := p.order(ctx, &q, nil)
		if err != nil {
			return err
		}
		g, err := p.nameGroups(ctx, q.Mode)
		if err != nil {
			return err
		}
		page.Scanned = min(scanned, len(g.of))
		if m, err = p.merge(ctx, o.ids, g, keys); err != nil {
			return err
		}
		if page.Scanned == p.rows && !p.Storing() {
			stored.Keep(p.Profile, key, m, m.bytes())
		}
	}
	page.Complete = page.Complete && page.Scanned == p.rows
	page.Matching, page.MatchingTotal, page.Records = len(m.rows), m.all, m.records
	var err error
	page.Rows, err = p.mergedPage(ctx, m, q.Offset, q.Limit)
	return err
}

// merge adds up records, given in the default order, by name and sorts the sums.
func (p *Profile) merge(ctx context.Context, ids []uint32, g *nameGroups, keys []query.Key) (*nameRows, error) {
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
		slot := &place[2*g.of[id]+uint32(columns[traitsColumn].at(id)&traitCS/traitCS)]
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

func (r *nameRow) add(id uint32, columns map[columnID]*columnValues) {
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
func (p *Profile) sortMerged(ctx context.Context, m *nameRows, keys []query.Key) error {
	order := query.All(len(m.rows))
	byTotal := query.Ranked(len(m.rows), func(a, b uint32) int { return m.rows[a].total.Compare(m.rows[b].total) })
	err := query.Sort(ctx, order, append(slices.Clip(keys), query.Key{Column: ColTotal, Desc: true}),
		func(column query.Column) (query.Value, error) {
			of := func(at func(r *nameRow) uint64) (query.Value, error) {
				return query.Value{At: func(i uint32) uint64 { return at(&m.rows[i]) }}, nil
			}
			switch column {
			case ColTotal:
				return byTotal, nil
			case ColMax:
				return of(func(r *nameRow) uint64 { return r.max })
			case ColEntry:
				return of(func(r *nameRow) uint64 { return r.entry })
			case ColCounters:
				return of(func(r *nameRow) uint64 { return uint64(r.counters) })
			case ColZero:
				return of(func(r *nameRow) uint64 { return uint64(r.zero) })
			case ColSites:
				return of(func(r *nameRow) uint64 { return uint64(r.sites) })
			}
			first, err := p.value(ctx, column)
			if err != nil {
				return first, err
			}
			return of(func(r *nameRow) uint64 { return first.At(r.first) })
		})
	sorted := make([]nameRow, len(m.rows))
	for i, at := range order {
		sorted[i] = m.rows[at]
	}
	m.rows = sorted
	return err
}

// mergedPage reads the rows at places offset to offset+limit. A row of several
// records shows their sums over what its first record is.
func (p *Profile) mergedPage(ctx context.Context, m *nameRows, offset, limit int) ([]Row, error) {
	from, to := query.Clamp(offset, limit, len(m.rows))
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
	page := m.rows[from:to]
	return p.readRows(ctx, len(page), func(n int) uint32 { return page[n].first }, func(n int, row *Row) {
		sum.AddSum(page[n].total)
		if page[n].records > 1 {
			p.addMerged(row, &page[n])
		}
		row.Cum = query.Share(sum, p.total)
	})
}

// addMerged puts the sums of several records into the row of the first.
func (p *Profile) addMerged(row *Row, r *nameRow) {
	row.Records = int(r.records)
	row.Total, row.Max, row.Entry = r.total, r.max, r.entry
	row.NumCounters, row.NumZero, row.SiteCount = r.counters, r.zero, r.sites
	row.Class, row.Share = p.Overview.Classify(&row.Stats), query.Share(r.total, p.total)
	row.FuncHash, row.MaxIndex, row.Ordinal, row.Shape = 0, 0, 0, nil
	row.NumSites = [instrprof.NumValueKinds]uint32{}
}
