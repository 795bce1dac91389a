package mipweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/views/picture"
)

// cardRows is how many namespaces the picture of a link has.
const cardRows = 5

// cardChart is how far the largest namespaces are covered.
func cardChart(ctx context.Context, m *mipdb.Profile) (*picture.Chart, error) {
	t, err := m.Tree(ctx, query.ByNamespace)
	if err != nil {
		return nil, err
	}
	c := &picture.Chart{Title: "Covered bytes of the largest namespaces"}
	tree := treeRequest{TreeParams: lists.TreeParams{By: query.ByNamespace}}
	nodes := t.Children(t.Root())
	for i := range nodes[:min(len(nodes), cardRows)] {
		n := &nodes[i]
		share := coveredShare(n)
		c.Rows = append(c.Rows, picture.Row{
			Label: tree.Label(&n.TreeNode), Value: humanize.Say("{%} of {:bytes}", share, n.Sum.Bytes),
			To: share, Cover: true,
		})
	}
	return c, nil
}
