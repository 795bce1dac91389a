package lists

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// TreeParams is a request for a tree, of a page and of the API.
type TreeParams struct {
	By      query.TreeBy
	Path    string // of the node
	Rewrite []analyze.Rewrite
	Text    string      // words of the paths of nodes
	Ranges  []TreeRange // of what nodes hold
	Sort    []query.Key
	Depth   int          // levels below the node
	Width   query.Column // what the map's widths are; pages only
	site.Listing
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
	TreePageKeys = slices.Concat([]string{"by", "path"}, treeFilters, strings.Fields(`
		sort page limit counts guard format`))
	TreeKeys = slices.Concat([]string{"by", "path"}, treeFilters, strings.Fields(`
		depth sort page cursor limit cols counts guard format`))
	CoverageKeys = slices.Concat([]string{"by", "path"}, treeFilters, strings.Fields(`
		sort page cursor limit cols counts guard format`))
)

// Nodes is how the nodes of a family's trees are ordered and filtered.
type Nodes[N any] struct {
	By   []query.TreeBy // the trees, the usual one first
	Node func(*N) *query.TreeNode
	// Of is the table of nodes, whose rows Rows makes: what they can be ordered by, and the columns of pages.
	Of   *table.Declaration
	Rows func([]N) any
}

// Parse reads a request for a tree. Errors are *site.ParamError.
func (o *Nodes[N]) Parse(q url.Values, known []string) (TreeParams, error) {
	v := site.NewValues(q, known)
	p := TreeParams{
		By: site.Choice(v, "by", o.By...), Path: v.One("path"), Rewrite: v.Rewrites(), Text: strings.TrimSpace(v.Words("q")),
		Depth: v.Number("depth", 1, MaxTreeDepth, 1), Listing: v.Listing(),
		Sort:  v.Sort("sort", o.Of.Sorts()),
		Width: site.Choice[query.Column](v, "w", "total", "functions", "counters"),
	}
	if text := v.One("functions"); text != "" {
		low, high := v.Span("functions", text)
		p.Ranges = append(p.Ranges, TreeRange{low, high})
	}
	if p.By == query.ByNamespace && len(p.Rewrite) > 0 {
		v.Fail("rewrite", "works only with by=path")
	}
	return p, v.Err
}

// Sort orders the nodes below one; without keys they stay as they come. What has no
// name of its own stays last.
func (o *Nodes[N]) Sort(list []N, keys []query.Key) {
	rest := func(n *N) int {
		if kind := o.Node(n).Kind; kind == query.Direct || kind == query.None {
			return 1
		}
		return 0
	}
	nodes, order, values := slices.Clone(list), query.All(len(list)), make([]query.Value, len(keys))
	for i, k := range keys {
		values[i], _ = o.Of.Values(o.Rows(list))(k.Column) // which Parse knows
	}
	slices.SortStableFunc(order, func(a, b uint32) int {
		n := rest(&nodes[a]) - rest(&nodes[b])
		for i := 0; i < len(keys) && n == 0; i++ {
			if n = cmp.Compare(values[i].At(a), values[i].At(b)); keys[i].Desc {
				n = -n
			}
		}
		return n
	})
	for i, at := range order {
		list[i] = nodes[at]
	}
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
func (o *Nodes[N]) PickNested(list []table.Nested[N], p *TreeParams) []table.Nested[N] {
	passes := o.passes(p)
	return slices.DeleteFunc(list, func(n table.Nested[N]) bool { return !passes(&n.Node) })
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

// Below are the nodes of a page below one, or that one where there are none, of those that the
// request selects, and what stands around them.
func (o *Nodes[N]) Below(m *page.Tree, a site.Address, p *TreeParams, of N, children func(N) []N) (picked, shown []N) {
	list := []N{of}
	if o.Node(&of).Kind == query.Branch {
		list = children(of)
		o.Sort(list, p.Sort)
	}
	all := len(list)
	list = o.Pick(list, p)
	from, to := query.Clamp(p.Offset, p.Limit, len(list))
	m.Filter, m.Chips = p.Frame(a)
	if len(list) == 0 {
		m.Empty = p.NoMatch(m.Chips, all)
	}
	m.Shown, m.Pager = ShownRows(p.Offset, to-from, len(list)), site.ListPager(a, &p.Listing, len(list))
	return list, list[from:to]
}

// ShownRows says which rows a page has: "rows 1–100 of 311".
func ShownRows(offset, rows, matching int) string {
	if rows == 0 {
		return "no rows"
	}
	return humanize.Say("rows {}–{} of {}", offset+1, offset+rows, matching)
}

// Heads are the heads of a tree's table.
func (o *Nodes[N]) Heads(p *TreeParams, a site.Address) []page.Head {
	return site.ColumnHeads(Heads(o.Of), site.OrderOf(p.Sort, o.Of.Key(), a, o.Of.Usual))
}

// Crumbs lead from the root to a node, each to the page that at has of its path.
func (o *Nodes[N]) Crumbs(p *TreeParams, node N, above []N, at func(path string) string) []page.Link {
	list := []page.Link{{Label: "all", URL: at("")}}
	for i := range above {
		n := o.Node(&above[i])
		list = append(list, page.Link{Label: humanize.Printable(n.Name), URL: at(n.Path)})
	}
	if p.Path == "" {
		list[0].URL = ""
		return list
	}
	label := p.Label(o.Node(&node))
	if o.Node(&node).Kind == "" { // not there yet
		label = p.Path
	}
	return append(list, page.Link{Label: humanize.Printable(label)})
}

// Label is a node's name in the table and the map.
func (p *TreeParams) Label(n *query.TreeNode) string {
	switch {
	case n.Kind == query.None && p.By == query.ByPath:
		return "no path"
	case n.Kind == query.None:
		return "(global)"
	case n.Kind == query.Direct:
		return "(own)"
	case n.Name == "" && n.Path == "":
		return "all"
	}
	return n.Name
}

// TreeList has what nodes are filtered by.
var TreeList = List{Ranges: []query.Column{"functions"}}

// Named is a node's name in a row, which leads to the page that at has of its path.
func (p *TreeParams) Named(n *query.TreeNode, at func(path string) string) page.TreeName {
	name := page.TreeName{
		Name: humanize.Printable(p.Label(n)), Title: humanize.Printable(n.Path), Plain: n.Name == "",
	}
	if n.Kind == query.Branch {
		name.URL = at(n.Path)
	}
	if name.Plain {
		name.Title = name.Name
	}
	return name
}

// treeWays are the trees.
var treeWays = map[query.TreeBy]site.Way{
	query.ByPath:      {string(query.ByPath), "Files", "by the file paths in names"},
	query.ByNamespace: {string(query.ByNamespace), "Namespaces", "by the namespaces and classes in demangled names"},
}

// Ways choose among the trees of a profile, each at its root; usual is that of an address that
// does not say.
func (o *Nodes[N]) Ways(p *TreeParams, a site.Address, usual query.TreeBy) []page.Segment {
	var ways []site.Way
	for _, by := range o.By {
		ways = append(ways, treeWays[by])
	}
	return p.At(a, "").Without("rewrite").Ways("by", string(usual), string(p.By), ways)
}

// About is what a page says of its tree.
func (p *TreeParams) About() (title, note string) {
	note = "Only static functions record a file; debug information of the program has others. The rest are under " +
		"“no path”."
	if p.By == query.ByNamespace {
		note = "Namespaces, modules, classes and enclosing functions, taken from demangled names without template arguments."
	}
	return treeWays[p.By].Label, note
}

// Frame is the filter of a tree's table, and what it selects by.
func (p *TreeParams) Frame(a site.Address) (page.QuickFilter, []page.Chip) {
	first := a.FirstPage()
	f := page.QuickFilter{
		Action: a.Path, Q: p.Text, Label: "name", Keep: site.Keep(first.Without(treeFilters...)),
		Ranges: []page.RangeField{{Name: "functions", Label: "Functions", Value: a.Query.Get("functions")}},
		Typed:  TreeList.Suggested(),
	}
	return f, a.Chips(treeFilters, site.ChipText)
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
	return &page.Blank{Title: humanize.Say("0 of {row} match", all), Text: TreeList.NoColumn(p.Text), Chips: chips}
}

// NoNode says that there is no such path.
func (p *TreeParams) NoNode() error {
	what := "file path"
	if p.By == query.ByNamespace {
		what = "namespace"
	}
	return &site.Absent{Title: "No such " + what,
		Detail: fmt.Sprintf("the profile has no functions in the %s %q", what, p.Path)}
}
