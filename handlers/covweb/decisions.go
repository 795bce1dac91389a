package covweb

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/page"
)

// decisions is the page and the table of conditions made of several.
var decisions = lists.Declared{
	Declaration: covdb.Decisions, ID: "mcdc", API: "/coverage/mcdc", View: decisionsView, Title: "MC/DC conditions",
	Own: []string{"path", "file", "without", "missing", "instances"}, Opens: "Open line",
	None: page.Blank{Title: "No decisions", Text: "Compile with -fcoverage-mcdc to have conditions recorded."},
	Find: func(v *site.Values) lists.Finder {
		q, files := covdb.DecisionQuery{Missing: v.Yes("missing"), Instances: v.Yes("instances")}, filesOf(v)
		return lists.Of(covdb.Of, func(ctx context.Context, p *covdb.Profile) (find table.Find, err error) {
			if q.Files, err = files(p); err != nil {
				return nil, err
			}
			return p.FindDecisions(ctx, q)
		})
	},
}

// decisionsPage is GET /p/{id}/mcdc.
func (s *handler) decisionsPage(w http.ResponseWriter, r *http.Request) error {
	d := decisions
	d.Adorn = func(_ *http.Request, v *lists.Request, g *page.Grid) error {
		missing := v.Address.Query.Get("missing") == "true"
		sums := v.Found.Around.(*covdb.DecisionSums).Conditions
		g.Says = humanize.Plural(v.Found.Matching, "decision", "decisions") + ", " + humanize.Int(sums.Covered) + " of " +
			humanize.Plural(sums.Total, "condition", "conditions") + " shown to matter."
		if !missing {
			g.Says += " Of several instantiations, the one that shows most counts; macros do not."
		}
		g.Facets = plain(v).Ways("missing", "false", strconv.FormatBool(missing), []site.Way{
			{"false", "All", ""}, {"true", "With something missing", ""},
		})
		chipsOf(v, g)
		v.Link = func(row any) string { return openURL(v.Base, &row.(*covdb.Decision).Place) }
		links := s.SourceLinks(s.Entry(r))
		v.Draw = map[string]func(row any) page.GridCell{
			"file": func(row any) page.GridCell {
				return placeCell(&row.(*covdb.Decision).Place, v.Link(row), links)
			},
			"mcdc": func(row any) page.GridCell {
				m := row.(*covdb.Decision).Metric
				return page.GridCell{
					Bar:    &chart.Bar{Width: chart.PartBar(float64(m.Covered) / float64(max(m.Total, 1))).Width},
					Number: humanize.Number{Text: humanize.Int(m.Covered) + " of " + humanize.Int(m.Total)},
				}
			},
			"vectors": func(row any) page.GridCell {
				return page.GridCell{Number: humanize.Number{Text: humanize.Int(len(row.(*covdb.Decision).Seen.Vectors))}}
			},
			"missing": func(row any) page.GridCell { return page.GridCell{Text: missingWords(row.(*covdb.Decision))} },
		}
		return nil
	}
	return d.Serve(s.Site)(w, r)
}

// missingWords names the conditions that were not shown to matter: "C2, C3".
func missingWords(d *covdb.Decision) string {
	const most = 8
	var words []string
	for at := range d.Seen.Conditions {
		if c := &d.Seen.Conditions[at]; !c.Folded && !c.Covered() {
			if len(words) == most {
				words = append(words, "…")
				break
			}
			words = append(words, "C"+strconv.Itoa(at+1))
		}
	}
	return strings.Join(words, ", ")
}

// openURL is a line of a file with what unfolds under it.
func openURL(base string, p *covdb.Place) string {
	to, hash, _ := strings.Cut(lineURL(base, p.File, p.Line), "#")
	return to + "&open=" + strconv.Itoa(int(p.Line)) + "#" + hash
}
