package mipweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/mipview"
	"proflens/views/page"
)

// mipTable is one of the pages of functions of machine IR: what it has of them, and how it
// shows them.
type mipTable struct {
	view  site.View
	title string
	lead  string
	first string // what the usual order is for
	how   page.How
	cols  string // usual columns
	// fixed are parameters and values, in turn, of what the table is of.
	fixed []string
}

var (
	allTable = mipTable{
		view: site.FunctionsView, title: "Functions", how: page.HowMIPExecuted, cols: mipdb.Functions.Show,
		first: "Largest first, with how much of each was executed.",
	}
	deadTable = mipTable{
		view: site.DeadView, title: "Never executed", how: page.HowMIPExecuted, cols: "demangled size blocks address",
		lead: "Functions of the map that no run executed. Functions absent from the map were not instrumented: whether " +
			"they ran is unknown.",
		first: "Largest first: what could be left out.",
		fixed: []string{"executed", "false"},
	}
	callsTable = mipTable{
		view: site.CallsView, title: "Calls", how: page.HowMIPCalls,
		cols:  "demangled call_count weight size merge_count covered_share",
		lead:  "Functions by number of calls, over all runs.",
		fixed: []string{"call_count", "1..", "sort", "-call_count"},
	}
)

// functions is the table of functions, and the page of some of them.
func (s *handler) functions(t mipTable) *lists.Declared {
	return &lists.Declared{
		Declaration: mipdb.Functions, ID: "functions", API: "/functions", View: t.view, Title: t.title, How: t.how,
		Note: t.lead, First: t.first, Own: ownKeys, Opens: "Open function",
		Vary: func(v *site.Values) lists.Varied {
			q := readFunctions(v)
			return func(_ context.Context, profile *stored.Profile) (*table.Declaration, table.Find, error) {
				p, err := mipdb.Of(profile)
				if err != nil {
					return nil, nil, err
				}
				return t.shown(p.Overview), p.Find(q), hasRuns(p.Overview, q.Run, q.OnlyRun)
			}
		},
		Adorn: func(r *http.Request, v *lists.Request, g *page.Grid) error { return s.aroundFunctions(r, v, g, t) },
		Inspect: func(r *http.Request, v *lists.Request, in *page.Inspector, row any) error {
			f := row.(*mipdb.Row)
			return inspect(r.Context(), in, s.machine(r), f, v.NameOf(&f.FunctionName), v.Base)
		},
	}
}

// shown is the table with its usual columns, but for what the profile did not measure.
func (t *mipTable) shown(o *mipdb.Overview) *table.Declaration {
	d := *mipdb.Functions
	d.Show = strings.Join(slices.DeleteFunc(strings.Fields(t.cols), func(name string) bool {
		return !o.HasCalls() && (name == "call_count" || name == "weight") || !o.HasTimestamps() && name == "avg_timestamp"
	}), " ")
	return &d
}

// functionsPage is GET /p/{id}/functions, /dead and /calls of a Machine IR Profile.
func (s *handler) functionsPage(t mipTable) site.Handler {
	serve := s.functions(t).Serve(s.Site)
	return func(w http.ResponseWriter, r *http.Request) error {
		a := site.AddressOf(r.URL)
		for i := 0; i+1 < len(t.fixed); i += 2 {
			if a.Query.Get(t.fixed[i]) == "" {
				a = a.With(t.fixed[i], t.fixed[i+1])
			}
		}
		if cols := a.Query["cols"]; len(cols) == 1 && cols[0] != "" &&
			!slices.Contains(strings.Split(cols[0], ","), site.NameColumn) {
			a = a.With("cols", site.NameColumn+","+cols[0]) // rows always have their names
		}
		r = r.Clone(r.Context())
		r.URL.RawQuery = a.Query.Encode()
		return serve(w, r)
	}
}

// aroundFunctions adds the filters and the sentences of a table, and draws its cells.
func (s *handler) aroundFunctions(r *http.Request, v *lists.Request, g *page.Grid, t mipTable) error {
	p := s.machine(r)
	o, q := p.Overview, readFunctions(&site.Values{Query: v.Address.Query})
	list := v.Address.Unselected()
	g.Chips = slices.Concat(chips(list, t.fixed), g.Chips)
	g.Clear = list.Without(append([]string{"page", "cursor", "q", "re"}, filterKeys...)...).String()
	g.Extra = mipview.FilterMenu(mipview.Functions{Action: v.Address.Path, Filter: filterForm(list, o, t), Clear: g.Clear})
	drawFunctions(v, g, o)
	if empty := mipEmpty(p); empty != nil {
		g.Empty = empty
		return nil
	}
	if v.View == site.CallsView && !o.HasCalls() {
		g.Empty, g.Shown = &page.Blank{Title: "No calls were counted",
			Text: "The program was not built for call counts: the profile says whether a function ran, not how often."},
			"no rows"
		return nil
	}
	around := v.Found.Around.(*mipdb.Around)
	above := mipview.Functions{}
	if slices.ContainsFunc(v.Fields, func(f *table.Field) bool { return f.Name == "address" }) {
		above.Notes = addressNotes(o)
	}
	sayFunctions(v, g, &above, o, around)
	if v.View == site.DeadView {
		q.Executed = nil
		if v.Found.Matching == 0 && !mipFiltered(&q) && v.Params.Query.Plain() {
			g.Empty = &page.Blank{Title: "Every function ran"}
		}
		var err error
		if above.Sums, err = deadSums(r.Context(), v, &q, o, p); err != nil {
			return err
		}
	}
	if v.Found.Matching < v.Found.All {
		g.Status = append(g.Status, humanize.Say("{} of {} match", v.Found.Matching, v.Found.All),
			"matching hold "+humanize.PartPercent(around.Bytes, o.Bytes, 1)+" of the bytes")
	}
	g.Above = mipview.FunctionsAbove(above)
	return nil
}

// sayFunctions adds the sentences of a table.
func sayFunctions(v *lists.Request, g *page.Grid, above *mipview.Functions, o *mipdb.Overview, t *mipdb.Around) {
	switch v.View {
	case site.DeadView:
		g.Says = humanize.Say("{function} with {:bytes}: {%} of all functions, {%} of all bytes.", t.Functions, t.Bytes,
			humanize.Part(t.Functions, o.Functions), humanize.Part(t.Bytes, o.Bytes))
		if missed := o.ExecutedBytes - min(o.CoveredBytes, o.ExecutedBytes); o.HasBlocks() && missed > 0 {
			above.Notes = append(above.Notes,
				humanize.Say("In functions that ran, another {:bytes} are in blocks that did not.", missed))
		}
	case site.CallsView:
		g.Says = humanize.Say("{:count call} of {function}.", t.Calls, t.Functions)
		if o.Saturated > 0 {
			above.Notes = append(above.Notes,
				humanize.Plural(o.Saturated, "count is marked ≥: it",
					"counts are marked ≥: they")+" reached the maximum of one run, so there were at least that many calls.")
		}
		g.Ways = v.Address.Unselected().FirstPage().Ways("sort", "-call_count", v.Address.Query.Get("sort"),
			[]site.Way{
				{"-call_count", "Calls", "most calls first"}, {"-weight", "Calls × size", "most called bytes first"},
			})
	default:
		g.Says = humanize.Say("{} of {function} executed ({%}); {:bytes} of {:bytes} covered ({%}).", t.Executed, t.Functions,
			humanize.Part(t.Executed, t.Functions), t.CoveredBytes, t.Bytes, humanize.Part(t.CoveredBytes, t.Bytes))
	}
}

// drawFunctions draws the cells of functions that no other table has, which lead to their
// pages.
func drawFunctions(v *lists.Request, g *page.Grid, o *mipdb.Overview) {
	for i := range g.Heads {
		if h := &g.Heads[i]; h.Column == "address" {
			h.Label, h.Title = addressHead(o)
		}
	}
	of := func(row any) *mipdb.Row {
		if placed, ok := row.(*mipdb.OrderedRow); ok {
			return placed.F
		}
		return row.(*mipdb.Row)
	}
	v.Link = func(row any) string { return v.Base + "/functions/" + of(row).FID }
	text := func(text func(f *mipdb.Row) string) func(row any) page.GridCell {
		return func(row any) page.GridCell { return page.GridCell{Text: text(of(row))} }
	}
	number := func(text func(f *mipdb.Row) string) func(row any) page.GridCell {
		return func(row any) page.GridCell { return page.GridCell{Number: humanize.Number{Text: text(of(row))}} }
	}
	calls := func(n func(f *mipdb.Row) humanize.Number) func(row any) page.GridCell {
		return func(row any) page.GridCell {
			f := of(row)
			if !o.HasCalls() {
				return page.GridCell{Text: "–"}
			}
			cell := page.GridCell{Number: n(f)}
			if f.Saturated {
				cell.Tags = []page.Tag{
					{Text: "≥", Tone: page.Caution, Title: "a run reached its maximum count: at least this many"},
				}
			}
			return cell
		}
	}
	v.Draw = lists.Draws{
		"executed": text(func(f *mipdb.Row) string { return map[bool]string{true: "executed", false: "never"}[f.Executed] }),
		"covered_share": func(row any) page.GridCell {
			share := humanize.Part(of(row).CoveredBytes, uint64(of(row).Size))
			return page.GridCell{Drawn: mipview.Covered(chart.NewCover(share), humanize.Percent(share, 1))}
		},
		"blocks": number(func(f *mipdb.Row) string {
			return humanize.Say("{} of {}", f.CoveredBlocks, f.Blocks)
		}),
		"call_count": calls(func(f *mipdb.Row) humanize.Number { return humanize.Count(f.Calls) }),
		"weight":     calls(func(f *mipdb.Row) humanize.Number { return humanize.SumCount(f.Weight()) }),
		"avg_timestamp": number(func(f *mipdb.Row) string {
			if !o.HasTimestamps() || f.MergeCount == 0 {
				return "–"
			}
			return firstPosition(f.First)
		}),
		"address":       number(func(f *mipdb.Row) string { return mipAddress(o, f.Offset) }),
		"cfg_signature": text(func(f *mipdb.Row) string { return fmt.Sprintf("0x%08x", f.CFGSignature) }),
	}
}

// firstPosition writes an average of places.
func firstPosition(first float64) string {
	whole, part, _ := strings.Cut(strconv.FormatFloat(first, 'f', 1, 64), ".")
	if part == "0" || part == "" {
		return humanize.Group(whole)
	}
	return humanize.Group(whole) + "." + part
}
