package flameweb

import (
	"math"
	"net/http"
	"strconv"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/calltree"
	"proflens/views/chart"
	"proflens/views/flameview"
	"proflens/views/page"
)

// Words are what a family says of its call trees.
type Words[F, T any] struct {
	Weight  func(*T) analyze.Sum              // what widths are
	Number  func(analyze.Sum) humanize.Number // writes it
	Name    func(*F) humanize.Name            // of a function
	All     string                            // what the root stands for: "all allocation contexts"
	Leaf    string                            // what stacks end with: "what allocates"
	Columns []flameview.Column                // of the table, behind those of all families
	Cells   func(*T) []humanize.Number        // by column
}

// View is a request for a page, and where it is.
type View struct {
	Look
	Address site.Address // of the page
	API     string       // the path of the tree in the API
}

// other is the address for another layout.
func (v *View) other() site.Address { return v.Address.Without("z", "around", "layout", "sel") }

// InForm answers a page that is asked for in a format, as text or folded stacks with whole stacks, by
// the tree at a path of the API. It reports whether it was asked for one.
func InForm(w http.ResponseWriter, r *http.Request, path string) (asked bool, err error) {
	a := site.AddressOf(r.URL).Without("c", "q", "sel", "view")
	a.Path = path
	switch a.Query.Get("format") {
	case "":
		return false, nil
	case "text":
		a = a.With("format", "folded")
	}
	return true, site.Forward(w, r, a.String())
}

// graph is the call of the API that the picture is drawn of.
func (v *View) graph() site.Address {
	a := v.Address.Without("c", "q", "sel", "view", "z")
	a.Path = v.API
	return a
}

// FoldedDifference is the stacks of two profiles with what each has.
func (v *View) FoldedDifference() page.Download {
	url := v.graph().Without("layout", "around").With("format", "folded").String()
	return page.Download{
		Label: "Folded stacks of both", URL: url, Command: "for flamegraph.pl, as difffolded.pl writes them",
	}
}

// Widths choose what widths are; an address without one has the usual one.
func (v *View) Widths(usual, current string, ways []site.Way) []page.Segment {
	return v.Address.Without("sel").Ways("w", usual, current, ways)
}

// Coloured is a choice among colours; likewise.
func (v *View) Coloured(c flameview.Colour, current, usual string) flameview.Colour {
	c.Segment = v.Address.Ways("c", usual, current, []site.Way{{c.Key, c.Label, c.Title}})[0]
	return c
}

func (v *View) layouts(leaf string) []page.Segment {
	a := v.other()
	list := []page.Segment{
		{
			Label: "Callees", Title: "from the root of the stacks down to " + leaf, URL: a.String(),
			Current: v.Layout == calltree.Callees,
		},
		{
			Label: "Callers", Title: "from " + leaf + " to the root", URL: a.With("layout", string(calltree.Callers)).String(),
			Current: v.Layout == calltree.Callers,
		},
	}
	if v.Layout == calltree.Sandwich {
		list = append(list, page.Segment{
			Label: "Sandwich", Title: "callers of one function above it, what it calls below", URL: v.Address.String(),
			Current: true,
		})
	}
	return list
}

// swap is the other direction of the tree.
func (v *View) swap() string {
	if v.Layout == calltree.Callers {
		return v.other().String()
	}
	return v.other().With("layout", string(calltree.Callers)).String()
}

// Lead is an address up to the value of a parameter, which is still to come.
func Lead(a site.Address, key string) string {
	text := a.String()
	if len(a.Query) > 0 {
		return text + "&" + key + "="
	}
	return text + "?" + key + "="
}

// Page is the model of a flame graph's page without what only the family knows: Widths,
// How, Weight, Counts, Colours with Colour and Plain, Leads, Facts, Exports, filters and
// Says. Where the tree has nothing to show, empty says why.
func Page[F, T any](v *View, g *calltree.Graph[F, T], words *Words[F, T], empty *page.Blank) flameview.Flame {
	plain := v.Address.Without("sel", "view")
	m := flameview.Flame{
		Title: "Flame graph", All: words.All, AsTable: v.Table, Compared: g.Compared, Columns: words.Columns,
		Graph: v.graph().String(), Other: plain.With("view", map[bool]string{false: "table"}[v.Table]).String(),
		Sandwich: Lead(plain.Without("z", "around", "layout").With("layout", string(calltree.Sandwich)), "around"),
		Layouts:  v.layouts(words.Leaf), Swap: v.swap(), Empty: empty,
	}
	if empty != nil {
		return m
	}
	whole := words.Weight(&g.Matching)
	if g.DepthLimit > 0 {
		m.Notes = append(m.Notes, "Stacks of more than "+humanize.Int(g.DepthLimit)+" frames are shown up to there.")
	}
	m.Crumbs = crumbs(v, g, words)
	tree := func(id, title string, nodes []calltree.Node[F, T]) flameview.Tree {
		shown := humanize.Plural(len(nodes), "frame") + ", the widest"
		return flameview.Tree{ID: id, Title: title, Shown: shown, Rows: rows(v, nodes, words, whole.Float64())}
	}
	switch v.Layout {
	case calltree.Sandwich:
		m.Centre = words.name(g.Around).Whole()
		m.Trees = []flameview.Tree{
			tree("callers", "Callers of "+m.Centre, g.Callers), tree("callees", "Called by "+m.Centre, g.Nodes),
		}
	case calltree.Callers:
		m.Trees = []flameview.Tree{tree("callers", "Callers, from "+words.Leaf, g.Nodes)}
	default:
		m.Trees = []flameview.Tree{tree("callees", "Call tree", g.Nodes)}
	}
	return m
}

// FilterForm is the form of the frames that stacks must have, and must not.
func (v *View) FilterForm(focus, ignore string) flameview.Filter {
	return flameview.Filter{
		Action: v.Address.Path, Focus: focus, Ignore: ignore, Query: v.Search,
		Keep: site.Keep(v.Address.Without("sel", "view", "focus", "ignore", "z")),
	}
}

func (w *Words[F, T]) name(f *F) humanize.Name {
	if f == nil {
		return humanize.Name{Base: w.All, Full: w.All}
	}
	return w.Name(f)
}

func crumbs[F, T any](v *View, g *calltree.Graph[F, T], words *Words[F, T]) []page.Link {
	var list []page.Link
	at := v.Address.Without("sel")
	for i := range g.Above {
		node := &g.Above[i]
		if node.Depth == 0 && node.Function == nil {
			list = append(list, page.Link{Label: "all", URL: at.Without("z").String()})
			continue
		}
		list = append(list, page.Link{
			Label: words.name(node.Function).Whole(), URL: at.With("z", site.FID(node.ID)).String(),
		})
	}
	label := "all"
	if first := &g.Nodes[0]; first.Function != nil {
		label = words.name(first.Function).Whole()
	}
	return append(list, page.Link{Label: label})
}

// rows are the nodes as rows of a table, with what was cut below them said.
func rows[F, T any](v *View, nodes []calltree.Node[F, T], words *Words[F, T], whole float64) []flameview.Row {
	list := make([]flameview.Row, len(nodes))
	largest := 0.0
	for i := range nodes {
		if b := nodes[i].Base; b != nil {
			base, test := words.Weight(b), words.Weight(&nodes[i].Totals)
			largest = max(largest, math.Abs(test.Float64()-base.Float64()))
		}
	}
	places := make([]int, len(nodes)) // children seen so far
	at := v.Address.Without("sel")
	for i := range nodes {
		node := &nodes[i]
		name := words.name(node.Function)
		share := humanize.Part(node.Value.Float64(), whole)
		level := node.Depth - nodes[0].Depth
		row := flameview.Row{
			Level: strconv.Itoa(level + 1), Size: "1", Place: "1", Indent: min(level, 24), Name: name.Whole(), Title: name.Full,
			Inline: node.Inline,
			URL:    at.With("z", site.FID(node.ID)).String(), Weight: words.Number(node.Value),
			Share: humanize.Percent(share, 1),
			Bar:   chart.PartBar(share),
			Self:  words.Number(node.Self),
		}
		if node.Base != nil {
			row.A, row.B, row.Change = words.sides(node, largest)
		} else if words.Cells != nil {
			row.Cells = words.Cells(&node.Totals)
		}
		if node.Parent >= 0 {
			places[node.Parent]++
			row.Size, row.Place = strconv.Itoa(nodes[node.Parent].Children), strconv.Itoa(places[node.Parent])
		}
		if node.Children > node.CutChildren {
			row.Open = "true"
		}
		if node.CutFrames > 0 {
			row.Hidden = humanize.Say("+{frame}, {%}", node.CutFrames, humanize.Part(node.CutValue.Float64(), whole))
		}
		list[i] = row
	}
	return list
}

// sides are what both profiles have of a frame.
func (w *Words[F, T]) sides(n *calltree.Node[F, T], largest float64) (a, b humanize.Number, change page.Change) {
	base, test := w.Weight(n.Base), w.Weight(&n.Totals)
	text := "0"
	switch test.Compare(base) {
	case 1:
		more := test
		more.Sub(base)
		text = "+" + w.Number(more).Text
	case -1:
		less := base
		less.Sub(test)
		text = "−" + w.Number(less).Text
	}
	return w.Number(base), w.Number(test), page.ChangeBarOf(test.Float64()-base.Float64(), largest, text)
}
