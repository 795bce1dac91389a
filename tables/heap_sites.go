package tables

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
)

// memprofSums are the columns of what contexts add up to.
func memprofSums[T any](item func(*T) *memprofdb.SiteTotals) []Column[T] {
	big := func(name string, width int, sum func(s *memprofdb.SiteTotals) analyze.Sum) Column[T] {
		return Column[T]{name, width, func(row *T) Cell { return SumCount(sum(item(row))) }}
	}
	list := []Column[T]{
		{"contexts", 9, func(row *T) Cell { return Count(item(row).Contexts) }},
		big("bytes", 14, func(s *memprofdb.SiteTotals) analyze.Sum { return s.Bytes }),
		big("count", 12, func(s *memprofdb.SiteTotals) analyze.Sum { return s.Allocations }),
		big("accesses", 14, func(s *memprofdb.SiteTotals) analyze.Sum { return s.Accesses }),
		big("total_lifetime", 14, func(s *memprofdb.SiteTotals) analyze.Sum { return s.Lifetime }),
		big("byte_ms", 16, func(s *memprofdb.SiteTotals) analyze.Sum { return s.ByteMS }),
		{"sites", 8, func(row *T) Cell { return Int(uint64(item(row).Sites)) }},
		{"mixed", 8, func(row *T) Cell { return Int(uint64(item(row).Mixed)) }},
	}
	for i, class := range analyze.MemProfClasses {
		list = append(list,
			Column[T]{
				MemProfClassWord(class) + "_contexts", 9, func(row *T) Cell { return Count(item(row).Classes[i].Contexts) },
			},
			big(MemProfClassWord(class)+"_bytes", 14, func(s *memprofdb.SiteTotals) analyze.Sum { return s.Classes[i].Bytes }))
	}
	return list
}

// site is an allocation site with what its cells need.
type site struct {
	*memprofdb.Site
	modules  []memprofdb.Module
	demangle func(linkage string) string
}

func (s *site) function() memprofFunction { return memprofFunction{s.Function, s.modules, s.demangle} }

var siteColumns = slices.Concat(
	[]Column[site]{{"site", 16, func(s *site) Cell {
		if s.ID == 0 {
			return Null
		}
		return Hex(s.ID)
	}}},
	memprofFunctionColumns((*site).function),
	[]Column[site]{
		{"file", 0, func(s *site) Cell {
			if s.File == "" {
				return Null
			}
			return Text(s.File)
		}},
		{"line", 8, ofCall(func(s *site) Cell { return known(s.Line) })},
		{"line_offset", 8, ofCall(func(s *site) Cell { return Int(uint64(s.LineOffset)) })},
		{"column", 8, ofCall(func(s *site) Cell { return Int(uint64(s.Column)) })},
	},
	memprofSums(func(s *site) *memprofdb.SiteTotals { return &s.SiteTotals }))

var siteText = []string{"bytes", "count", "contexts", "cold_bytes", "mixed", "file", "line", "function"}

// ofCall is a column that only sites by line have.
func ofCall(value func(*site) Cell) func(*site) Cell {
	return func(s *site) Cell {
		if s.ID == 0 {
			return Null
		}
		return value(s)
	}
}

// known is a number that is 0 where it is not known.
func known(n uint32) Cell {
	if n == 0 {
		return Null
	}
	return Int(uint64(n))
}

func openSites(by memprofdb.SiteBy) func(context.Context, *memprofdb.Profile, Options) (Table, error) {
	return func(ctx context.Context, p *memprofdb.Profile, o Options) (Table, error) {
		return MemProfSites(ctx, p, memprofdb.SiteQuery{By: by}, o)
	}
}

// MemProfSites is allocation contexts added up as a query asks for; its Offset and
// Limit do not count.
func MemProfSites(ctx context.Context, p *memprofdb.Profile, q memprofdb.SiteQuery, o Options) (Table, error) {
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	var page *memprofdb.SitePage
	l := &List[site]{Columns: siteColumns, Text: siteText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[site], error) {
		q.Offset, q.Limit = offset, limit
		if page, err = p.Sites(ctx, q); err != nil {
			return Step[site]{}, err
		}
		rows := make([]site, len(page.Rows))
		for i := range page.Rows {
			rows[i] = site{&page.Rows[i], modules, o.Demangle}
		}
		return Step[site]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[site]) []byte {
		return append(appendMemProfTotals(append(b, `,"matching":{`...), &page.Totals, o.Quote), '}')
	}
	return l, nil
}

// MemProfNode is a node of a tree of sites at its depth.
type MemProfNode = Nested[memprofdb.Node]

var memprofNodeColumns = slices.Concat(
	nestedColumns(func(n *memprofdb.Node) *query.TreeNode { return &n.TreeNode }),
	memprofSums(func(n *MemProfNode) *memprofdb.SiteTotals { return &n.Node.Sum }))

var memprofNodeText = []string{"bytes", "count", "contexts", "cold_bytes", "mixed", "path"}

// MemProfTree is the nodes of a tree of sites below one, in preorder, down to a
// number of levels, as sort orders those below each.
func MemProfTree(t *memprofdb.Tree, of memprofdb.Node, levels int, sort func([]memprofdb.Node), o Options) Table {
	return nestedTable(memprofNodeColumns, memprofNodeText, MemProfNode{Node: of}, Below(t.Children, of, levels, sort),
		t.By, nil, o)
}
