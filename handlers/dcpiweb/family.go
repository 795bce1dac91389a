// Package dcpiweb is the pages and the API of DCPI's samples: images, procedures,
// addresses, epochs, the heat map.
package dcpiweb

import (
	"context"
	"net/http"
	"net/url"

	"proflens/catalog"
	"proflens/decode/dcpi"
	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/views/page"
)

// room is what answers for its profiles.
type room struct{ *site.Site }

// Family is how databases of DCPI's samples answer.
func Family(of *site.Site) *site.Family {
	s := &room{of}
	at := func(path string, answer site.Handler) site.Route {
		return site.Route{Path: path, Answer: site.With(s.Site, dcpidb.Of, answer)}
	}
	f := &site.Family{
		Name: dcpi.Family,
		Pages: []site.Route{
			at("/", s.overviewPage), at("/procedures", s.proceduresPage), at("/addresses", s.addressesPage),
			at("/images", s.imagesPage),
			at("/heat", s.heatPage), at("/epochs", s.epochsPage),
		},
		API: []site.Route{at("/suggest", s.Suggest(s.suggest))},
		Search: func(base string) *page.Search {
			return &page.Search{Action: base + "/procedures", Label: "Find a procedure", Suggest: site.SuggestAt(base)}
		},
		Tabs: dcpiTabs, Figures: &dcpidb.Figures, Change: change, Links: func(*catalog.Entry) []string {
			return []string{"procedures", "samples", "images", "epochs", "export/pprof", "export/folded"}
		},
		Text: dcpiText, Commands: dcpiCommands,
		Receipt: func(*catalog.Entry) []site.Command {
			return []site.Command{
				{Does: "most samples", Path: "/procedures?format=text&limit=20"},
				{Does: "for go tool pprof", Path: "/export/pprof", Options: site.Saved},
			}
		},
		Sizes: func(e *catalog.Entry) (functions, total say.Number) {
			functions = say.Number{Text: "–", Exact: "no procedures are known"}
			if e.Functions > 0 {
				functions = say.Number{Text: say.Plural(e.Functions, "procedure", "procedures")}
			}
			return functions, site.TotalOf(e, "sample", "samples")
		},
		Measures: "Samples", Sight: sight, Lines: lineFigures, AtLine: atLine,
		Chart:    cardChart,
		Shape:    "addresses by samples",
		Comparer: s.comparer(),
		Tables:   map[string]site.TableExport{},
	}
	for _, t := range dcpiTables {
		f.API = append(f.API, at("/"+t.name, s.listDCPI(t)))
		f.Tables[t.name] = site.TableExport{Keys: t.keys,
			Read: func(r *http.Request, q url.Values) (site.Listing, site.Opener, error) {
				db, err := dcpidb.Of(s.Profile(r))
				if err != nil {
					return site.Listing{}, nil, err
				}
				p, open, err := t.request(db, q)
				return p.Listing, open, err
			}}
	}
	return f
}

func dcpiTabs(_ *catalog.Entry, p *stored.Profile, base string, current site.View) []page.Tab {
	db, err := site.OpenPart(p, dcpidb.Of)
	if err != nil {
		return nil
	}
	o := db.Overview
	return []page.Tab{
		site.Tab(site.ProceduresView, base+"/procedures", current), site.Tab(site.AddressesView, base+"/addresses", current),
		site.Tab(site.HeatView, base+"/heat", current),
		site.Counted(site.Tab(site.ImagesView, base+"/images", current), say.Int(len(o.Images))),
		site.Counted(site.Tab(site.EpochsView, base+"/epochs", current), say.Int(len(o.Epochs))),
	}
}

func dcpiText(ctx context.Context, t *site.ProfileWriter, p *stored.Profile) error {
	db, err := dcpidb.Of(p)
	if err != nil {
		return err
	}
	rows, err := db.Procedures(ctx, dcpidb.ProcedureQuery{Limit: site.TextHottest})
	if err != nil {
		return err
	}
	dcpiFigures(t, db.Overview)
	procedures(t, db.Overview, rows)
	return nil
}

func (s *room) database(r *http.Request) *dcpidb.Profile { return site.PartOf[*dcpidb.Profile](r) }
