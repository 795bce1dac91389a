package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/say"
	"proflens/views"
	"proflens/views/page"
)

// mergePage is GET /merge?id=&id=…, with weight= for each where they are not all 1:
// the form that merges any number of profiles.
func (s *server) mergePage(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), []string{"id", "weight"})
	if err != nil {
		return err
	}
	ids, weights := v.List("id"), v.List("weight")
	if len(weights) > 0 && len(weights) != len(ids) {
		v.Fail("weight", "found %d weights for %d profiles; give one for each profile, or none", len(weights), len(ids))
	}
	if len(ids) > maxMerge {
		v.Fail("id", "give at most %d profiles; found %d", maxMerge, len(ids))
	}
	if v.Err != nil {
		return v.Err
	}
	f := page.MergeForm{NeedsToken: s.AsksForToken(r)}
	for i, id := range ids {
		e, err := s.Store.Entry(r.Context(), id)
		if err != nil {
			return err
		}
		in := page.MergeInput{
			ID: id, URL: site.PageOf(id), Name: cmp.Or(say.Printable(e.Name), id), Describe: say.Printable(e.Describe), Says: comparedSays(s, e),
			Weight: "1", Refused: s.unmergeable(e),
		}
		in.Label = "Weight of " + in.Name
		if len(weights) > 0 {
			in.Weight = weights[i]
		}
		if in.Refused != "" {
			f.Refused = "These profiles cannot be merged."
		}
		if i == 0 {
			f.Name = mergedName(in.Name, len(ids))
		}
		f.Inputs = append(f.Inputs, in)
	}
	if len(ids) < 2 {
		f.Refused = "Choose two or more profiles to merge."
	}
	w.Header().Set("Cache-Control", "no-store") // profiles become ready
	return s.Render(w, r, http.StatusOK, views.MergePage(s.Shell(r, "Merge "+say.Plural(len(ids), "profile", "profiles")), f))
}

// unmergeable is why a profile cannot be merged; empty when it can.
func (s *server) unmergeable(e *catalog.Entry) string {
	switch {
	case e.State == catalog.Failed:
		return "It could not be decoded."
	case e.State != catalog.Ready:
		return "It is not decoded yet."
	case !s.Indexable(e):
		return "Only LLVM’s counters and heap profiles can be merged."
	}
	return ""
}

// mergeForm is POST /merge, what the form sends.
func (s *server) mergeForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxFieldBytes)
	if err := r.ParseForm(); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return err
		}
		return &site.ParamError{Msg: "the form is malformed"}
	}
	v, err := site.NewValues(r.PostForm, []string{"id", "weight", "name", "upload_token"})
	if err != nil {
		return err
	}
	if err := s.NeedsUpload(r, v.One("upload_token")); err != nil {
		return err
	}
	ids, weights := r.PostForm["id"], r.PostForm["weight"]
	m := merge{request: ingest.Request{Name: v.One("name")}}
	if len(weights) != len(ids) {
		v.Fail("weight", "found %d weights for %d profiles; give one for each profile", len(weights), len(ids))
		return v.Err
	}
	for i, id := range ids {
		weight, err := strconv.ParseUint(weights[i], 10, 64)
		if err != nil {
			v.Fail("weight", "%q is not a weight; use a whole number, 1 or more", weights[i])
		}
		m.profiles = append(m.profiles, mergeInput{ID: id, Weight: &weight})
	}
	if v.Err != nil {
		return v.Err
	}
	if err := m.check(); err != nil {
		return err
	}
	return s.answerMerge(w, r, m, formWait)
}
