package covweb

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/names"
	"proflens/profiledb/covdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/covview"
	"proflens/views/page"
)

var decisionColumns = []site.Column{
	{Key: "place", Label: "Decision", Sort: covdb.ColFile, Ascending: true}, {Key: "function", Label: "Function"},
	{Key: "bar", Label: "Conditions", How: covview.HowMCDC},
	{Key: "shown", Label: "Shown", Title: "conditions with a pair", Sort: covdb.ColMCDC, Ascending: true, Number: true},
	{Key: "missing", Label: "Missing", Sort: covdb.ColMissing},
	{Key: "vectors", Label: "Vectors", Title: "that ran", Number: true},
}

// decisionsPage is GET /p/{id}/mcdc.
func (s *room) decisionsPage() site.Handler {
	return s.listPage("mcdc", []string{"path", "missing", "sort"}, func(v *site.Values, l *list) shows {
		q := covdb.DecisionQuery{
			Missing: v.Yes("missing"), Sort: v.Sort("sort", covdb.DecisionColumns), Offset: l.Offset, Limit: l.Limit,
		}
		return func(ctx context.Context) (templ.Component, error) {
			var err error
			if q.Files, err = l.files(); err != nil {
				return nil, err
			}
			found, err := l.Decisions(ctx, q)
			if err != nil {
				return nil, err
			}
			return covview.DecisionsPage(s.ProfileShell(l.Request, decisionsView, ""), s.decisions(l, q, found)), nil
		}
	})
}

// decisions are conditions made of several.
func (s *room) decisions(l *list, q covdb.DecisionQuery, found *covdb.DecisionPage) covview.Decisions {
	m := covview.Decisions{
		Says: say.Plural(found.Matching, "decision", "decisions") + ", " + say.Int(found.Totals.Covered) + " of " +
			say.Plural(found.Totals.Total, "condition", "conditions") + " shown to matter",
	}
	if !q.Missing {
		m.Says += "; of several instantiations as many count as the one with the most has, and none of macros"
	}
	plain := l.plain("missing")
	m.Ways = []page.Segment{
		{Label: "All", URL: plain.String(), Current: !q.Missing},
		{Label: "With something missing", URL: plain.With("missing", "true").String(), Current: q.Missing},
	}
	m.Heads = site.ColumnHeads(decisionColumns, site.OrderOf(q.Sort, query.Key{Column: covdb.ColFile}, l.address, "file"))
	for i := range found.Rows {
		d := &found.Rows[i]
		line := d.Start.Line
		row := covview.DecisionRow{
			Place: say.Printable(baseName(d.File.Path)) + ":" + strconv.Itoa(int(line)), Title: say.Printable(d.File.Path),
			Name:  s.name(d.Function.Name, names.NoTemplates),
			Bar:   covview.NewBar(d.Metric.Covered, 0, d.Metric.Total),
			Shown: say.Int(d.Metric.Covered) + " of " + say.Int(d.Metric.Total), Vectors: say.Int(len(d.Vectors)),
			URL: openURL(l.base, d.File, line), Source: sourceweb.Elsewhere(l.links, d.File.Name, d.File.Path, line),
		}
		var words []string
		for at := range d.Conditions {
			if c := &d.Conditions[at]; !c.Folded && !c.Covered() {
				if len(words) == maxMissing {
					words = append(words, "…")
					break
				}
				words = append(words, "C"+strconv.Itoa(at+1))
			}
		}
		row.Missing = strings.Join(words, ", ")
		m.Rows = append(m.Rows, row)
	}
	l.frame(&m.List, len(m.Rows), found.Matching)
	if found.Matching == 0 {
		m.Empty = &page.Blank{
			Title: "No decisions", Text: "Compile with -fcoverage-mcdc to have conditions recorded.", Chips: m.Chips,
		}
		if found.All > 0 {
			m.Empty = &page.Blank{Title: "No decision matches", Chips: m.Chips}
		}
	}
	return m
}

// maxMissing is how many conditions are named.
const maxMissing = 8

// openURL is a line of a file with what unfolds under it.
func openURL(base string, f *covdb.File, line uint32) string {
	to, hash, _ := strings.Cut(lineURL(base, f, line), "#")
	return to + "&open=" + strconv.Itoa(int(line)) + "#" + hash
}
