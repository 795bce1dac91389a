package instrweb

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/instrview"
	"proflens/views/page"
)

var errNoVTable error = &site.Absent{
	Title: "No such vtable", Detail: "the profile has no vtable with this fid, which is a vtable's NameRef in 16 " +
		"lower-case hexadecimal digits, or 0000000000000000 for addresses in no vtable",
}

// vtableSites is the page of a vtable, and the table of the sites that recorded it.
func (s *handler) vtableSites(fid string) *lists.Declared {
	ref, known := site.ParseFID(fid)
	return &lists.Declared{
		Declaration: instrdb.VTableSites, ID: "vtable-sites", API: "/vtables/" + site.FID(ref), View: site.VTablesView,
		Title: "VTable", Opens: "Open function",
		None: page.Blank{
			Title: "No virtual call recorded it",
			Text: "The profile lists the vtable, but no value site recorded an address in it: no site called an object of " +
				"the class, or other classes filled the site.",
		},
		Find: lists.Plain(instrdb.OfAny, func(p *instrdb.Profile, ctx context.Context) (table.Find, error) {
			find, err := p.FindVTableSites(ctx, ref)
			if !known || errors.Is(err, stored.ErrNoPart) {
				return nil, errNoVTable
			}
			return find, err
		}),
		Adorn: aroundVTable,
		Inspect: func(_ *http.Request, _ *lists.Request, in *page.Inspector, row any) error {
			in.Facts.Add("All calls", humanize.Count(row.(*instrdb.VTableSite).All).Text, "of the site's vtables")
			return nil
		},
	}
}

// listVTableSites is GET /profiles/{id}/vtables/{fid}: the value sites that saw a
// vtable.
func (s *handler) listVTableSites(w http.ResponseWriter, r *http.Request) error {
	return s.Listed("-vtable-"+chi.URLParam(r, "fid"), s.vtableSites(chi.URLParam(r, "fid")).Export(s.Site))(w, r)
}

// vtablePage is GET /p/{id}/vtables/{fid}.
func (s *handler) vtablePage(w http.ResponseWriter, r *http.Request) error {
	return s.vtableSites(chi.URLParam(r, "fid")).Serve(s.Site)(w, r)
}

// aroundVTable adds what is known of the vtable.
func aroundVTable(_ *http.Request, l *lists.Request, g *page.Grid) error {
	v := l.Found.Around.(*instrdb.VTableOf).VTable
	full := vtableName(v, site.Symbols{Cache: l.Symbols.Cache, Mode: names.Full, Long: true})
	g.Title = site.ShortName(full)
	facts := page.Facts{
		{Term: "Class", Value: full.Whole()},
		{
			Term: "Calls", Value: humanize.SumCount(v.Count).Text,
			Note: humanize.Percent(v.Share, 2) + " of those of all classes",
		},
		{Term: "Sites", Value: humanize.Int(v.Sites), Note: "in " + humanize.Plural(v.Functions, "function")},
	}
	if v.Name.Ref == 0 {
		g.Note = "No vtable of the profile holds these addresses: the class comes from a library built without vtable " +
			"value profiling, or the profile lost its vtables. Only the counts are known."
	} else {
		path, linkage := names.Split([]byte(v.Name.PGO))
		for _, f := range []page.Fact{
			{Term: "Linkage name", Value: humanize.Long(linkage)}, {Term: "Path", Value: humanize.Long(path)},
		} {
			if f.Value != "" {
				facts = append(facts, f)
			}
		}
		facts.Add("NameRef", humanize.Hex64(v.Name.Ref))
		if len(v.Ranges) == 0 {
			g.Note = "Only raw profiles record its address, and this one does not have it."
		}
	}
	var ranges []string
	for i := range v.Ranges[:min(len(v.Ranges), shownRanges)] {
		r := &v.Ranges[i]
		ranges = append(ranges, addressRange(r)+", "+humanize.Plural(r.Size, "byte"))
	}
	if more := len(v.Ranges) - len(ranges); more > 0 {
		ranges = append(ranges, humanize.Int(more)+" more are in the API's list of vtables")
	}
	g.Above = instrview.VTableFacts(l.Base+"/vtables", facts, ranges)
	l.Link = func(row any) string { return l.Base + siteURL(row.(*instrdb.VTableSite)) }
	return nil
}

// shownRanges is how many address ranges of a vtable its page lists.
const shownRanges = 20
