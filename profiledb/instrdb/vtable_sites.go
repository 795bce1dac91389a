package instrdb

import (
	"context"
	"fmt"
	"sort"

	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// VTableSite is a value site that saw a vtable.
type VTableSite struct {
	VTable    *VTable
	Rank      int    // of the function record
	Name      []byte // its PGO name; empty when the file has none
	NameRef   uint64
	FuncHash  uint64
	CS        bool
	Index     int    // of the site in the record, within its kind, from 0
	Addresses int    // how many addresses in the vtable the site saw
	Count     uint64 // how often, at most 2^64 - 1
	All       uint64 // how often it saw any vtable, likewise
}

// VTableSitePage is one page of the sites that saw a vtable, or any.
type VTableSitePage struct {
	VTable *VTable // nil for those of all
	Rows   []VTableSite
	All    int
	// Matching are those of All that the query selects.
	Matching int
	// Complete is false for the preview of a profile that is still being stored, and
	// while names are being searched: Scanned functions so far.
	Complete bool
	Scanned  int
}

// The columns of the sites of a vtable that can be sorted by, beside ColName and
// ColRank of the function.
const (
	VTableSiteShare     query.Column = "site_share"
	VTableSiteAddresses query.Column = "addresses"
)

// VTableSiteColumns are all of them.
var VTableSiteColumns = []query.Column{VTableCount, VTableSiteShare, VTableSiteAddresses, ColName, ColRank}

// VTableSites returns one page of the sites that saw a vtable, those that saw it
// most often first unless the query says otherwise. The error is stored.ErrNoPart
// where the profile does not know the vtable, a *query.ColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) VTableSites(ctx context.Context, nameRef uint64, q query.RowQuery) (*VTableSitePage, error) {
	x, err := p.vtableIndex(ctx)
	if err != nil {
		return nil, err
	}
	at, ok := x.places[nameRef]
	if !ok {
		return nil, stored.ErrNoPart
	}
	hits := x.hits[at]
	ids, scanned, err := p.pick(ctx, fmt.Sprint("vtable sites ", at), len(hits), &q,
		func(i uint32) uint32 { return hits[i].function }, func(c query.Column) (query.Value,
			error) {
			return hitValue(hits, c)
		})
	if err != nil {
		return nil, err
	}
	page := &VTableSitePage{
		VTable: &x.list[at], All: len(hits), Matching: len(ids), Complete: !p.Storing() && scanned == p.rows,
		Scanned: scanned,
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	picked := make([]vtableHit, 0, to-from)
	for _, i := range ids[from:to] {
		picked = append(picked, hits[i])
	}
	page.Rows, err = p.vtableSites(ctx, x, at, picked, nil)
	return page, err
}

// hitValue is a column of the sites of a vtable.
func hitValue(hits []vtableHit, c query.Column) (query.Value, error) {
	switch c {
	case VTableCount:
		return query.Value{At: func(i uint32) uint64 { return hits[i].count }}, nil
	case VTableSiteShare:
		return query.Real(func(i uint32) float64 { return float64(hits[i].count) / float64(max(hits[i].all, 1)) }), nil
	case VTableSiteAddresses:
		return query.Value{At: func(i uint32) uint64 { return uint64(hits[i].addresses) }}, nil
	case ColRank:
		return query.Value{At: func(i uint32) uint64 { return uint64(hits[i].function) + 1 }}, nil
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: VTableSiteColumns}
}

// AllVTableSites returns one page of the sites of every vtable, vtable by vtable
// in the order of names.
func (p *Profile) AllVTableSites(ctx context.Context, offset, limit int) (*VTableSitePage, error) {
	x, err := p.vtableIndex(ctx)
	if err != nil {
		return nil, err
	}
	page := &VTableSitePage{
		All: x.starts[len(x.list)], Matching: x.starts[len(x.list)], Complete: !p.Storing(), Scanned: p.rows,
	}
	from, to := query.Clamp(offset, limit, page.All)
	for from < to {
		at := sort.SearchInts(x.starts, from+1) - 1
		first := from - x.starts[at]
		n := min(to-from, len(x.hits[at])-first)
		if page.Rows, err = p.vtableSites(ctx, x, at, x.hits[at][first:first+n], page.Rows); err != nil {
			return nil, err
		}
		from += n
	}
	return page, nil
}

// vtableSites adds to rows what a vtable's hits are.
func (p *Profile) vtableSites(ctx context.Context, x *vtableIndex, at int, hits []vtableHit,
	rows []VTableSite) ([]VTableSite, error) {
	sites, functions := p.valueSite.Cursor(), p.function.Cursor()
	for n, h := range hits {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		site, err := stored.Find(sites, int(h.site))
		if err != nil {
			return nil, err
		}
		row := VTableSite{
			VTable: &x.list[at], Rank: int(site.Int(vsFunction)), Index: int(site.Int(vsSite)),
			Addresses: int(h.addresses), Count: h.count, All: h.all,
		}
		function, err := stored.Find(functions, row.Rank)
		if err != nil {
			return nil, err
		}
		row.NameRef, row.FuncHash, row.CS = function.Uint(fnNameRef), function.Uint(fnFuncHash), function.Int(fnCS) != 0
		name, err := function.Bytes(fnName)
		if err != nil {
			return nil, err
		}
		row.Name = append([]byte{}, name...)
		rows = append(rows, row)
	}
	return rows, nil
}
