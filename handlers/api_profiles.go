package handlers

import (
	"errors"
	"net/http"
	"strings"

	"proflens/catalog"
	"proflens/handlers/nameweb"
	"proflens/handlers/site"
	"proflens/profile/table"
)

const listProfilesSays = `
	profiles listProfiles: List profiles, newest first
	?kind: A family, as in kinds.
	?label list: A label, as k=v.
	?project: The exact name.
	?branch: The label branch, exactly; so too commit and workload.
	?commit
	?workload
	?group: Answers with groups in the place of profiles: by project, or by the values of the label with this key.
	?q: Part of the name, project, description, label or file name.
	?cursor: next_cursor of the previous page.
	?limit integer 1..500 =50: Maximum number of profiles.
	?format json|csv|ndjson|text =json: As a table, the same page; groups are JSON only.
	>200 ProfileList|ProfileGroups table: A page of profiles.
	>400`

// listProfiles is GET /profiles: those that are listed, newest first.
func (s *server) listProfiles(w http.ResponseWriter, r *http.Request) error {
	q, group, quote, err := parseList(r)
	if err != nil {
		return err
	}
	format := table.Format(r.URL.Query().Get("format"))
	ctx := s.RequestContext(r)
	if group != "" {
		return s.naming.ListGroups(ctx, w, r, q, group)
	}
	page, err := s.Store.List(ctx, q)
	if err != nil {
		return err
	}
	list := struct {
		Items      []profileObject `json:"items"`
		NextCursor *string         `json:"next_cursor"`
		Total      int             `json:"total"`
		More       bool            `json:"more,omitempty"`
	}{Items: make([]profileObject, len(page.Items)), Total: page.Total, More: page.More}
	asTable := format != "" && format != table.FormatJSON
	for i := range page.Items {
		list.Items[i] = s.profileObject(&page.Items[i], quote && !asTable)
	}
	if asTable {
		rows, err := profileRows.Whole(table.Set{Rows: list.Items}, table.Options{Quote: quote}).Select(nil, format)
		if err != nil {
			return err
		}
		return site.StreamTable(ctx, w, rows, 0, -1, format, "profiles")
	}
	if page.NextCursor != "" {
		list.NextCursor = &page.NextCursor
	}
	return site.WriteJSON(w, list)
}

// listKeys are the parameters of the list of profiles.
// The parameters of calls that take few.
var (
	profileKeys = []string{"counts", "format"}
	waitKeys    = []string{"wait"}
	fileKeys    = []string{"file"}
)

var listKeys = strings.Fields("kind label project branch commit workload q group cursor limit counts format")

// parseList reads them. group is what the profiles are grouped by, "project" or the key of
// a label; empty: they are not.
func parseList(r *http.Request) (q catalog.ListQuery, group string, quote bool, err error) {
	v := site.NewValues(r.URL.Query(), listKeys)
	q = catalog.ListQuery{
		Kind: v.One("kind"), Project: v.One("project"), Text: v.Words("q"), Cursor: v.One("cursor"),
		Limit: v.Number("limit", 1, catalog.MaxListLimit, catalog.DefaultListLimit),
	}
	q.Labels = nameweb.Labels(v, "label")
	nameweb.PlaceBuild(v, q.Labels)
	quote, group = site.Choice(v, "counts", "", "string") == "string", v.One("group")
	formats := []table.Format{"", table.FormatJSON}
	if group == "" {
		formats = append(formats, table.FormatCSV, table.FormatNDJSON, table.FormatText)
	}
	site.Choice(v, "format", formats...)
	return q, group, quote, v.Err
}

const getProfileSays = `
	profiles getProfile: One profile in any state
	?format json|text: Overrides the Accept header. text is a summary for a terminal with the next commands.
	>200 Profile text: The profile.
	>304 400 404 410`

// getProfile is GET /profiles/{id}, whatever the profile's state: an object, or
// a summary for a terminal.
func (s *server) getProfile(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), profileKeys)
	quote := site.Choice(v, "counts", "", "string") == "string"
	format := site.Choice(v, "format", "", table.FormatJSON, table.FormatText)
	if v.Err != nil {
		return v.Err
	}
	if format == table.FormatText || format == "" && wantsText(r) {
		return s.ProfileText(w, r)
	}
	ctx := s.RequestContext(r)
	if s.NotModified(w, r, "") {
		return nil
	}
	object, whole, err := s.wholeProfile(ctx, s.Entry(r), quote)
	if err != nil {
		return err
	}
	if object.Pending {
		site.Unsettled(w)
	}
	return site.WriteJSON(w, whole)
}

// answerProfile answers with what the catalog has of a profile.
func (s *server) answerProfile(w http.ResponseWriter, _ *http.Request, e *catalog.Entry) error {
	return site.WriteJSON(w, s.profileObject(e, false))
}

const deleteProfileSays = `
	profiles deleteProfile: Delete a profile
	Needs its delete token or the server's upload token.
	>204: Deleted.
	>400 401 403 404 410`

// deleteProfile is DELETE /profiles/{id}, with the delete token or the upload
// token.
func (s *server) deleteProfile(w http.ResponseWriter, r *http.Request) error {
	if err := s.NeedsOwner(r); err != nil {
		return err
	}
	if err := s.Store.Delete(r.Context(), s.Entry(r).ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// deleteForm is POST /p/{id}/delete, the form of a page. Afterwards the
// profile's address says that it is gone.
func (s *server) deleteForm(w http.ResponseWriter, r *http.Request) error {
	if err := site.ReadForm(w, r, maxFieldBytes); err != nil {
		return err
	}
	if err := s.NeedsOwner(r, r.PostForm.Get("token")); err != nil {
		if site.WantsHTML(r) && (errors.Is(err, site.ErrNoToken) || errors.Is(err, site.ErrWrongToken)) {
			return s.RenderStatus(w, r, site.ProblemOf(err).Status, s.deletion(r, site.Sentence(err.Error())))
		}
		return err
	}
	if err := s.Store.Delete(r.Context(), s.Entry(r).ID); err != nil {
		return err
	}
	site.ForgetOwner(w, r, s.Entry(r).ID)
	return site.SeeOther(w, r, s.Base(r))
}
