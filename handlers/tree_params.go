package handlers

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

// treeParams is a request for a tree, of a page and of the API.
type treeParams struct {
	By      query.TreeBy
	Path    string // of the node
	Rewrite []analyze.Rewrite
	Sort    []treeSort
	Depth   int      // levels below the node
	Width   treeSort // what the map's widths are; pages only
	listing
}

// treeSort is a column that nodes are ordered by.
type treeSort struct {
	column string
	desc   bool
}

// maxTreeDepth is deeper than any tree.
const maxTreeDepth = 64

// The parameters of a tree: of its page, of the API, and of the API's coverage,
// which shows all depths.
var (
	treePageKeys = []string{"by", "path", "rewrite", "sort", "page", "limit", "counts", "format", "w"}
	treeKeys     = []string{"by", "path", "rewrite", "depth", "sort", "page", "cursor", "limit", "cols", "counts", "format"}
	coverageKeys = []string{"by", "path", "rewrite", "sort", "page", "cursor", "limit", "cols", "counts", "format"}
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

// parseTree reads a request for a tree. Errors are *paramError.
func parseTree(q url.Values, known []string) (treeParams, error) {
	v, err := newValues(q, known)
	if err != nil {
		return treeParams{}, err
	}
	p := treeParams{
		By: choice(v, "by", query.ByPath, query.ByNamespace), Path: v.one("path"), Rewrite: v.rewrites(),
		Depth: v.number("depth", 1, maxTreeDepth, 1), listing: v.listing(),
	}
	for _, word := range v.list("sort") {
		column, desc := strings.CutPrefix(word, "-")
		if treeOrders[column] == nil {
			v.fail("sort", "%q cannot be sorted by; a list of %s is right, each with - in front to descend", word, treeOrderWords)
			continue
		}
		p.Sort = append(p.Sort, treeSort{column, desc})
	}
	p.Width = treeSort{column: choice(v, "w", "total", "functions", "counters")}
	if p.By == query.ByNamespace && len(p.Rewrite) > 0 {
		v.fail("rewrite", "rules are for paths; by=path has them")
	}
	return p, v.err
}

// sortNodes orders the nodes below one. What has no name of its own stays last.
func sortNodes(list []query.TreeNode, keys []treeSort) {
	slices.SortStableFunc(list, func(a, b query.TreeNode) int {
		if a, b := isRest(&a), isRest(&b); a != b {
			if a {
				return 1
			}
			return -1
		}
		for _, k := range keys {
			if n := treeOrders[k.column](&a, &b); n != 0 {
				if k.desc {
					return -n
				}
				return n
			}
		}
		return 0
	})
}

func isRest(n *query.TreeNode) bool { return n.Kind == query.Direct || n.Kind == query.None }

// noNode says that there is no such path.
func noNode(p *treeParams) error {
	what := "file path"
	if p.By == query.ByNamespace {
		what = "namespace"
	}
	return &problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such " + what,
		Detail: fmt.Sprintf("the profile has no functions in the %s %q", what, p.Path)}
}

func (p *treeParams) order(nodes []query.TreeNode) { sortNodes(nodes, p.Sort) }
