package handlers

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/ingest"
	"proflens/views/page"
)

// mergeForm is POST /merge, the form of a comparison.
func (s *server) mergeForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxFieldBytes)
	if err := r.ParseForm(); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return err
		}
		return &paramError{Msg: "the form cannot be read"}
	}
	v, err := newValues(r.PostForm, []string{"id", "weight", "name", "upload_token"})
	if err != nil {
		return err
	}
	if !s.mayUpload(r) && !s.isUploadToken(v.one("upload_token")) {
		return errNeedsToken
	}
	ids, weights := r.PostForm["id"], r.PostForm["weight"]
	m := merge{request: ingest.Request{Name: v.one("name")}}
	if len(weights) != len(ids) {
		v.fail("weight", "%d weights for %d profiles; one each is right", len(weights), len(ids))
		return v.err
	}
	for i, id := range ids {
		weight, err := strconv.ParseUint(weights[i], 10, 64)
		if err != nil {
			v.fail("weight", "%q is not a weight; a whole number from 1 is", weights[i])
		}
		m.profiles = append(m.profiles, mergeInput{ID: id, Weight: &weight})
	}
	if v.err != nil {
		return v.err
	}
	if err := m.check(); err != nil {
		return err
	}
	return s.answerMerge(w, r, m, formWait)
}

// mergeModel is that form, or why the two cannot be merged.
func (s *server) mergeModel(v *compareRequest) page.MergeForm {
	f := page.MergeForm{NeedsToken: s.UploadToken != "", Name: mergedName(v.compared.base.Name, 2)}
	f.Inputs = []page.MergeInput{
		{Letter: "A", ID: v.compared.base.ID, Name: page.Printable(v.compared.base.Name)},
		{Letter: "B", ID: v.compared.test.ID, Name: page.Printable(v.compared.test.Name)},
	}
	if v.base.Info.Variant.Has(instrprof.IRProf) != v.test.Info.Variant.Has(instrprof.IRProf) {
		f.Refused = "Front-end and IR profiles cannot be merged: their counters do not mean the same."
	}
	return f
}

// mergedName is what a sum is called that was given no name.
func mergedName(first string, profiles int) string {
	name := fmt.Sprintf("%.120s", first)
	if n := profiles - 1; n > 0 {
		name += fmt.Sprintf(" + %d more", n)
	}
	return name
}

// mergedModel says what a profile was merged from; nil for an upload.
func mergedModel(m *catalog.Merged) *page.Merged {
	if m == nil {
		return nil
	}
	list := &page.Merged{}
	for _, in := range m.Inputs {
		input := page.MergedInput{Name: page.Printable(in.Name), Describe: in.Describe, Weight: page.Int(in.Weight), Digest: shortDigest(in.Digest)}
		if in.ID != "" {
			input.URL = pageOf(in.ID)
		}
		if len(in.Partial) > 0 {
			input.Partial = "partial: " + in.Partial[0].Count(func(n uint64) string { return page.Int(n) }, "–")
		}
		list.Inputs = append(list.Inputs, input)
	}
	for _, f := range m.Findings {
		list.Findings = append(list.Findings, findingLine(f))
	}
	return list
}
