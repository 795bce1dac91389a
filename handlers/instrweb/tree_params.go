package instrweb

import (
	"net/url"
	"slices"

	"proflens/handlers/lists"
	"proflens/profile/instrdb"
	"proflens/profile/query"
)

// The parameters of trees of functions.
var (
	treePageKeys = append(slices.Clone(lists.TreePageKeys), "rewrite", "w")
	treeKeys     = append(slices.Clone(lists.TreeKeys), "rewrite")
	coverageKeys = append(slices.Clone(lists.CoverageKeys), "rewrite")
)

// treeNodes is how the nodes of a tree are ordered and filtered.
var treeNodes = lists.Nodes[query.TreeNode]{
	By: []query.TreeBy{query.ByPath, query.ByNamespace}, Node: func(n *query.TreeNode) *query.TreeNode { return n },
	Of: instrdb.Nodes, Rows: instrdb.NodeRows,
}

// parseCoverage reads a request for the files or namespaces that have functions.
// Errors are *site.ParamError.
func parseCoverage(q url.Values) (lists.TreeParams, error) { return treeNodes.Parse(q, coverageKeys) }
