package instrweb

import (
	"net/url"
	"slices"

	"proflens/analyze"
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
	Sorts: []query.Column{"name", "functions", "executed", "never", "counters", "zero", "total"},
	Figure: func(n *query.TreeNode, column query.Column) analyze.Sum {
		lo := uint64(0)
		switch column {
		case "functions":
			lo = n.Functions
		case "executed":
			lo = query.Ordered(n.ExecutedShare())
		case "never":
			lo = n.Never()
		case "counters":
			lo = n.Counters
		case "zero":
			lo = n.Zero
		case "total":
			return n.Total
		}
		return analyze.Sum{Lo: lo}
	},
}

// parseCoverage reads a request for the files or namespaces that have functions.
// Errors are *site.ParamError.
func parseCoverage(q url.Values) (lists.TreeParams, error) { return treeNodes.Parse(q, coverageKeys) }
