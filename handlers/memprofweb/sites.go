package memprofweb

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// Ways to list what allocates: contexts one by one, or added up.
const (
	byContext = "context"
	bySite    = "site" // what the page without by has, too
	byFolder  = sitesByPath
)

// sitesParams is a request for a page of contexts, or of sites.
type sitesParams struct {
	By       string // byContext, or a memprofdb.SiteBy
	Filter   memprofdb.Filter
	Sort     []query.Key
	SiteSort []query.Key
	Fold     memprofdb.Fold
	Open     []string // rows by blame whose callers are shown
	Node     string   // of the tree of paths: the folder that is shown
	site.Listing
}

var sitesKeys = slices.Concat([]string{"by", "sort", "node", "open", selKey}, foldKeys, filterKeys, site.ListingKeys)

// parseSitesPage reads a request for a page of contexts or sites. Errors are
// *site.ParamError.
func parseSitesPage(q url.Values, own *analyze.Library) (sitesParams, error) {
	v := site.NewValues(q, sitesKeys)
	p := sitesParams{
		By: site.Choice(v, "by", byContext, string(memprofdb.SitesByFunction), string(memprofdb.SitesByLine), byFolder,
			string(memprofdb.SitesByBlame), string(memprofdb.SitesByType), bySite),
		Filter: filterOf(v, own), Node: v.One("node"), Listing: v.Listing(),
	}
	if p.By == bySite {
		p.By = byContext
	}
	if p.By == byContext {
		p.Sort = v.Sort("sort", memprofdb.Allocations.Sorts())
	} else {
		p.SiteSort = siteSort(v, "sort", memprofdb.SiteBy(p.By))
	}
	blamed := blames(memprofdb.SiteBy(p.By))
	p.Fold, p.Open = foldOf(v, own, blamed), v.List("open")
	if !blamed && (v.One("lib") != "" || v.One("rec") != "" || len(p.Open) > 0) {
		v.Fail("by", "lib, rec and open work only with by=blame and by=type")
	}
	if p.Node != "" && p.By != byFolder {
		v.Fail("node", "works only with by=path")
	}
	return p, v.Err
}

// sitesRequest is a request for a page of contexts or sites.
type sitesRequest struct {
	sitesParams
	columns []contextColumn
	base    string // "/p/{id}"
	address site.Address
	kept    string // list of library frames that the browser keeps
}

// sitesPage is GET /p/{id}/sites.
func (s *handler) sitesPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseSitesPage(r.URL.Query(), s.own())
	if err != nil {
		return err
	}
	v, o, err := s.request(w, r, p)
	if o == nil || err != nil {
		return err
	}
	ctx := s.RequestContext(r)
	n, err := s.namesOf(ctx, r, p.Names)
	if err != nil {
		return err
	}
	if blames(memprofdb.SiteBy(p.By)) {
		m, err := s.blame(ctx, s.heap(r), v, n)
		if err != nil {
			return err
		}
		return s.Render(w, r, memprofview.BlamePage(s.ProfileShell(r, site.SitesView, ""), m))
	}
	// Also of sites: the classes are those of the contexts that match.
	q := memprofdb.Query{Filter: p.Filter, Sort: p.Sort, Offset: p.Offset, Limit: p.Limit, Own: p.Filter.Library}
	if p.By != byContext {
		q.Offset, q.Limit, q.Sort = 0, 0, nil
	}
	contexts, err := s.heap(r).Contexts(ctx, q)
	if err != nil {
		return err
	}
	m := v.model(o, contexts)
	switch p.By {
	case byContext:
		v.fillContexts(&m, o.Schema, contexts, n)
	case byFolder:
		t, err := s.heap(r).Tree(ctx, p.Filter)
		if err != nil {
			return err
		}
		if err := v.fillFolders(ctx, &m, o, t); err != nil {
			return err
		}
	default:
		sites, err := s.heap(r).Sites(ctx, memprofdb.SiteQuery{
			Filter: p.Filter, By: memprofdb.SiteBy(p.By), Sort: p.SiteSort, Offset: p.Offset, Limit: p.Limit,
		})
		if err != nil {
			return err
		}
		v.fillSites(&m, o, sites, n)
	}
	return s.Render(w, r, memprofview.SitesPage(s.ProfileShell(r, site.SitesView, ""), m))
}

// request is what the pages of contexts have in common. The overview is
// nil when the answer is written.
func (s *handler) request(w http.ResponseWriter, r *http.Request,
	p sitesParams) (sitesRequest, *memprofdb.Overview, error) {
	v := sitesRequest{sitesParams: p, base: "/p/" + s.Entry(r).ID, address: site.AddressOf(r.URL),
		kept: site.KeptLibrary(r, s.Entry(r))}
	o := s.heap(r).Overview
	if p.Format != "" {
		return v, nil, site.Forward(w, r, v.api(p.Format))
	}
	var err error
	if v.columns, err = shownColumns(p.Cols, o.Schema); err != nil {
		return v, nil, err
	}
	if plain := withoutDefaults(v.address); plain.String() != v.address.String() { // as forms send them
		http.Redirect(w, r, plain.String(), http.StatusSeeOther)
		return v, nil, nil
	}
	if site.RedirectJoined(w, r, v.address) {
		return v, nil, nil
	}
	if moved, err := contextList.Typed(w, r); moved || err != nil {
		return v, nil, err
	}
	if s.NotModifiedPage(w, r) {
		return v, nil, nil
	}
	if s.Profile(r).Storing() {
		site.Unsettled(w)
	}
	return v, o, nil
}

// model is the frame of the page: classes, filters, ways to list.
func (v *sitesRequest) model(o *memprofdb.Overview, p *memprofdb.Page) memprofview.Sites {
	m := memprofview.Sites{
		Title: "Allocation sites", Ways: v.ways(o), Action: v.address.Path, Classes: v.classes(p), Filter: v.filterForm(o),
		Quick: v.quick(), Inspector: v.address.Inspector("row"), CSV: v.api("csv"),
		Modes: site.ModeSegments(v.address, v.Names), Shown: "no rows",
	}
	m.Chips, m.Clear = filterChips(v.address, &v.Filter, v.kept)
	if !o.Symbolized {
		m.Notes = append(m.Notes, "The file has no names, so frames are addresses. The overview says which executable has "+
			"the names.")
	}
	switch {
	case p.All == 0:
		m.Empty = &page.Blank{
			Title: "No allocation contexts",
			Text:  "The profile has none: nothing was allocated, or the program ended before writing them.",
		}
	case p.Matching == 0:
		m.Empty = &page.Blank{
			Title: humanize.Say("0 of {context} match", p.All), Text: contextList.NoColumn(v.Filter.Text), Chips: m.Chips,
		}
		if slices.Contains(v.Filter.Classes, analyze.MemProfCold) && shortRun(o) && o.Classes[0].Contexts == 0 {
			m.Empty.Text = nothingCold(o)
		}
	}
	return m
}

func (v *sitesRequest) fillContexts(m *memprofview.Sites, schema memprof.MIBSchema, p *memprofdb.Page, n frameNames) {
	choice := site.ColumnChoice(slices.DeleteFunc(contextColumns(),
		func(c contextColumn) bool { return !c.in(schema) }), v.columns, memprofdb.ColName,
		v.address.FirstPage())
	m.Columns = &choice
	m.Contexts = contextTable(v.base, p.Rows, v.columns, n, v.thresholds())
	m.Heads = site.ColumnHeads(v.columns, orderOf(v.Sort, v.address))
	m.Contexts.Selected = func(r *memprofdb.Row) page.Selected { return v.address.Selected(site.FID(r.Context)) }
	for i := range p.Rows {
		if row := &p.Rows[i]; m.Contexts.Selected(row).Selected {
			inspectContext(m.Inspector, m.URL(row), row, n)
		}
	}
	m.Shown = lists.ShownRows(v.Offset, len(p.Rows), p.Matching)
	m.Pager = site.ListPager(v.address, &v.Listing, p.Matching)
}

// api is the same rows in the API.
func (v *sitesRequest) api(format any) string {
	a := v.address.Without("page", "limit", "cursor", "names", "by", "open", "lib", "rec", selKey).With(
		"format", fmt.Sprint(format))
	a.Path = "/api/v1/profiles" + v.base[len("/p"):] + "/allocations"
	if v.By != byContext && v.By != "" {
		a = a.Without("cols").With("by", v.By)
		a.Path = "/api/v1/profiles" + v.base[len("/p"):] + "/sites"
	}
	return a.String()
}

func (v *sitesRequest) ways(o *memprofdb.Overview) []page.Segment {
	a := v.address.FirstPage("sort", "cols", "node", "open", "lib", "rec", selKey)
	return a.Ways("by", byContext, v.By, []site.Way{
		{string(memprofdb.SitesByBlame), "Blame frames", "contexts added up by the first function outside the library"},
		{string(memprofdb.SitesByType), "Types", "contexts added up by allocated type"},
		{byContext, "Contexts", "one row for each call stack"},
		{string(memprofdb.SitesByFunction), "Functions", "contexts added up by the allocating function, even if inlined"},
		{string(memprofdb.SitesByLine), "Lines", "contexts added up by the call that allocates"},
		{byFolder, "Files", "contexts added up by source file and folder"},
	})
}

// classes are the figures of each class, and the thresholds as a form.
func (v *sitesRequest) classes(p *memprofdb.Page) memprofview.Classes {
	c := memprofview.Classes{Thresholds: thresholdForm(v.address, p.Thresholds)}
	whole, at := p.Totals.Bytes.Float64(), 0.0
	for i, class := range analyze.MemProfClasses {
		t := &p.Classes[i]
		word := memprofdb.ClassWord(class)
		share := humanize.Part(t.Bytes.Float64(), whole)
		current := len(v.Filter.Classes) == 1 && v.Filter.Classes[0] == class
		if t.Contexts == 0 && !current {
			continue
		}
		to := v.address.FirstPage().With("class", word)
		if current {
			to = to.Without("class")
		}
		width := 1000 * share
		c.List = append(c.List, memprofview.ClassTotal{
			Tag: memprofview.ClassTag(class), Bytes: humanize.SumBytes(t.Bytes), Share: humanize.Percent(share, 1),
			Contexts: humanize.Plural(t.Contexts, "context"),
			URL:      to.String(), Current: current, X: fmt.Sprintf("%.1f", at), Width: fmt.Sprintf("%.1f", width),
			Fill: "class-" + word,
		})
		at += width
	}
	return c
}

// rangeFields are the ranges of the form, with the units behind their heads; others are parameters all the same.
var rangeFields = []struct {
	column query.Column
	unit   string
}{
	{memprofdb.ColBytes, ""}, {memprofdb.ColCount, ""}, {memprofdb.ColAvgSize, ", bytes"}, {memprofdb.ColAccesses, ""},
	{memprofdb.ColAvgLifetimeDensity, ", per byte and second"}, {memprofdb.ColAvgLifetime, ", ms"},
	{memprofdb.ColOverlaps, ""}, {memprofdb.ColDepth, ""},
}

// filterForm is every filter as a form, filled with what is in force.
func (v *sitesRequest) filterForm(o *memprofdb.Overview) memprofview.FilterForm {
	get := v.address.Query.Get
	f := memprofview.FilterForm{
		Q: get("q"), Re: get("re"), Ignore: get("ignore"), Path: get("path"),
		Mixed: site.Options(get("mixed"), "", "any site", "true", "needs cloning", "false", "needs no cloning"),
	}
	shown := strings.Fields("q re ignore path class mixed page cursor sel")
	for _, class := range analyze.MemProfClasses {
		f.Classes = append(f.Classes, page.Check{
			Name: "class", Value: memprofdb.ClassWord(class), Label: string(class),
			Checked: slices.Contains(v.Filter.Classes, class),
		})
	}
	for _, r := range rangeFields {
		key := string(r.column)
		if needs, _ := memprofdb.Needs(r.column); needs == 0 || o.Schema.Has(needs) {
			f.Ranges = append(f.Ranges, page.RangeField{
				Name: key, Label: memprofdb.Allocations.Field(key).Head + r.unit, Value: get(key),
			})
			shown = append(shown, key)
		}
	}
	f.Keep = site.Keep(v.address.Without(shown...))
	return f
}
