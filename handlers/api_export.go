package handlers

import (
	"archive/zip"
	"bufio"
	"cmp"
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
	"proflens/unpack"
)

// getExport is GET /profiles/{id}/export/{format}.
func (s *server) getExport(w http.ResponseWriter, r *http.Request) error {
	e, err := exports.Find(chi.URLParam(r, "format"))
	if err != nil {
		return &problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such export", Detail: err.Error()}
	}
	if e.Of != "" {
		export := s.exportTable
		if e.Of == exports.SQLite {
			export = s.exportSQLite
		}
		s.open(s.api, s.notReady)(s.api(export)).ServeHTTP(w, r)
		return nil
	}
	v, err := newValues(r.URL.Query(), optionNames(e))
	if err != nil {
		return err
	}
	options := exportOptions(v, e)
	if v.err != nil {
		return v.err
	}
	entry := s.entry(r)
	if entry.State != catalog.Ready {
		return s.notReady(w, r)
	}
	if s.notModified(w, r, e.Name) {
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
func exportOptions(v *values, e *exports.Export) exports.Options {
	given := exports.Options{}
	for _, o := range e.Options() {
		switch o.Kind {
		case exports.Yes:
			given[o.Name] = strconv.FormatBool(v.yes(o.Name))
		case exports.Number:
			given[o.Name] = strconv.Itoa(v.number(o.Name, o.Low, o.High, 0))
		default:
			given[o.Name] = v.one(o.Name)
			if o.Word != nil {
				given[o.Name] = choice(v, o.Name, o.Word...)
			}
		}
	}
	return given
}

// exportOriginals decodes the originals and writes them in another form. What is
// not quite as it was stands in the header.
func (s *server) exportOriginals(w http.ResponseWriter, r *http.Request, e *exports.Export, o exports.Options) error {
	entry := s.entry(r)
	ctx := r.Context()
	if err := s.decoding(ctx); err != nil {
		return err
	}
	defer s.decoded()
	p, files, err := s.Originals.Source(ctx, entry.Files)
	if err != nil {
		return err
	}
	defer files.Close()
	plan, err := e.Plan(p, o)
	if err != nil {
		return exportProblem(err)
	}
	if plan.Nothing != "" {
		return &problem{Status: http.StatusNotFound, Kind: string(model.KindIncompatible), Title: "No such export", Detail: sentence(plan.Nothing)}
	}
	h := w.Header()
	if plan.Version > 0 {
		h.Set("Proflens-Indexed-Version", strconv.Itoa(plan.Version))
	}
	for _, f := range plan.Findings {
		h.Add("Proflens-Finding", fmt.Sprintf("%s %s: %s", f.Severity, f.Code, f.Message))
	}
	h.Set("Content-Type", e.Type)
	attach(w, fileName(strings.TrimSuffix(entry.Name, path.Ext(entry.Name)), "."+cmp.Or(e.Ending, e.Name)))
	// A fault that shows within the first buffer is still a clean answer.
	out := &countedWriter{w: contextWriter{ctx, w}}
	b := bufio.NewWriterSize(out, 64<<10)
	if _, err = plan.Write(b); err == nil {
		err = b.Flush()
	}
	if err != nil && out.n > 0 {
		return cutOff(err)
	}
	return err
}

// exportProblem makes the problem of a profile that has not what an export needs,
// or of a wrong option.
func exportProblem(err error) error {
	if lack, ok := errors.AsType[*exports.LackError](err); ok {
		return &problem{Status: http.StatusNotFound, Kind: string(lack.Fault.Kind), Title: "No such export", Detail: sentence(lack.Fault.Message())}
	}
	if wrong, ok := errors.AsType[*exports.OptionError](err); ok {
		return &paramError{Param: wrong.Name, Msg: wrong.Msg}
	}
	return err
}

// getOriginal is GET /profiles/{id}/original: the file as it was uploaded,
// after unpacking. Several files come as one zip; file=NAME or file=N, from 0,
// picks one.
func (s *server) getOriginal(w http.ResponseWriter, r *http.Request) error {
	v, err := newValues(r.URL.Query(), []string{"file"})
	if err != nil {
		return err
	}
	e := s.entry(r)
	files := e.Files
	if pick := v.one("file"); pick != "" {
		i := pickFile(files, pick)
		if i < 0 {
			return errNoOriginal
		}
		files = files[i : i+1]
	}
	if v.err != nil {
		return v.err
	}
	if len(files) == 0 {
		return errNoOriginal
	}
	sendPlain(w)
	w.Header().Set("Cache-Control", "private, no-cache")
	if len(files) > 1 {
		return s.zipOriginals(w, e)
	}
	f, err := s.Store.OpenObject(files[0].SHA256)
	if err != nil {
		return err
	}
	defer f.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", `"`+files[0].SHA256+`"`)
	attach(w, path.Base(files[0].Name))
	http.ServeContent(w, r, "", e.Created, f)
	return nil
}

// zipOriginals streams all files, stored as they are.
func (s *server) zipOriginals(w http.ResponseWriter, e *catalog.Entry) error {
	w.Header().Set("Content-Type", "application/zip")
	attach(w, fileName(e.Name, ".zip"))
	z := zip.NewWriter(w)
	for i, file := range e.Files {
		name := unpack.CleanName(file.Name)
		if slices.ContainsFunc(e.Files[:i], func(f catalog.FileEntry) bool { return unpack.CleanName(f.Name) == name }) {
			name = fmt.Sprintf("%d/%s", i, name)
		}
		if err := s.zipOriginal(z, name, e, file); err != nil {
			return cutOff(err)
		}
	}
	if err := z.Close(); err != nil {
		return cutOff(err)
	}
	return nil
}

func (s *server) zipOriginal(z *zip.Writer, name string, e *catalog.Entry, file catalog.FileEntry) error {
	f, err := s.Store.OpenObject(file.SHA256)
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
