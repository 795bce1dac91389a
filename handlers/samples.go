package handlers

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"proflens/catalog"
	"proflens/fixtures/samples"
	"proflens/handlers/site"
	"proflens/ingest"
)

// sampleLabel marks the profiles that were made of samples, so that each is
// stored once.
const sampleLabel = "sample"

// openSample is POST /samples/{name}: it opens the profile of a sample that
// comes with the program, and makes it the first time. Samples are no secret,
// so they are listed; whoever made one gets its delete token.
func (s *server) openSample(w http.ResponseWriter, r *http.Request) error {
	sample, ok := samples.Named(chi.URLParam(r, "name"))
	if !ok {
		return site.ErrNoRoute
	}
	s.sampling.Lock() // two clicks make one profile
	defer s.sampling.Unlock()
	id, err := s.findSample(r.Context(), sample)
	if err != nil {
		return err
	}
	if id == "" {
		a, err := s.makeSample(r.Context(), sample)
		if err != nil {
			return err
		}
		handToken(w, r, &a)
		id = a.Entry.ID
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, site.PageOf(id), http.StatusSeeOther)
	return nil
}

// findSample is the profile of a sample, empty when there is none. The label
// is anyone's to set, so the content has to be the sample's too.
func (s *server) findSample(ctx context.Context, sample samples.Sample) (id string, err error) {
	q := catalog.ListQuery{Labels: map[string]string{sampleLabel: sample.Name}, Limit: catalog.MaxListLimit}
	list, err := s.Store.List(ctx, q)
	if err != nil {
		return "", err
	}
	for _, e := range list.Items {
		if e.State != catalog.Failed && len(e.Files) == 1 && e.Files[0].SHA256 == sample.SHA256() {
			return e.ID, nil
		}
	}
	return "", nil
}

func (s *server) makeSample(ctx context.Context, sample samples.Sample) (ingest.Accepted, error) {
	batch, err := s.Ingest.Begin()
	if err != nil {
		return ingest.Accepted{}, err
	}
	defer batch.Discard() // nothing is left to discard after Commit
	if err := batch.Add(ctx, sample.File, sample.Open()); err != nil {
		return ingest.Accepted{}, err
	}
	accepted, err := batch.Commit(context.WithoutCancel(ctx), ingest.Request{
		Name: sample.File, Visibility: catalog.Listed, Labels: map[string]string{sampleLabel: sample.Name},
	})
	if err != nil {
		return ingest.Accepted{}, err
	}
	s.await(ctx, accepted[:1], formWait)
	return accepted[0], nil
}
