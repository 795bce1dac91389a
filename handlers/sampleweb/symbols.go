package sampleweb

import (
	"net/http"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/profile/table"
	"proflens/views/page"
)

// symbols is the page and the table of the symbols of the profiled program.
var symbols = lists.Declared{
	Declaration: sampledb.Symbols, ID: "symbols", API: "/symbols", View: site.SymbolsView, Title: "Symbols",
	None: page.Blank{
		Title: "No list of symbols",
		Text: "Add the program: its functions are listed then. Or have llvm-profgen write one with " +
			"-format=extbinary -populate-profile-symbol-list. Or write the program's names to a file with " +
			"nm -j --defined-only PROGRAM, and add that with llvm-profdata merge --sample --extbinary --prof-sym-list=FILE.",
	},
	Find: lists.Plain(sampledb.Of, (*sampledb.Profile).FindSymbols), Opens: "Open function",
	Adorn: func(r *http.Request, v *lists.Request, g *page.Grid) error {
		o := site.PartOf[*sampledb.Profile](r).Overview
		v.To = functionsOf(v.Base)
		n, never := o.Listed()
		switch {
		case o.Symbols >= 0:
			g.Says = humanize.Say("{} of {symbol} of the program have no sample: the compiler takes them for cold. "+
				"{function with samples is|functions with samples are} missing from the list.", never, n, o.Quality.Unlisted)
		case n > 0:
			g.Says = humanize.Say("{} of {symbol} of the program have no sample. The file has no list of symbols: the "+
				"compiler cannot tell these from new functions.", never, n)
		default:
			g.Says = "The file has no list of symbols: what was never sampled cannot be told from what is new."
		}
		if o.Quality.Unlisted > 0 {
			g.Facets = append(g.Facets, page.Segment{
				Label: "Missing from the list", URL: v.Base + "/functions?among=sampled&unlisted=1",
			})
		}
		return nil
	},
}

// functionsOf leads to the pages of functions that the profile has something of.
func functionsOf(base string) func(f table.Named) string {
	return func(f table.Named) string {
		if f := f.(*sampledb.Ident); f.ID > 0 {
			return pageOf(base, f)
		}
		return ""
	}
}
