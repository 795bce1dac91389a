package instrdb

import (
	"context"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/names"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// The columns of vtables that can be sorted by. The numbers can be filtered too.
const (
	VTableCount     query.Column = "count"
	VTableSites     query.Column = "sites"
	VTableFunctions query.Column = "functions"
	VTableAddress   query.Column = "address"
	VTableSize      query.Column = "size"
	VTableName      query.Column = "name" // by name bytes; no filter
)

// VTableColumns are all of them.
var VTableColumns = []query.Column{VTableCount, VTableSites, VTableFunctions, VTableAddress, VTableSize, VTableName}

// VTable is a virtual table that the profile names, places or saw at a value site
// of kind IPVK_VTableTarget.
type VTable struct {
	NameRef uint64 // 0: the row of the addresses that are in no vtable
	Name    []byte // its PGO name; empty when the file has none
	// Ranges is where it stood, lowest address first; none where only raw profiles
	// would say, or where no raw profile had it.
	Ranges []instrprof.VTable

	Sites     int         // value sites that saw it
	Functions int         // records with these sites
	Count     analyze.Sum // how often they saw it
	Share     float64     // of the counts of all vtable sites
}

// VTableQuery selects, orders and pages vtables. Ties end by name, then NameRef.
type VTableQuery struct {
	Text, Regexp string // over the name, mangled or demangled
	Seen         *bool  // by a value site
	Ranges       []query.Range
	Sort         []query.Key // empty is count, descending
	Offset       int
	Limit        int
}

// VTablePage is one page of vtables.
type VTablePage struct {
	Rows     []VTable
	All      int         // vtables, the row of NameRef 0 among them
	Matching int         // of them, those that the query selects
	Seen     int         // vtables that a site saw, without the row of NameRef 0
	Total    analyze.Sum // of the counts of all vtable sites
	None     *VTable     // the addresses in no vtable; nil where there are none
	NoneAt   int         // how many addresses those are, site by site
	// Complete is false for the preview of a profile that is still being stored.
	Complete bool
}

// VTables returns one page of vtables. The first call scans all value sites.
// Errors are a *query.ColumnError, that of names.NewMatcher for a pattern, the
// context's, or about the file.
func (p *Profile) VTables(ctx context.Context, q VTableQuery) (*VTablePage, error) {
	x, err := p.vtableIndex(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := stored.Cached(ctx, p.Profile, query.CacheKey("vtable order", q.Text, q.Regexp, q.Seen, q.Ranges, q.Sort),
		func() ([]uint32, int64, error) {
			ids, err := x.order(ctx, &q)
			return ids, int64(len(ids)) * 4, err
		})
	if err != nil {
		return nil, err
	}
	page := &VTablePage{All: len(x.list), Matching: len(ids), Seen: x.seen, Total: x.total, Complete: !p.Storing()}
	if x.none >= 0 {
		page.None, page.NoneAt = &x.list[x.none], x.noneAt
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, x.list[i])
	}
	return page, nil
}

// order is the vtables that match, sorted.
func (x *vtableIndex) order(ctx context.Context, q *VTableQuery) ([]uint32, error) {
	var tests []query.Test
	if q.Text != "" || q.Regexp != "" {
		m, err := names.NewMatcher(q.Text, q.Regexp)
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(i uint32) bool { return len(x.list[i].Name) > 0 && m.Match(x.list[i].Name) })
	}
	if q.Seen != nil {
		tests = append(tests, func(i uint32) bool { return x.list[i].Sites > 0 == *q.Seen })
	}
	for _, r := range q.Ranges {
		v, err := x.value(r.Column)
		if err != nil || r.Column == VTableName {
			return nil, &query.ColumnError{Column: r.Column, Known: VTableColumns}
		}
		if r.Column == VTableCount { // sums can pass 2^64
			tests = append(tests, func(i uint32) bool {
				c := x.list[i].Count
				return c.Hi > 0 && r.Max == math.MaxUint64 || c.Hi == 0 && c.Lo >= r.Min && c.Lo <= r.Max
			})
			continue
		}
		tests = append(tests, v.In(r.Min, r.Max))
	}
	keys := q.Sort
	if len(keys) == 0 {
		keys = []query.Key{{Column: VTableCount, Desc: true}}
	}
	ids := query.Select(len(x.list), nil, tests)
	return ids, query.Sort(ctx, ids, slices.Concat(keys, []query.Key{{Column: VTableName}}), x.value)
}

// value is a column of vtables.
func (x *vtableIndex) value(c query.Column) (query.Value, error) {
	number := func(of func(v *VTable) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return of(&x.list[i]) }}, nil
	}
	placed := func(of func(r *instrprof.VTable) uint64) (query.Value, error) {
		return query.Value{
			At:    func(i uint32) uint64 { return of(&x.list[i].Ranges[0]) },
			Known: func(i uint32) bool { return len(x.list[i].Ranges) > 0 },
		}, nil
	}
	switch c {
	case VTableCount:
		return query.Ranked(len(x.list), func(a, b uint32) int { return x.list[a].Count.Compare(x.list[b].Count) }), nil
	case VTableSites:
		return number(func(v *VTable) uint64 { return uint64(v.Sites) })
	case VTableFunctions:
		return number(func(v *VTable) uint64 { return uint64(v.Functions) })
	case VTableAddress:
		return placed(func(r *instrprof.VTable) uint64 { return r.Address })
	case VTableSize:
		return placed(func(r *instrprof.VTable) uint64 { return r.Size })
	case VTableName: // the list stands in this order
		return query.Value{At: func(i uint32) uint64 { return uint64(i) },
			Known: func(i uint32) bool { return len(x.list[i].Name) > 0 }}, nil
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: VTableColumns}
}
