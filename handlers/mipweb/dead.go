package mipweb

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"proflens/handlers/lists"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/views/chart"
	"proflens/views/mipview"
)

// deadRows is how many namespaces and paths the sums of what never ran have.
const deadRows = 10

// deadSums adds up what never ran by namespace and by path, below the namespace
// or path that is asked for.
func deadSums(ctx context.Context, v *lists.Request, q *mipdb.Query, o *mipdb.Overview,
	p *mipdb.Profile) ([]mipview.Sums, error) {
	if o.Functions == o.Executed {
		return nil, nil
	}
	var list []mipview.Sums
	for _, way := range []struct {
		by         query.TreeBy
		key, title string
		at         string
	}{
		{query.ByNamespace, "namespace", "By namespace", q.Scope},
		{query.ByPath, "path", "By path", q.Path},
	} {
		t, err := p.Tree(ctx, way.by)
		if err != nil {
			return nil, err
		}
		node, _, ok := t.Find(way.at)
		if !ok {
			continue
		}
		sums := mipview.Sums{
			ID: "dead-" + way.key, Title: way.title, URL: v.Base + "/tree?by=" + way.key + "&sort=-never_bytes",
		}
		nodes := slices.DeleteFunc(t.Children(node), func(n mipdb.Node) bool { return never(&n) == 0 })
		slices.SortStableFunc(nodes, func(a, b mipdb.Node) int { return cmp.Compare(never(&b), never(&a)) })
		sums.Says = "the most bytes that never ran"
		if more := len(nodes) - deadRows; more > 0 {
			sums.Says += ", " + humanize.Int(more) + " more in the tree"
		}
		tree := treeRequest{TreeParams: lists.TreeParams{By: way.by}}
		for i := range nodes[:min(len(nodes), deadRows)] {
			n := &nodes[i]
			share := humanize.Part(never(n), o.Bytes-o.ExecutedBytes)
			row := mipview.ShareRow{
				Label: humanize.Printable(tree.Label(&n.TreeNode)), Plain: n.Name == "", Value: humanize.Bytes(never(n)),
				Share: humanize.Percent(share, 1),
				Bar:   chart.ShareBar(share, 1),
			}
			if n.Filter != "" {
				row.URL = v.Base + "/dead?" + way.key + "=" + url.QueryEscape(n.Filter)
			}
			sums.Rows = append(sums.Rows, row)
		}
		if one := len(sums.Rows) == 1 && sums.Rows[0].Plain; len(sums.Rows) > 0 && !one { // "no path" alone says nothing
			list = append(list, sums)
		}
	}
	return list, nil
}

// never is the bytes of a node's functions that no run executed.
func never(n *mipdb.Node) uint64 { return n.Sum.Bytes - n.Sum.ExecutedBytes }
