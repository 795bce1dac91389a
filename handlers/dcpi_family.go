package handlers

import (
	"context"
	"net/http"
	"net/url"

	"proflens/catalog"
	"proflens/decode/dcpi"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/stored"
	"proflens/views/page"
)

// dcpiRoom is what answers for its profiles.
type dcpiRoom struct{ *Site }

// dcpiFamily is how databases of DCPI's samples answer.
func dcpiFamily(of *Site) *family {
	s := &dcpiRoom{of}
	at := func(path string, answer handler) route {
		return route{path: path, answer: with(s.Site, dcpidb.Of, answer)}
	}
	f := &family{
		name: dcpi.Family,
		pages: []route{
			at("/", s.dcpiOverviewPage), at("/procedures", s.proceduresPage), at("/addresses", s.addressesPage), at("/images", s.imagesPage),
			at("/heat", s.heatPage), at("/epochs", s.epochsPage),
		},
		search: func(base string) *page.Search {
			return &page.Search{Action: base + "/procedures", Label: "Find a procedure"}
		},
		tabs: dcpiTabs, object: dcpiObjectOf, links: []string{"procedures", "samples", "images", "epochs", "export/pprof", "export/folded"},
		text: dcpiText, commands: dcpiCommands,
		figures: func(e *catalog.Entry) (functions, total page.Number) {
			functions = page.Number{Text: "–", Exact: "no procedures are known"}
			if e.Functions > 0 {
				functions = page.Number{Text: page.Plural(e.Functions, "procedure", "procedures")}
			}
			return functions, totalOf(e, "samples")
		},
		shape:  "addresses by samples",
		tables: map[string]tableExport{},
	}
	for _, t := range dcpiTables {
		f.api = append(f.api, at("/"+t.name, s.listDCPI(t)))
		f.tables[t.name] = tableExport{t.keys, func(r *http.Request, q url.Values) (listing, opener, error) {
			db, err := dcpidb.Of(s.profile(r))
			if err != nil {
				return listing{}, nil, err
			}
			p, open, err := t.request(db, q)
			return p.listing, open, err
		}}
	}
	return f
}

func dcpiTabs(_ *catalog.Entry, p *stored.Profile, base string, current view) []page.Tab {
	db, err := openPart(p, dcpidb.Of)
	if err != nil {
		return nil
	}
	o := db.Overview
	return []page.Tab{
		tab(proceduresView, base+"/procedures", current), tab(addressesView, base+"/addresses", current), tab(heatView, base+"/heat", current),
		counted(tab(imagesView, base+"/images", current), page.Int(len(o.Images))), counted(tab(epochsView, base+"/epochs", current), page.Int(len(o.Epochs))),
	}
}

func dcpiText(ctx context.Context, t *profileWriter, p *stored.Profile) error {
	db, err := dcpidb.Of(p)
	if err != nil {
		return err
	}
	rows, err := db.Procedures(ctx, dcpidb.ProcedureQuery{Limit: textHottest})
	if err != nil {
		return err
	}
	dcpiFigures(t, db.Overview)
	procedures(t, db.Overview, rows)
	return nil
}

func (s *dcpiRoom) database(r *http.Request) *dcpidb.Profile { return partOf[*dcpidb.Profile](r) }
