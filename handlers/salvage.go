package handlers

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/ingest"
	"proflens/views/page"
)

// partialHeader tells whoever downloads anything of a partial profile that it
// is one; a line for each file, up to partialLines.
const (
	partialHeader = "X-Proflens-Partial"
	partialLines  = 8
)

// markPartial sets partialHeader.
func markPartial(h http.Header, e *catalog.Entry) {
	partial := e.Partial()
	for i := range partial[:min(len(partial), partialLines)] {
		h.Add(partialHeader, strconv.QuoteToASCII(partial[i].File)+": "+partial[i].String())
	}
}

// postSalvage is POST /profiles/{id}/salvage: a profile that failed because a
// raw file ends too soon is decoded again, as far as the file goes.
func (s *server) postSalvage(w http.ResponseWriter, r *http.Request) error {
	v, err := newValues(r.URL.Query(), []string{"wait"})
	if err != nil {
		return err
	}
	wait := v.wait(defaultWait)
	if v.err != nil {
		return v.err
	}
	if err := s.maySalvage(r, r.Header.Get("X-Delete-Token")); err != nil {
		return err
	}
	accepted, err := s.salvage(r)
	if err != nil {
		return err
	}
	s.await(r.Context(), accepted, wait)
	return s.answerUpload(w, r, accepted, false)
}

// salvageForm is POST /p/{id}/salvage, the button of a page.
func (s *server) salvageForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxFieldBytes)
	if err := r.ParseForm(); err != nil {
		return &paramError{Msg: "the form cannot be read"}
	}
	if err := s.maySalvage(r, r.PostForm.Get("token")); err != nil {
		return err
	}
	accepted, err := s.salvage(r)
	if err != nil {
		return err
	}
	s.await(r.Context(), accepted, formWait)
	http.Redirect(w, r, pageOf(s.entry(r).ID), http.StatusSeeOther)
	return nil
}

// maySalvage is for the rights to upload, or the delete token of the profile.
func (s *server) maySalvage(r *http.Request, token string) error {
	if s.UploadToken == "" {
		return nil
	}
	return s.mayDelete(r, token)
}

func (s *server) salvage(r *http.Request) ([]ingest.Accepted, error) {
	e, err := s.Store.Salvage(context.WithoutCancel(r.Context()), s.entry(r).ID)
	if err != nil {
		return nil, err
	}
	return []ingest.Accepted{{Entry: *e}}, nil
}

// salvageOffer is the button for a failed profile of which something can be
// salvaged; nil for others.
func (s *server) salvageOffer(ctx context.Context, e *catalog.Entry) (*page.Salvage, error) {
	salvaged := slices.ContainsFunc(e.Files, func(f catalog.FileEntry) bool { return f.Salvage })
	if e.State != catalog.Failed || e.Pending || salvaged {
		return nil, nil
	}
	for _, f := range e.Files[:min(len(e.Files), maxShownFiles)] {
		a, err := s.anatomy(ctx, f)
		if err != nil {
			return nil, err
		}
		if a.Salvage == nil {
			continue
		}
		offer := &page.Salvage{Action: pageOf(e.ID) + "/salvage", Token: s.UploadToken != "", Text: sentence(partialCount(a.Salvage)) + " can be read"}
		if len(e.Files) > 1 {
			offer.Text += " of " + page.Printable(f.Name)
		}
		return offer, nil
	}
	return nil, nil
}

// partialCount is "records 1–41 of 90", with digits grouped.
func partialCount(p *model.Partial) string {
	return p.Count(func(n uint64) string { return page.Int(n) }, "–")
}

// partialNotice is the standing bar of a partial profile: "records 1–41 of 90;
// the file ends at byte 3 250 176". Nil for a whole profile.
func partialNotice(e *catalog.Entry) []page.Notice {
	partial := e.Partial()
	if len(partial) == 0 {
		return nil
	}
	p := &partial[0]
	text := fmt.Sprintf("Partial: %s; the file ends at byte %s, in the %s.", partialCount(p), page.Int(p.End), page.Printable(p.Section))
	if len(e.Files) > 1 {
		text = fmt.Sprintf("Partial: of %s %s; it ends at byte %s, in the %s.", page.Printable(p.File), partialCount(p), page.Int(p.End), page.Printable(p.Section))
	}
	if more := len(partial) - 1; more > 0 {
		text += fmt.Sprintf(" So it is with %s.", page.Plural(more, "more file", "more files"))
	}
	return []page.Notice{{Tone: page.Caution, Text: text, URL: pageOf(e.ID) + "/diagnostics", Link: "What is missing"}}
}
