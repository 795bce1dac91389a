package covweb

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/names"
	"proflens/profiledb/covdb"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/views/covview"
	"proflens/views/page"
)

var uncoveredSorts = []query.Column{covdb.ColName, covdb.ColFile, covdb.ColTotal, covdb.ColInstances, covdb.ColMissing}

var uncoveredColumns = []site.Column{
	{Key: "function", Label: "Function", Sort: covdb.ColName, Ascending: true},
	{Key: "file", Label: "File", Sort: covdb.ColFile, Ascending: true}, {Key: "line", Label: "Line", Number: true},
	{Key: "lines", Label: "Lines", Sort: covdb.ColTotal, Number: true}, {Key: "regions", Label: "Regions", Number: true},
	{Key: "sides", Label: "Branch sides", Number: true},
	{Key: "instances", Label: "Instantiations", Sort: covdb.ColInstances, Number: true},
}

// uncoveredPage is GET /p/{id}/uncovered.
func (s *room) uncoveredPage() site.Handler {
	return s.listPage("functions", []string{"q", "path", "sort"}, func(v *site.Values, l *list) shows {
		q := covdb.FunctionQuery{
			Text: v.Words("q"), State: covdb.Never, Sort: v.Sort("sort", uncoveredSorts), Offset: l.Offset, Limit: l.Limit,
		}
		l.api = l.api.With("state", string(covdb.Never))
		return func(ctx context.Context) (templ.Component, error) {
			var err error
			if q.Files, err = l.files(); err != nil {
				return nil, err
			}
			found, err := l.Functions(ctx, q)
			if err != nil {
				return nil, err
			}
			return covview.UncoveredPage(s.ProfileShell(l.Request, uncoveredView, ""), s.uncovered(l, q, found)), nil
		}
	})
}

// uncovered are functions that never ran.
func (s *room) uncovered(l *list, q covdb.FunctionQuery, found *covdb.FunctionPage) covview.Uncovered {
	m := covview.Uncovered{
		Says: say.Plural(found.Matching, "function", "functions") + " never ran, " +
			say.Plural(found.Totals.Lines.Total, "line", "lines") + ".",
	}
	if all := l.Overview.Totals.Instantiations; l.dir == "" && q.Text == "" {
		m.Says += " Functions of one place in the source count once; one by one, " +
			say.Plural(all.Missed(), "instantiation", "instantiations") + " never ran."
	}
	m.Filter = page.QuickFilter{Action: l.address.Path, Q: q.Text, Label: "function", Keep: site.Keep(l.plain("q"))}
	byFile := len(q.Sort) > 0 && q.Sort[0].Column == covdb.ColFile
	m.Ways = []page.Segment{
		{Label: "Longest first", URL: l.plain("sort").String(), Current: len(q.Sort) == 0},
		{Label: "By file", URL: l.plain().With("sort", "file").String(), Current: byFile},
	}
	m.Heads = site.ColumnHeads(uncoveredColumns,
		site.OrderOf(q.Sort, query.Key{Column: covdb.ColTotal, Desc: true}, l.address, "-total"))
	if q.Text != "" {
		m.Chips = append(m.Chips, page.Chip{Text: site.ChipText("q", say.Printable(q.Text)), Remove: l.plain("q").String()})
	}
	m.Clear = l.plain("path", "q").String()
	before := ""
	for i := range found.Rows {
		f := &found.Rows[i]
		row := covview.UncoveredRow{
			Name: s.name(f.Name, names.NoTemplates), Lines: say.Int(f.Lines.Total), Regions: say.Int(f.Regions.Total),
			Branches: say.Int(f.Branches.Total), Instances: say.Int(f.Instances),
		}
		if f.File != nil {
			row.Folder, row.File = divided(f.File.Path)
			row.Line, row.URL = span{f.Start.Line, f.Start.Line}.String(), lineURL(l.base, f.File, f.Start.Line)
			row.Path, row.Source = say.Printable(f.File.Path),
				sourceweb.Elsewhere(l.links, f.File.Name, f.File.Path, f.Start.Line)
			if byFile && row.Path == before {
				row.Folder, row.File = "", ""
			}
			before = row.Path
		}
		m.Rows = append(m.Rows, row)
	}
	l.frame(&m.List, len(m.Rows), found.Matching)
	if !found.Complete {
		m.Incomplete = &page.Incomplete{
			Searched: say.Int(found.Scanned) + " of " + say.Plural(l.Overview.Instances, "function", "functions") + " searched",
			URL:      l.address.String(),
		}
	}
	if found.Matching == 0 && found.Complete {
		m.Empty = &page.Blank{Title: "Every function ran", Text: "The mapping has no function that never ran."}
		if len(m.Chips) > 0 {
			m.Empty = &page.Blank{Title: "No function matches", Chips: m.Chips}
		}
	}
	return m
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
		return nil, &site.Problem{
			Status: http.StatusNotFound, Kind: "not_found", Title: "No such directory",
			Detail: "no file of the coverage mapping is below " + say.Printable(dir),
		}
	}
	return list, nil
}

// noPart reports whether a profile has nothing of something.
func noPart(err error) bool { return errors.Is(err, stored.ErrNoPart) }
