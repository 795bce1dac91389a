// Package handlers is the HTTP side: routes, parameters, errors, uploads, the
// JSON API, and what the pages are made from. It knows nothing of file formats
// and reads profiles only through [Store] and [Originals].
//
// A handler returns an error; page and api turn it into an HTML page or into
// problem+json, by the one table in errors.go.
package handlers

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	"proflens/catalog"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/ingest"
	"proflens/names"
	"proflens/profiledb/stored"
)

// Store is what the handlers need of the store.
type Store interface {
	// Entry returns catalog.ErrNotFound or *catalog.GoneError.
	Entry(ctx context.Context, id string) (*catalog.Entry, error)
	List(ctx context.Context, q catalog.ListQuery) (catalog.ListPage, error)
	Delete(ctx context.Context, id string) error
	CheckDeleteToken(ctx context.Context, id, token string) (bool, error)
	// Open opens the tables of a ready profile, or the preview of one that is
	// being decoded; catalog.ErrNotFound when there is neither.
	Open(ctx context.Context, e *catalog.Entry) (*stored.Profile, error)
	// Salvage has a failed profile decoded again with the beginnings of files
	// that end too soon; catalog.ErrNotFailed for another.
	Salvage(ctx context.Context, id string) (*catalog.Entry, error)
	// Rebuild has tables made again that proved damaged while they were read.
	Rebuild(ctx context.Context, id string) error
	// StagingDir is a folder for temporary files, swept at start.
	StagingDir() string
	// OpenObject opens an original by its SHA-256.
	OpenObject(sha256 string) (*os.File, error)
}

// Ingest takes uploads.
type Ingest interface {
	Begin() (Batch, error)
	// Wait returns when the profile is ready or failed, or with the context's error.
	Wait(ctx context.Context, id string) (*catalog.Entry, error)
	Progress(id string) ingest.Progress
}

// Batch is the files of one upload. It must be ended by Commit, AddTo or Discard.
type Batch interface {
	Add(ctx context.Context, filename string, r io.Reader) error
	Commit(ctx context.Context, r ingest.Request) ([]ingest.Accepted, error)
	AddTo(ctx context.Context, id string, salvage bool) (ingest.Accepted, error)
	Discard()
}

// Originals reads a profile's files again.
type Originals interface {
	// Source decodes them as one profile; the closer releases the files.
	Source(ctx context.Context, files []catalog.FileEntry) (*format.Profile, io.Closer, error)
	// Anatomy is the layout of one file. A fault in the file is a finding in
	// it; the error is for a file that cannot be read at all.
	Anatomy(ctx context.Context, file catalog.FileEntry) (*model.Anatomy, error)
	// Fields are those of a section from number from on; none where the file
	// has no such section.
	Fields(ctx context.Context, file catalog.FileEntry, section string, from uint64) ([]model.Section, error)
}

// Version is what this program is.
type Version struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Schema  int    `json:"schema"`  // of a profile's tables
	Decoder int    `json:"decoder"` // of the decoders
}

// Config is what the handlers are wired to. Store, Ingest and Originals are
// required.
type Config struct {
	Store     Store
	Ingest    Ingest
	Originals Originals

	UploadToken       string // when set, uploading needs it
	MaxUpload         int64  // bytes of one request; 0 is no limit
	MaxExpanded       int64  // bytes of one request's archives once unpacked; told on the home page
	TTL               time.Duration
	DefaultVisibility catalog.Visibility
	Limits            []Limit // for the page of limits
	Version           Version
	Log               *slog.Logger // nil discards
	// Stopping is done when the server is about to stop; uploads then no longer
	// wait for decoding. Nil never is.
	Stopping context.Context

	// RequestTimeout ends pages and API answers, TransferTimeout uploads and
	// downloads; IdleTimeout ends either when the other side stops reading or
	// writing. Zero means the defaults of middleware_timeout.go.
	RequestTimeout, TransferTimeout, IdleTimeout time.Duration
}

// server is what the handlers share. Page handlers are methods on it of the
// form handler, hung into routes by s.page.
type server struct {
	Config
	names     *names.Cache
	families  []*family // in the order in which they answer for a profile of several
	anatomies anatomies
	outlooks  outlooks
	decodes   chan struct{} // held by a request that decodes originals
	metrics   *metrics
	routes    chi.Router
	build     string // names this program in ETags

	sampling sync.Mutex // held while a sample becomes a profile
}

// handler is a page or an API call. It has written nothing when it returns an
// error, or else the answer is cut off.
type handler func(w http.ResponseWriter, r *http.Request) error

// nameCacheBytes bounds the demangled names kept between requests.
const nameCacheBytes = 64 << 20

// parallelDecodes is how many requests may decode originals at once.
const parallelDecodes = 2

// New makes the whole HTTP interface.
func New(c Config) http.Handler { return newServer(c).handler() }

func newServer(c Config) *server {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &server{
		Config:  c,
		names:   names.NewCache(nameCacheBytes),
		decodes: make(chan struct{}, parallelDecodes),
		metrics: newMetrics(prometheus.NewRegistry()),
	}
	if s.build = c.Version.Version; strings.HasPrefix(s.build, "devel") {
		s.build += time.Now().Format(time.RFC3339Nano) // the next build has the same name and other answers
	}
	s.families = []*family{s.instrFamily(), s.mipFamily(), s.dcpiFamily(), s.memprofFamily()}
	s.routes = s.router()
	return s
}

// handler wraps the routes in the middleware that must see every request,
// outermost first.
func (s *server) handler() http.Handler {
	var h http.Handler = s.routes
	h = s.crossOrigin(h)
	h = compress(h)
	h = securityHeaders(h)
	h = s.recoverer(h)
	h = s.accessLog(h)
	h = requestID(h)
	return s.deadlines(h)
}

// router is the route table: the tree of resources, as addresses.
func (s *server) router() chi.Router {
	r := chi.NewRouter()
	r.Use(headAsGet, within(cmp.Or(s.TransferTimeout, defaultTransferTimeout)))
	r.NotFound(s.page(s.notFound))
	r.MethodNotAllowed(s.page(s.methodNotAllowed))

	r.Get("/", s.page(s.homePage))
	r.Put("/{id}", s.api(s.putFile)) // curl -T: {id} is a file's name
	r.Post("/upload", s.page(s.uploadForm))
	r.Get("/compare", s.page(s.choosePage))
	r.Get("/compare/{pair}", s.page(s.comparePage))
	r.Get("/compare/{pair}/tree", s.page(s.compareTreePage))
	r.Post("/merge", s.page(s.mergeForm))
	r.Post("/theme", s.page(s.setTheme))
	r.Post("/samples/{name}", s.page(s.openSample))
	r.Get("/docs", s.page(s.docsIndex))
	r.Get("/docs/", s.page(s.docsIndex))
	r.Get("/docs/{name}", s.page(s.docsPage))
	r.Get("/static/*", s.page(s.staticFile))
	r.Get("/favicon.ico", s.page(s.staticFile))

	r.Get("/healthz", s.api(s.healthz))
	r.Get("/readyz", s.api(s.readyz))
	r.Get("/version", s.api(s.version))
	r.Get("/metrics", s.api(s.getMetrics))

	r.Route("/p/{id}", func(r chi.Router) {
		r.Use(s.load(s.page))
		r.Get("/delete", s.page(s.deletePage))
		r.Post("/delete", s.page(s.deleteForm))
		r.Post("/salvage", s.page(s.salvageForm))
		r.Post("/files", s.page(s.postFiles))
		r.With(s.open(s.page, s.undecodedDiagnostics)).Get("/diagnostics", s.page(s.diagnosticsPage))
		r.With(s.open(s.page, s.rawPage)).Get("/raw", s.page(s.rawPage))
		r.With(s.open(s.page, s.statusPage)).Get("/convert", s.page(s.convertPage))
		r.Group(func(r chi.Router) {
			// What has no tables yet is answered by the status page.
			r.Use(s.open(s.page, s.statusPage))
			for _, path := range s.paths(pagesOf) {
				r.Get(path, s.page(s.byFamily(path, pagesOf)))
			}
			r.Get("/binary-ids", s.page(s.binaryIDsPage))
		})
	})

	r.Route("/api/v1", func(r chi.Router) {
		r.Get("/openapi.json", s.api(s.openAPI))
		r.Get("/compare", s.api(s.getCompare))
		r.Get("/compare/tree", s.api(s.getCompareTree))
		r.Post("/merge", s.api(s.postMerge))
		r.Route("/profiles", func(r chi.Router) {
			r.Get("/", s.api(s.listProfiles))
			r.Post("/", s.api(s.postProfiles))
			r.Route("/{id}", func(r chi.Router) {
				r.Put("/", s.api(s.putFile)) // here {id} is a file's name
				r.Group(func(r chi.Router) {
					r.Use(s.load(s.api))
					r.Get("/", s.api(s.getProfile))
					r.Delete("/", s.api(s.deleteProfile))
					r.Post("/files", s.api(s.postFiles))
					r.Post("/salvage", s.api(s.postSalvage))
					r.Get("/original", s.api(s.getOriginal))
					r.Get("/anatomy", s.api(s.getAnatomy))
					r.Get("/diagnostics", s.api(s.getDiagnostics))
					r.Get("/export/{format}", s.api(s.getExport))
					r.Get("/convert", s.api(s.getConvert))
					r.Group(func(r chi.Router) {
						r.Use(s.open(s.api, s.notReady))
						r.Get("/binary-ids", s.api(s.listBinaryIDs))
						for _, path := range s.paths(apiRoutesOf) {
							r.Get(path, s.api(s.byFamily(path, apiRoutesOf)))
						}
					})
				})
			})
		})
	})
	return r
}
