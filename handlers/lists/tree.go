package lists

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/tables"
	"proflens/views/page"
)

// TreeParams is a request for a tree, of a page and of the API.
type TreeParams struct {
	By      query.TreeBy
	Path    string // of the node
	Rewrite []analyze.Rewrite
	Text    string      // words of the paths of nodes
	Ranges  []TreeRange // of what nodes hold
	Sort    []TreeSort
	Depth   int      // levels below the node
	Width   TreeSort // what the map's widths are; pages only
	site.Listing
}

// TreeSort is a column that nodes are ordered by.
type TreeSort struct {
	Column string
	Desc   bool
}

// TreeRange filters nodes by how many functions they hold, both ends inclusive.
type TreeRange struct{ Min, Max uint64 }

// MaxTreeDepth is deeper than any tree.
const MaxTreeDepth = 64

// treeFilters are the parameters that select nodes of a table.
var treeFilters = []string{"q", "functions"}

// The parameters of a tree: of its page, of the API, and of the API's coverage,
// which shows all depths.
var (
	TreePageKeys = slices.Concat([]string{"by", "path"}, treeFilters, []string{
		"sort", "page", "limit", "counts", "guard", "format",
	})
	TreeKeys = slices.Concat([]string{"by", "path"}, treeFilters, []string{
		"depth", "sort", "page", "cursor", "limit", "cols", "counts", "guard", "format",
	})
	CoverageKeys = slices.Concat([]string{"by", "path"}, treeFilters, []string{
		"sort", "page", "cursor", "limit", "cols", "counts", "guard", "format",
	})
)

// Nodes is how the nodes of a family's trees are ordered and filtered.
type Nodes[N any] struct {
	By     []query.TreeBy // the trees, the usual one first
	Orders []NodeOrder[N]
	Node   func(*N) *query.TreeNode
}

// NodeOrder is a column that nodes can be ordered by.
type NodeOrder[N any] struct {
	Column  string
	Compare func(a, b *N) int
}

// Parse reads a request for a tree. Errors are *site.ParamError.
func (o *Nodes[N]) Parse(q url.Values, known []string) (TreeParams, error) {
	v, err := site.NewValues(q, known)
	if err != nil {
		return TreeParams{}, err
	}
	p := TreeParams{
		By: site.Choice(v, "by", o.By...), Path: v.One("path"), Rewrite: v.Rewrites(), Text: strings.TrimSpace(v.Words("q")),
		Depth: v.Number("depth", 1, MaxTreeDepth, 1), Listing: v.Listing(),
		Width: TreeSort{Column: site.Choice(v, "w", "total", "functions", "counters")},
	}
	if text := v.One("functions"); text != "" {
		low, high := v.Span("functions", text)
		p.Ranges = append(p.Ranges, TreeRange{low, high})
	}
	for _, word := range v.List("sort") {
		column, desc := strings.CutPrefix(word, "-")
		if o.order(column) == nil {
			var known []string
			for i := range o.Orders {
				known = append(known, o.Orders[i].Column)
			}
			v.Fail("sort", "cannot sort by %q; use %s, with - in front for descending order", word, strings.Join(known, ", "))
			continue
		}
		p.Sort = append(p.Sort, TreeSort{column, desc})
	}
	if p.By == query.ByNamespace && len(p.Rewrite) > 0 {
		v.Fail("rewrite", "works only with by=path")
	}
	return p, v.Err
}

func (o *Nodes[N]) order(column string) func(a, b *N) int {
	for i := range o.Orders {
		if o.Orders[i].Column == column {
			return o.Orders[i].Compare
		}
	}
	return nil
}

// Sort orders the nodes below one; without keys they stay as they come. What has no
// name of its own stays last.
func (o *Nodes[N]) Sort(list []N, keys []TreeSort) {
	rest := func(n *N) int {
		if kind := o.Node(n).Kind; kind == query.Direct || kind == query.None {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b N) int {
		if n := rest(&a) - rest(&b); n != 0 {
			return n
		}
		for _, k := range keys {
			if n := o.order(k.Column)(&a, &b); n != 0 {
				if k.Desc {
					return -n
				}
				return n
			}
		}
		return 0
	})
}

// Sorter orders the children of a node as a request wants them.
func (o *Nodes[N]) Sorter(p *TreeParams) func([]N) {
	return func(list []N) { o.Sort(list, p.Sort) }
}

// Pick leaves the nodes that a request selects.
func (o *Nodes[N]) Pick(list []N, p *TreeParams) []N {
	passes := o.passes(p)
	return slices.DeleteFunc(list, func(n N) bool { return !passes(&n) })
}

// PickNested is Pick of nodes with their depths.
func (o *Nodes[N]) PickNested(list []tables.Nested[N], p *TreeParams) []tables.Nested[N] {
	passes := o.passes(p)
	return slices.DeleteFunc(list, func(n tables.Nested[N]) bool { return !passes(&n.Node) })
}

func (o *Nodes[N]) passes(p *TreeParams) func(*N) bool {
	terms, err := names.NewTerms(p.Text, "")
	if err != nil { // which Parse refuses
		return func(*N) bool { return false }
	}
	return func(n *N) bool {
		node := o.Node(n)
		for _, r := range p.Ranges {
			if count := uint64(node.Functions); count < r.Min || count > r.Max {
				return false
			}
		}
		return terms.In([]byte(node.Path)) == terms.All()
	}
}

// Frame is the filter of a tree's table, and what it selects by.
func (p *TreeParams) Frame(a site.Address) (page.QuickFilter, []page.Chip) {
	first := a.Without("page", "cursor")
	f := page.QuickFilter{
		Action: a.Path, Q: p.Text, Label: "name", Keep: site.Keep(first.Without(treeFilters...)),
		Ranges: []page.RangeField{{Name: "functions", Label: "Functions", Value: a.Query.Get("functions")}},
	}
	var chips []page.Chip
	for _, key := range treeFilters {
		if value := a.Query.Get(key); value != "" {
			chips = append(chips, page.Chip{Text: site.ChipText(key, humanize.Printable(value)), Remove: first.Without(key).String()})
		}
	}
	return f, chips
}

// At is the page of a node below or above: what selects rows is of this one alone.
func (p *TreeParams) At(a site.Address, path string) site.Address {
	return a.Without(append([]string{"page"}, treeFilters...)...).With("path", path)
}

// NoMatch says that no node of a table is selected.
func (p *TreeParams) NoMatch(chips []page.Chip, all int) *page.Blank {
	if len(chips) == 0 {
		return nil
	}
	return &page.Blank{Title: "0 of " + humanize.Plural(all, "row", "rows") + " match", Chips: chips}
}

// NoNode says that there is no such path.
func (p *TreeParams) NoNode() error {
	what := "file path"
	if p.By == query.ByNamespace {
		what = "namespace"
	}
	return &site.Problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such " + what,
		Detail: fmt.Sprintf("the profile has no functions in the %s %q", what, p.Path)}
}
