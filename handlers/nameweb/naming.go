// Package nameweb is what profiles are called and where they belong: names, projects and
// labels, as parameters, and how who holds the token changes them later.
package nameweb

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/nameview"
)

// maxBody bounds what is sent, in bytes.
const maxBody = 64 << 10

// Handler answers at the addresses of one profile.
type Handler struct {
	*site.Site
	// Answer writes the API's object of a profile.
	Answer func(w http.ResponseWriter, r *http.Request, e *catalog.Entry) error
}

// namingBody is the body of PATCH /profiles/{id}: what it names changes, and nothing else.
// A label that is null goes.
type namingBody struct {
	Name    *string            `json:"name,omitempty"`
	Project *string            `json:"project,omitempty"`
	Labels  map[string]*string `json:"labels,omitempty"`
}

// Says is what the document of the API has of the call.
const Says = `
	profiles renameProfile: Change a profile's name, project or labels
	What the body names changes, and nothing else; a label that is null goes. Needs the delete token or the server's
	upload token.
	<Naming
	>200 Profile: The profile.
	>400 401 403 404 410 413`

// Patch is PATCH /profiles/{id}: another name, another project, other labels.
func (s *Handler) Patch(w http.ResponseWriter, r *http.Request) error {
	if err := s.NeedsOwner(r); err != nil {
		return err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return err
	}
	var b namingBody
	if err := site.StrictJSON(body, &b); err != nil {
		return &site.ParamError{
			Msg: "the body is not valid: " + err.Error() +
				`; send {"labels":{"branch":"main","old":null}}, and name or project if they change`,
		}
	}
	e := s.Entry(r)
	to := catalog.Naming{Name: e.Name, Project: e.Project, Labels: maps.Clone(e.Labels)}
	if to.Labels == nil {
		to.Labels = map[string]string{}
	}
	if b.Name != nil {
		to.Name = *b.Name
	}
	if b.Project != nil {
		to.Project = *b.Project
	}
	for key, value := range b.Labels {
		if value == nil {
			delete(to.Labels, key)
		} else {
			to.Labels[key] = *value
		}
	}
	if err := s.rename(r, to); err != nil {
		return err
	}
	e, err = s.Store.Entry(r.Context(), e.ID)
	if err != nil {
		return err
	}
	return s.Answer(w, r, e)
}

func (s *Handler) rename(r *http.Request, to catalog.Naming) error {
	if err := ingest.CheckNaming(to); err != nil {
		return err
	}
	return s.Store.Rename(r.Context(), s.Entry(r).ID, to)
}

// Page is GET /p/{id}/labels: the form for it.
func (s *Handler) Page(w http.ResponseWriter, r *http.Request) error {
	e := s.Entry(r)
	return s.Render(w, r, s.naming(r, catalog.Naming{Name: e.Name, Project: e.Project, Labels: e.Labels}, ""))
}

// Form is POST /p/{id}/labels.
func (s *Handler) Form(w http.ResponseWriter, r *http.Request) error {
	if err := site.ReadForm(w, r, maxBody); err != nil {
		return err
	}
	v := &site.Values{
		Query: url.Values{"label": strings.Split(strings.ReplaceAll(r.PostForm.Get("labels"), "\r", ""), "\n")},
	}
	to := catalog.Naming{
		Name: strings.TrimSpace(r.PostForm.Get("name")), Project: strings.TrimSpace(r.PostForm.Get("project")),
		Labels: Labels(v, "label"),
	}
	err := s.NeedsOwner(r, r.PostForm.Get("token"))
	if err == nil {
		err = v.Err
	}
	if err == nil {
		err = s.rename(r, to)
	}
	_, wrong := errors.AsType[*ingest.RequestError](err)
	_, malformed := errors.AsType[*site.ParamError](err)
	switch {
	case err == nil:
		return site.SeeOther(w, r, s.Base(r))
	case site.WantsHTML(r) && (wrong || malformed || errors.Is(err, site.ErrNoToken) ||
		errors.Is(err, site.ErrWrongToken)):
		return s.RenderStatus(w, r, site.ProblemOf(err).Status, s.naming(r, to, site.Sentence(err.Error())))
	}
	return err
}

// naming is the page with the form; wrong says what was wrong with what was sent.
func (s *Handler) naming(r *http.Request, n catalog.Naming, wrong string) templ.Component {
	e := s.Entry(r)
	v := nameview.Naming{
		ID: e.ID, Action: site.PageOf(e.ID) + "/labels", Back: site.PageOf(e.ID), Name: humanize.Printable(n.Name),
		Project: humanize.Printable(n.Project), Wrong: wrong,
	}
	var lines []string
	for _, key := range site.SortedKeys(n.Labels) {
		lines = append(lines, key+"="+n.Labels[key])
	}
	v.Labels = strings.Join(lines, "\n")
	shell := s.ProfileShell(r, site.OtherView, "Labels")
	shell.Wide, shell.Tabs, shell.Search = false, nil, nil
	return views.Page(shell, nameview.NamingMain(v))
}
