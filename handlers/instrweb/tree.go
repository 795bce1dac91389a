package instrweb

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

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
		return site.RedirectToAPI(w, r)
	}
	p, err := treeNodes.Parse(r.URL.Query(), treePageKeys)
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	defer end()
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
	if !t.Complete || s.Profile(r).Storing() {
		site.Unsettled(w)
	}
	model := treeModel(v, s.records(r), t, node, above)
	return s.Render(w, r, http.StatusOK, views.Tree(s.ProfileShell(r, site.TreeView, ""), model))
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
		Ways: v.ways(), Title: "Files", Crumbs: v.crumbs(node, above), Heads: treeHeads(v), How: page.HowTree,
		CSV: v.address.Without("page", "limit", "w").With("by", namespaceWord[v.By]).With("format", "csv").String(),
	}
	if v.By == query.ByNamespace {
		m.Title, m.How = "Namespaces", page.HowNamespaces
	} else {
		m.Rules = v.rules()
	}
	if v.Path != "" {
		m.Title = humanize.Printable(v.Path)
	}
	m.Notes = treeNotes(v, t)
	switch {
	case p.Overview.Functions == 0:
		m.Empty = &page.Blank{Title: "No functions", Text: emptyReason(p.Profile.Overview)}
		return m
	case p.Storing():
		m.Empty = &page.Blank{Title: "Not stored yet", Text: "The tree appears once all tables are stored."}
		return m
	case !t.Complete:
		m.Pending = &page.Incomplete{
			Searched: "names read: " + humanize.Int(t.Scanned) + " of " + humanize.Int(t.All), URL: v.address.String(),
		}
	}
	m.Says = coverageSentence(&node)
	m.All = v.functionsOf(&node, false)
	if n := node.Never(); n > 0 {
		m.Never, m.NeverN = v.functionsOf(&node, true), humanize.Int(n)
	}
	m.Widths = v.widths()
	m.Icicle = chart.NewIcicle(v.icicle(t, node, node.Name, v.weight(&node), mapLevels))
	v.fillRows(&m, t, node)
	return m
}

// fillRows adds a page of the nodes below one.
func (v *treeRequest) fillRows(m *page.Tree, t *query.Tree, node query.TreeNode) {
	list := t.Children(node)
	treeNodes.Sort(list, v.Sort)
	if node.Kind != query.Branch {
		list = []query.TreeNode{node}
	}
	all := len(list)
	list = treeNodes.Pick(list, &v.TreeParams)
	from := min(v.Offset, len(list))
	to := min(from+v.Limit, len(list))
	largest := 0.0
	for i := range list {
		largest = max(largest, list[i].Share)
	}
	for i := range list[from:to] {
		m.Rows = append(m.Rows, v.row(&list[from+i], largest))
	}
	m.Filter, m.Chips = v.Frame(v.address)
	m.Shown = "no rows"
	if len(list) == 0 {
		m.Empty = v.NoMatch(m.Chips, all)
	}
	if from < to {
		m.Shown = "rows " + humanize.Int(from+1) + "–" + humanize.Int(to) + " of " + humanize.Int(len(list))
	}
	m.Pager = v.pager(len(list))
}

func (v *treeRequest) row(n *query.TreeNode, largest float64) page.TreeRow {
	r := page.TreeRow{
		Name: humanize.Printable(v.label(n)), Title: humanize.Printable(n.Path), Plain: n.Name == "",
		Functions: humanize.Int(n.Functions), FunctionsURL: v.functionsOf(n, false),
		Executed: humanize.Int(n.Executed), ExecutedShare: humanize.Percent(n.ExecutedShare(), 1),
		ExecutedBar: chart.NewCover(n.ExecutedShare()),
		Never:       humanize.Int(n.Never()), Counters: humanize.Int(n.Counters), Zero: humanize.Int(n.Zero),
		Total: humanize.BigCount(n.Total.String()), Share: humanize.Percent(n.Share, 2), Bar: chart.ShareBar(n.Share, largest),
	}
	if n.Kind == query.Branch {
		r.URL = v.at(n.Path)
	}
	if r.Plain {
		r.Title = r.Name
	}
	if n.Never() > 0 {
		r.NeverURL = v.functionsOf(n, true)
	}
	return r
}

// label is a node's name in the table and the map.
func (v *treeRequest) label(n *query.TreeNode) string {
	switch {
	case n.Kind == query.None && v.By == query.ByPath:
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

// at is the page of a node.
func (v *treeRequest) at(path string) string {
	a := v.At(v.address, path)
	if path == "" || v.By == query.ByNamespace {
		a = a.With("by", string(v.By)) // which of them an address without has depends on the profile
	}
	return a.String()
}

// functionsOf is the function table with the functions of a node, or those of
// them that never ran. It is empty where it would have other functions too.
func (v *treeRequest) functionsOf(n *query.TreeNode, never bool) string {
	if n.Filter == "" && (n.Path != "" || n.Kind == query.Direct) {
		return ""
	}
	a := site.Address{Path: v.functions, Query: url.Values{}}
	switch {
	case v.By == query.ByNamespace:
		a = a.With("namespace", n.Filter)
	case n.Filter != "":
		a = a.With("path", n.Filter).WithAll("rewrite", v.address.Query["rewrite"])
	}
	if never {
		a = a.With("class", "never")
	}
	return a.String()
}

// icicle makes the map of a node: widths by the chosen figure, colours by the
// counters that are above 0.
func (v *treeRequest) icicle(t *query.Tree, n query.TreeNode, label string, whole float64,
	levels int) chart.IcicleNode {
	if label == "" {
		label = v.label(&n)
	}
	title := humanize.Printable(n.Path)
	if title == "" {
		title = v.label(&n)
	}
	frame := chart.IcicleNode{
		Label: humanize.Printable(label), Weight: v.weight(&n), Part: n.CountersShare(),
		Title: title + "\n" + humanize.Plural(n.Functions, "function", "functions") + ", " + humanize.Percent(n.ExecutedShare(), 1) +
			" executed\n" +
			humanize.Percent(n.CountersShare(), 1) + " of counters above 0\n" + humanize.Percent(n.Share, 2) + " of the total",
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
	treeNodes.Sort(list, []lists.TreeSort{{Column: v.Width.Column, Desc: true}})
	for i := range list {
		if v.weight(&list[i]) > 0 {
			frame.Children = append(frame.Children, v.icicle(t, list[i], "", whole, levels-1))
		}
	}
	return frame
}

func (v *treeRequest) weight(n *query.TreeNode) float64 {
	switch v.Width.Column {
	case "functions":
		return float64(n.Functions)
	case "counters":
		return float64(n.Counters)
	}
	return n.Total.Float64()
}

func (v *treeRequest) widths() []page.Segment {
	var list []page.Segment
	for _, w := range []struct{ key, label, title string }{
		{"total", "Total count", "widths are the sums of all counters"},
		{"functions", "Functions", "widths are numbers of functions"},
		{"counters", "Counters", "widths are numbers of counters"},
	} {
		value := w.key
		if value == "total" {
			value = ""
		}
		list = append(list, page.Segment{
			Label: w.label, Title: w.title, URL: v.address.With("w", value).String(), Current: w.key == v.Width.Column,
		})
	}
	return list
}

func (v *treeRequest) ways() []page.Segment {
	a := v.At(v.address, "").Without("rewrite")
	return []page.Segment{
		{
			Label: "Files", Title: "by the file paths in names", URL: a.With("by", string(query.ByPath)).String(),
			Current: v.By == query.ByPath,
		},
		{
			Label: "Namespaces", Title: "by the namespaces and classes in demangled names",
			URL: a.With("by", "namespace").String(), Current: v.By == query.ByNamespace,
		},
	}
}

func (v *treeRequest) crumbs(node query.TreeNode, above []query.TreeNode) []page.Link {
	list := []page.Link{{Label: "all", URL: v.at("")}}
	for i := range above {
		list = append(list, page.Link{Label: humanize.Printable(above[i].Name), URL: v.at(above[i].Path)})
	}
	if v.Path == "" {
		list[0].URL = ""
		return list
	}
	label := v.label(&node)
	if node.Kind == "" { // not there yet
		label = v.Path
	}
	return append(list, page.Link{Label: humanize.Printable(label)})
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

// treeHeads are the heads of the table, each with the link that sorts by it.
func treeHeads(v treeRequest) []page.Head {
	current := lists.TreeSort{Column: "total", Desc: true}
	if len(v.Sort) > 0 {
		current = v.Sort[0]
	}
	var list []page.Head
	for _, c := range []struct {
		key, label, title string
		number            bool
	}{
		{"name", "Name", "by name", false},
		{"functions", "Functions", "function records at or below it", true},
		{"executed", "Executed", "functions with any counter above 0", true},
		{"never", "Never", "functions without a counter above 0", true},
		{"counters", "Counters", "number of counters", true},
		{"zero", "Zero", "counters that are 0", true},
		{"total", "Total", "sum of all counters", true},
		{"", "Share", "of the total of the whole profile", true},
	} {
		h := page.Head{Column: "share", Label: c.label, Title: c.title, Number: c.number}
		if c.key != "" {
			h.Column = c.key
			desc := c.key != "name"
			if current.Column == c.key {
				desc = !current.Desc
				h.Sort = map[bool]string{true: "descending", false: "ascending"}[current.Desc]
			}
			value := c.key
			if desc {
				value = "-" + value
			}
			if value == "-total" {
				value = ""
			}
			h.URL = v.address.Without("page").With("sort", value).String()
		}
		list = append(list, h)
	}
	return list
}

func (v *treeRequest) pager(rows int) page.Pager {
	limit, current := max(v.Limit, 1), v.Page()
	pages := max((rows+limit-1)/limit, 1)
	to := func(n int) string {
		if n < 1 || n > pages || n == current {
			return ""
		}
		if n == 1 {
			return v.address.Without("page").String()
		}
		return v.address.With("page", strconv.Itoa(n)).String()
	}
	return page.Pager{
		Page: humanize.Int(current), Pages: humanize.Int(pages),
		First: to(1), Previous: to(min(current-1, pages)), Next: to(current + 1), Last: to(pages),
	}
}

// treeNotes say what a tree has and has not.
func treeNotes(v treeRequest, t *query.Tree) []string {
	note := "Only static functions record a file; the rest are under “no path”."
	if v.By == query.ByNamespace {
		note = "Namespaces, modules, classes and enclosing functions, taken from demangled names without template arguments."
	}
	notes := []string{note}
	if t.Crowded {
		notes = append(notes, "The tree has too many nodes: functions in omitted nodes are counted in the nearest shown "+
			"ancestor.")
	}
	return notes
}

// coverageSentence says how much of a node ran.
func coverageSentence(n *query.TreeNode) string {
	return humanize.Int(n.Executed) + " of " + humanize.Plural(n.Functions, "function", "functions") + " executed (" +
		humanize.Percent(n.ExecutedShare(), 1) + "); " +
		humanize.Int(n.Counters-n.Zero) + " of " + humanize.Plural(n.Counters, "counter", "counters") + " above 0 (" +
		humanize.Percent(n.CountersShare(), 1) + "); " +
		humanize.Percent(n.Share, 2) + " of the total"
}
