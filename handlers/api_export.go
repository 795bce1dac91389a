package handlers

import (
	"archive/zip"
	"bufio"
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

	"proflens/decode"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/encode/stacks"
	"proflens/store"
	"proflens/unpack"
)

// originalFormat is an export that decodes the originals again, as the command
// line does.
type originalFormat struct {
	contentType string
	params      []string
	options     func(v *values) prepare
}

// prepare finds every fault that shows before a byte is written, and may add to
// the header.
type prepare func(h http.Header, src model.Source) (write func(io.Writer) error, err error)

// originalFormats are by the name that is also the ending of the file, but where
// endings has another.
var originalFormats = map[string]originalFormat{
	"proftext": {"text/plain; charset=utf-8", nil, proftextOptions},
	"profdata": {"application/octet-stream", []string{"version", "lossy", "keep-vtable-symbols"}, profdataOptions},
	"order":    {"text/plain; charset=utf-8", []string{"macho", "run", "min-runs"}, orderOptions},
	"mip-json": {"application/json", []string{"run"}, mipJSONOptions},
	"mip":      {"application/octet-stream", []string{"layout"}, mipOptions},
	"pprof":    {"application/octet-stream", []string{"event"}, pprofOptions},

	"dcpi":         {"application/octet-stream", nil, dcpiExport(encode.DCPI)},
	"dcpi-json":    {"application/json", nil, dcpiExport(encode.DCPIJSON)},
	"memprof-yaml": {"text/plain; charset=utf-8", nil, heapExport(encode.MemProfYAML)},
	"memprof-dump": {"text/plain; charset=utf-8", nil, heapExport(encode.MemProfDump)},
	"folded":       {"text/plain; charset=utf-8", []string{"w", "names", "event"}, stackExport(stacks.Folded)},
	"speedscope":   {"application/json", []string{"names", "event"}, stackExport(writeSpeedscope)},
}

var endings = map[string]string{"pprof": "pb.gz", "mip-json": "mip.json", "dcpi": "prof", "dcpi-json": "dcpi.json", "memprof-yaml": "yaml", "memprof-dump": "memprof.txt", "speedscope": "speedscope.json"}

// getExport is GET /profiles/{id}/export/{format}.
func (s *server) getExport(w http.ResponseWriter, r *http.Request) error {
	name := chi.URLParam(r, "format")
	if export := s.tablesExport(name); export != nil {
		s.open(s.api, s.notReady)(s.api(export)).ServeHTTP(w, r)
		return nil
	}
	format, ok := originalFormats[name]
	if !ok {
		return &problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such export",
			Detail: fmt.Sprintf("a profile of this kind cannot be exported as %q; one of memprof-yaml, memprof-dump, dcpi-json, dcpi, folded, speedscope, profdata, proftext, order, pprof, mip-json, mip, %s, sqlite is right", name, strings.Join(tableFormats, ", "))}
	}
	v, err := newValues(r.URL.Query(), format.params)
	if err != nil {
		return err
	}
	prepare := format.options(v)
	if v.err != nil {
		return v.err
	}
	e := s.entry(r)
	if e.State != store.Ready {
		return s.notReady(w, r)
	}
	if s.notModified(w, r, name) {
		return nil
	}
	return s.exportOriginals(w, r, name, prepare)
}

// exportOriginals decodes the originals and writes them in one of
// originalFormats.
func (s *server) exportOriginals(w http.ResponseWriter, r *http.Request, format string, prepare prepare) error {
	e := s.entry(r)
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
	write, err := prepare(w.Header(), src)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", originalFormats[format].contentType)
	attach(w, fileName(strings.TrimSuffix(e.Name, path.Ext(e.Name)), "."+cmp.Or(endings[format], format)))
	// A fault that shows within the first buffer is still a clean answer.
	out := &countedWriter{w: contextWriter{ctx, w}}
	b := bufio.NewWriterSize(out, 64<<10)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	if err != nil && out.n > 0 {
		return cutOff(err)
	}
	return err
}

func proftextOptions(*values) prepare {
	return func(_ http.Header, src model.Source) (func(io.Writer) error, error) {
		if err := wantsRecords(src, "proftext"); err != nil {
			return nil, err
		}
		return func(w io.Writer) error { return encode.Proftext(w, src) }, nil
	}
}

// profdataOptions are for an indexed profile. Its version, and what is not
// quite as it was, stand in the header.
func profdataOptions(v *values) prepare {
	yes := func(key string) bool { b := v.boolean(key); return b != nil && *b }
	o := encode.ProfdataOptions{
		Version: v.number("version", encode.MinVersion, encode.MaxVersion, 0),
		Lossy:   yes("lossy"), KeepVTableNames: yes("keep-vtable-symbols"),
	}
	return func(h http.Header, src model.Source) (func(io.Writer) error, error) {
		if err := wantsRecords(src, "profdata"); err != nil {
			return nil, err
		}
		if p, ok := src.(*decode.Profile); ok {
			o.MemProf = p.MemProf
		}
		plan, err := encode.PlanProfdata(src, o)
		if err != nil {
			return nil, err
		}
		h.Set("Proflens-Indexed-Version", strconv.Itoa(plan.Version))
		for _, f := range plan.Findings {
			h.Add("Proflens-Finding", fmt.Sprintf("%s %s: %s", f.Severity, f.Code, f.Message))
		}
		return func(w io.Writer) error {
			_, err := plan.WriteTo(w)
			return err
		}, nil
	}
}

// orderOptions are for a linker's order file. What it lacks stands in the header.
func orderOptions(v *values) prepare {
	machO := v.boolean("macho")
	o := encode.OrderOptions{MachO: machO != nil && *machO, Run: v.number("run", 0, maxRuns, 0), MinRuns: v.number("min-runs", 0, maxRuns, 0)}
	return func(h http.Header, src model.Source) (func(io.Writer) error, error) {
		plan, err := planOrder(src, o)
		if fault, ok := errors.AsType[*model.FormatError](err); ok && fault.Kind == model.KindNoTraces {
			return nil, &problem{Status: http.StatusNotFound, Kind: string(fault.Kind), Title: "No such export", Detail: fault.Message()}
		}
		if err != nil {
			return nil, err
		}
		for _, f := range plan.Findings {
			h.Add("Proflens-Finding", fmt.Sprintf("%s %s: %s", f.Severity, f.Code, f.Message))
		}
		return plan.Write, nil
	}
}

func pprofOptions(v *values) prepare {
	event := v.one("event")
	return func(_ http.Header, src model.Source) (func(io.Writer) error, error) {
		if p, ok := src.(*decode.Profile); ok && p.DCPI != nil {
			samples, err := dcpiStacks(p.DCPI, true, event)
			return func(w io.Writer) error {
				_, err := stacks.Pprof(w, samples)
				return err
			}, err
		}
		if err := noEvents(event); err != nil {
			return nil, err
		}
		if p, ok := src.(*decode.Profile); ok && p.MemProf != nil {
			samples, err := encode.HeapSamples(p.MemProf)
			return func(w io.Writer) error {
				_, err := stacks.Pprof(w, samples)
				return err
			}, notHeld(err)
		}
		return func(w io.Writer) error {
			_, err := encode.Pprof(w, src)
			return err
		}, nil
	}
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
