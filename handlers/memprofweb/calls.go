package memprofweb

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/calltree"
	"proflens/profile/memprofdb"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// recordedWord is the value of by for calls as an indexed profile has them.
const recordedWord = "recorded"

// calls is the page and the table of the calls that lead to allocations, the verdict
// first.
func (s *handler) calls() *lists.Declared {
	return &lists.Declared{
		Declaration: memprofdb.Calls, ID: "calls", API: "/calls", View: site.CallSitesView, Title: "Call sites",
		Own: slices.Concat(thresholdKeys, []string{"lib", "library"}), Page: []string{"by"},
		First: "Most bytes first: the calls through which most was allocated.",
		None:  page.Blank{Title: "No calls", Text: "No call stack has a caller."}, Opens: "Flame graph here",
		Find: func(v *site.Values) lists.Finder {
			t, fold := thresholdsOf(v), libraryOf(v, s.own())
			if site.Choice(v, "lib", foldWord, showWord) != foldWord {
				fold = nil
			}
			return lists.Of(memprofdb.Of, func(ctx context.Context, p *memprofdb.Profile) (table.Find, error) {
				return p.FindCalls(ctx, t, fold)
			})
		},
		Adorn: s.aroundCalls, Inspect: s.inspectCall,
	}
}

// aroundCalls adds the verdict, the folding of libraries, and the flame graphs to which
// rows lead.
func (s *handler) aroundCalls(r *http.Request, v *lists.Request, g *page.Grid) error {
	around, o := v.Found.Around.(*memprofdb.CallsAround), s.heap(r).Overview
	values := &site.Values{Query: v.Address.Query}
	fold := memprofdb.Fold{Library: libraryOf(values, s.own())}
	g.Extra = memprofview.LibrarySettings(foldSwitches(v.Address.FirstPage(),
		memprofdb.Fold{Library: map[bool]*analyze.Library{true: fold.Library}[around.Library != nil]}, true)[:1],
		libraryForm(v.Base, v.Address, fold.Library, site.KeptLibrary(r, s.Entry(r))))
	verdict, because := callsVerdict(v.Found.All, v.Found.Facets[0], v.Found.Facets[1], o)
	g.Above = memprofview.CallsVerdict(verdict, because)
	if o.CallSites > 0 {
		g.Ways = []page.Segment{
			{Label: "Calls", URL: v.Address.Without("by").String(), Current: true},
			{
				Label: "As recorded", Title: "as listed in the file, in file order",
				URL: site.NewAddress(v.Address.Path).With("by", recordedWord).String(),
			},
		}
	}
	if around.Folded > 0 {
		g.Status = []string{humanize.Plural(around.Folded, "call") + " from library code folded"}
	}
	flame := site.NewAddress(v.Base+"/flame").With("layout", string(calltree.Sandwich))
	v.Link = func(row any) string {
		c, to := row.(*memprofdb.Call), flame
		if around.Library == nil || !around.Library(c.Callee) { // which folding would leave out
			shown := memprofdb.Fold{Recursion: true}
			if around.Library != nil {
				shown.Library = fold.Library
			}
			to = folded(flame, shown)
		}
		return to.With("around", site.FID(c.Callee.FID)).String()
	}
	v.Draw = lists.Draws{
		"callee": func(row any) page.GridCell {
			c := row.(*memprofdb.Call)
			cell := page.GridCell{Name: new(v.NameOf(c.Callee))}
			if len(c.Inlined) > 0 {
				var names []string
				for _, f := range slices.Backward(c.Inlined) {
					names = append(names, v.NameOf(f).Whole())
				}
				cell.Tags = append(cell.Tags, page.Tag{
					Text: "+" + humanize.Int(len(c.Inlined)) + " inlined", Tone: page.Neutral, Title: strings.Join(names, "\n"),
				})
			}
			if c.Clone {
				cell.Tags = append(cell.Tags, page.Tag{
					Text: "needs a clone", Tone: page.Caution, Title: "reaches both cold and other contexts",
				})
			}
			return cell
		},
		"classes": func(row any) page.GridCell {
			return page.GridCell{Drawn: memprofview.ClassMix(classParts(&row.(*memprofdb.Call).SiteTotals))}
		},
	}
	return nil
}

// callsVerdict says how many calls need a clone, and why.
func callsVerdict(all, mixes, clones int, o *memprofdb.Overview) (verdict, because string) {
	switch {
	case clones > 0:
		verdict = humanize.Plural(clones, "call needs a clone:", "calls need a clone:")
		because = "they lead to both cold and other allocations."
		if clones == 1 {
			because = "it leads to both cold and other allocations."
		}
	case hasDensity(o) && hasLifetime(o):
		verdict, because = "No call needs a clone:", "none leads to both cold and other allocations."
		if shortRun(o) {
			because = "none leads to cold allocations; " + coldNeeds + "."
		}
	default:
		verdict, because = "No classes:", "they depend on lifetimes and access densities, which the profile lacks."
	}
	if mixes > 0 && clones == 0 {
		because += humanize.Say(" {} of {call mixes|calls mix} hot with not cold.", mixes, all)
	}
	return verdict, because
}

// classParts are the bytes of each class as parts of a bar, and in words.
func classParts(t *memprofdb.SiteTotals) (parts []memprofview.MixPart, says string) {
	at, words := 0.0, []string{}
	for _, i := range []int{2, 1, 0, 3} { // hot, not cold, cold, unknown
		class := analyze.MemProfClasses[i]
		if t.Classes[i].Contexts == 0 {
			continue
		}
		part := humanize.Part(t.Classes[i].Bytes.Float64(), t.Bytes.Float64())
		parts = append(parts, memprofview.MixPart{
			X: chart.Decimal(at), Width: chart.Decimal(1000 * part), Fill: "class-" + memprofdb.ClassWord(class),
		})
		at += 1000 * part
		words = append(words, humanize.Percent(part, 1)+" "+string(class))
	}
	return parts, strings.Join(words, ", ")
}

// inspectCall adds where a call leads, and what is inlined at it.
func (s *handler) inspectCall(r *http.Request, v *lists.Request, in *page.Inspector, row any) error {
	c := row.(*memprofdb.Call)
	for _, f := range []struct {
		label string
		of    *memprofdb.Function
	}{{"Contexts of the caller", c.Caller}, {"Contexts of the callee", c.Callee}} {
		in.Links = append(in.Links, page.Segment{
			Label: f.label, URL: site.NewAddress(v.Base+"/sites").With("function", site.FID(f.of.FID)).String(),
		})
	}
	if len(c.Inlined) > 0 {
		inlined := page.Lines{Title: "Inlined between", Note: "the callee's caller first"}
		for _, f := range c.Inlined {
			inlined.List = append(inlined.List, page.NoteLine{Text: v.NameOf(f).Whole(), Title: v.NameOf(f).Full})
		}
		in.Lists = append(in.Lists, inlined)
	}
	return nil
}

// callsPage is GET /p/{id}/callsites: the calls that lead to allocations, or those that
// an indexed profile lists, which have filters and an order of their own.
func (s *handler) callsPage(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Get("by") == recordedWord {
		return s.recordedCalls().Serve(s.Site)(w, r)
	}
	return s.calls().Serve(s.Site)(w, r)
}

// modules is the page and the table of what was mapped when the profile was written.
func (s *handler) modules() *lists.Declared {
	return &lists.Declared{
		Declaration: memprofdb.Segments, ID: "modules", API: "/modules", View: site.OtherView, Title: "Modules",
		Note: "Executable segments mapped when the profile was written. Upload the executables that are wanted to give " +
			"their frames names.",
		None: page.Blank{Title: "No modules", Text: "Only raw heap profiles list them."},
		Find: lists.Plain(memprofdb.Of, (*memprofdb.Profile).FindModules),
		Adorn: func(_ *http.Request, v *lists.Request, g *page.Grid) error {
			g.Modes = nil
			v.Draw = lists.Draws{
				"name": func(row any) page.GridCell {
					return page.GridCell{Text: humanize.Printable(row.(*memprofdb.Module).Short())}
				},
				"wanted": func(row any) page.GridCell {
					return page.GridCell{Tags: []page.Tag{memprofview.ModuleState(row.(*memprofdb.Module))}}
				},
			}
			return nil
		},
	}
}
