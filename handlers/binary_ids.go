package handlers

import (
	"encoding/hex"
	"net/http"

	"proflens/views"
	"proflens/views/page"
)

// binaryIDsPage is GET /p/{id}/binary-ids: the build ids of the profiled
// programs, and what they are for.
func (s *server) binaryIDsPage(w http.ResponseWriter, r *http.Request) error {
	v, err := newValues(r.URL.Query(), binaryIDKeys)
	if err != nil {
		return err
	}
	p := v.listing()
	if v.err != nil {
		return v.err
	}
	if p.Format != "" {
		return redirectToAPI(w, r)
	}
	if s.notModifiedPage(w, r) {
		return nil
	}
	o := s.profile(r).Overview
	ids, a := o.Info.BinaryIDs, addressOf(r.URL)
	m := page.BinaryIDs{Says: page.Plural(len(ids), "binary id", "binary ids"), CSV: a.without("page", "cursor", "limit").with("format", "csv").String()}
	from := min(p.Offset, len(ids))
	for i, id := range ids[from:min(len(ids), from+p.Limit)] {
		m.Rows = append(m.Rows, page.BinaryID{Place: page.Int(from + i + 1), ID: hex.EncodeToString(id), Bytes: page.Int(len(id))})
	}
	if len(ids) == 0 {
		m.CSV, m.Empty = "", &page.Blank{Title: "No binary ids", Text: "A program has one when it was linked with --build-id; raw profiles hold it since LLVM 13, indexed ones since LLVM 16."}
	}
	m.Pager = listPager(a, &p, len(ids))
	return s.render(w, r, http.StatusOK, views.BinaryIDs(s.profileShell(r, otherView, "Binary ids"), m))
}
