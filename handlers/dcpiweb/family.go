// Package dcpiweb is the pages and the API of DCPI's samples: images, procedures,
// addresses, epochs, the heat map.
package dcpiweb

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"proflens/catalog"
	"proflens/decode/dcpi"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
	"proflens/profile/stored"
	"proflens/views/page"
)

// handler answers for its profiles.
type handler struct{ *site.Site }

// Family is how databases of DCPI's samples answer.
func Family(of *site.Site) *site.Family {
	s := &handler{of}
	at := site.At(of, dcpidb.Of)
	f := &site.Family{
		Name:    dcpi.Family,
		Accepts: []page.Accepted{{".prof .txt", "DCPI samples, a database or dcpicat"}},
		Pages: []site.Route{
			at("/", s.Overview(s.overview)), at("/procedures", s.procedures().Serve(of)),
			at("/addresses", s.addresses().Serve(of)),
			at("/images", s.totals(dcpidb.OfImage).Serve(of)), at("/heat", s.heat(true).Serve(of)), at("/epochs", s.epochsPage),
		},
		API:     []site.Route{at("/suggest", s.Suggest(s.suggest)).Say("", site.SuggestKeys...)},
		Params:  paramsSay + objectsSay,
		Objects: objects,
		Search: func(base string) *page.Search {
			return &page.Search{Action: base + "/procedures", Label: "Find a procedure", Suggest: site.SuggestAt(base)}
		},
		Tabs: dcpiTabs, Figures: dcpidb.Figures, Change: change, Links: func(*catalog.Entry) []string {
			return strings.Fields("procedures samples images epochs export/pprof export/folded")
		},
		Commands: site.In(dcpidb.Of, dcpiCommands),
		Receipt: func(*catalog.Entry) []site.Command {
			return []site.Command{
				"most samples: /procedures?format=text&limit=20",
				"for go tool pprof: -OJ /export/pprof",
			}
		},
		Measures: "Samples", FindFunction: findFunction,
		AtLine:   site.AtLineOf("Addresses", dcpidb.Of, (*dcpidb.Profile).AtLine, compiledTo),
		Lines:    site.Asked(dcpidb.Of, (*dcpidb.Profile).SourceLines),
		Chart:    site.In(dcpidb.Of, cardChart),
		Shape:    "addresses by samples",
		Comparer: s.comparer(),
		Tables:   map[string]site.TableExport{},
	}
	f.Text = func(ctx context.Context, t *site.ProfileWriter, p *stored.Profile) error { return text(ctx, f, t, p) }
	for _, t := range []*lists.Declared{
		s.addresses(), s.procedures(), s.totals(dcpidb.OfImage), s.totals(dcpidb.OfEpoch), s.totals(dcpidb.OfPlatform),
		s.diff(), s.heat(false),
	} {
		export, name := t.Export(of), t.API[1:]
		f.API, f.Tables[name] = append(f.API, at(t.API, s.Listed("-"+name, export)).Lists(export, said[name])), export
	}
	return f
}

func dcpiTabs(t *site.Tabs) {
	db, err := site.OpenPart(t.Profile, dcpidb.Of)
	if err != nil {
		return
	}
	t.Add(site.ProceduresView, "/procedures", "")
	t.Add(site.AddressesView, "/addresses", "")
	t.Add(site.HeatView, "/heat", "")
	t.Add(site.ImagesView, "/images", humanize.Int(len(db.Overview.Images)))
	t.Add(site.EpochsView, "/epochs", humanize.Int(len(db.Overview.Epochs)))
}

// text writes the figures, with the events behind the samples, and the hottest procedures.
func text(ctx context.Context, f *site.Family, t *site.ProfileWriter, p *stored.Profile) error {
	db, err := dcpidb.Of(p)
	if err != nil {
		return err
	}
	rows, err := db.Procedures(ctx, dcpidb.ProcedureQuery{Limit: site.TextHottest})
	if err != nil {
		return err
	}
	t.List(slices.Insert(f.TextFigures("samples images epochs hosts profiles", db.Overview), 1, events(db.Overview)...))
	procedures(t, db.Overview, rows)
	return nil
}

func (s *handler) database(r *http.Request) *dcpidb.Profile { return site.PartOf[*dcpidb.Profile](r) }
