package covweb

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/covdb"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/views/covview"
	"proflens/views/page"
)

var uncoveredKeys = slices.Concat([]string{"q", "path", "sort"}, site.ListingKeys)

var uncoveredColumns = []query.Column{covdb.ColName, covdb.ColFile, covdb.ColTotal, covdb.ColInstances, covdb.ColMissing}

// uncoveredPage is GET /p/{id}/uncovered.
func (s *room) uncoveredPage(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), uncoveredKeys)
	if err != nil {
		return err
	}
	l, text, dir := v.Listing(), v.One("q"), strings.Trim(v.One("path"), "/")
	sort := v.Sort("sort", uncoveredColumns)
	if _, err := names.NewMatcher(text, ""); err != nil {
		v.Fail("q", "%v", err)
	}
	if v.Err != nil {
		return v.Err
	}
	p, a, base := s.coverage(r), site.AddressOf(r.URL), site.PageOf(s.Entry(r).ID)
	if l.Format != "" {
		to := a.With("state", string(covdb.Never)).With("format", string(l.Format))
		to.Path = site.APIOf(s.Entry(r).ID) + "/coverage/functions"
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	defer end()
	q := covdb.FunctionQuery{Text: text, State: covdb.Never, Sort: sort, Offset: l.Offset, Limit: l.Limit}
	if dir != "" {
		q.Files, err = below(p, dir)
		if err != nil {
			return err
		}
	}
	list, err := p.Functions(ctx, q)
	if err != nil {
		return err
	}
	m := covview.Uncovered{Says: say.Plural(list.Matching, "function", "functions") + " never ran, " + say.Plural(list.Totals.Lines.Total, "line", "lines")}
	m.Filter = page.QuickFilter{Action: a.Path, Q: text, Label: "function", Keep: site.Keep(a.Without("q", "page", "cursor"))}
	csv := a.Without("page", "cursor").With("state", string(covdb.Never)).With("format", "csv")
	csv.Path = site.APIOf(s.Entry(r).ID) + "/coverage/functions"
	m.CSV = csv.String()
	o := site.OrderOf(sort, query.Key{Column: covdb.ColTotal, Desc: true}, a, "-total")
	plain := a.Without("page", "cursor", "sort")
	byFile := o.By == covdb.ColFile
	m.Ways = []page.Segment{{Label: "Longest first", URL: plain.String(), Current: len(sort) == 0}, {Label: "By file", URL: plain.With("sort", "file").String(), Current: byFile}}
	for _, c := range []site.Column{
		{Key: "function", Label: "Function", Sort: covdb.ColName, Ascending: true}, {Key: "file", Label: "File", Sort: covdb.ColFile, Ascending: true}, {Key: "line", Label: "Line", Number: true},
		{Key: "lines", Label: "Lines", Sort: covdb.ColTotal, Number: true}, {Key: "regions", Label: "Regions", Number: true}, {Key: "sides", Label: "Branch sides", Number: true},
		{Key: "instances", Label: "Instantiations", Sort: covdb.ColInstances, Number: true},
	} {
		m.Heads = append(m.Heads, headOf(c, o))
	}
	if dir != "" {
		m.Chips = append(m.Chips, page.Chip{Text: "path = " + say.Printable(dir) + "/", Remove: a.Without("path", "page", "cursor").String()})
	}
	if text != "" {
		m.Chips = append(m.Chips, page.Chip{Text: site.ChipText("q", say.Printable(text)), Remove: a.Without("q", "page", "cursor").String()})
	}
	m.Clear = a.Without("path", "q", "page", "cursor").String()
	before := ""
	for i := range list.Rows {
		f := &list.Rows[i]
		row := covview.UncoveredRow{
			Name: s.name(f.Name, names.NoTemplates), Lines: say.Int(f.Lines.Total), Regions: say.Int(f.Regions.Total), Branches: say.Int(f.Branches.Total), Instances: say.Int(f.Instances),
		}
		if f.File != nil {
			row.File, row.Line, row.URL = say.Printable(tail(f.File.Path)), span{f.Start.Line, f.Start.Line}.String(), lineURL(base, f.File, f.Start.Line)
			row.Path = say.Printable(f.File.Path)
			if byFile && row.Path == before {
				row.File = ""
			}
			before = row.Path
		}
		m.Rows = append(m.Rows, row)
	}
	m.Shown, m.Pager = shownRows(l.Offset, len(m.Rows), list.Matching), site.ListPager(a, &l, list.Matching)
	if !list.Complete {
		m.Incomplete = &page.Incomplete{Searched: say.Int(list.Scanned) + " of " + say.Plural(p.Overview.Instances, "function", "functions") + " searched", URL: a.String()}
	}
	if list.Matching == 0 && list.Complete {
		m.Empty = &page.Blank{Title: "Every function ran", Text: "The mapping has no function that never ran."}
		if len(m.Chips) > 0 {
			m.Empty = &page.Blank{Title: "No function matches", Chips: m.Chips}
		}
	}
	return s.Render(w, r, http.StatusOK, covview.UncoveredPage(s.ProfileShell(r, uncoveredView, ""), m))
}

// below are the files in a directory; an error that says so where there is none.
func below(p *covdb.Profile, dir string) ([]int, error) {
	list := []int{}
	for i := range p.Overview.Files {
		if f, err := p.FileAt(i); err == nil && (f.Path == dir || strings.HasPrefix(f.Path, dir+"/")) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil, &site.Problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such directory", Detail: "no file of the coverage mapping is below " + say.Printable(dir)}
	}
	return list, nil
}

// headOf is the head of a column.
func headOf(c site.Column, o site.Order) page.Head {
	h := page.Head{Column: string(c.Key), Label: c.Label, Title: c.Title, Number: c.Number, How: c.How}
	if c.Sort != "" {
		h.Sort, h.URL = o.Link(c.Sort, c.Ascending)
	}
	return h
}

// noPart reports whether a profile has nothing of something.
func noPart(err error) bool { return errors.Is(err, stored.ErrNoPart) }
