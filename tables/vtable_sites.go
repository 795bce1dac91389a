package tables

import (
	"context"
	"slices"

	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
)

// vtableSite is a value site that saw a vtable, with what its cells need.
type vtableSite struct {
	*instrdb.VTableSite
	named        // the function
	vtable named // what it saw
}

var vtableSiteColumns = slices.Concat(
	[]Column[vtableSite]{
		{"vtable", 16, func(s *vtableSite) Cell { return Hex(s.VTable.NameRef) }},
		{"class", 0, func(s *vtableSite) Cell { return s.vtable.classOf() }},
	},
	nameColumns(func(s *vtableSite) *named { return &s.named }),
	[]Column[vtableSite]{
		{"func_hash", 16, func(s *vtableSite) Cell { return Hex(s.FuncHash) }},
		{"rank", 8, func(s *vtableSite) Cell { return Int(uint64(s.Rank)) }},
		{"context_sensitive", 17, func(s *vtableSite) Cell { return Bool(s.CS) }},
		{"index", 5, func(s *vtableSite) Cell { return Int(uint64(s.Index)) }},
		{"addresses", 9, func(s *vtableSite) Cell { return Int(uint64(s.Addresses)) }},
		{"count", 20, func(s *vtableSite) Cell { return Count(s.Count) }},
		{"site_share", 10, func(s *vtableSite) Cell { return Ratio(part(float64(s.Count), float64(s.All))) }},
	})

var vtableSiteText = []string{"vtable", "count", "site_share", "index", "demangled"}

func openVTableSites(_ context.Context, p *instrdb.Profile, o Options) (Table, error) {
	return vtableSites(p, o, p.AllVTableSites), nil
}

// VTableSites is the value sites that saw a vtable and that a query selects, in its
// order; its Offset and Limit do not count.
func VTableSites(p *instrdb.Profile, nameRef uint64, q query.RowQuery, o Options) Table {
	return vtableSites(p, o, func(ctx context.Context, offset, limit int) (*instrdb.VTableSitePage, error) {
		q.Offset, q.Limit = offset, limit
		return p.VTableSites(ctx, nameRef, q)
	})
}

func vtableSites(p *instrdb.Profile, o Options,
	read func(ctx context.Context, offset, limit int) (*instrdb.VTableSitePage, error)) Table {
	return &List[vtableSite]{Columns: vtableSiteColumns, Text: vtableSiteText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[vtableSite], error) {
			page, err := read(ctx, offset, limit)
			if err != nil {
				return Step[vtableSite]{}, err
			}
			rows := make([]vtableSite, len(page.Rows))
			for i := range page.Rows {
				row := &page.Rows[i]
				rows[i] = vtableSite{
					row, newNamed(row.NameRef, row.Name, o.Demangle), newNamed(row.VTable.NameRef, row.VTable.Name, o.Demangle),
				}
			}
			return Step[vtableSite]{Rows: rows, Total: page.Matching, Unsettled: !page.Complete && !p.Storing()}, nil
		}}
}
