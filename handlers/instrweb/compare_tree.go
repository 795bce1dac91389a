package instrweb

import (
	"math"
	"net/http"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/instrview"
	"proflens/views/page"
)

// The parameters of the tree of changes: of its page, and of the API beside
// those that name the profiles.
var (
	changeTreePageKeys = strings.Fields("family by path rewrite page limit format")
	changeTreeKeys     = strings.Fields("family by path rewrite page cursor limit cols counts format")
)

// changeTreeRequest is a request for a page of the tree of changes.
type changeTreeRequest struct {
	treeRequest
	pairs string // the page of the table of changes
}

// compareTreePage is GET /compare/{a}...{b}/tree: where the change of share is.
func (s *handler) compareTreePage(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	p, err := treeNodes.Parse(r.URL.Query(), changeTreePageKeys)
	if err != nil {
		return err
	}
	v := changeTreeRequest{
		treeRequest{TreeParams: p, address: site.AddressOf(r.URL)}, site.CompareURL(c.Base.ID, c.Test.ID),
	}
	if p.Format != "" {
		return site.Forward(w, r, v.address.Moved(site.CompareAPI(c.Base.ID, c.Test.ID)+"/tree"))
	}
	ctx := s.BeginCompared(w, r, c)
	if ctx == nil {
		return nil
	}
	pairs, err := openCompared(ctx, c)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("by") == "" && p.Path == "" && len(p.Rewrite) == 0 {
		if v.By, err = s.usualTree(ctx, pairs.Test); err != nil {
			return err
		}
	}
	t, err := pairs.Tree(ctx, v.By, p.Rewrite)
	if err != nil {
		return err
	}
	node, above, ok := t.Find(p.Path)
	if !ok {
		return p.NoNode()
	}
	if below := t.Children(node); v.Path == "" && len(below) == 1 && below[0].Kind == query.Branch {
		v.Path = below[0].Path
		node, above, _ = t.Find(v.Path)
	}
	m := v.model(t, node, above)
	if m.Head, err = c.Frame(ctx); err != nil {
		return err
	}
	m.Head.Lead, m.Head.Views = m.Title+".", compareViews(c, "/tree")
	shell := s.Shell(r, m.Title+" · "+humanize.Printable(c.Base.Name)+" … "+humanize.Printable(c.Test.Name))
	shell.Wide = true
	return s.Render(w, r, instrview.CompareTreePage(shell, m))
}

// compareViews lead from the functions to the files and namespaces that they are in, and back.
func compareViews(c *site.Comparing, current string) []page.Segment {
	return []page.Segment{
		{Label: "Functions", URL: c.At("").String(), Current: current == ""},
		{Label: "Files and namespaces", URL: c.At("/tree").String(), Current: current == "/tree"},
	}
}

func (v *changeTreeRequest) model(t *instrdb.ChangeTree, node instrdb.ChangeNode,
	above []query.TreeNode) instrview.CompareTree {
	m := instrview.CompareTree{
		Ways: treeNodes.Ways(&v.TreeParams, v.address, ""), Title: "Changes by file",
		CSV: v.address.Without("page", "limit").With("format", "csv").String(),
		Crumbs: treeNodes.Crumbs(&v.TreeParams, query.TreeNode{Kind: node.Kind, Name: node.Name, Path: node.Path}, above,
			v.at),
	}
	if v.By == query.ByNamespace {
		m.Title = "Changes by namespace"
	} else {
		m.Rules = v.rules()
	}
	if t.Crowded {
		m.Notes = append(m.Notes, "The tree has too many nodes: functions in omitted nodes are counted in the nearest "+
			"shown ancestor.")
	}
	m.Says = humanize.Say("{%2} of A, {%2} of B", node.BaseShare, node.TestShare)
	m.All = v.pairsOf(&node)
	list := t.Children(node)
	if node.Kind != query.Branch {
		list = []instrdb.ChangeNode{node}
	}
	from := min(v.Offset, len(list))
	to := min(from+v.Limit, len(list))
	largest := 0.0
	for i := range list {
		largest = max(largest, math.Abs(list[i].Change))
	}
	for i := range list[from:to] {
		m.Rows = append(m.Rows, v.changeRow(&list[from+i], largest))
	}
	m.Shown, m.Pager = lists.ShownRows(from, to-from, len(list)), site.ListPager(v.address, &v.Listing, len(list))
	return m
}

func (v *changeTreeRequest) changeRow(n *instrdb.ChangeNode, largest float64) instrview.ChangeRow {
	return instrview.ChangeRow{
		TreeName: v.Named(&query.TreeNode{Kind: n.Kind, Name: n.Name, Path: n.Path}, v.at), Node: n,
		PairsURL: v.pairsOf(n), Change: page.NewChange(n.Change, largest, 2),
	}
}

// pairsOf is the table of changes with those of a node. It is empty where it
// would have others too.
func (v *changeTreeRequest) pairsOf(n *instrdb.ChangeNode) string {
	return v.within(site.NewAddress(v.pairs), n.Kind, n.Path, n.Filter)
}

// getCompareTree is GET /compare/{a}...{b}/tree: the nodes right below one, with their
// shares in both profiles.
func (s *handler) getCompareTree(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	p, err := treeNodes.Parse(r.URL.Query(), append([]string{"base", "test"}, changeTreeKeys...))
	if err != nil {
		return err
	}
	format := p.Wanted(r)
	if s.NotModifiedOf(w, r, string(format), c.Base.Entry, c.Test.Entry) {
		return nil
	}
	ctx := r.Context()
	if format == table.FormatJSON {
		ctx = s.RequestContext(r)
	}
	pairs, err := openCompared(ctx, c)
	if err != nil {
		return err
	}
	t, err := pairs.Tree(ctx, p.By, p.Rewrite)
	if err != nil {
		return err
	}
	node, _, ok := t.Find(p.Path)
	if !ok {
		return p.NoNode()
	}
	rows, err := site.SelectRows(t.Table(node, table.Options{Quote: p.Counts}), &p.Listing, format)
	if err != nil {
		return err
	}
	if format == table.FormatJSON {
		return site.TablePage(ctx, w, rows, p.Listing)
	}
	limit := p.Limit
	if p.All {
		limit = -1
	}
	return site.StreamTable(ctx, w, rows, p.Offset, limit, format, site.FileName(c.Base.Name, "-changes"))
}
