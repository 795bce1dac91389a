package mipweb

import (
	"net/url"

	"proflens/handlers/lists"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
)

// treeNodes is how the nodes of a tree of functions of machine IR are ordered and
// filtered. Their names seldom have a path, so that namespaces are the usual tree.
var treeNodes = lists.Nodes[mipdb.Node]{
	By: []query.TreeBy{query.ByNamespace, query.ByPath}, Node: func(n *mipdb.Node) *query.TreeNode { return &n.TreeNode },
	Of: mipdb.Nodes, Rows: mipdb.NodeRows,
}

// parseCoverage reads a request for the namespaces or files that have functions.
// Errors are *site.ParamError.
func parseCoverage(q url.Values) (lists.TreeParams, error) {
	return treeNodes.Parse(q, lists.CoverageKeys)
}

// coveredShare is how much of a node's bytes is in blocks that ran.
func coveredShare(n *mipdb.Node) float64 { return humanize.Part(n.Sum.CoveredBytes, n.Sum.Bytes) }
