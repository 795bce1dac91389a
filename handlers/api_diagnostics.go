package handlers

import (
	"net/http"

	"proflens/decode/model"
	"proflens/handlers/site"
)

const getDiagnosticsSays = `
	profiles getDiagnostics: All findings
	>200 FindingList: The findings, worst first.
	>304 400 404 410`

// getDiagnostics is GET /profiles/{id}/diagnostics: every finding.
func (s *server) getDiagnostics(w http.ResponseWriter, r *http.Request) error {
	if s.NotModified(w, r, "") {
		return nil
	}
	ctx := s.RequestContext(r)
	object, _, err := s.wholeProfile(ctx, s.Entry(r), false)
	if err != nil {
		return err
	}
	if object.Pending {
		site.Unsettled(w)
	}
	return site.WriteJSON(w, struct {
		Items      []model.Finding `json:"items"`
		NextCursor *string         `json:"next_cursor"`
		Total      int             `json:"total"`
	}{site.WorstFirst(object.Findings), nil, len(object.Findings)})
}
