package handlers

import (
	"net/http"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/stored"
	"proflens/profile/tables"
	"proflens/views"
	"proflens/views/page"
)

const binaryIDsSay = `
	functions listBinaryIDs: Build IDs of the profiled programs
	As the profile records them; the list is empty if it has none.
	?q: Parts of an ID's hexadecimal digits; all must match.
	?re: Regular expression (RE2) over the same text.
	?bytes: Range of an ID's length in bytes: N, N.., ..N or N..M.
	>200 BinaryIDList table: The IDs.`

// binaryIDs is the page and the table of the build IDs of the profiled programs: profiles of
// any family may have them.
var binaryIDs = lists.Declared{
	Declaration: tables.BinaryIDs, ID: "binary-ids", API: "/binary-ids", View: site.OtherView, Title: "Build IDs",
	None: page.Blank{
		Title: "No build IDs",
		Text: "Programs linked with --build-id have one. Raw profiles record it from LLVM 13 on, " +
			"indexed ones from LLVM 16 on.",
	},
	Find: lists.Plain(func(p *stored.Profile) (*stored.Profile, error) { return p, nil }, tables.FindBinaryIDs),
	Adorn: func(_ *http.Request, v *lists.Request, g *page.Grid) error {
		g.Says, g.Above, g.Modes = humanize.Plural(v.Found.All, "build ID"), views.BinaryIDUses(), nil
		return nil
	},
}
