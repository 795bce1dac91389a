package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"proflens/handlers/site"
	"proflens/ingest"
)

// mergeForm is POST /merge, the form of a comparison.
func (s *server) mergeForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxFieldBytes)
	if err := r.ParseForm(); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return err
		}
		return &site.ParamError{Msg: "the form cannot be read"}
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
