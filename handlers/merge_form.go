package handlers

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/internal/humanize"
	"proflens/profile/stored"
	"proflens/views"
	"proflens/views/page"
)

// maxMergeForm is how many profiles the form has a field for.
const maxMergeForm = 256

// mergePage is GET /merge?id=&id=…, with weight= for each where they are not all 1:
// the form that merges any number of profiles.
func (s *server) mergePage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), []string{"id", "weight"})
	ids, weights := v.List("id"), v.List("weight")
	if len(weights) > 0 && len(weights) != len(ids) {
		v.Fail("weight", "found %s for %s; give one for each profile, or none",
			humanize.Plural(len(weights), "weight"), humanize.Plural(len(ids), "profile"))
	}
	if len(ids) > maxMergeForm {
		v.Fail("id", "the form takes at most %d profiles, and POST /api/v1/merge %d; found %d", maxMergeForm, maxMerge,
			len(ids))
	}
	if v.Err != nil {
		return v.Err
	}
	entries := make([]*catalog.Entry, len(ids))
	for i, id := range ids {
		e, err := s.Store.Entry(r.Context(), id)
		if err != nil {
			return err
		}
		entries[i] = e
	}
	refusals, err := s.mergeRefusals(r.Context(), entries)
	if err != nil {
		return err
	}
	f := page.MergeForm{NeedsToken: s.AsksForToken(r)}
	for i, e := range entries {
		in := page.MergeInput{
			ID: e.ID, URL: site.PageOf(e.ID), Name: cmp.Or(humanize.Printable(e.Name), e.ID),
			Describe: humanize.Printable(e.Describe),
			Says:     comparedSays(s, e),
			Weight:   "1", Refused: refusals[i],
		}
		in.Label = "Weight of " + in.Name
		if len(weights) > 0 {
			in.Weight = weights[i]
		}
		if in.Refused != "" {
			f.Refused = "These profiles cannot be merged."
			in.LeaveOut = mergeURL(slices.Delete(slices.Clone(ids), i, i+1),
				slices.Delete(slices.Clone(weights), min(i, len(weights)), min(i+1, len(weights))))
		}
		if i == 0 {
			f.Name = mergedName(in.Name, len(ids))
		}
		f.Inputs = append(f.Inputs, in)
	}
	if len(ids) < 2 {
		f.Refused = "Choose two or more profiles to merge."
	}
	site.NoStore(w) // profiles become ready
	return s.Render(w, r, views.MergePage(s.Shell(r, "Merge "+humanize.Plural(len(ids), "profile")), f))
}

// mergeURL is the address of the form with some profiles in it.
func mergeURL(ids, weights []string) string {
	q := url.Values{"id": ids}
	if len(weights) > 0 {
		q["weight"] = weights
	}
	return "/merge?" + q.Encode()
}

// mergeRefusals are why each of some profiles cannot be merged with those before it,
// as far as their kinds decide; empty where it can.
func (s *server) mergeRefusals(ctx context.Context, entries []*catalog.Entry) ([]string, error) {
	refusals := make([]string, len(entries))
	opened := make([]*stored.Profile, len(entries))
	for i, e := range entries {
		if refusals[i] = s.unmergeable(e); refusals[i] != "" {
			continue
		}
		p, err := s.Store.Open(ctx, e)
		if errors.Is(err, catalog.ErrRebuilding) {
			refusals[i] = "It is not decoded yet."
			continue
		}
		if err != nil {
			return nil, err
		}
		defer p.Close()
		opened[i] = p
		if len(p.Overview.Info.Partial) > 0 {
			refusals[i] = "Only its beginning could be read: sums would be too small where records are missing."
		}
		for j := 0; j < i && refusals[i] == ""; j++ {
			if refusals[j] == "" {
				if refusals[i], err = s.cannotMerge(opened[j], p, entries[j].Name); err != nil {
					return nil, err
				}
			}
		}
	}
	return refusals, nil
}

// cannotMerge is why the second of two profiles cannot be merged with the first, which
// has a name.
func (s *server) cannotMerge(a, b *stored.Profile, name string) (string, error) {
	for _, f := range s.Families {
		if f.CannotMerge == nil || !a.Has(f.Name) || !b.Has(f.Name) {
			continue
		}
		err := f.CannotMerge(a, b)
		if fault, ok := model.FaultIn(err); ok {
			return "It does not fit " + humanize.Printable(name) + ". " + site.Prose(fault.Msg), nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
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
	v := site.NewValues(r.PostForm, []string{"id", "weight", "name", "upload_token"})
	if v.Err != nil {
		return v.Err
	}
	if err := s.NeedsUpload(r, v.One("upload_token")); err != nil {
		return err
	}
	ids, weights := r.PostForm["id"], r.PostForm["weight"]
	m := merge{request: ingest.Request{Name: v.One("name")}}
	if len(weights) != len(ids) {
		v.Fail("weight", "found %s for %s; give one for each profile", humanize.Plural(len(weights), "weight"),
			humanize.Plural(len(ids), "profile"))
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
	return s.answerMerge(w, r, m, wait{long: formWait})
}
