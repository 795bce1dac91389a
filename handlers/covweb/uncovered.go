package covweb

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/table"
	"proflens/views/covview"
	"proflens/views/page"
)

// functions is the table of functions.
var functions = lists.Declared{
	Declaration: covdb.Functions, ID: "functions", API: "/coverage/functions",
	Own:  strings.Fields("path file without state instances"),
	Find: func(v *site.Values) lists.Finder { return foundFunctions(v, false) },
}

// foundFunctions finds those that a request asks for; on a page without those that no number has.
func foundFunctions(v *site.Values, onPage bool) lists.Finder {
	q := covdb.FunctionQuery{
		State: site.Choice(v, "state", append([]covdb.State{""}, covdb.States...)...), Instances: v.Yes("instances"),
		Thresholds: thresholdsOf(v), OwnFirst: onPage && v.One("sort") == "",
	}
	files := filesOf(v)
	return within(onPage, func(_ context.Context, p *covdb.Profile) (find table.Find, err error) {
		q.Files, err = files(p)
		return p.FindFunctions(q), err
	})
}

// uncovered is the page of those that never ran, the longest first.
func uncovered() lists.Declared {
	d, shown := functions, *covdb.Functions
	shown.Usual, shown.Show = "-total", "name file total regions branches instances"
	d.Declaration, d.ID, d.View, d.Title = &shown, "uncovered", uncoveredView, "Functions that never ran"
	d.Own = slices.DeleteFunc(slices.Clone(d.Own), func(key string) bool { return key == "state" })
	d.Fixed, d.Opens = []string{"state", string(covdb.Never)}, "Open line"
	d.First = "Longest first, own code before tests and dependencies: one test there runs most lines."
	d.Find = func(v *site.Values) lists.Finder {
		v.Query.Set("state", string(covdb.Never))
		if slices.ContainsFunc(strings.Fields(v.Words("q")), covdb.IsThreshold) {
			v.Fail("q", "the share of what never ran is always 0 %%; total=20.. keeps functions of 20 lines and more")
		}
		return foundFunctions(v, true)
	}
	return d
}

// uncoveredPage is GET /p/{id}/uncovered.
func (s *handler) uncoveredPage(w http.ResponseWriter, r *http.Request) error {
	d, all := uncovered(), s.coverage(r).Overview.Totals.Instantiations
	d.Adorn = func(_ *http.Request, v *lists.Request, g *page.Grid) error {
		sums := v.Found.Around.(*covdb.FunctionSums)
		g.Says = humanize.Say("{function} never ran, {line}{}.", v.Found.Matching, sums.Sums.Lines.Total,
			leftOut(sums.LeftOut))
		chipsOf(v, g)
		if len(g.Chips) == 0 {
			recorded, err := s.coverage(r).Idle(r.Context())
			if err != nil {
				return err
			}
			why := humanize.Say("Functions of one place in the source, such as instantiations of a template, count once, "+
				"and never ran if none of them did. One by one, {instantiation} never ran. The profile has a record of {} of "+
				"them; the tables of counters and the diagnostics count records.", all.Missed(), recorded)
			if sums.LeftOut > 0 {
				why += " Both count what is left out here, too."
			}
			g.Above = covview.Why("Why "+humanize.Int(v.Found.Matching), why)
			if v.Found.Matching == 0 && v.Found.Searched == nil {
				g.Empty = &page.Blank{Title: "Every function ran", Text: "The mapping has no function that never ran."}
			}
		}
		g.Ways = plain(v).Ways("sort", "", v.Address.Query.Get("sort"), []site.Way{
			{"", "Longest first", ""}, {"file", "By file", ""},
		})
		v.Link = func(row any) string {
			f := row.(*covdb.Function)
			if f.File == nil {
				return ""
			}
			return lineURL(v.Base, f.File, f.Line)
		}
		links := s.SourceLinks(s.Entry(r))
		total := func(of func(f *covdb.Function) int) func(row any) page.GridCell {
			return func(row any) page.GridCell {
				return page.GridCell{Number: humanize.Whole(of(row.(*covdb.Function)))}
			}
		}
		v.Draw = lists.Draws{
			"file": func(row any) page.GridCell { return placeCell(&row.(*covdb.Function).Place, v.Link(row), links) },
			// Of what never ran a share says nothing.
			"regions":  total(func(f *covdb.Function) int { return f.Regions.Total }),
			"branches": total(func(f *covdb.Function) int { return f.Branches.Total }),
			"mcdc":     total(func(f *covdb.Function) int { return f.MCDC.Total }),
		}
		return nil
	}
	return d.Serve(s.Site)(w, r)
}
