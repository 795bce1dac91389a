package handlers

import (
	"context"
	"encoding/hex"
	"net/http"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/tables"
	"proflens/views"
	"proflens/views/page"
)

// binaryIDList is the list of build IDs of the profiled programs.
var binaryIDList = lists.List{
	Heads: []site.Column{
		{Key: "place", Label: "#", Title: "position in the profile", Number: true, Sort: "place", Ascending: true},
		{Key: "id", Label: "Build ID", Sort: "id", Ascending: true},
		{Key: "bytes", Label: "Bytes", Number: true, Sort: "bytes"},
	},
	Sorts: tables.BinaryIDSorts, Ranges: []query.Column{"bytes"}, Usual: query.Key{Column: "place"},
	Noun: [2]string{"build ID", "build IDs"}, Words: "hexadecimal digits",
}

const binaryIDsSay = `
	functions listBinaryIDs: Build IDs of the profiled programs
	As the profile records them; the list is empty if it has none.
	?q: Parts of an ID's hexadecimal digits; all must match.
	?re: Regular expression (RE2) over the same text.
	?bytes: Range of an ID's length in bytes: N, N.., ..N or N..M.
	?sort: Comma-separated columns, with - for descending: place, id, bytes. Default: place.
	>200 BinaryIDList table: The IDs.`

// binaryIDTable is the name of their table.
const binaryIDTable = "binary-ids"

// binaryIDs is their table: profiles of any family may have them.
func (s *server) binaryIDs() site.TableExport {
	whole := func(p *stored.Profile) (*stored.Profile, error) { return p, nil }
	return lists.Table(s.Site, whole, binaryIDList.Keys(), lists.ByList(&binaryIDList),
		func(ctx context.Context, p *stored.Profile, q lists.Params, o table.Options, _ bool) (table.Table, error) {
			return tables.BinaryIDs(ctx, p, q.Query, o)
		})
}

// binaryIDsPage is GET /p/{id}/binary-ids: the build IDs of the profiled
// programs, and what they are for.
func (s *server) binaryIDsPage(w http.ResponseWriter, r *http.Request) error {
	p, err := binaryIDList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	defer end()
	found, err := tables.FindBinaryIDs(ctx, s.Profile(r), p.Query)
	if err != nil {
		return err
	}
	all := len(s.Profile(r).Overview.Info.BinaryIDs)
	m := page.BinaryIDs{Says: say.Plural(all, "build ID", "build IDs")}
	from, to := query.Clamp(p.Offset, p.Limit, len(found))
	for _, id := range found[from:to] {
		m.Rows = append(m.Rows, page.BinaryID{
			Place: say.Int(id.Place + 1), ID: hex.EncodeToString(id.ID), Bytes: say.Int(len(id.ID)),
		})
	}
	m.List = binaryIDList.Frame(site.AddressOf(r.URL), &p, lists.Found{Shown: len(m.Rows), Matching: len(found), All: all})
	if m.Modes = nil; all <= unfiltered && p.Query.Plain() {
		m.Filter = page.QuickFilter{}
	}
	if all == 0 {
		m.List = page.List{
			Shown: "no rows", Empty: &page.Blank{Title: "No build IDs",
				Text: "Programs linked with --build-id have one. Raw profiles record it from LLVM 13 on, indexed ones from LLVM " +
					"16 on."},
		}
	}
	return s.Render(w, r, http.StatusOK, views.BinaryIDs(s.ProfileShell(r, site.OtherView, "Build IDs"), m))
}
