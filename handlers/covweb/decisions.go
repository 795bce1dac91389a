package covweb

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/covdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/covview"
	"proflens/views/page"
)

var decisionKeys = slices.Concat([]string{"path", "missing", "sort"}, site.ListingKeys)

// decisionsPage is GET /p/{id}/mcdc.
func (s *room) decisionsPage(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), decisionKeys)
	if err != nil {
		return err
	}
	l, dir, missing, sort := v.Listing(), strings.Trim(v.One("path"), "/"), v.Yes("missing"), v.Sort("sort", covdb.DecisionColumns)
	if v.Err != nil {
		return v.Err
	}
	p, a, base := s.coverage(r), site.AddressOf(r.URL), site.PageOf(s.Entry(r).ID)
	api := a.Without("page", "cursor")
	api.Path = site.APIOf(s.Entry(r).ID) + "/coverage/mcdc"
	if l.Format != "" {
		http.Redirect(w, r, api.With("format", string(l.Format)).String(), http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	defer end()
	q := covdb.DecisionQuery{Missing: missing, Sort: sort, Offset: l.Offset, Limit: l.Limit}
	if dir != "" {
		if q.Files, err = below(p, dir); err != nil {
			return err
		}
	}
	list, err := p.Decisions(ctx, q)
	if err != nil {
		return err
	}
	m := covview.Decisions{Says: say.Plural(list.Matching, "decision", "decisions") + ", " + say.Int(list.Totals.Covered) + " of " + say.Plural(list.Totals.Total, "condition", "conditions") + " shown to matter, each instantiation by itself"}
	m.CSV = api.With("format", "csv").String()
	plain := a.Without("page", "cursor", "missing")
	m.Ways = []page.Segment{{Label: "All", URL: plain.String(), Current: !missing}, {Label: "With something missing", URL: plain.With("missing", "true").String(), Current: missing}}
	o := site.OrderOf(sort, query.Key{Column: covdb.ColFile}, a, "file")
	for _, c := range []site.Column{
		{Key: "place", Label: "Decision", Sort: covdb.ColFile, Ascending: true}, {Key: "function", Label: "Function"}, {Key: "bar", Label: "Conditions", How: covview.HowMCDC},
		{Key: "shown", Label: "Shown", Title: "conditions with a pair", Sort: covdb.ColMCDC, Ascending: true, Number: true}, {Key: "missing", Label: "Missing", Sort: covdb.ColMissing},
		{Key: "vectors", Label: "Vectors", Title: "that ran", Number: true},
	} {
		m.Heads = append(m.Heads, headOf(c, o))
	}
	if dir != "" {
		m.Chips = append(m.Chips, page.Chip{Text: "path = " + say.Printable(dir), Remove: a.Without("path", "page", "cursor").String()})
	}
	for i := range list.Rows {
		d := &list.Rows[i]
		line := d.Start.Line
		row := covview.DecisionRow{
			Place: say.Printable(baseName(d.File.Path)) + ":" + strconv.Itoa(int(line)), Title: say.Printable(d.File.Path), Name: s.name(d.Function.Name, names.NoTemplates),
			Bar: covview.NewBar(d.Metric.Covered, 0, d.Metric.Total), Shown: say.Int(d.Metric.Covered) + " of " + say.Int(d.Metric.Total), Vectors: say.Int(len(d.Vectors)),
			URL: openURL(base, d.File, line),
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
	m.Shown, m.Pager = shownRows(l.Offset, len(m.Rows), list.Matching), site.ListPager(a, &l, list.Matching)
	if list.Matching == 0 {
		m.Empty = &page.Blank{Title: "No decisions", Text: "Compile with -fcoverage-mcdc to have conditions recorded.", Chips: m.Chips}
		if list.All > 0 {
			m.Empty = &page.Blank{Title: "No decision matches", Chips: m.Chips}
		}
	}
	return s.Render(w, r, http.StatusOK, covview.DecisionsPage(s.ProfileShell(r, decisionsView, ""), m))
}

// maxMissing is how many conditions are named.
const maxMissing = 8

// openURL is a line of a file with what unfolds under it.
func openURL(base string, f *covdb.File, line uint32) string {
	to, hash, _ := strings.Cut(lineURL(base, f, line), "#")
	return to + "&open=" + strconv.Itoa(int(line)) + "#" + hash
}
