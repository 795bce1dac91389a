package handlers

import (
	"context"
	"net/http"

	"proflens/decode/model"
	"proflens/store"
)

// getAnatomy is GET /profiles/{id}/anatomy: the layout of each file, as
// "proflens inspect -json" prints it. A profile that could not be decoded has
// one too: what could be read, and the fault.
func (s *server) getAnatomy(w http.ResponseWriter, r *http.Request) error {
	if _, err := newValues(r.URL.Query(), nil); err != nil {
		return err
	}
	if s.notModified(w, r, "") {
		return nil
	}
	ctx, cancel := s.requestContext(r)
	defer cancel()
	list := struct {
		Items      []*model.Anatomy `json:"items"`
		NextCursor *string          `json:"next_cursor"`
		Total      int              `json:"total"`
	}{Items: []*model.Anatomy{}}
	for _, file := range s.entry(r).Files {
		a, err := s.anatomy(ctx, file)
		if err != nil {
			return err
		}
		list.Items = append(list.Items, a)
	}
	list.Total = len(list.Items)
	return writeJSON(w, http.StatusOK, list)
}

func (s *server) anatomy(ctx context.Context, file store.FileEntry) (*model.Anatomy, error) {
	if err := s.decoding(ctx); err != nil {
		return nil, err
	}
	defer s.decoded()
	return s.Originals.Anatomy(ctx, file)
}

// decoding waits for one of the places for requests that decode originals.
func (s *server) decoding(ctx context.Context) error {
	select {
	case s.decodes <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *server) decoded() { <-s.decodes }

// getDiagnostics is GET /profiles/{id}/diagnostics: every finding.
func (s *server) getDiagnostics(w http.ResponseWriter, r *http.Request) error {
	if _, err := newValues(r.URL.Query(), nil); err != nil {
		return err
	}
	if s.notModified(w, r, "") {
		return nil
	}
	ctx, cancel := s.requestContext(r)
	defer cancel()
	object, err := s.wholeProfile(ctx, s.entry(r), false)
	if err != nil {
		return err
	}
	if object.Pending {
		unsettled(w)
	}
	return writeJSON(w, http.StatusOK, struct {
		Items      []model.Finding `json:"items"`
		NextCursor *string         `json:"next_cursor"`
		Total      int             `json:"total"`
	}{object.Findings, nil, len(object.Findings)})
}
