package memprofdb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Tree is allocation sites added up by the folders and files of the source, by
// the frames that allocate, those of the most bytes first. A node's filter is
// one of Filter.Path.
type Tree = query.TreeOf[SiteTotals, *SiteTotals]

// Node is a node of such a tree.
type Node = query.NodeOf[SiteTotals]

// nested is such a node for scripts.
type nested struct {
	table.Nested[Node]
	*SiteTotals
}

var nodes = table.Declare[nested](table.Declaration{Text: "bytes count contexts cold_bytes mixed path"})

// TableOf is the table of nodes below one of a tree, down to a number of levels, as sort orders
// those below each.
func TableOf(t *Tree, below Node, levels int, sort func([]Node), o table.Options) table.Table {
	row := func(n table.Nested[Node]) nested { return nested{n, &n.Node.Sum} }
	return table.Tree(nodes, t.By, below, table.Below(t.Children, below, levels, sort), row, nil, o)
}

// Tree adds the contexts of a filter up. Errors are those of Contexts.
func (p *Profile) Tree(ctx context.Context, f Filter) (*Tree, error) {
	x, selected, err := p.selected(ctx, &f)
	if err != nil {
		return nil, err
	}
	return stored.Cached(ctx, p.Profile, "memprof tree "+f.key(), func() (*Tree, int64, error) {
		t := x.tree(selected)
		return t, t.Bytes() + int64(len(t.Sums))*320, nil
	})
}

func (x *index) tree(of *selection) *Tree {
	var growing analyze.PathTree
	calls := x.calls(of)
	refs := make([]analyze.PathRef, len(calls))
	for i := range calls {
		refs[i] = growing.AddAt(analyze.PathParts(calls[i].File), &analyze.Totals{Functions: calls[i].Contexts})
	}
	nodes, ids := growing.Nodes()
	t := &Tree{
		Tree: query.Tree{
			By: query.ByPath, All: len(of.ids), Scanned: len(of.ids), Complete: true, Crowded: growing.Crowded(), Nodes: nodes,
		},
		Sums:   make([]SiteTotals, len(nodes)),
		Larger: func(a, b *SiteTotals) int { return b.Bytes.Compare(a.Bytes) },
	}
	for i := range calls {
		t.Sums[ids[refs[i]]].Add(&calls[i].SiteTotals)
	}
	for i := len(nodes) - 1; i > 0; i-- { // preorder: what is below comes after
		t.Sums[nodes[i].Parent].Add(&t.Sums[i])
	}
	return t
}

// SortNodes brings the nodes below one into the order of columns of sites; what has no
// name of its own stays last, and all stay as they are without keys. The error is the
// context's or a *[query.ColumnError].
func SortNodes(ctx context.Context, nodes []Node, keys []query.Key) error {
	named := len(nodes)
	for named > 0 && nodes[named-1].Name == "" {
		named--
	}
	sites := make([]Site, named)
	for i := range sites {
		sites[i] = Site{SitePlace{File: nodes[i].Path}, nodes[i].Sum}
	}
	ids := query.All(named)
	err := query.Sort(ctx, ids, keys, Sites.Values(sites))
	before := slices.Clone(nodes[:named])
	for at, i := range ids {
		nodes[at] = before[i]
	}
	return err
}
