package projectweb

import (
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"proflens/builds/gate"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
)

// getRules is GET /api/v1/projects/{project}/rules: the project's proflens.toml.
func (s *Handler) getRules(w http.ResponseWriter, r *http.Request) error {
	store, err := s.store()
	if err != nil {
		return err
	}
	project := part(r, "project")
	rules, updated, err := store.Rules(r.Context(), project)
	if err != nil {
		return err
	}
	if rules == "" {
		return &site.Absent{
			Title: "No rules", Detail: "no rules are kept with this project; send a " + gate.FileName + " with PUT",
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Last-Modified", updated.UTC().Format(http.TimeFormat))
	site.NoStore(w)
	_, err = io.WriteString(w, rules)
	return err
}

// putRules is PUT of the same; an empty body has the rules forgotten.
func (s *Handler) putRules(w http.ResponseWriter, r *http.Request) error {
	if err := s.NeedsUpload(r); err != nil {
		return err
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, gate.MaxFile))
	if err != nil {
		return err
	}
	if err := s.setRules(r, string(text)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// rulesForm is POST /projects/{project}/rules, what the form of the page sends.
func (s *Handler) rulesForm(w http.ResponseWriter, r *http.Request) error {
	// written as a form, text is longer
	if err := site.ReadForm(w, r, 4*gate.MaxFile); err != nil {
		return err
	}
	v := site.NewValues(r.PostForm, []string{"rules", "upload_token"})
	if v.Err != nil {
		return v.Err
	}
	if err := s.NeedsUpload(r, v.One("upload_token")); err != nil {
		return err
	}
	text := strings.ReplaceAll(v.One("rules"), "\r\n", "\n")
	if v.Err != nil {
		return v.Err
	}
	if err := s.setRules(r, text); err != nil {
		return err
	}
	return site.SeeOther(w, r, projectpath.Of(part(r, "project"), "rules"))
}

// maxName is how long the name of a project is at most, in bytes, as in uploads.
const maxName = 200

// setRules keeps rules that can be read.
func (s *Handler) setRules(r *http.Request, text string) error {
	store, err := s.store()
	if err != nil {
		return err
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return &site.ParamError{Param: "rules", Msg: "it is no text in UTF-8"}
	}
	if strings.TrimSpace(text) == "" {
		text = ""
	}
	if project := part(r, "project"); len(project) > maxName || humanize.Printable(project) != project {
		return &site.ParamError{Param: "project", Msg: "it is no name of a project: use up to 200 bytes that can be seen"}
	}
	rules, err := gate.Parse([]byte(text))
	if err != nil {
		return &site.ParamError{Param: "rules", Msg: err.Error()}
	}
	old, _, err := store.Rules(r.Context(), part(r, "project"))
	if err != nil {
		return err
	}
	was, err := gate.Parse([]byte(old))
	return store.SetRules(r.Context(), part(r, "project"), text,
		err != nil || was.Exclude != rules.Exclude || was.Without != rules.Without)
}
