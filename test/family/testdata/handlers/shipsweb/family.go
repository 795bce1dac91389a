// Package shipsweb is the pages and the API of lists of ships.
package shipsweb

import (
	"context"
	"net/http"

	"github.com/a-h/templ"

	"proflens/catalog"
	"proflens/decode/ships"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/shipsdb"
	"proflens/profile/stored"
	"proflens/views"
	"proflens/views/page"
)

// handler answers for lists of ships.
type handler struct{ *site.Site }

// shipsView is the page of the table.
const shipsView site.View = "Ships"

var list = lists.Declared{
	Declaration: shipsdb.Ships, ID: "ships", API: "/ships", View: shipsView, Title: "Ships",
	None: page.Blank{Title: "No ships", Text: "The list is empty."},
	Find: lists.Plain(shipsdb.Of, (*shipsdb.Profile).FindShips),
}

// Family is how lists of ships answer.
func Family(of *site.Site) *site.Family {
	s := &handler{of}
	at := site.At(of, shipsdb.Of)
	tables := map[string]site.TableExport{"ships": list.Export(of)}
	return &site.Family{
		Name: ships.Family, Kind: "Ships", Accepts: []page.Accepted{{".ships", "lists of ships"}},
		Pages: []site.Route{at("/", s.Overview(s.overview)), at("/ships", list.Serve(of))},
		API: []site.Route{of.Lists(at, tables)("/ships", `functions listShips: Ships by weight
			>200 ShipList table: The ships.`)},
		Params:  "=shipsdb.Overview ShipFigures: Figures of lists of ships.",
		Objects: map[string]any{"Ship": shipsdb.Ships},
		Search:  func(base string) *page.Search { return &page.Search{Action: base + "/ships", Label: "Find a ship"} },
		Tabs:    func(t *site.Tabs) { t.Add(shipsView, "/ships", humanize.Int(t.Entry.Functions)) },
		Figures: shipsdb.Figures, Links: func(*catalog.Entry) []string { return []string{"ships"} },
		Receipt: commands,
		Commands: func(context.Context, *stored.Profile) ([]site.Command, error) {
			return commands(nil), nil
		},
		Shape: "ships", Measures: "Ships", Tables: tables, Comparer: s.comparer(),
	}
}

func commands(*catalog.Entry) []site.Command {
	return []site.Command{"heaviest ships: /ships?format=text&limit=20"}
}

// overview is GET /p/{id}. One with drawings of its own has a package in views.
func (s *handler) overview(_ context.Context, r *http.Request, head page.Overview, base string) (site.Draw, error) {
	head.Tiles = s.Tiles(ships.Family, site.PartOf[*shipsdb.Profile](r).Overview, base)
	return func(shell page.Shell) page.Part {
		return views.Page(shell, templ.Join(templ.Raw(`<h1 class="sr">Overview</h1>`),
			views.Tiles(head.Tiles), views.FindingsPanel(head), views.FilePanel(head)))
	}, nil
}
