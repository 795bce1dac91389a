package handlers

import (
	"encoding/hex"
	"net/http"

	"proflens/handlers/site"
	"proflens/say"
	"proflens/views"
	"proflens/views/page"
)

// binaryIDsPage is GET /p/{id}/binary-ids: the build IDs of the profiled
// programs, and what they are for.
func (s *server) binaryIDsPage(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), binaryIDKeys)
	if err != nil {
		return err
	}
	p := v.Listing()
	if v.Err != nil {
		return v.Err
	}
	if p.Format != "" {
		return site.RedirectToAPI(w, r)
	}
	if s.NotModifiedPage(w, r) {
		return nil
	}
	o := s.Profile(r).Overview
	ids, a := o.Info.BinaryIDs, site.AddressOf(r.URL)
	m := page.BinaryIDs{Says: say.Plural(len(ids), "build ID", "build IDs"), CSV: a.Without("page", "cursor", "limit").With("format", "csv").String()}
	from := min(p.Offset, len(ids))
	for i, id := range ids[from:min(len(ids), from+p.Limit)] {
		m.Rows = append(m.Rows, page.BinaryID{Place: say.Int(from + i + 1), ID: hex.EncodeToString(id), Bytes: say.Int(len(id))})
	}
	if len(ids) == 0 {
		m.CSV, m.Empty = "", &page.Blank{Title: "No build IDs", Text: "Programs linked with --build-id have one. Raw profiles record it from LLVM 13 on, indexed ones from LLVM 16 on."}
	}
	m.Pager = site.ListPager(a, &p, len(ids))
	return s.Render(w, r, http.StatusOK, views.BinaryIDs(s.ProfileShell(r, site.OtherView, "Build IDs"), m))
}
