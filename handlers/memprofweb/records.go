package memprofweb

import (
	"net/http"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/views/page"
)

// recordedCalls is the page and the table of calls as an indexed profile has them.
func (s *handler) recordedCalls() *lists.Declared {
	return &lists.Declared{
		Declaration: memprofdb.RecordedCalls, ID: "call-sites", API: "/call-sites", View: site.CallSitesView,
		Title: "Call sites", Page: []string{"by"},
		Note: "Calls that lead to an allocation, grouped by caller. Where the contexts of a site differ in class, the " +
			"compiler redirects these calls to clones. Callees are known for indirect calls only.",
		None: page.Blank{
			Title: "No call sites", Text: "Only indexed profiles have them: llvm-profdata adds them when it indexes a raw " +
				"profile with its executable.",
		},
		Opens: "contexts", Find: lists.Plain(memprofdb.Of, (*memprofdb.Profile).FindCallSites),
		Adorn: func(_ *http.Request, v *lists.Request, g *page.Grid) error {
			g.Says = humanize.Plural(v.Found.All, "call site") + "."
			contexts := func(f *memprofdb.Function) string {
				return site.NewAddress(v.Base+"/sites").With("function", site.FID(f.FID)).String()
			}
			v.Link = func(row any) string { return contexts(row.(*memprofdb.CallSite).Function) }
			v.Draw = lists.Draws{
				"stack": func(row any) page.GridCell { return stackCell(v, row.(*memprofdb.CallSite).Stack.Frames()) },
				"callees": func(row any) page.GridCell {
					callees := row.(*memprofdb.CallSite).Callees
					c := v.Lines(&callees)
					for i, f := range callees {
						c.Lines[i].URL = contexts(f)
					}
					if len(callees) == 0 {
						c.Text = "not recorded"
					}
					return c
				},
			}
			return nil
		},
	}
}

// stackCell is the frames of a stack below each other, each with its line.
func stackCell(v *lists.Request, frames memprofdb.Frames) page.GridCell {
	c := v.Lines(&frames)
	for i := range c.Lines {
		if frames[i].Inline {
			c.Lines[i].Tags = []page.Tag{{Text: "inlined", Tone: page.Neutral, Title: "inlined into the frame below"}}
		}
	}
	return c
}

// data is the page and the table of how often static data was touched.
func (s *handler) data() *lists.Declared {
	return &lists.Declared{
		Declaration: memprofdb.DataAccess, ID: "data", API: "/data-access", View: site.DataView, Title: "Data access",
		Note: "How often static data was accessed. Cold symbols and string literals are known to be untouched. String " +
			"literals are named by the hash of their contents.",
		None: page.Blank{
			Title: "No data access profile",
			Text:  "Indexed MemProf profiles can have one from version 4 on; this file does not.",
		},
		Find: lists.Plain(memprofdb.Of, (*memprofdb.Profile).FindData),
		Adorn: func(r *http.Request, v *lists.Request, g *page.Grid) error {
			list, err := s.heap(r).Data(r.Context())
			cold := 0
			for i := range list {
				if list[i].Cold {
					cold++
				}
			}
			g.Modes = nil // symbols stand as they are
			g.Says = humanize.Say("{symbol or literal|symbols and literals} with accesses, {} known to be cold.", len(list)-cold,
				cold)
			if len(list) == 0 && s.heap(r).Overview.DataAccess {
				g.Empty = &page.Blank{Title: "The data access profile is empty"}
			}
			v.Draw = lists.Draws{"class": func(row any) (c page.GridCell) {
				if row.(*memprofdb.Datum).Cold {
					c.Tags = []page.Tag{{Text: "cold", Tone: "cold", Title: "known to be untouched"}}
				}
				return c
			}}
			return err
		},
	}
}
