package instrweb

import (
	"context"
	"net/http"
	"slices"

	"proflens/analyze"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/views"
	"proflens/views/chart"
	"proflens/views/page"
)

// treeRequest is a request for a page of a tree.
type treeRequest struct {
	lists.TreeParams
	functions string // "/p/{id}/functions"
	address   site.Address
}

// How much of a tree the map shows.
const (
	mapLevels = 4      // below the node
	mapPart   = 0.0012 // of the node, for what is below a frame to be drawn
)

// treePage is GET /p/{id}/tree.
func (s *handler) treePage(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Has("format") {
		return site.AnswerByAPI(w, r)
	}
	p, err := treeNodes.Parse(r.URL.Query(), treePageKeys)
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
	if r.URL.Query().Get("by") == "" && p.Path == "" && len(p.Rewrite) == 0 {
		if p.By, err = s.usualTree(ctx, s.records(r)); err != nil {
			return err
		}
	}
	v := treeRequest{TreeParams: p, functions: "/p/" + s.Entry(r).ID + "/functions", address: site.AddressOf(r.URL)}
	t, err := s.records(r).Tree(ctx, p.By, p.Rewrite)
	if err != nil {
		return err
	}
	node, above, ok := t.Find(p.Path)
	if !ok && t.Complete {
		return p.NoNode()
	}
	// One folder of everything says nothing: what is in it does.
	if below := t.Children(node); v.Path == "" && len(below) == 1 && below[0].Kind == query.Branch {
		v.Path = below[0].Path
		node, above, _ = t.Find(v.Path)
	}
	if !t.Complete || s.Profile(r).Storing() {
		site.Unsettled(w)
	}
	model := treeModel(v, s.records(r), t, node, above)
	return s.Render(w, r, views.Tree(s.ProfileShell(r, site.TreeView, ""), model))
}

// namespaceWord is by= where that is not what the API has without it.
var namespaceWord = map[query.TreeBy]string{query.ByNamespace: string(query.ByNamespace)}

// usualNames is of how many functions the names decide what a tree is made of.
const usualNames = 200

// usualTree is the tree that tells most of a profile: that of namespaces where most of
// the hottest functions have no path in their name, but are in one.
func (s *handler) usualTree(ctx context.Context, p *instrdb.Profile) (query.TreeBy, error) {
	hottest, err := p.Functions(ctx, instrdb.Query{Limit: usualNames})
	if err != nil {
		return query.ByPath, err
	}
	nameless, within := 0, 0
	for i := range hottest.Rows {
		path, linkage := names.Split([]byte(hottest.Rows[i].PGO))
		if path == "" && hottest.Rows[i].File == "" {
			nameless++
		}
		if names.SplitDemangled(s.Names.Demangle(linkage, names.Full)).Namespace != "" {
			within++
		}
	}
	if 2*nameless > len(hottest.Rows) && within > len(hottest.Rows)-nameless {
		return query.ByNamespace, nil
	}
	return query.ByPath, nil
}

// treeModel makes the page of a node. The node is empty where a tree that is
// not complete does not have it yet.
func treeModel(v treeRequest, p *instrdb.Profile, t *query.Tree, node query.TreeNode,
	above []query.TreeNode) page.Tree {
	m := page.Tree{
		Ways:   treeNodes.Ways(&v.TreeParams, v.address, ""),
		Crumbs: treeNodes.Crumbs(&v.TreeParams, node, above, v.at), How: page.HowTree,
		Heads: treeNodes.Heads(&v.TreeParams, v.address),
		CSV:   v.address.Without("page", "limit", "w").With("by", namespaceWord[v.By]).With("format", "csv").String(),
	}
	title, note := v.About()
	m.Title = title
	if v.By == query.ByNamespace || slices.ContainsFunc(t.Nodes, func(n analyze.PathNode) bool { return n.NoPath }) {
		m.Notes = []string{note}
	}
	if v.By == query.ByNamespace {
		m.How = page.HowNamespaces
	} else {
		m.Rules = v.rules()
	}
	if v.Path != "" {
		m.Title = humanize.Printable(v.Path)
	}
	if t.Crowded {
		m.Notes = append(m.Notes, "The tree has too many nodes: functions in omitted nodes are counted in the nearest shown "+
			"ancestor.")
	}
	switch {
	case p.Overview.Functions == 0:
		m.Empty = &page.Blank{Title: "No functions", Text: emptyReason(p.Profile.Overview)}
		return m
	case p.Storing():
		m.Empty = &page.Blank{Title: "Not stored yet", Text: "The tree appears once all tables are stored."}
		return m
	case !t.Complete:
		m.Pending = &page.Incomplete{
			Searched: humanize.Say("names read: {} of {}", t.Scanned, t.All), URL: v.address.String(),
		}
	}
	m.Says = coverageSentence(&node)
	m.All = v.functionsOf(&node, false)
	if n := node.Never(); n > 0 {
		m.Never, m.NeverN = v.functionsOf(&node, true), humanize.Int(n)
	}
	m.Widths = v.widths()
	m.Icicle = chart.NewIcicle(v.icicle(t, node, node.Name, v.weight(&node), mapLevels))
	picked, shown := treeNodes.Below(&m, v.address, &v.TreeParams, node, t.Children)
	largest := 0.0
	for i := range picked {
		largest = max(largest, picked[i].Share)
	}
	for i := range shown {
		m.Rows = append(m.Rows, v.row(&shown[i], largest))
	}
	return m
}

func (v *treeRequest) row(n *query.TreeNode, largest float64) page.TreeRow {
	r := page.TreeRow{
		TreeName: v.Named(n, v.at), Node: n, FunctionsURL: v.functionsOf(n, false), Bar: chart.ShareBar(n.Share, largest),
	}
	if n.Never() > 0 {
		r.NeverURL = v.functionsOf(n, true)
	}
	return r
}

// at is the page of a node.
func (v *treeRequest) at(path string) string {
	a := v.At(v.address, path)
	if path == "" || v.By == query.ByNamespace {
		a = a.With("by", string(v.By)) // which of them an address without has depends on the profile
	}
	return a.String()
}

// functionsOf is the function table with the functions of a node, or those of
// them that never ran.
func (v *treeRequest) functionsOf(n *query.TreeNode, never bool) string {
	class := ""
	if never {
		class = "never"
	}
	return v.within(site.NewAddress(v.functions).With("class", class), n.Kind, n.Path, n.Filter)
}

// within is a list of what is in a node alone. It is empty where it would have other
// functions too.
func (v *treeRequest) within(list site.Address, kind query.NodeKind, path, filter string) string {
	switch {
	case filter == "" && (path != "" || kind == query.Direct):
		return ""
	case v.By == query.ByNamespace:
		list = list.With("namespace", filter)
	case filter != "":
		list = list.With("path", filter).WithAll("rewrite", v.address.Query["rewrite"])
	}
	return list.String()
}

// icicle makes the map of a node: widths by the chosen figure, colours by the
// counters that are above 0.
func (v *treeRequest) icicle(t *query.Tree, n query.TreeNode, label string, whole float64,
	levels int) chart.IcicleNode {
	if label == "" {
		label = v.Label(&n)
	}
	title := humanize.Printable(n.Path)
	if title == "" {
		title = v.Label(&n)
	}
	frame := chart.IcicleNode{
		Label: humanize.Printable(label), Weight: v.weight(&n), Part: n.CountersShare(),
		Title: humanize.Say("{}\n{function}, {%} executed\n{%} of counters above 0\n{%2} of the total", title, n.Functions,
			n.ExecutedShare(), n.CountersShare(), n.Share),
	}
	if n.Kind == query.Branch {
		frame.URL = v.at(n.Path)
	} else {
		frame.URL = v.functionsOf(&n, false)
	}
	if levels == 0 || frame.Weight < mapPart*whole {
		return frame
	}
	list := t.Children(n)
	treeNodes.Sort(list, []query.Key{{Column: v.Width, Desc: true}})
	for i := range list {
		if v.weight(&list[i]) > 0 {
			frame.Children = append(frame.Children, v.icicle(t, list[i], "", whole, levels-1))
		}
	}
	return frame
}

func (v *treeRequest) weight(n *query.TreeNode) float64 {
	switch v.Width {
	case "functions":
		return float64(n.Functions)
	case "counters":
		return float64(n.Counters)
	}
	return n.Total.Float64()
}

func (v *treeRequest) widths() []page.Segment {
	return v.address.Ways("w", "total", string(v.Width), []site.Way{
		{"total", "Total count", "widths are the sums of all counters"},
		{"functions", "Functions", "widths are numbers of functions"},
		{"counters", "Counters", "widths are numbers of counters"},
	})
}

// rules are the rewrites in force, each with the address without it.
func (v *treeRequest) rules() *page.Rules {
	given := v.address.Query["rewrite"]
	r := &page.Rules{
		Action: v.address.Path, Keep: site.Keep(v.address.Without("page", "path")),
		Clear: v.address.Without("page", "path", "rewrite").String(),
	}
	for i := range given {
		others := append(append([]string(nil), given[:i]...), given[i+1:]...)
		from, to := v.Rewrite[i].From, v.Rewrite[i].To
		if to == "" {
			to = "nothing"
		}
		r.Chips = append(r.Chips, page.Chip{
			Text:   humanize.Printable(from + " → " + to),
			Remove: v.address.Without("page", "path").WithAll("rewrite", others).String(),
		})
	}
	return r
}

// coverageSentence says how much of a node ran.
func coverageSentence(n *query.TreeNode) string {
	return humanize.Say("{} of {function} executed ({%}); {} of {counter} above 0 ({%}); {%2} of the total", n.Executed,
		n.Functions, n.ExecutedShare(), n.Counters-n.Zero, n.Counters, n.CountersShare(), n.Share)
}
