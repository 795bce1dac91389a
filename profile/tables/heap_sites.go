package tables

import (
	"context"
	"reflect"
	"slices"

	"proflens/analyze"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// memprofSums are the columns of what the contexts below a node add up to.
func memprofSums() (list []table.Column[MemProfNode]) {
	for _, c := range memprofdb.Sums.Columns(&table.Options{}) {
		list = append(list, table.Column[MemProfNode]{c.Name, c.Width, func(n *MemProfNode) table.Cell {
			return c.Value(new(reflect.ValueOf(&n.Node.Sum).Elem()))
		}})
	}
	return list
}

// openSites is sites added up in a way.
func openSites(by memprofdb.SiteBy) func(context.Context, *memprofdb.Profile, table.Options) (table.Table, error) {
	return declared(memprofdb.Sites, func(p *memprofdb.Profile, ctx context.Context) (table.Find, error) {
		return p.FindSites(ctx, memprofdb.Filter{}, by)
	})
}

// openBlame is sites by blame, by the default list of what is a library's.
func openBlame(ctx context.Context, p *memprofdb.Profile, o table.Options) (table.Table, error) {
	library, err := analyze.ParseLibrary("")
	if err != nil {
		return nil, err
	}
	return declared(memprofdb.BlameSites, func(p *memprofdb.Profile, ctx context.Context) (table.Find, error) {
		return p.FindBlame(ctx, memprofdb.Filter{Library: library}, memprofdb.SitesByBlame)
	})(ctx, p, o)
}

// byDefault asks for a table with nothing selected, and by the compiler's thresholds.
func byDefault[P, Q any](find func(P, context.Context, Q) (table.Find, error)) func(P,
	context.Context) (table.Find, error) {
	return func(p P, ctx context.Context) (table.Find, error) { return find(p, ctx, *new(Q)) }
}

// MemProfNode is a node of a tree of sites at its depth.
type MemProfNode = Nested[memprofdb.Node]

var memprofNodeColumns = slices.Concat(
	nestedColumns(func(n *memprofdb.Node) *query.TreeNode { return &n.TreeNode }),
	memprofSums())

var memprofNodeText = []string{"bytes", "count", "contexts", "cold_bytes", "mixed", "path"}

// MemProfTree is the nodes of a tree of sites below one, in preorder, down to a
// number of levels, as sort orders those below each.
func MemProfTree(t *memprofdb.Tree, of memprofdb.Node, levels int, sort func([]memprofdb.Node),
	o table.Options) table.Table {
	return nestedTable(memprofNodeColumns, memprofNodeText, MemProfNode{Node: of}, Below(t.Children, of, levels, sort),
		t.By, nil, o)
}
