package mipweb

import (
	"context"
	"net/http"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/views/chart"
	"proflens/views/mipview"
	"proflens/views/page"
)

// How much of a tree the treemap shows.
const (
	treemapLevels    = 3      // below the node
	treemapPart      = 0.002  // of the node, for what is in a frame to be drawn
	treemapLeast     = 0.0002 // of the node, for a frame of its own
	treemapFunctions = 300    // of a node that has functions itself
)

// treeRequest is a request for a page of a tree.
type treeRequest struct {
	lists.TreeParams
	base    string // "/p/{id}"
	address site.Address
}

// treePage is GET /p/{id}/tree of a Machine IR Profile.
func (s *handler) treePage(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Has("format") {
		return site.AnswerByAPI(w, r)
	}
	p, err := treeNodes.Parse(r.URL.Query(), lists.TreePageKeys)
	if err != nil {
		return err
	}
	if moved, err := lists.TreeList.Typed(w, r); moved || err != nil {
		return err
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	t, err := s.machine(r).Tree(ctx, p.By)
	if err != nil {
		return err
	}
	node, above, ok := t.Find(p.Path)
	if !ok {
		return p.NoNode()
	}
	v := treeRequest{TreeParams: p, base: s.Base(r), address: site.AddressOf(r.URL)}
	m := v.model(s.machine(r), t, node, above)
	if m.Empty == nil {
		root := v.frame(t, node, node.Sum.Bytes, treemapLevels)
		if err := v.addFunctions(ctx, s, s.machine(r), &root, t, node); err != nil {
			return err
		}
		m.Map = chart.NewTreemap(root)
	}
	return s.Render(w, r, mipview.TreePage(s.ProfileShell(r, site.TreeView, ""), m))
}

func (v *treeRequest) model(p *mipdb.Profile, t *mipdb.Tree, node mipdb.Node, above []mipdb.Node) mipview.Tree {
	title, note := v.About()
	m := mipview.Tree{Profile: p.Overview, Tree: page.Tree{
		Ways:  treeNodes.Ways(&v.TreeParams, v.address, query.ByNamespace),
		Title: title, Crumbs: treeNodes.Crumbs(&v.TreeParams, node, above, v.at), How: page.HowMIPCoverage,
		Heads: treeNodes.Heads(&v.TreeParams, v.address), Notes: []string{note},
		CSV: v.address.Without("page", "limit").With("format", "csv").String(),
	}}
	if v.Path != "" {
		m.Title = humanize.Printable(v.Path)
	}
	if o := p.Overview; o.RemovedBlocks > 0 {
		m.Notes = append(m.Notes, humanize.Say("Removed blocks, {} in the profile, are left out of every figure.",
			o.RemovedBlocks))
	}
	m.Notes = append(m.Notes, "Functions absent from the map were not instrumented: whether they ran is unknown, and "+
		"no figure counts them.")
	if m.Empty = mipEmpty(p); m.Empty != nil {
		m.Shown = "no rows"
		return m
	}
	m.Says = humanize.Say("{:bytes} of {:bytes} covered ({%}); {} of {function} executed ({%}); {} of {block} ({%})",
		node.Sum.CoveredBytes, node.Sum.Bytes, coveredShare(&node), node.Executed, node.Functions,
		humanize.Part(node.Executed, node.Functions), node.Sum.CoveredBlocks, node.Sum.Blocks,
		humanize.Part(node.Sum.CoveredBlocks, node.Sum.Blocks))
	m.All = v.functionsOf("/functions", &node)
	if n := node.Never(); n > 0 {
		m.Never, m.NeverN = v.functionsOf("/dead", &node), humanize.Int(n)
	}
	_, shown := treeNodes.Below(&m.Tree, v.address, &v.TreeParams, node, t.Children)
	for i := range shown {
		m.Rows = append(m.Rows, v.row(&shown[i]))
	}
	return m
}

func (v *treeRequest) row(n *mipdb.Node) mipview.TreeRow {
	r := mipview.TreeRow{
		TreeName: v.Named(&n.TreeNode, v.at), MIPTotals: &n.Sum, FunctionsURL: v.functionsOf("/functions", n),
	}
	if n.Never() > 0 {
		r.NeverURL = v.functionsOf("/dead", n)
	}
	return r
}

// at is the page of a node.
func (v *treeRequest) at(path string) string {
	return v.At(v.address, path).String()
}

// functionsOf is a table of a node's functions. It is empty where it would have
// other functions too.
func (v *treeRequest) functionsOf(table string, n *mipdb.Node) string {
	if n.Filter == "" && (n.Path != "" || n.Kind == query.Direct) {
		return ""
	}
	return site.NewAddress(v.base+table).With(string(v.By), n.Filter).String()
}

// frame is a node of the map with what is below it.
func (v *treeRequest) frame(t *mipdb.Tree, n mipdb.Node, whole uint64, levels int) chart.TreemapNode {
	title := humanize.Printable(n.Path)
	if n.Name == "" {
		title = v.Label(&n.TreeNode)
	}
	f := chart.TreemapNode{
		Label: humanize.Printable(v.Label(&n.TreeNode)), Weight: float64(n.Sum.Bytes), Part: coveredShare(&n),
		Title: humanize.Say("{}\n{:bytes}, {%} covered\n{} of {function} executed", title, n.Sum.Bytes, coveredShare(&n),
			n.Executed, n.Functions),
	}
	if n.Kind == query.Branch {
		f.URL = v.at(n.Path)
	} else {
		f.URL = v.functionsOf("/functions", &n)
	}
	if levels == 0 || n.Kind != query.Branch || f.Weight < treemapPart*float64(whole) {
		return f
	}
	small, bytes := 0, uint64(0)
	for _, child := range t.Children(n) {
		if float64(child.Sum.Bytes) < treemapLeast*float64(whole) {
			small, bytes = small+1, bytes+child.Sum.Bytes
			continue
		}
		f.Children = append(f.Children, v.frame(t, child, whole, levels-1))
	}
	if bytes > 0 {
		f.Children = append(f.Children, chart.TreemapNode{
			Title: humanize.Say("{} more, {:bytes}", small, bytes), Weight: float64(bytes), URL: f.URL,
			Part: f.Part,
		})
	}
	return f
}

// addFunctions puts the largest functions that a node has itself into its map,
// in the frame of what is directly in it or has no namespace.
func (v *treeRequest) addFunctions(ctx context.Context, s *handler, p *mipdb.Profile, root *chart.TreemapNode,
	t *mipdb.Tree, node mipdb.Node) error {
	own, into := node, root
	if node.Kind == query.Branch {
		own.Kind = ""
		children := t.Children(node)
		for i := range children {
			if n := &children[i]; n.Kind == query.Direct || n.Kind == query.None && node.Path == "" {
				own = *n
			}
		}
		for i := range root.Children {
			if root.Children[i].Label == humanize.Printable(v.Label(&own.TreeNode)) {
				into = &root.Children[i]
			}
		}
		if own.Kind == "" || into == root {
			return nil
		}
	}
	if own.Filter == "" {
		return nil
	}
	q := mipdb.Query{Limit: treemapFunctions}
	if v.By == query.ByNamespace {
		q.Scope = own.Filter
	} else {
		q.Path = own.Filter
	}
	rows, err := p.Functions(ctx, q)
	if err != nil || !rows.Complete {
		return err
	}
	names := s.Symbols(v.Names)
	drawn := 0.0
	for i, name := range humanize.Apart(rows.Rows, func(r *mipdb.Row) *humanize.Name {
		return new(names.Name(r.Linkage, r.Signature))
	}) {
		r := &rows.Rows[i]
		share := humanize.Part(r.CoveredBytes, uint64(r.Size))
		into.Children = append(into.Children, chart.TreemapNode{
			Label: site.ShortName(*name) + name.Args, URL: v.base + "/functions/" + r.FID, Weight: float64(r.Size), Part: share,
			Title: humanize.Say("{}\n{:bytes}, {%} covered", name.Full, r.Size, share),
		})
		drawn += float64(r.Size)
	}
	if left := float64(own.Sum.Bytes) - drawn; left > 0 {
		into.Children = append(into.Children, chart.TreemapNode{
			Label: humanize.Int(rows.Matching-len(rows.Rows)) + " more", Title: "all others", Weight: left,
			Part: coveredShare(&own),
			URL:  v.functionsOf("/functions", &own),
		})
	}
	return nil
}
