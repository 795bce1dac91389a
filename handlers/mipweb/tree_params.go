package mipweb

import (
	"net/url"

	"proflens/analyze"
	"proflens/handlers/lists"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
)

// treeNodes is how the nodes of a tree of functions of machine IR are ordered and
// filtered. Their names seldom have a path, so that namespaces are the usual tree.
var treeNodes = lists.Nodes[mipdb.Node]{
	By: []query.TreeBy{query.ByNamespace, query.ByPath}, Node: func(n *mipdb.Node) *query.TreeNode { return &n.TreeNode },
	Sorts: []query.Column{
		"name", "functions", "executed", "never", "bytes", "never_bytes", "covered_bytes", "covered_share", "blocks",
		"covered_blocks", "call_count",
	},
	Figure: func(n *mipdb.Node, column query.Column) analyze.Sum {
		lo := uint64(0)
		switch column {
		case "functions":
			lo = n.Functions
		case "executed":
			lo = n.Executed
		case "never":
			lo = n.Never()
		case "bytes":
			lo = n.Sum.Bytes
		case "never_bytes":
			lo = n.Sum.Bytes - n.Sum.ExecutedBytes
		case "covered_bytes":
			lo = n.Sum.CoveredBytes
		case "covered_share":
			lo = query.Ordered(coveredShare(n))
		case "blocks":
			lo = n.Sum.Blocks
		case "covered_blocks":
			lo = n.Sum.CoveredBlocks
		case "call_count":
			return n.Sum.Calls
		}
		return analyze.Sum{Lo: lo}
	},
}

// parseCoverage reads a request for the namespaces or files that have functions.
// Errors are *site.ParamError.
func parseCoverage(q url.Values) (lists.TreeParams, error) {
	return treeNodes.Parse(q, lists.CoverageKeys)
}

// coveredShare is how much of a node's bytes is in blocks that ran.
func coveredShare(n *mipdb.Node) float64 { return humanize.Part(n.Sum.CoveredBytes, n.Sum.Bytes) }
