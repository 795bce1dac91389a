package instrweb

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/lists"
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
	Orders: []lists.NodeOrder[query.TreeNode]{
		{Column: "name", Compare: func(a, b *query.TreeNode) int { return strings.Compare(a.Path, b.Path) }},
		{Column: "functions", Compare: func(a, b *query.TreeNode) int { return cmp.Compare(a.Functions, b.Functions) }},
		{
			Column: "executed", Compare: func(a,
				b *query.TreeNode) int {
				return cmp.Compare(a.ExecutedShare(), b.ExecutedShare())
			},
		},
		{Column: "never", Compare: func(a, b *query.TreeNode) int { return cmp.Compare(a.Never(), b.Never()) }},
		{Column: "counters", Compare: func(a, b *query.TreeNode) int { return cmp.Compare(a.Counters, b.Counters) }},
		{Column: "zero", Compare: func(a, b *query.TreeNode) int { return cmp.Compare(a.Zero, b.Zero) }},
		{Column: "total", Compare: func(a, b *query.TreeNode) int { return a.Total.Compare(b.Total) }},
	},
}

// parseCoverage reads a request for the files or namespaces that have functions.
// Errors are *site.ParamError.
func parseCoverage(q url.Values) (lists.TreeParams, error) { return treeNodes.Parse(q, coverageKeys) }
