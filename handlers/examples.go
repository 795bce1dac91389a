package handlers

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"proflens/catalog"
	"proflens/handlers/examples"
	"proflens/handlers/site"
	"proflens/ingest"
)

// exampleLabel marks the profiles that were made of examples, so that each is
// stored once.
const exampleLabel = "sample"

// openExample is POST /samples/{name}: it opens the profile of an example that
// comes with the program, or a comparison of two, and makes them the first time.
func (s *server) openExample(w http.ResponseWriter, r *http.Request) error {
	example, ok := examples.Named(chi.URLParam(r, "name"))
	if !ok {
		return site.ErrNoRoute
	}
	s.example.Lock() // two clicks make one profile
	defer s.example.Unlock()
	to, err := s.exampleAddress(w, r, example)
	if err != nil {
		return err
	}
	site.NoStore(w)
	return site.SeeOther(w, r, to)
}

// exampleAddress is where an example is looked at.
func (s *server) exampleAddress(w http.ResponseWriter, r *http.Request, example examples.Example) (string, error) {
	if example.Base == "" {
		id, err := s.exampleProfile(w, r, example)
		return site.PageOf(id) + example.Page, err
	}
	var ids [2]string
	for i, name := range []string{example.Base, example.Test} {
		side, _ := examples.Named(name)
		var err error
		if ids[i], err = s.exampleProfile(w, r, side); err != nil {
			return "", err
		}
	}
	return site.CompareURL(ids[0], ids[1]), nil
}

// exampleProfile is the profile of an example, made if there is none. Examples are no
// secret, so they are listed; whoever made one gets its delete token. Making one is an upload.
func (s *server) exampleProfile(w http.ResponseWriter, r *http.Request,
	example examples.Example) (id string, err error) {
	files := example.Files()
	if id, err = s.findExample(r.Context(), example.Name, files); err != nil || id != "" {
		return id, err
	}
	if err := s.NeedsUpload(r); err != nil {
		return "", err
	}
	a, err := s.makeExample(r.Context(), example, files)
	if err != nil {
		return "", err
	}
	handTokens(w, r, []ingest.Accepted{a}, true)
	return a.Entry.ID, nil
}

// findExample is the profile of an example, empty when there is none. The label
// is anyone's to set, so the content has to be the example's too.
func (s *server) findExample(ctx context.Context, name string, files []examples.File) (id string, err error) {
	q := catalog.ListQuery{Labels: map[string]string{exampleLabel: name}, Limit: catalog.MaxListLimit}
	list, err := s.Store.List(ctx, q)
	if err != nil {
		return "", err
	}
	same := func(f catalog.FileEntry, example examples.File) bool { return f.SHA256 == example.SHA256() }
	for _, e := range list.Items {
		if e.State != catalog.Failed && slices.EqualFunc(e.Files, files, same) {
			return e.ID, nil
		}
	}
	return "", nil
}

func (s *server) makeExample(ctx context.Context, example examples.Example,
	files []examples.File) (ingest.Accepted, error) {
	batch, err := s.Ingest.Begin()
	if err != nil {
		return ingest.Accepted{}, err
	}
	defer batch.Discard() // nothing is left to discard after Commit
	for _, f := range files {
		if err := batch.Add(ctx, f.Name, bytes.NewReader(f.Data)); err != nil {
			return ingest.Accepted{}, err
		}
	}
	accepted, err := batch.Commit(context.WithoutCancel(ctx), ingest.Request{
		Name: cmp.Or(example.As, files[0].Unpacked().Name), Visibility: catalog.Listed,
		Labels: map[string]string{exampleLabel: example.Name},
	})
	if err != nil {
		return ingest.Accepted{}, err
	}
	s.await(ctx, accepted[:1], wait{long: formWait})
	return accepted[0], nil
}
