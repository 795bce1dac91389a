package mipweb

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
	"proflens/tables"
)

// mipTreeParams is a request for a tree of functions of machine IR, of a page and
// of the API.
type mipTreeParams struct {
	By    query.TreeBy
	Path  string // of the node
	Sort  []site.TreeSort
	Depth int // levels below the node
	site.Listing
}

// The parameters of such a tree: of its page, of the API, and of the API's
// coverage, which shows all depths.
var (
	treePageKeys = []string{"by", "path", "sort", "page", "limit", "counts", "guard", "format"}
	treeKeys     = []string{"by", "path", "depth", "sort", "page", "cursor", "limit", "cols", "counts", "guard", "format"}
	coverageKeys = []string{"by", "path", "sort", "page", "cursor", "limit", "cols", "counts", "guard", "format"}
)

// treeOrders are what nodes can be ordered by.
var treeOrders = map[string]func(a, b *mipdb.Node) int{
	"name":      func(a, b *mipdb.Node) int { return strings.Compare(a.Path, b.Path) },
	"functions": func(a, b *mipdb.Node) int { return cmp.Compare(a.Functions, b.Functions) },
	"executed":  func(a, b *mipdb.Node) int { return cmp.Compare(a.Executed, b.Executed) },
	"never":     func(a, b *mipdb.Node) int { return cmp.Compare(a.Functions-a.Executed, b.Functions-b.Executed) },
	"bytes":     func(a, b *mipdb.Node) int { return cmp.Compare(a.Sum.Bytes, b.Sum.Bytes) },
	"never_bytes": func(a, b *mipdb.Node) int {
		return cmp.Compare(a.Sum.Bytes-a.Sum.ExecutedBytes, b.Sum.Bytes-b.Sum.ExecutedBytes)
	},
	"covered_bytes":  func(a, b *mipdb.Node) int { return cmp.Compare(a.Sum.CoveredBytes, b.Sum.CoveredBytes) },
	"covered_share":  func(a, b *mipdb.Node) int { return cmp.Compare(coveredShare(a), coveredShare(b)) },
	"blocks":         func(a, b *mipdb.Node) int { return cmp.Compare(a.Sum.Blocks, b.Sum.Blocks) },
	"covered_blocks": func(a, b *mipdb.Node) int { return cmp.Compare(a.Sum.CoveredBlocks, b.Sum.CoveredBlocks) },
	"call_count":     func(a, b *mipdb.Node) int { return a.Sum.Calls.Compare(b.Sum.Calls) },
}

const treeOrderWords = "name, functions, executed, never, bytes, never_bytes, covered_bytes, covered_share, blocks, covered_blocks, call_count"

// parseMIPTree reads a request for a tree. Errors are *site.ParamError. Names of
// machine code seldom have a path, so that namespaces are the default.
func parseMIPTree(q url.Values, known []string) (mipTreeParams, error) {
	v, err := site.NewValues(q, known)
	if err != nil {
		return mipTreeParams{}, err
	}
	p := mipTreeParams{
		By: site.Choice(v, "by", query.ByNamespace, query.ByPath), Path: v.One("path"),
		Depth: v.Number("depth", 1, site.MaxTreeDepth, 1), Listing: v.Listing(),
	}
	for _, word := range v.List("sort") {
		column, desc := strings.CutPrefix(word, "-")
		if treeOrders[column] == nil {
			v.Fail("sort", "cannot sort by %q; use %s, with - in front for descending order", word, treeOrderWords)
			continue
		}
		p.Sort = append(p.Sort, site.TreeSort{Column: column, Desc: desc})
	}
	return p, v.Err
}

// sort orders the nodes below one; without a column they stay as they come, the
// most bytes first. What has no name of its own stays last.
func (p *mipTreeParams) sort(list []mipdb.Node) {
	if len(p.Sort) == 0 {
		return
	}
	rest := func(n *mipdb.Node) int {
		if n.Kind == query.Direct || n.Kind == query.None {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b mipdb.Node) int {
		if n := rest(&a) - rest(&b); n != 0 {
			return n
		}
		for _, k := range p.Sort {
			if n := treeOrders[k.Column](&a, &b); n != 0 {
				if k.Desc {
					return -n
				}
				return n
			}
		}
		return 0
	})
}

// coveredShare is how much of a node's bytes is in blocks that ran.
func coveredShare(n *mipdb.Node) float64 { return tables.PartOf(n.Sum.CoveredBytes, n.Sum.Bytes) }
