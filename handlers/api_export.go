package handlers

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/exports"
	"proflens/handlers/middleware"
	"proflens/handlers/site"
	"proflens/handlers/spool"
	"proflens/panics"
	"proflens/unpack"
	"proflens/work"
)

// getExport is GET /profiles/{id}/export/{format}.
func (s *server) getExport(w http.ResponseWriter, r *http.Request) error {
	e, err := exports.Find(chi.URLParam(r, "format"))
	if err != nil {
		return &site.Problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such export", Detail: err.Error()}
	}
	if e.Of != "" {
		export := s.exportTable
		if e.Of == exports.SQLite {
			export = s.exportSQLite
		}
		s.Open(s.API, s.NotReady)(s.API(export)).ServeHTTP(w, r)
		return nil
	}
	v, err := site.NewValues(r.URL.Query(), optionNames(e))
	if err != nil {
		return err
	}
	options := exportOptions(v, e)
	if v.Err != nil {
		return v.Err
	}
	if s.Library != nil && options["library"] == "" && options["lib"] == "fold" {
		options["library"] = s.Library.Key()
	}
	entry := s.Entry(r)
	if entry.State != catalog.Ready {
		return s.NotReady(w, r)
	}
	if s.NotModified(w, r, e.Name) {
		return nil
	}
	return s.exportOriginals(w, r, e, options)
}

func optionNames(e *exports.Export) []string {
	var names []string
	for _, o := range e.Options() {
		names = append(names, o.Name)
	}
	return names
}

// exportOptions reads the options that an export takes.
func exportOptions(v *site.Values, e *exports.Export) exports.Options {
	given := exports.Options{}
	for _, o := range e.Options() {
		switch o.Kind {
		case exports.Yes:
			given[o.Name] = strconv.FormatBool(v.Yes(o.Name))
		case exports.Number:
			given[o.Name] = strconv.Itoa(v.Number(o.Name, o.Low, o.High, 0))
		default:
			given[o.Name] = v.One(o.Name)
			if o.Word != nil {
				given[o.Name] = site.Choice(v, o.Name, o.Word...)
			}
		}
	}
	return given
}

// exportOriginals decodes the originals and writes them in another form. What is
// not quite as it was stands in the header.
func (s *server) exportOriginals(w http.ResponseWriter, r *http.Request, e *exports.Export, o exports.Options) error {
	entry := s.Entry(r)
	ctx := r.Context()
	if err := s.decoding(ctx); err != nil {
		return err
	}
	// The answer is made as fast as it can be, and sent as fast as it is read.
	waiting := spool.New(s.Store.Scratch)
	out := &site.CountedWriter{Writer: site.ContextWriter{Context: ctx, Writer: w}}
	sent := make(chan error, 1)
	begun := false
	nothing := "this profile has nothing to write in this format"
	err := s.Originals.Export(ctx, entry.Files, e.Name, o, func(head work.Head) (io.Writer, error) {
		if head.Nothing != "" {
			nothing = head.Nothing
			return io.Discard, nil
		}
		h := w.Header()
		if head.Version > 0 {
			h.Set("Proflens-Indexed-Version", strconv.Itoa(head.Version))
		}
		for _, f := range head.Findings {
			h.Add("Proflens-Finding", fmt.Sprintf("%s %s: %s", f.Severity, f.Code, f.Message))
		}
		h.Set("Content-Type", e.Type)
		site.Attach(w, site.FileName(strings.TrimSuffix(entry.Name, path.Ext(entry.Name)), "."+cmp.Or(e.Ending, e.Name)))
		begun = true
		go func() { sent <- panics.Do(func() error { return waiting.CopyTo(out) }) }()
		return waiting, nil
	})
	s.decoded()
	if begun {
		waiting.Close(err)
		err = <-sent
		waiting.Discard()
	}
	switch {
	case err != nil && out.N > 0:
		return site.CutOff(err)
	case err == nil && out.N == 0:
		return nothingToWrite(nothing)
	}
	return exportProblem(err)
}

// nothingToWrite is the answer in the place of an export without a byte.
func nothingToWrite(why string) error {
	return &site.Problem{
		Status: http.StatusNotFound, Kind: string(model.KindIncompatible), Title: "No such export",
		Detail: site.Sentence(why),
	}
}

// exportProblem makes the problem of a profile that lacks what an export needs,
// or of a wrong option.
func exportProblem(err error) error {
	if lack, ok := errors.AsType[*exports.LackError](err); ok {
		return &site.Problem{
			Status: http.StatusNotFound, Kind: string(lack.Fault.Kind), Title: "No such export",
			Detail: site.Sentence(lack.Fault.Message()),
		}
	}
	if wrong, ok := errors.AsType[*exports.OptionError](err); ok {
		return &site.ParamError{Param: wrong.Name, Msg: wrong.Msg}
	}
	return err
}

// getOriginal is GET /profiles/{id}/original: the file as it was uploaded,
// after unpacking. Several files come as one zip; file=NAME or file=N, from 0,
// picks one.
func (s *server) getOriginal(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), []string{"file"})
	if err != nil {
		return err
	}
	e := s.Entry(r)
	files := e.Files
	if pick := v.One("file"); pick != "" {
		i := pickFile(files, pick)
		if i < 0 {
			return site.ErrNoOriginal
		}
		files = files[i : i+1]
	}
	if v.Err != nil {
		return v.Err
	}
	if len(files) == 0 {
		return site.ErrNoOriginal
	}
	middleware.SendPlain(w)
	w.Header().Set("Cache-Control", "private, no-cache")
	if len(files) > 1 {
		return s.zipOriginals(r.Context(), w, e)
	}
	f, err := s.Store.OpenObject(r.Context(), files[0].SHA256)
	if err != nil {
		return err
	}
	defer f.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", `"`+files[0].SHA256+`"`)
	site.Attach(w, path.Base(files[0].Name))
	http.ServeContent(w, r, "", e.Created, f)
	return nil
}

// zipOriginals streams all files, stored as they are.
func (s *server) zipOriginals(ctx context.Context, w http.ResponseWriter, e *catalog.Entry) error {
	w.Header().Set("Content-Type", "application/zip")
	site.Attach(w, site.FileName(e.Name, ".zip"))
	z := zip.NewWriter(w)
	for i, file := range e.Files {
		name := unpack.CleanName(file.Name)
		if slices.ContainsFunc(e.Files[:i], func(f catalog.FileEntry) bool { return unpack.CleanName(f.Name) == name }) {
			name = fmt.Sprintf("%d/%s", i, name)
		}
		if err := s.zipOriginal(ctx, z, name, e, file); err != nil {
			return site.CutOff(err)
		}
	}
	if err := z.Close(); err != nil {
		return site.CutOff(err)
	}
	return nil
}

func (s *server) zipOriginal(ctx context.Context, z *zip.Writer, name string, e *catalog.Entry,
	file catalog.FileEntry) error {
	f, err := s.Store.OpenObject(ctx, file.SHA256)
	if err != nil {
		return err
	}
	defer f.Close()
	entry, err := z.CreateHeader(&zip.FileHeader{Name: name, Modified: e.Created.UTC()})
	if err != nil {
		return err
	}
	_, err = io.Copy(entry, f)
	return err
}
