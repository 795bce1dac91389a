package memprofweb

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// treeTableRows is how many frames the tree as a table has; the widest.
const treeTableRows = 200

// flameRequest is a request for the page of the flame graph.
type flameRequest struct {
	flameParams
	base    string // "/p/{id}"
	address site.Address
}

// errNoFrame is the answer where a zoom or a sandwich names nothing.
var errNoFrame error = &site.Absent{Title: "No such frame", Detail: "the call tree has no such frame; focus or ignore may hide it, or it belongs to another layout"}

// flamePage is GET /p/{id}/flame.
func (s *room) flamePage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseFlamePage(r.URL.Query(), s.own())
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	defer end()
	o := s.heap(r).Overview
	if o == nil {
		return site.ErrNotInFamily
	}
	v := flameRequest{flameParams: p, base: "/p/" + s.Entry(r).ID, address: site.AddressOf(r.URL)}
	q := p.Query
	q.Limit = treeTableRows
	g, err := s.heap(r).FlameGraph(ctx, q)
	if errors.Is(err, stored.ErrNoPart) {
		return errNoFrame
	}
	if err != nil {
		return err
	}
	n, err := s.heapNames(ctx, s.heap(r), site.Symbols{Cache: s.Names, Mode: names.Full})
	if err != nil {
		return err
	}
	shell := s.ProfileShell(r, site.FlameView, "")
	shell.Keys = flameKeyLines
	m := flameModel(v, o, g, n, s.Answers(r, "/functions"))
	located, err := s.Lines(ctx, s.Profile(r))
	if err != nil {
		return err
	}
	if located != nil {
		m.Leads.Files = leading(site.Address{Path: v.base + "/files"}, "file")
	}
	return s.Render(w, r, http.StatusOK, memprofview.FlamePage(shell, m))
}

var flameKeyLines = []page.Key{
	{Keys: []string{"←", "→"}, Does: "flame graph: sibling"},
	{Keys: []string{"↑", "↓"}, Does: "flame graph: caller, callee"},
	{Keys: []string{"Enter"}, Does: "flame graph: zoom to the frame"},
	{Keys: []string{"m"}, Does: "flame graph: menu of the frame"},
	{Keys: []string{"Backspace", "Home"}, Does: "flame graph: zoom out, to the root"},
	{Keys: []string{"f"}, Does: "search frames"},
	{Keys: []string{"s"}, Does: "callers and callees of the selected frame's function"},
	{Keys: []string{"i"}, Does: "swap callers and callees"},
	{Keys: []string{"t"}, Does: "the tree as a table"},
}

func flameModel(v flameRequest, o *memprofdb.Overview, g *memprofdb.FlameGraph, n frameNames, functions bool) memprofview.Flame {
	q := &v.Query
	plain := v.address.Without("sel", "view")
	m := memprofview.Flame{
		Title: "Flame graph", Weight: string(q.Weight), Plain: plainColour(o), Colour: v.Colour, AsTable: v.Table,
		Graph: v.graph(), Other: plain.With("view", map[bool]string{false: "table"}[v.Table]).String(),
		Leads: memprofview.FlameLeads{
			Sandwich: leading(plain.Without("z", "around", "layout").With("layout", string(memprofdb.LayoutSandwich)), "around"),
			Sites:    leading(site.Address{Path: v.base + "/sites"}, "function"),
		},
		Switches: foldSwitches(v.address.Without("z", "sel"), q.Fold, false), Library: libraryForm(v.address.Without("z", "sel"), q.Library), Folds: q.Fold.Library != nil,
		Widths: v.widths(o), Layouts: v.layouts(), Swap: v.swap(), Exports: v.exports(),
		Filter: memprofview.FlameFilter{Action: v.address.Path, Focus: q.Focus, Ignore: q.Ignore, Query: v.Search, Keep: site.Keep(plain.Without("focus", "ignore", "z"))},
	}
	if functions {
		m.Leads.Functions = v.base + "/functions?q="
	}
	if m.Colour == "" {
		m.Colour = m.Plain
	}
	m.Colours = v.colours(o, m.Colour, m.Plain)
	m.Chips, m.Clear = filterChips(v.address.Without("z", "sel", "q"), &q.Filter)
	if g.Matching.Contexts == 0 || len(g.Nodes) == 0 || !g.Known {
		m.Empty = v.empty(g)
		return m
	}
	if g.DepthLimit > 0 {
		m.Notes = append(m.Notes, "Stacks of more than "+say.Int(g.DepthLimit)+" frames are shown up to there.")
	}
	m.Says = weightOf(q.Weight, q.Weight.Of(&g.Matching)).Text + " " + weightWord(q.Weight) + " in " + say.Plural(g.Matching.Contexts, "context", "contexts") +
		", " + say.Plural(g.Frames, "frame", "frames") + "."
	m.Crumbs = v.crumbs(g, n)
	whole := q.Weight.Of(&g.Matching).Float64()
	tree := func(id, title string, nodes []memprofdb.FlameNode) memprofview.FlameTree {
		t := memprofview.FlameTree{ID: id, Title: title, Compared: g.Compared, Shown: say.Plural(len(nodes), "frame", "frames") + ", the widest"}
		t.Rows = v.treeRows(nodes, o, n, whole)
		return t
	}
	switch q.Layout {
	case memprofdb.LayoutSandwich:
		name := wholeName(n.function(g.Around))
		m.Centre = name
		m.Trees = []memprofview.FlameTree{tree("callers", "Callers of "+name, g.Callers), tree("callees", "Called by "+name, g.Nodes)}
	case memprofdb.LayoutCallers:
		m.Trees = []memprofview.FlameTree{tree("callers", "Callers, from what allocates", g.Nodes)}
	default:
		m.Trees = []memprofview.FlameTree{tree("callees", "Call tree", g.Nodes)}
	}
	return m
}

// leading is the address with a parameter last, whose value is still to come.
func leading(a site.Address, key string) string {
	text := a.String()
	if len(a.Query) > 0 {
		return text + "&" + key + "="
	}
	return text + "?" + key + "="
}

// graph is the call of the API that the picture is drawn of.
func (v *flameRequest) graph() string {
	a := v.address.Without("c", "q", "sel", "view", "z")
	a.Path = "/api/v1/profiles" + v.base[len("/p"):] + "/flamegraph"
	return a.String()
}

func (v *flameRequest) widths(o *memprofdb.Overview) []page.Segment {
	var list []page.Segment
	for _, w := range []struct {
		weight       memprofdb.Weight
		label, title string
	}{
		{memprofdb.WeightBytes, "Bytes", "widths are bytes requested"},
		{memprofdb.WeightAllocations, "Allocations", "widths are numbers of objects"},
		{memprofdb.WeightAccesses, "Accesses", "widths are numbers of accesses"},
		{memprofdb.WeightLifetime, "Byte·seconds", "widths are bytes times the seconds they lived"},
	} {
		if !w.weight.Known(o.Schema) {
			continue
		}
		value := string(w.weight)
		if w.weight == memprofdb.WeightBytes {
			value = ""
		}
		list = append(list, page.Segment{Label: w.label, Title: w.title, Current: w.weight == v.Query.Weight, URL: v.address.Without("sel").With("w", value).String()})
	}
	return list
}

// plainColour is what colours say unless asked: modules where there are any.
func plainColour(o *memprofdb.Overview) string {
	if o.Modules == 0 && hasDensity(o) {
		return "density"
	}
	return "module"
}

func (v *flameRequest) colours(o *memprofdb.Overview, current, plain string) []memprofview.ColourChoice {
	var list []memprofview.ColourChoice
	for _, c := range []memprofview.ColourChoice{
		{Segment: page.Segment{Label: "Access density", Title: "mean accesses per byte and second of an object's life"}, Key: "density", Low: "0.01", High: "100 k accesses per byte and second"},
		{Segment: page.Segment{Label: "Lifetime", Title: "mean lifetime of an object"}, Key: "lifetime", Low: "1 ms", High: "1 000 s mean lifetime"},
		{Segment: page.Segment{Label: "Module", Title: "by the module of the frame, or its source file where modules are not known"}, Key: "module"},
	} {
		if c.Key == "density" && !hasDensity(o) || c.Key == "lifetime" && !hasLifetime(o) {
			continue
		}
		value := c.Key
		if value == plain {
			value = ""
		}
		c.URL, c.Current = v.address.With("c", value).String(), c.Key == current
		list = append(list, c)
	}
	return list
}

func (v *flameRequest) layouts() []page.Segment {
	a := v.address.Without("z", "around", "layout", "sel")
	list := []page.Segment{
		{Label: "Callees", Title: "from the root of the stacks down to what allocates", URL: a.String(), Current: v.Query.Layout == memprofdb.LayoutCallees},
		{Label: "Callers", Title: "from what allocates to the root", URL: a.With("layout", "callers").String(), Current: v.Query.Layout == memprofdb.LayoutCallers},
	}
	if v.Query.Layout == memprofdb.LayoutSandwich {
		list = append(list, page.Segment{Label: "Sandwich", Title: "callers of one function above it, what it calls below", URL: v.address.String(), Current: true})
	}
	return list
}

// swap is the other direction of the tree.
func (v *flameRequest) swap() string {
	a := v.address.Without("z", "around", "layout", "sel")
	if v.Query.Layout == memprofdb.LayoutCallers {
		return a.String()
	}
	return a.With("layout", "callers").String()
}

func (v *flameRequest) exports() []page.Download {
	export := func(name string) string {
		kept := site.Address{Path: "/api/v1/profiles" + v.base[len("/p"):] + "/export/" + name, Query: url.Values{}}
		if v.Query.Fold.Library != nil {
			kept = kept.With("library", v.address.Query.Get("library"))
		}
		return folded(kept, v.Query.Fold).String()
	}
	return []page.Download{
		{Label: "Folded stacks", URL: export("folded"), Command: "for flamegraph.pl and inferno"},
		{Label: "speedscope", URL: export("speedscope"), Command: "opens in speedscope.app"},
		{Label: "pprof", URL: export("pprof"), Command: "opens in go tool pprof"},
	}
}

func (v *flameRequest) empty(g *memprofdb.FlameGraph) *page.Blank {
	switch {
	case !g.Known:
		return &page.Blank{Title: "No " + weightWord(v.Query.Weight) + " in this file", Text: "The contexts of this profile lack the fields for this width."}
	case g.All.Contexts == 0:
		return &page.Blank{Title: "No allocation contexts", Text: "The profile has none: nothing was allocated, or the program ended before writing them."}
	}
	chips, _ := filterChips(v.address.Without("z", "sel", "q"), &v.Query.Filter)
	return &page.Blank{Title: "0 of " + say.Plural(g.All.Contexts, "context", "contexts") + " match", Chips: chips}
}

// weightWord is what a weight counts.
func weightWord(w memprofdb.Weight) string {
	switch w {
	case memprofdb.WeightAllocations:
		return "allocations"
	case memprofdb.WeightAccesses:
		return "accesses"
	case memprofdb.WeightLifetime:
		return "byte-seconds"
	}
	return "requested"
}

func (v *flameRequest) crumbs(g *memprofdb.FlameGraph, n frameNames) []page.Link {
	var list []page.Link
	at := v.address.Without("sel")
	for i := range g.Above {
		node := &g.Above[i]
		if node.Depth == 0 && node.Function == nil {
			list = append(list, page.Link{Label: "all", URL: at.Without("z").String()})
			continue
		}
		list = append(list, page.Link{Label: wholeName(n.function(node.Function)), URL: at.With("z", site.FID(node.ID)).String()})
	}
	label := "all"
	if first := &g.Nodes[0]; first.Function != nil {
		label = wholeName(n.function(first.Function))
	}
	return append(list, page.Link{Label: label})
}

// treeRows are the nodes as rows of a table, with what was cut below the last
// of them said.
func (v *flameRequest) treeRows(nodes []memprofdb.FlameNode, o *memprofdb.Overview, n frameNames, whole float64) []memprofview.FlameRow {
	rows := make([]memprofview.FlameRow, len(nodes))
	largest := 0.0
	for i := range nodes {
		if b := nodes[i].Base; b != nil {
			base, test := v.Query.Weight.Of(b), v.Query.Weight.Of(&nodes[i].Totals)
			largest = max(largest, math.Abs(test.Float64()-base.Float64()))
		}
	}
	places := make([]int, len(nodes)) // children seen so far
	at := v.address.Without("sel")
	for i := range nodes {
		node := &nodes[i]
		name := n.function(node.Function)
		share := site.Part(node.Value.Float64(), whole)
		level := node.Depth - nodes[0].Depth
		row := memprofview.FlameRow{
			Level: strconv.Itoa(level + 1), Size: "1", Place: "1", Indent: min(level, 24), Name: wholeName(name), Title: name.Full, Inline: node.Inline,
			URL: at.With("z", site.FID(node.ID)).String(), Weight: weightOf(v.Query.Weight, node.Value), Share: say.Percent(share, 1), Bar: chart.PartBar(share),
			Self: weightOf(v.Query.Weight, node.Self), Allocations: say.BigCount(node.Totals.Allocations.String()),
		}
		if node.Base != nil {
			comparedRow(v.Query.Weight, node, &row, largest)
		}
		if node.Parent >= 0 {
			places[node.Parent]++
			row.Size, row.Place = strconv.Itoa(nodes[node.Parent].Children), strconv.Itoa(places[node.Parent])
		}
		if node.Children > node.CutChildren {
			row.Open = "true"
		}
		lifetime, density, known := sumMeans(&node.Totals, o.Schema)
		if known[0] {
			row.Lifetime = memprofview.Milliseconds(lifetime).Text
		}
		if known[1] {
			row.Density = memprofview.Rate(density).Text
		}
		if node.CutFrames > 0 {
			row.Hidden = "+" + say.Plural(node.CutFrames, "frame", "frames") + ", " + say.Percent(site.Part(node.CutValue.Float64(), whole), 1)
		}
		rows[i] = row
	}
	return rows
}
