package memprofweb

import (
	"cmp"
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/figure"
	"proflens/profile/memprofdb"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// How much of each list the overview of a heap profile shows.
const (
	largestShown = 12
	modulesShown = 10
	pointsShown  = 500
)

// overview is GET /p/{id} of a profile that is a heap profile alone.
func (s *handler) overview(ctx context.Context, r *http.Request, head page.Overview, base string) (site.Draw, error) {
	o := s.heap(r).Overview
	heap, err := s.summary(ctx, r, s.heap(r))
	if err != nil {
		return nil, err
	}
	v := memprofview.Overview{Overview: head, Heap: *heap}
	v.Notes, v.File.Facts = overviewNotes(o), fileFacts(o, len(s.Profile(r).Overview.Inputs))
	return func(shell page.Shell) page.Part { return memprofview.OverviewPage(shell, v) }, nil
}

// besideCounters is the heap profile at a glance, on the first page of a profile that has
// counters too.
func (s *handler) besideCounters(ctx context.Context, r *http.Request) (page.Part, error) {
	heap, err := memprofdb.Of(s.Profile(r))
	if err != nil {
		return nil, err
	}
	v, err := s.summary(ctx, r, heap)
	if err != nil {
		return nil, err
	}
	return memprofview.BesideCounters(*v), nil
}

// summary is a heap profile at a glance, with what is blamed outside a library.
func (s *handler) summary(ctx context.Context, r *http.Request, p *memprofdb.Profile) (*memprofview.Summary, error) {
	o, base := p.Overview, site.PageOf(s.Entry(r).ID)
	kept := &site.Values{Query: url.Values{"library": {site.KeptLibrary(r, s.Entry(r))}}}
	library := libraryOf(kept, s.own())
	n, err := s.heapNames(ctx, p, s.Symbols(names.Full))
	if err != nil {
		return nil, err
	}
	n.base = base
	contexts, err := p.Contexts(ctx, memprofdb.Query{Limit: pointsShown})
	if err != nil {
		return nil, err
	}
	sites, err := p.Blame(ctx, memprofdb.BlameQuery{Library: library, Limit: largestShown})
	if err != nil {
		return nil, err
	}
	v := sitesRequest{
		base: base, address: site.NewAddress(base+"/sites").With("by", string(memprofdb.SitesByBlame)),
	}
	v.By, v.Limit, v.Filter.Library = string(memprofdb.SitesByBlame), largestShown, library
	h := &memprofview.Summary{
		Names: n,
		Tiles: s.Tiles(memprof.Family, o, base), All: v.address.String(), Sites: humanize.Int(sites.Matching),
		Flame: base + "/flame?lib=fold&rec=collapse",
	}
	if contexts.All == 0 {
		h.Empty = &page.Blank{
			Title: "No allocation contexts",
			Text:  "The profile has none: nothing was allocated, or the program ended before writing them.",
		}
		return h, nil
	}
	h.Heads = v.heads(o, memprofdb.BlameSites, "name type bytes share count")
	for i := range h.Heads {
		h.Heads[i].URL, h.Heads[i].Sort = "", "" // the narrow table sorts nothing
	}
	whole := sites.Totals.Bytes.Float64()
	for i := range sites.Rows {
		h.Largest = append(h.Largest, v.blameRow(&sites.Rows[i], o, n, whole, sites.Rows[0].Bytes.Float64()))
	}
	h.Heads = typed(h.Heads, h.Largest)
	plain := sitesRequest{base: base, address: site.NewAddress(base + "/sites")}
	h.Classes = plain.classes(contexts)
	lifetimes := sitesRequest{base: base, address: site.NewAddress(base + "/lifetimes")}
	h.Scatter = lifetimes.scatter(contexts, n)
	h.Wanted, h.Stacks = s.wanted(base, n), stackFacts(&o.Shared)
	modules := slices.Clone(n.modules)
	slices.SortStableFunc(modules, func(a, b memprofdb.Module) int { return cmp.Compare(b.Frames, a.Frames) })
	h.Modules = modules[:min(len(modules), modulesShown)]
	if len(modules) > 1 {
		h.AllModules = page.Link{Label: "Sort and filter", URL: base + "/modules"}
	}
	if len(modules) > modulesShown {
		h.AllModules.Label = "All " + humanize.Int(len(modules))
	}
	return h, nil
}

// change says why nothing is cold.
func change(overview any, _ figure.Words, s *figure.Shown) {
	if o := overview.(*memprofdb.Overview); s.Name == "cold" && o.Classes[0].Contexts == 0 && shortRun(o) {
		s.Note, s.Title = "none in a run below 200 s", coldNeeds
	}
}

// nothingCold says why nothing is cold in a short run.
func nothingCold(o *memprofdb.Overview) string {
	return "Nothing can be cold in a run shorter than 200 s; here no object lived longer than " +
		humanize.Milliseconds(float64(o.Longest)).Text + "."
}

// overviewNotes say what to know of a heap profile.
func overviewNotes(o *memprofdb.Overview) []string {
	var notes []string
	if o.Dumps > 1 {
		notes = append(notes, humanize.Int(o.Dumps)+" raw profiles were concatenated in the files; they were merged by call "+
			"stack.")
	}
	if !o.Schema.Has(memprof.TotalLifetimeAccessDensity) {
		notes = append(notes, "The contexts have no access densities, so their class is unknown.")
	}
	if shortRun(o) && o.Classes[0].Contexts == 0 {
		notes = append(notes, nothingCold(o))
	}
	if s := o.Summary; s != nil {
		notes = append(notes, humanize.Say("The file's summary counts {context}, {} of them cold and {} hot.", s.NumContexts,
			s.NumColdContexts, s.NumHotContexts))
	}
	return notes
}

// fileFacts are what the file card says of a heap profile.
func fileFacts(h *memprofdb.Overview, inputs int) page.Facts {
	facts := page.Facts{
		{Term: "Kind", Value: "MemProf"},
		{
			Term: "Fields", Value: humanize.Say("{} of {}", h.Schema.Len(), memprof.NumMIBFields),
			Note: "of a memory info block",
		},
		{Term: "Functions", Value: humanize.Int(h.Functions)},
		{Term: "Frames", Value: humanize.Int(h.Frames)},
		{Term: "Deepest stack", Value: humanize.Plural(h.Deepest, "frame")},
		{Term: "Inputs", Value: humanize.Int(max(inputs, 1))},
	}
	if h.Version > 0 {
		facts = slices.Insert(facts, 1, page.Fact{Term: "Version", Value: humanize.Int(h.Version)})
	}
	if h.CallSites > 0 {
		facts.Add("Call sites", humanize.Int(h.CallSites))
	}
	return facts
}

// stackFacts are how much call stacks share, and what that saves a file.
func stackFacts(s *analyze.StackSizes) page.Facts {
	if s.Stacks == 0 {
		return nil
	}
	bytes := func(n uint64) string { return humanize.Bytes(n).Text }
	each := func(n uint64) string { return humanize.Bytes(n/uint64(s.Stacks)).Text + " each" }
	radix, flat := s.Radix(), s.Flat()
	return page.Facts{
		{
			Term: "Call stacks", Value: humanize.Int(s.Stacks),
			Note: "of " + humanize.Plural(s.Frames, "distinct frame"),
		},
		{Term: "Frames in them", Value: humanize.Int(s.Refs), Note: decimal(float64(s.Refs)/float64(s.Stacks)) + " each"},
		{Term: "Nodes of their tree", Value: humanize.Int(s.Nodes), Note: decimal(s.Shared()) + " frames of each are shared"},
		{Term: "As lists", Value: bytes(flat), Note: each(flat)},
		{
			Term: "As a radix tree", Value: bytes(radix),
			Note: each(radix) + ", " + humanize.PartPercent(radix, flat, 1) + " of the lists",
		},
	}
}

// decimal is a mean with one digit.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// wanted asks for the executables that would give names to addresses; nil when
// none would.
func (s *handler) wanted(base string, n frameNames) *memprofview.WantedFiles {
	var ids []string
	frames := 0
	for i := range n.modules {
		m := &n.modules[i]
		if m.File == "" {
			frames += m.Frames
		}
		if id := hex.EncodeToString(m.BuildID); m.Wanted() && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if frames == 0 {
		return nil
	}
	w := &memprofview.WantedFiles{Action: base + "/files", ID: strings.TrimPrefix(base, "/p/")}
	w.Text = humanize.Say("A raw heap profile has only addresses; {frame has|frames have} no name. Add the executable "+
		"that was profiled", frames)
	switch len(ids) {
	case 0:
		w.Text += "."
	case 1:
		w.Text += ": that with the build ID " + ids[0] + "."
	default:
		w.Text += ", and its libraries: those with the build IDs " + strings.Join(ids[:min(len(ids), 8)], ", ") + "."
	}
	return w
}
