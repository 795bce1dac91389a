package handlers

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"proflens/catalog"
	"proflens/fixtures/examples"
	"proflens/handlers/site"
	"proflens/ingest"
)

// exampleLabel marks the profiles that were made of examples, so that each is
// stored once.
const exampleLabel = "sample"

// openExample is POST /samples/{name}: it opens the profile of an example that
// comes with the program, and makes it the first time. Examples are no secret,
// so they are listed; whoever made one gets its delete token. Making one is an upload.
func (s *server) openExample(w http.ResponseWriter, r *http.Request) error {
	example, ok := examples.Named(chi.URLParam(r, "name"))
	if !ok {
		return site.ErrNoRoute
	}
	s.making.Lock() // two clicks make one profile
	defer s.making.Unlock()
	id, err := s.findExample(r.Context(), example)
	if err != nil {
		return err
	}
	if id == "" {
		if err := s.NeedsUpload(r); err != nil {
			return err
		}
		a, err := s.makeExample(r.Context(), example)
		if err != nil {
			return err
		}
		handTokens(w, r, []ingest.Accepted{a}, true)
		id = a.Entry.ID
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, site.PageOf(id), http.StatusSeeOther)
	return nil
}

// findExample is the profile of an example, empty when there is none. The label
// is anyone's to set, so the content has to be the example's too.
func (s *server) findExample(ctx context.Context, example examples.Example) (id string, err error) {
	q := catalog.ListQuery{Labels: map[string]string{exampleLabel: example.Name}, Limit: catalog.MaxListLimit}
	list, err := s.Store.List(ctx, q)
	if err != nil {
		return "", err
	}
	for _, e := range list.Items {
		if e.State != catalog.Failed && len(e.Files) == 1 && e.Files[0].SHA256 == example.SHA256() {
			return e.ID, nil
		}
	}
	return "", nil
}

func (s *server) makeExample(ctx context.Context, example examples.Example) (ingest.Accepted, error) {
	batch, err := s.Ingest.Begin()
	if err != nil {
		return ingest.Accepted{}, err
	}
	defer batch.Discard() // nothing is left to discard after Commit
	if err := batch.Add(ctx, example.File, example.Open()); err != nil {
		return ingest.Accepted{}, err
	}
	accepted, err := batch.Commit(context.WithoutCancel(ctx), ingest.Request{
		Name: example.File, Visibility: catalog.Listed, Labels: map[string]string{exampleLabel: example.Name},
	})
	if err != nil {
		return ingest.Accepted{}, err
	}
	s.await(ctx, accepted[:1], formWait)
	return accepted[0], nil
}
