// Package handlers is the HTTP side: routes, parameters, errors, uploads, the
// JSON API, and what the pages are made from. It knows nothing of file formats
// and reads profiles only through [Store] and [Originals].
//
// A handler returns an error; page and api turn it into an HTML page or into
// problem+json, by the one table in errors.go.
package handlers

import (
	"cmp"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
)

// server is the site with what its own pages need.
type server struct {
	*Site
	anatomies anatomies
	outlooks  outlooks
	decodes   chan struct{} // held by a request that decodes originals
	metrics   *metrics
	routes    chi.Router

	sampling sync.Mutex // held while a sample becomes a profile
}

// parallelDecodes is how many requests may decode originals at once.
const parallelDecodes = 2

// New makes the whole HTTP interface.
func New(c Config) http.Handler { return newServer(c).handler() }

func newServer(c Config) *server {
	s := &server{
		Site:    newSite(c),
		decodes: make(chan struct{}, parallelDecodes),
		metrics: newMetrics(prometheus.NewRegistry()),
	}
	s.families = []*family{instrFamily(s.Site), mipFamily(s.Site), dcpiFamily(s.Site), memprofFamily(s.Site)}
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
	for _, f := range s.families {
		for _, own := range f.sitePages {
			r.Get(own.path, s.page(own.answer))
		}
	}
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
		for _, f := range s.families {
			for _, own := range f.siteAPI {
				r.Get(own.path, s.api(own.answer))
			}
		}
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
