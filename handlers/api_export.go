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
	"proflens/handlers/buffer"
	"proflens/handlers/middleware"
	"proflens/handlers/site"
	"proflens/ingest/tasks"
	"proflens/ingest/unpack"
	"proflens/internal/recovery"
	"proflens/profile/exports"
	"proflens/profile/tables"
)

const getExportSays = `
	downloads getExport: Export to another format
	The formats. proftext: byte for byte what llvm-profdata merge --text writes. profdata: an indexed profile for
	clang and llvm-profdata. order: a linker's symbol ordering file of the functions in temporal traces, one linkage
	name a line, earliest first. pprof: a gzipped profile.proto with the call stacks of a heap profile or of sampled
	functions, otherwise one sample per function. folded and speedscope: call stacks of a heap profile or of sampled
	functions, or images and procedures of DCPI. For DCPI, event picks the event of folded and the first value of
	pprof and speedscope. memprof-yaml and memprof-dump: what llvm-profdata show --memory prints. sample-text,
	sample-extbinary and sample-binary: what llvm-profdata merge --sample writes. csv, json and ndjson: a whole table,
	by default functions. sqlite: the profile's database with its vectors as rows; see /docs/sqlite. 409 says what an
	indexed version cannot hold.
	?access_count: For csv, json and ndjson of data-access: range of accesses.
	?callees: For csv, json and ndjson of call-sites: range of the number of callees.
	?clone: For csv, json and ndjson of calls: true keeps only those that need a clone.
	?clones: For csv, json and ndjson of cloning: range of the number of clones.
	?cold_bytes: For csv, json and ndjson of cloning and pruned-contexts: range of cold bytes.
	?contexts: For csv, json and ndjson of modules: range of the number of contexts with unnamed frames; of functions
	of sample profiles: range of the number of calling contexts.
	?depth: Levels of sites with by=path, which exported tables do not have. For csv, json and ndjson of hot and
	contexts: range of the frames of a context.
	?distinct: For csv, json and ndjson of values: range of the number of distinct values.
	?function fid: Of heap profiles, contexts with this function in any frame; of sample profiles, only its rows and
	what is inlined there.
	?first: For csv, json and ndjson of order: range of the first position.
	?frames: For csv, json and ndjson of modules: range of the number of unnamed frames.
	?node: Folder of sites with by=path. The exported tables have none.
	?set: For csv, json and ndjson of bitmaps: range of the number of bits set.
	?sum: For csv, json and ndjson of values, hot and contexts: range of the sum of counts.
	?target: For csv, json and ndjson of values: words to find in a value that a site saw.
	?top_count: For csv, json and ndjson of values: range of the top value's count.
	?top_share span: For csv, json and ndjson of values: range in per cent of the top value's share.
	?traces: For csv, json and ndjson of order: range of the number of traces.
	?unset: For csv, json and ndjson of bitmaps: range of the number of bits not set.
	?format
	proftext|profdata|order|pprof|folded|speedscope|memprof-yaml|memprof-dump|sample-text|sample-extbinary|sample-binary|dcpi-json|dcpi|mip-json|mip|llvm-cov-json|lcov|cobertura|cov-report|csv|json|ndjson|sqlite:
	The format to export.
	?version integer 5..14: For profdata: the indexed version. By default a front-end profile keeps the generation of
	its hashes; others get version 13.
	?lossy boolean: For profdata: drop data that the version cannot hold.
	?keep-vtable-symbols boolean: For profdata: keep the vtable names of raw profiles.
	?convert keep|flat|nest: For sample profiles: the layout of functions. flat puts calls in place of what was
	inlined, nest puts contexts into their callers.
	?compress boolean: For sample-extbinary: compress all sections.
	?md5 boolean: For sample-extbinary: write hashes of names instead of names.
	?macho boolean: For order: put an underscore before each name, as Mach-O symbols have.
	?run integer 0..10000: For Machine IR Profiles. order and mip-json: only this raw file, from 1. csv, json, ndjson
	of functions: only functions it executed.
	?min-runs integer 0..10000: For order, and for csv, json and ndjson of functions: in Machine IR Profiles,
	functions that ran in at least this many runs.
	?layout documented|tool64: For mip: the documented layout, or tool64 for the old tool.
	?functions: For csv, json and ndjson of vtables: range of the number of function records that saw one.
	?seen boolean: For csv, json and ndjson of vtables: true keeps those that a value site saw; false keeps the
	others.
	?table: For csv, json and ndjson: the table. Instrumentation profiles: functions, values, values-memop,
	values-vtable, vtables, vtable-sites, coverage, coverage-namespace, traces, order, bitmaps or binary-ids. Machine
	IR Profiles: functions, dead, coverage, coverage-namespace, order or runs. Heap profiles: allocations, sites,
	sites-line, sites-file, sites-blame, calls, cloning, pruned-contexts, modules, call-sites or data-access. DCPI:
	samples, procedures, images, epochs, platforms, diff or dcpi-profiles, each with its selection. Sample profiles:
	functions, hot, contexts, records, targets, edges, sample-lines, symbols, summary or sections. Tables take the
	filters and sort of their lists. Profiles with their program: coverage-files, coverage-functions, coverage-lines,
	coverage-branches, coverage-mcdc or coverage-misfits.
	?file: coverage-functions, coverage-lines, coverage-branches, coverage-mcdc: one source file
	?inst best|union: coverage-files: how lines, regions and branches are counted by thresholds and orders
	?instances boolean: coverage-functions, coverage-mcdc: a row for each instance of a template
	?state never|partly|whole|ran: coverage-functions: never ran, partly or whole; ran is both
	?missing boolean: coverage-mcdc: only decisions with conditions that were not shown to matter
	?kind mismatched|short|no_bitmap|lost|hidden|dummy: coverage-misfits: only of this kind
	?sort: Comma-separated columns, with - for descending: total, max, entry, counters, zero, sites, name, hash,
	ordinal, file, rank. Machine IR Profiles: size, covered_bytes, missed_bytes, covered_share, blocks, merge_count,
	call_count, weight, avg_timestamp, name, address, index. Sample profiles: total, head, entry, body, sum, max,
	own, inlined, inlined_at, inlinees, calls, contexts, places, lost, name. Default: the default order; for Machine
	IR -size, for sample profiles -total.
	?w bytes|allocations|lifetime|accesses =bytes: For folded: the weight of a stack.
	>200 TableExport|Speedscope|DCPIFile table sqlite bytes: The profile.
	+Proflens-Indexed-Version integer: profdata: the indexed version.
	+Proflens-Finding: profdata and order: what was left out and what clang will not match. One header per finding.
	>409 Problem: The profile is not decoded yet, or the indexed version cannot hold all of it.
	>304 400 404 410 422`

// getExport is GET /profiles/{id}/export/{format}.
func (s *server) getExport(w http.ResponseWriter, r *http.Request) error {
	e, err := exports.Find(chi.URLParam(r, "format"))
	if err != nil {
		return &site.Absent{Title: "No such export", Detail: err.Error()}
	}
	if e.Of != "" {
		export := s.exportTable
		if e.Of == exports.SQLite {
			export = site.NoParams(s.exportSQLite)
		}
		s.Open(s.API, s.NotReady)(s.API(export)).ServeHTTP(w, r)
		return nil
	}
	v := site.NewValues(r.URL.Query(), optionNames(e))
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

// exportCall is its route: it takes the options of all formats, and what tables do.
func (s *server) exportCall() site.Call {
	own := slices.Clone(tableExportKeys)
	for _, o := range exports.AllOptions {
		own = append(own, o.Name)
	}
	c := s.Call(s.getExport, getExportSays, own...)
	for _, f := range s.Families {
		for _, t := range tables.Of([]model.Family{f.Name}) {
			c.Said = append(c.Said, site.Said{Keys: exportKeys(f.Tables[t.Name].Keys), Declared: f.Tables[t.Name].Says, Of: f})
		}
		c.Said = append(c.Said, site.Said{Keys: own, Of: f}) // some options are a family's
	}
	return c
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
	if err := s.decodes.Take(ctx); err != nil {
		return err
	}
	// The answer is made as fast as it can be, and sent as fast as it is read.
	waiting := buffer.New(s.Store.Scratch)
	out := &site.CountedWriter{Writer: site.ContextWriter{Context: ctx, Writer: w}}
	sent := make(chan error, 1)
	begun := false
	nothing := "this profile has nothing to write in this format"
	err := s.Originals.Export(ctx, entry.Files, e.Name, o, func(head tasks.Head) (io.Writer, error) {
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
		go func() { sent <- recovery.Do(func() error { return waiting.CopyTo(out) }) }()
		return waiting, nil
	})
	s.decodes.Give()
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

const getOriginalSays = `
	downloads getOriginal: The uploaded file, unpacked
	Several files come as one zip.
	?file: Picks one of several files by name or by number, from 0.
	>200 bytes zip: The bytes.
	>206: A part of the bytes.
	>304 400 404 410`

// getOriginal is GET /profiles/{id}/original: the file as it was uploaded,
// after unpacking. Several files come as one zip; file=NAME or file=N, from 0,
// picks one.
func (s *server) getOriginal(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), fileKeys)
	if v.Err != nil {
		return v.Err
	}
	e := s.Entry(r)
	files := e.Files
	if pick := v.One("file"); pick != "" {
		i := site.PickFile(files, pick)
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
