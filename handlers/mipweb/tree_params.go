package mipweb

import (
	"cmp"
	"net/url"
	"strings"

	"proflens/handlers/lists"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/tables"
)

// treeNodes is how the nodes of a tree of functions of machine IR are ordered and
// filtered. Their names seldom have a path, so that namespaces are the usual tree.
var treeNodes = lists.Nodes[mipdb.Node]{
	By: []query.TreeBy{query.ByNamespace, query.ByPath}, Node: func(n *mipdb.Node) *query.TreeNode { return &n.TreeNode },
	Orders: []lists.NodeOrder[mipdb.Node]{
		{Column: "name", Compare: func(a, b *mipdb.Node) int { return strings.Compare(a.Path, b.Path) }},
		{Column: "functions", Compare: func(a, b *mipdb.Node) int { return cmp.Compare(a.Functions, b.Functions) }},
		{Column: "executed", Compare: func(a, b *mipdb.Node) int { return cmp.Compare(a.Executed, b.Executed) }},
		{
			Column: "never", Compare: func(a,
				b *mipdb.Node) int {
				return cmp.Compare(a.Functions-a.Executed, b.Functions-b.Executed)
			},
		},
		{Column: "bytes", Compare: func(a, b *mipdb.Node) int { return cmp.Compare(a.Sum.Bytes, b.Sum.Bytes) }},
		{Column: "never_bytes", Compare: func(a, b *mipdb.Node) int {
			return cmp.Compare(a.Sum.Bytes-a.Sum.ExecutedBytes, b.Sum.Bytes-b.Sum.ExecutedBytes)
		}},
		{
			Column: "covered_bytes", Compare: func(a,
				b *mipdb.Node) int {
				return cmp.Compare(a.Sum.CoveredBytes, b.Sum.CoveredBytes)
			},
		},
		{
			Column: "covered_share", Compare: func(a,
				b *mipdb.Node) int {
				return cmp.Compare(coveredShare(a), coveredShare(b))
			},
		},
		{Column: "blocks", Compare: func(a, b *mipdb.Node) int { return cmp.Compare(a.Sum.Blocks, b.Sum.Blocks) }},
		{
			Column: "covered_blocks", Compare: func(a,
				b *mipdb.Node) int {
				return cmp.Compare(a.Sum.CoveredBlocks, b.Sum.CoveredBlocks)
			},
		},
		{Column: "call_count", Compare: func(a, b *mipdb.Node) int { return a.Sum.Calls.Compare(b.Sum.Calls) }},
	},
}

// parseCoverage reads a request for the namespaces or files that have functions.
// Errors are *site.ParamError.
func parseCoverage(q url.Values) (lists.TreeParams, error) {
	return treeNodes.Parse(q, lists.CoverageKeys)
}

// coveredShare is how much of a node's bytes is in blocks that ran.
func coveredShare(n *mipdb.Node) float64 { return tables.PartOf(n.Sum.CoveredBytes, n.Sum.Bytes) }
