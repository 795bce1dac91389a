package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/ingest/unpack"
)

// maxMissing is how many files without text the answer to an upload of sources names.
const maxMissing = 100

// sourcesKeys are the fields of an upload of sources.
var sourcesKeys = []string{"filename", "back"}

// sourcesAdded is what came of source files that were sent.
type sourcesAdded struct {
	Mapped   int `json:"mapped" doc:"Source files in the coverage mapping."`
	WithText int `json:"with_text" doc:"Files with text, earlier uploads included."`
	Left     int `json:"left_out" doc:"Files sent that the mapping does not name, or that are not text."`

	Missing []string `json:"missing" doc:"Files without text, the first 100."`
}

// sourcesMatched are the source files that a profile names, as the answer to its upload has them.
type sourcesMatched struct {
	Mapped   int      `json:"mapped" doc:"Source files that the profile names."`
	WithText int      `json:"with_text" doc:"Files with text."`
	Missing  []string `json:"missing" doc:"Files without text, the first 100."`
}

// sourcesObject are the source files that a profile names.
type sourcesObject struct {
	Mapped   int            `json:"mapped" doc:"Source files in the coverage mapping."`
	WithText int            `json:"with_text" doc:"Files with text."`
	Files    []sourceObject `json:"files"`
}

type sourceObject struct {
	File string `json:"file"`
	Text bool   `json:"text" doc:"Whether its text is here."`
}

const postSourcesSays = `
	coverage postSources: Add the text of source files
	Files, or archives of them. Matched with the mapping's files by the end of their paths; other files are left out.
	Text sent again replaces the old. Needs the profile's delete token or an upload token.
	?filename: Name of the file in a raw body.
	<form token: The delete token or an upload token, if you cannot set a header. Must come before the files.
	<bytes
	>200 SourcesAdded: What has text now.
	>400 401 403 404 410 422 500`

// postSources is POST /profiles/{id}/sources: files, or archives of them, with the text
// of the sources that the profile names.
func (s *server) postSources(w http.ResponseWriter, r *http.Request) error {
	names, err := s.SourceNames(r.Context(), s.Entry(r))
	if err != nil {
		return err
	}
	kept, u, err := s.takeSources(w, r, names)
	if err != nil {
		return err
	}
	if s.FromForm(r) && site.Accepted(r, "text/html", "application/json") == "text/html" {
		return site.SeeOther(w, r, s.Base(r)+below(u.fields.Get("back"), "/files"))
	}
	m, err := s.matchSources(r.Context(), s.Entry(r), names)
	if err != nil {
		return err
	}
	return site.WriteJSON(w, sourcesAdded{m.Mapped, m.WithText, kept.Left, m.Missing})
}

// matchSources says which of the source files that a profile names have text.
func (s *server) matchSources(ctx context.Context, e *catalog.Entry, names []string) (*sourcesMatched, error) {
	has, err := s.SourcesWithText(ctx, e, names)
	if err != nil {
		return nil, err
	}
	m := &sourcesMatched{Mapped: len(names), Missing: []string{}}
	for i, name := range names {
		switch {
		case has[i]:
			m.WithText++
		case len(m.Missing) < maxMissing:
			m.Missing = append(m.Missing, name)
		}
	}
	return m, nil
}

// takeSources takes the text of sources of the names that the profile has.
func (s *server) takeSources(w http.ResponseWriter, r *http.Request, names []string) (kept ingest.Kept, u *upload,
	err error) {
	batch, err := s.Ingest.BeginSources(names)
	if err != nil {
		return kept, nil, err
	}
	defer batch.Discard()
	u, err = s.receive(w, r, r.URL.Query().Get("filename"), s.NeedsOwner, batch)
	if err != nil {
		return kept, nil, ofArchive(err)
	}
	if err := site.NewValues(u.fields, sourcesKeys).Err; err != nil {
		return kept, nil, err
	}
	kept, err = batch.Commit(context.WithoutCancel(r.Context()), s.Entry(r).ID)
	if err == nil && !kept.Changed {
		err = &model.FormatError{Kind: model.KindIncompatible, Section: "sources",
			Expected: fmt.Sprintf("text of %s, or of another of %d files", names[0], len(names)),
			Found:    model.Amount(uint64(kept.Left), "other file", "other files"),
			Msg:      "none of the files is a source that this profile names; paths are compared from their end"}
	}
	return kept, u, err
}

// ofArchive is the error of an archive that cannot be unpacked, as others are told.
func ofArchive(err error) error {
	if fault, ok := errors.AsType[*unpack.Error](err); ok {
		return &model.FormatError{Kind: model.Kind(fault.Kind), File: fault.Member, Section: "archive", Msg: fault.Message()}
	}
	return err
}

// below is an address below a profile's page; absent where it is none.
func below(back, absent string) string {
	if len(back) > 1 && back[0] == '/' && back[1] != '/' {
		return back
	}
	return absent
}

const getSourcesSays = `
	coverage getSources: Source files of a profile, and which have text
	With file=, the text of one.
	?file: Name of a file, as the coverage mapping has it.
	>200 Sources text: The files, or the text of one.
	>400 404 410 422 500`

// getSources is GET /profiles/{id}/sources: the source files that the profile names, and
// which of them have text; with file= the text of one.
func (s *server) getSources(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), fileKeys)
	if v.Err != nil {
		return v.Err
	}
	e := s.Entry(r)
	if name := v.One("file"); name != "" {
		text, ok, err := s.SourceText(r.Context(), e, name)
		if err != nil {
			return err
		}
		if !ok {
			return &site.ParamError{
				Param: "file", Msg: "no text of this file is here; without file= the answer lists the files that have one",
			}
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, err = w.Write(text)
		return err
	}
	names, err := s.SourceNames(r.Context(), e)
	if err != nil {
		return err
	}
	has, err := s.SourcesWithText(r.Context(), e, names)
	if err != nil {
		return err
	}
	list := make([]sourceObject, len(names))
	n := 0
	for i, name := range names {
		list[i] = sourceObject{name, has[i]}
		if has[i] {
			n++
		}
	}
	return site.WriteJSON(w, sourcesObject{len(names), n, list})
}

const deleteSourcesSays = `
	coverage deleteSources: Delete the text of source files
	>204: The text is deleted.
	>400 401 403 404 410 422 500`

// deleteSources is DELETE /profiles/{id}/sources.
func (s *server) deleteSources(w http.ResponseWriter, r *http.Request) error {
	if err := s.NeedsOwner(r); err != nil {
		return err
	}
	if err := s.Store.SetSources(r.Context(), s.Entry(r).ID, nil); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
