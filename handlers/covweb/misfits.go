package covweb

import (
	"context"
	"net/http"
	"slices"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/table"
	"proflens/views/page"
)

// misfitSays is what the kinds mean.
var misfitSays = map[covdb.MisfitKind]string{
	covdb.Mismatched: "The profile has these functions with other hashes only, so they are of another build. They are " +
		"in no total.",
	covdb.Short: "The mapping speaks of counters that the records have not. These functions are in no total.",
	covdb.Bitmapless: "These functions have conditions made of several, and the profile has no bitmap of them: their " +
		"MC/DC is not known, and in no total.",
	covdb.Lost: "The profile has these records, and the mapping other functions of the same name: they are of " +
		"another program or build, or the linker kept one of several.",
	covdb.Hidden: "These functions ran. llvm-cov shows zeros, as an earlier object saw them and did not emit " +
		"them; here they have their counts.",
	covdb.DummyRecord: "A unit saw these functions and did not emit them, and the profile has them of another. Nothing " +
		"is missing.",
}

// misfits is the page and the table of functions that do not fit.
var misfits = lists.Declared{
	Declaration: covdb.Misfits, ID: "misfits", API: "/coverage/misfits", View: site.OtherView,
	Title: "Functions that do not fit", Own: []string{"kind"},
	None: page.Blank{Title: "Everything fits", Text: "Mapping and profile have the same functions."},
	Find: func(v *site.Values) lists.Finder {
		kind := site.Choice(v, "kind", slices.Concat([]covdb.MisfitKind{""}, covdb.MisfitKinds)...)
		return lists.Of(covdb.Of, func(ctx context.Context, p *covdb.Profile) (table.Find, error) {
			return p.FindMisfits(ctx, kind)
		})
	},
}

// misfitsPage is GET /p/{id}/misfits.
func (s *handler) misfitsPage(w http.ResponseWriter, r *http.Request) error {
	d, counts := misfits, s.coverage(r).Overview.Misfits
	d.Adorn = func(_ *http.Request, v *lists.Request, g *page.Grid) error {
		kind, ways := v.Address.Query.Get("kind"), []site.Way{{"", "All", ""}}
		g.Note = misfitSays[covdb.MisfitKind(kind)]
		for _, k := range covdb.MisfitKinds {
			if n := counts[k]; n > 0 {
				ways = append(ways, site.Way{string(k), misfitWords[k] + " " + humanize.Int(n), misfitSays[k]})
			}
		}
		g.Facets = v.Address.FirstPage(lists.Selected).Ways("kind", "", kind, ways)
		v.Draw = lists.Draws{
			"kind": func(row any) page.GridCell {
				k := row.(*covdb.Misfit).Kind
				tag := page.Tag{Text: misfitWords[k], Tone: page.Caution, Title: misfitSays[k]}
				if k == covdb.Hidden || k == covdb.DummyRecord {
					tag.Tone = page.Neutral
				}
				return page.GridCell{Tags: []page.Tag{tag}}
			},
			"object": func(row any) page.GridCell {
				program := row.(*covdb.Misfit).Program
				return page.GridCell{Text: humanize.Printable(baseName(program)), Title: humanize.Printable(program)}
			},
			"found_hashes": func(row any) page.GridCell {
				var c page.GridCell
				for _, hash := range row.(*covdb.Misfit).Found[:min(len(row.(*covdb.Misfit).Found), 4)] {
					c.Lines = append(c.Lines, page.GridCell{Text: site.FID(hash)})
				}
				return c
			},
		}
		return nil
	}
	return d.Serve(s.Site)(w, r)
}
