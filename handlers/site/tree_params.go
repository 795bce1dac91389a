package site

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profiledb/query"
)

// TreeParams is a request for a tree, of a page and of the API.
type TreeParams struct {
	By      query.TreeBy
	Path    string // of the node
	Rewrite []analyze.Rewrite
	Sort    []TreeSort
	Depth   int      // levels below the node
	Width   TreeSort // what the map's widths are; pages only
	Listing
}

// TreeSort is a column that nodes are ordered by.
type TreeSort struct {
	Column string
	Desc   bool
}

// MaxTreeDepth is deeper than any tree.
const MaxTreeDepth = 64

// The parameters of a tree: of its page, of the API, and of the API's coverage,
// which shows all depths.
var (
	TreePageKeys = []string{"by", "path", "rewrite", "sort", "page", "limit", "counts", "guard", "format", "w"}
	TreeKeys     = []string{"by", "path", "rewrite", "depth", "sort", "page", "cursor", "limit", "cols", "counts", "guard", "format"}
	CoverageKeys = []string{"by", "path", "rewrite", "sort", "page", "cursor", "limit", "cols", "counts", "guard", "format"}
)

// treeOrders are what nodes can be ordered by.
var treeOrders = map[string]func(a, b *query.TreeNode) int{
	"name":      func(a, b *query.TreeNode) int { return strings.Compare(a.Path, b.Path) },
	"functions": func(a, b *query.TreeNode) int { return cmp.Compare(a.Functions, b.Functions) },
	"executed":  func(a, b *query.TreeNode) int { return cmp.Compare(a.ExecutedShare(), b.ExecutedShare()) },
	"never":     func(a, b *query.TreeNode) int { return cmp.Compare(a.Never(), b.Never()) },
	"counters":  func(a, b *query.TreeNode) int { return cmp.Compare(a.Counters, b.Counters) },
	"zero":      func(a, b *query.TreeNode) int { return cmp.Compare(a.Zero, b.Zero) },
	"total":     func(a, b *query.TreeNode) int { return a.Total.Compare(b.Total) },
}

const treeOrderWords = "name, functions, executed, never, counters, zero, total"

// ParseTree reads a request for a tree. Errors are *[ParamError].
func ParseTree(q url.Values, known []string) (TreeParams, error) {
	v, err := NewValues(q, known)
	if err != nil {
		return TreeParams{}, err
	}
	p := TreeParams{
		By: Choice(v, "by", query.ByPath, query.ByNamespace), Path: v.One("path"), Rewrite: v.Rewrites(),
		Depth: v.Number("depth", 1, MaxTreeDepth, 1), Listing: v.Listing(),
	}
	for _, word := range v.List("sort") {
		column, desc := strings.CutPrefix(word, "-")
		if treeOrders[column] == nil {
			v.Fail("sort", "cannot sort by %q; use %s, with - in front for descending order", word, treeOrderWords)
			continue
		}
		p.Sort = append(p.Sort, TreeSort{column, desc})
	}
	p.Width = TreeSort{Column: Choice(v, "w", "total", "functions", "counters")}
	if p.By == query.ByNamespace && len(p.Rewrite) > 0 {
		v.Fail("rewrite", "works only with by=path")
	}
	return p, v.Err
}

// SortNodes orders the nodes below one. What has no name of its own stays last.
func SortNodes(list []query.TreeNode, keys []TreeSort) {
	slices.SortStableFunc(list, func(a, b query.TreeNode) int {
		if a, b := isRest(&a), isRest(&b); a != b {
			if a {
				return 1
			}
			return -1
		}
		for _, k := range keys {
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

func isRest(n *query.TreeNode) bool { return n.Kind == query.Direct || n.Kind == query.None }

// NoNode says that there is no such path.
func NoNode(p *TreeParams) error {
	what := "file path"
	if p.By == query.ByNamespace {
		what = "namespace"
	}
	return &Problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such " + what,
		Detail: fmt.Sprintf("the profile has no functions in the %s %q", what, p.Path)}
}

func (p *TreeParams) Order(nodes []query.TreeNode) { SortNodes(nodes, p.Sort) }
