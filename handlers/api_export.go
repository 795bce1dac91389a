package handlers

import (
	"archive/zip"
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/encode"
	"proflens/store"
	"proflens/unpack"
)

// tableFormats are exports of the function table.
var tableFormats = []string{"csv", "json", "ndjson"}

// getExport is GET /profiles/{id}/export/{format}.
func (s *server) getExport(w http.ResponseWriter, r *http.Request) error {
	format := chi.URLParam(r, "format")
	if slices.Contains(tableFormats, format) {
		query := r.URL.Query()
		query.Set("format", format)
		http.Redirect(w, r, apiOf(s.entry(r).ID)+"/functions?"+query.Encode(), http.StatusTemporaryRedirect)
		return nil
	}
	if format != "proftext" {
		return &problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such export",
			Detail: fmt.Sprintf("a profile of this kind cannot be exported as %q; one of proftext, %s is right", format, strings.Join(tableFormats, ", "))}
	}
	if _, err := newValues(r.URL.Query(), nil); err != nil {
		return err
	}
	e := s.entry(r)
	if e.State != store.Ready {
		return s.notReady(w, r)
	}
	if s.notModified(w, r, format) {
		return nil
	}
	return s.proftext(w, r, e)
}

// proftext decodes the originals again, as the command line does, and writes
// the text form.
func (s *server) proftext(w http.ResponseWriter, r *http.Request, e *store.Entry) error {
	ctx := r.Context()
	if err := s.decoding(ctx); err != nil {
		return err
	}
	defer s.decoded()
	src, files, err := s.Originals.Source(ctx, e.Files)
	if err != nil {
		return err
	}
	defer files.Close()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	attach(w, fileName(strings.TrimSuffix(e.Name, path.Ext(e.Name)), ".proftext"))
	// A fault that shows within the first buffer is still a clean answer.
	out := &countedWriter{w: contextWriter{ctx, w}}
	b := bufio.NewWriterSize(out, 64<<10)
	if err = encode.Proftext(b, src); err == nil {
		err = b.Flush()
	}
	if err != nil && out.n > 0 {
		return cutOff(err)
	}
	return err
}

// contextWriter stops whoever writes when the request has ended.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c contextWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

type countedWriter struct {
	w io.Writer
	n int64
}

func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
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
		i := slices.IndexFunc(files, func(f store.FileEntry) bool { return f.Name == pick })
		if n, err := strconv.Atoi(pick); i < 0 && err == nil && n >= 0 && n < len(files) {
			i = n
		}
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
func (s *server) zipOriginals(w http.ResponseWriter, e *store.Entry) error {
	w.Header().Set("Content-Type", "application/zip")
	attach(w, fileName(e.Name, ".zip"))
	z := zip.NewWriter(w)
	for i, file := range e.Files {
		name := unpack.CleanName(file.Name)
		if slices.ContainsFunc(e.Files[:i], func(f store.FileEntry) bool { return unpack.CleanName(f.Name) == name }) {
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

func (s *server) zipOriginal(z *zip.Writer, name string, e *store.Entry, file store.FileEntry) error {
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
