package mipweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/views/chart"
	"proflens/views/mipview"
	"proflens/views/page"
)

// How much of each list the overview of a Machine IR Profile shows.
const (
	lines          = 8
	deadLines      = 15
	timelinePoints = 200
	firstNames     = 4
)

// overview is GET /p/{id} of a Machine IR Profile.
func (s *handler) overview(ctx context.Context, r *http.Request, head page.Overview, base string) (site.Draw, error) {
	head.Tiles = s.Tiles(mip.Family, s.machine(r).Overview, base)
	v, err := overviewModel(ctx, head, base, s.machine(r), s.Symbols(names.Full))
	return func(shell page.Shell) page.Part { return mipview.OverviewPage(shell, *v) }, err
}

func overviewModel(ctx context.Context, head page.Overview, base string, p *mipdb.Profile,
	s site.Symbols) (*mipview.Overview, error) {
	o := p.Overview
	v := &mipview.Overview{
		Overview: head, TreeURL: base + "/tree", DeadURL: base + "/dead", CallURL: base + "/calls", OrderURL: base + "/order",
	}
	v.Notes, v.File.Facts = mipNotes(o), mipFacts(p)
	if empty := mipEmpty(p); empty != nil {
		v.Empty = empty.Text
		return v, nil
	}
	for _, fill := range []func(context.Context, *mipview.Overview, string, *mipdb.Overview, *mipdb.Profile,
		site.Symbols) error{fillTimeline, fillCoverage, fillDead, fillCalled} {
		if err := fill(ctx, v, base, o, p, s); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// mipEmpty says why a profile has no functions; nil where it has some.
func mipEmpty(p *mipdb.Profile) *page.Blank {
	switch {
	case p.Overview.Functions > 0:
		return nil
	case slices.ContainsFunc(p.Profile.Overview.Findings,
		func(f model.Finding) bool { return f.Code == "mip."+string(mip.MapMissing) }):
		return &page.Blank{
			Title: "No map", Text: "A raw file has only counters; the map has the names and sizes of functions. Add the " +
				".mipmap, or the program that contains it.",
		}
	}
	return &page.Blank{
		Title: "No functions", Text: "The file lists no functions: no code in the program was compiled with machine IR " +
			"instrumentation.",
	}
}

// mipNotes say in words what a profile of this type has and has not.
func mipNotes(o *mipdb.Overview) []string {
	var notes []string
	if o.Runs == 0 && o.RunsAtLeast == 0 && o.Functions > 0 {
		notes = append(notes, "No run is in the profile, only the map: add the .mipraw files that the program wrote.")
	}
	if types := o.ProfileType.Words(); len(types) > 0 {
		notes = append(notes, "Instrumented for "+strings.ToLower(strings.Join(types, ", "))+".")
	}
	switch {
	case !o.HasCalls() && !o.HasTimestamps():
		notes = append(notes, "Coverage only: the profile says whether a function ran, with no call counts and no order.")
	case !o.HasCalls():
		notes = append(notes, "Timestamps only: the profile says whether functions ran and in which order, with no call "+
			"counts.")
	case !o.HasTimestamps():
		notes = append(notes, "Call counts only: the profile says whether and how often functions ran, with no order.")
	}
	if !o.HasBlocks() {
		notes = append(notes, "Blocks were not counted: if a function ran, all of it counts as covered.")
	}
	if o.RemovedBlocks > 0 {
		notes = append(notes, humanize.Plural(o.RemovedBlocks, "block was",
			"blocks were")+" removed after instrumentation and left out of percentages.")
	}
	if o.Unnamed > 0 {
		notes = append(notes, humanize.Say("{function has|functions have} no name, only a signature.", o.Unnamed))
	}
	return append(notes, "Functions absent from the map were not instrumented: whether they ran is unknown.")
}

// fillTimeline draws how much code the functions that first ran reach, and names the
// very first.
func fillTimeline(ctx context.Context, v *mipview.Overview, base string, o *mipdb.Overview, p *mipdb.Profile,
	s site.Symbols) error {
	if !o.HasTimestamps() {
		return nil
	}
	order, err := p.Startup(ctx, mipdb.StartupQuery{})
	if err != nil {
		return err
	}
	first, err := p.Rows(ctx, order.Indices[:min(len(order.Indices), firstNames)])
	if err != nil {
		return err
	}
	for i := range first {
		name := s.Name(first[i].Linkage, first[i].Signature)
		v.First = append(v.First, mipview.ShareRow{
			Name: &name, Label: site.ShortName(name), URL: base + "/functions/" + first[i].FID,
		})
	}
	n := len(order.Sizes)
	points := []chart.PlotPoint{{}}
	sum, drawn := uint64(0), 0
	for i, size := range order.Sizes {
		sum += uint64(size)
		if at := (i + 1) * timelinePoints / n; at > drawn || i+1 == n {
			drawn = at
			points = append(points, chart.PlotPoint{X: uint64(i + 1), Y: sum})
		}
	}
	v.Timeline = chart.NewPlot(points,
		humanize.Say("The first functions to run reach {:bytes} of code in {function}.", sum, n))
	for i, point := range points {
		if i%(len(points)/20+1) == 0 || i == len(points)-1 {
			v.Start = append(v.Start, point)
		}
	}
	return nil
}

// fillCoverage lists the namespaces with the most bytes.
func fillCoverage(ctx context.Context, v *mipview.Overview, base string, _ *mipdb.Overview, p *mipdb.Profile,
	_ site.Symbols) error {
	t, err := p.Tree(ctx, query.ByNamespace)
	if err != nil {
		return err
	}
	tree := treeRequest{
		TreeParams: lists.TreeParams{By: query.ByNamespace}, base: base,
		address: site.NewAddress(base + "/tree"),
	}
	nodes := t.Children(t.Root())
	for i := range nodes[:min(len(nodes), lines)] {
		n := &nodes[i]
		cover := chart.NewCover(coveredShare(n))
		row := mipview.ShareRow{
			Label: humanize.Printable(tree.Label(&n.TreeNode)), Plain: n.Name == "", URL: tree.functionsOf("/functions", n),
			Value: humanize.Bytes(n.Sum.Bytes), Share: humanize.Percent(coveredShare(n), 1), Cover: &cover,
		}
		if n.Kind == query.Branch {
			row.URL = tree.at(n.Path)
		}
		v.Coverage = append(v.Coverage, row)
	}
	return nil
}

// fillDead lists the largest functions that never ran.
func fillDead(ctx context.Context, v *mipview.Overview, base string, o *mipdb.Overview, p *mipdb.Profile,
	s site.Symbols) error {
	q := mipdb.Dead()
	q.Limit = deadLines
	dead, err := p.Functions(ctx, q)
	if err != nil {
		return err
	}
	for i := range dead.Rows {
		r := &dead.Rows[i]
		name := s.Name(r.Linkage, r.Signature)
		share := humanize.Part(uint64(r.Size), o.Bytes-o.ExecutedBytes)
		v.Dead = append(v.Dead, mipview.ShareRow{
			Name: &name, URL: base + "/functions/" + r.FID, Value: humanize.Count(uint64(r.Size)),
			Share: humanize.Percent(share, 2), Bar: chart.ShareBar(share,
				humanize.Part(uint64(dead.Rows[0].Size), o.Bytes-o.ExecutedBytes)),
		})
	}
	return nil
}

// fillCalled lists the functions with the most calls.
func fillCalled(ctx context.Context, v *mipview.Overview, base string, o *mipdb.Overview, p *mipdb.Profile,
	s site.Symbols) error {
	if !o.HasCalls() {
		return nil
	}
	called, err := p.Functions(ctx, mipdb.Query{Sort: []query.Key{{Column: mipdb.ColCalls, Desc: true}}, Limit: lines})
	if err != nil {
		return err
	}
	for i := range called.Rows {
		r := &called.Rows[i]
		if r.Calls == 0 {
			break
		}
		name := s.Name(r.Linkage, r.Signature)
		share := float64(r.Calls) / o.Calls.Float64()
		value := humanize.Count(r.Calls)
		if r.Saturated {
			value.Text = "≥ " + value.Text
		}
		v.Hot = append(v.Hot, mipview.ShareRow{
			Name: &name, URL: base + "/functions/" + r.FID, Value: value,
			Share: humanize.Percent(share, 1), Bar: chart.ShareBar(share, float64(called.Rows[0].Calls)/o.Calls.Float64()),
		})
	}
	return nil
}

// mipFacts are the facts of the file card.
func mipFacts(p *mipdb.Profile) page.Facts {
	m := p.Overview
	facts := page.Facts{
		{Term: "Kind", Value: strings.Join(m.FileType.Words(), ", ")},
		{Term: "Version", Value: humanize.Int(p.Profile.Overview.Info.Version)},
		{
			Term: "Module hash", Value: fmt.Sprintf("0x%08x", m.ModuleHash),
			Note: "of the link unit's name; the same in every build",
		},
		{Term: "Inputs", Value: humanize.Int(max(len(p.Profile.Overview.Inputs), 1))},
	}
	if m.Layout != "" {
		facts.Add("Layout", string(m.Layout))
	}
	if m.MapFile != "" {
		facts.Add("Map", humanize.Printable(m.MapFile))
	}
	if m.RawAddress != nil {
		facts.Add("Raw section", fmt.Sprintf("0x%x", *m.RawAddress))
	}
	return facts
}
