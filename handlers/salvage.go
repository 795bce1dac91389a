package handlers

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/ingest"
)

const postSalvageSays = `
	uploads postSalvage: Decode the readable part of a failed profile
	For a profile that failed because a raw file is cut short. Decodes the file up to the cut and marks the profile
	partial; later decodes do the same. If the server has an upload token, the call needs that token or the delete
	token.
	?wait: How long to wait for decoding, such as 30s.
	>201 Profile receipt: Decoded.
	+Location: The profile's page.
	>202 Profile receipt: Stored, still decoding.
	+Location: The profile's page.
	>303: For a browser: the profile's page.
	>409 Problem: The profile is already decoded or being decoded: nothing to salvage.
	>400 401 403 404 410 422`

// postSalvage is POST /profiles/{id}/salvage: a profile that failed because a
// raw file ends too soon is decoded again, as far as the file goes.
func (s *server) postSalvage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), waitKeys)
	until := waitOf(v, wait{defaultWait, true})
	if v.Err != nil {
		return v.Err
	}
	if err := s.NeedsOwner(r); err != nil {
		return err
	}
	accepted, err := s.salvage(r)
	if err != nil {
		return err
	}
	s.await(r.Context(), accepted, until)
	return s.answerUpload(w, r, accepted, false)
}

// salvageForm is POST /p/{id}/salvage, the button of a page.
func (s *server) salvageForm(w http.ResponseWriter, r *http.Request) error {
	if err := site.ReadForm(w, r, maxFieldBytes); err != nil {
		return err
	}
	if err := s.NeedsOwner(r, r.PostForm.Get("token")); err != nil {
		return err
	}
	accepted, err := s.salvage(r)
	if err != nil {
		return err
	}
	s.await(r.Context(), accepted, wait{formWait, true})
	return site.SeeOther(w, r, s.Base(r))
}

func (s *server) salvage(r *http.Request) ([]ingest.Accepted, error) {
	e, err := s.Store.Salvage(context.WithoutCancel(r.Context()), s.Entry(r).ID)
	if err != nil {
		return nil, err
	}
	return []ingest.Accepted{{Entry: *e}}, nil
}
