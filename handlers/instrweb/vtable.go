package instrweb

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/tables"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

var errNoVTable error = &site.Absent{
	Title: "No such vtable", Detail: "the profile has no vtable with this fid, which is a vtable's NameRef in 16 " +
		"lower-case hexadecimal digits, or 0000000000000000 for addresses in no vtable",
}

// vtableSiteList is the list of the value sites that saw a vtable.
var vtableSiteList = lists.List{
	Heads: []site.Column{
		{Key: "place", Label: "#", Title: "position in this order", Number: true},
		{Key: "function", Label: "Function", Sort: instrdb.ColName, Ascending: true},
		{Key: "index", Label: "Site", Title: "index of the site among those of its kind in the function", Number: true},
		{Key: "count", Label: "Calls", Title: "how often the site recorded it", Number: true, Sort: instrdb.VTableCount},
		{Key: "share", Label: "Share of the site", Title: "of the site's count", Sort: instrdb.VTableSiteShare},
		{
			Key: "addresses", Label: "Addresses", Title: "within the vtable, recorded by the site", Number: true,
			Sort: instrdb.VTableSiteAddresses,
		},
	},
	Sorts: instrdb.VTableSiteColumns, Ranges: []query.Column{instrdb.VTableCount, instrdb.VTableSiteAddresses},
	Usual: query.Key{Column: instrdb.VTableCount, Desc: true}, Noun: [2]string{"site", "sites"}, Words: "function",
}

// vtableOf reads the address of a vtable and the parameters of the list of its
// sites, and makes sure that the profile knows it.
func (s *room) vtableOf(r *http.Request, more ...string) (ref uint64, l lists.Params, err error) {
	if l, err = vtableSiteList.Parse(r.URL.Query(), more...); err != nil {
		return 0, l, err
	}
	ref, ok := site.ParseFID(chi.URLParam(r, "fid"))
	if !ok {
		return 0, l, errNoVTable
	}
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	if _, err = s.vtableSites(ctx, r, ref, query.RowQuery{}); err != nil {
		return 0, l, err
	}
	return ref, l, nil
}

func (s *room) vtableSites(ctx context.Context, r *http.Request, ref uint64,
	q query.RowQuery) (*instrdb.VTableSitePage, error) {
	sites, err := s.records(r).VTableSites(ctx, ref, q)
	if errors.Is(err, stored.ErrNoPart) {
		return nil, errNoVTable
	}
	return sites, err
}

// listVTableSites is GET /profiles/{id}/vtables/{fid}: the value sites that saw a
// vtable.
func (s *room) listVTableSites(w http.ResponseWriter, r *http.Request) error {
	ref, l, err := s.vtableOf(r)
	if err != nil {
		return err
	}
	return s.ListTable(w, r, l.Listing, "-vtable-"+site.FID(ref),
		func(_ context.Context, o tables.Options, whole bool) (tables.Table, error) {
			l.Query.Whole = whole
			return tables.VTableSites(s.records(r), ref, l.Query, o), nil
		})
}

// vtablePage is GET /p/{id}/vtables/{fid}.
func (s *room) vtablePage(w http.ResponseWriter, r *http.Request) error {
	ref, l, err := s.vtableOf(r, lists.Selected)
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, l.Format)
	if ctx == nil {
		return err
	}
	defer end()
	sites, err := s.vtableSites(ctx, r, ref, l.Query)
	if err != nil {
		return err
	}
	model := vtableModel(site.PageOf(s.Entry(r).ID), site.AddressOf(r.URL), &l, sites, s.records(r).Overview,
		site.Symbols{Cache: s.Names, Mode: l.Names})
	return s.Render(w, r, http.StatusOK,
		instrview.VTablePage(s.ProfileShell(r, site.VTablesView, site.ShortName(model.Name)), model))
}

func vtableModel(base string, a site.Address, l *lists.Params, p *instrdb.VTableSitePage, o *instrdb.Overview,
	s site.Symbols) instrview.VTable {
	v := p.VTable
	m := instrview.VTable{
		Name: vtableName(v, site.Symbols{Cache: s.Cache, Mode: names.Full, Long: true}), All: base + "/vtables",
		Facts: []page.Fact{
			{
				Term: "Calls", Value: say.BigCount(v.Count.String()).Text,
				Note: say.Percent(v.Share, 2) + " of those of all classes",
			},
			{Term: "Sites", Value: say.Int(v.Sites), Note: "in " + say.Plural(v.Functions, "function", "functions")},
		},
	}
	if v.NameRef == 0 {
		m.Note = "No vtable of the profile holds these addresses: the class comes from a library built without vtable " +
			"value profiling, or the profile lost its vtables. Only the counts are known."
	} else {
		path, linkage := names.Split(v.Name)
		for _, f := range []page.Fact{
			{Term: "Linkage name", Value: say.Long(linkage)}, {Term: "Path", Value: say.Long(path)},
		} {
			if f.Value != "" {
				m.Facts = append(m.Facts, f)
			}
		}
		m.Facts = append(m.Facts, page.Fact{Term: "NameRef", Value: say.Hex64(v.NameRef)})
	}
	for i := range v.Ranges[:min(len(v.Ranges), shownRanges)] {
		r := &v.Ranges[i]
		m.Ranges = append(m.Ranges, addressRange(r)+", "+say.Plural(r.Size, "byte", "bytes"))
	}
	if more := len(v.Ranges) - len(m.Ranges); more > 0 {
		m.Ranges = append(m.Ranges, say.Int(more)+" more are in the API's list of vtables")
	}
	if v.NameRef != 0 && len(v.Ranges) == 0 {
		m.Note = "Only raw profiles record its address, and this one does not have it."
	}
	if p.All == 0 {
		m.Modes, m.Shown = site.ModeSegments(a, l.Names), "no rows"
		m.Empty = &page.Blank{
			Title: "No virtual call recorded it",
			Text: "The profile lists the vtable, but no value site recorded an address in it: no site called an object of " +
				"the class, or other classes filled the site.",
		}
		return m
	}
	m.List = vtableSiteList.Frame(a, l, lists.Found{
		Shown: len(p.Rows), Matching: p.Matching, All: p.All, Scanned: p.Scanned, Functions: o.Functions,
	})
	for i := range p.Rows {
		r := &p.Rows[i]
		share := site.Part(float64(r.Count), float64(r.All))
		row := instrview.VTableSiteRow{
			Selected: a.Selected(recordID(r.NameRef, r.FuncHash) + ":" + strconv.Itoa(r.Index)),
			Place:    say.Int(l.Offset + i + 1), Name: s.Name(r.Name, r.NameRef), CS: r.CS,
			URL:   base + "/functions/" + site.FID(r.NameRef) + "?hash=" + say.Hex64(r.FuncHash) + "#vtables",
			Index: say.Int(r.Index), Addresses: say.Int(r.Addresses), Count: say.Count(r.Count), Share: say.Percent(share, 1),
			Bar: chart.ShareBar(share, 1),
		}
		if row.Selected.Selected {
			*m.Inspector = page.Inspector{
				Label: m.Inspector.Label, Close: m.Inspector.Close, Rank: "site " + row.Index, Name: row.Name, URL: row.URL,
				Open: "Open function",
				Facts: []page.Fact{
					{Term: "Calls", Value: row.Count.Text, Note: "of this class"},
					{Term: "Share", Value: row.Share, Note: "of the site's " + say.Count(r.All).Text},
					{Term: "Addresses", Value: row.Addresses, Note: "in the vtable"}, {Term: "FuncHash", Value: say.Hex64(r.FuncHash)},
				},
			}
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// shownRanges is how many address ranges of a vtable its page lists.
const shownRanges = 20
