// Package handlers is the HTTP side: the route table, uploads, and the pages and
// calls that are the same for every profile. It reads profiles only through
// [site.Store] and [site.Originals].
//
//	site                                what every page and call needs; Family
//	middleware                          what every request passes
//	anatomyweb                          what files are made of: sections, fields, bytes, findings
//	instrweb memprofweb mipweb dcpiweb  the pages and the API of one family each
//	metrics                             what the operator reads at /metrics
//	openapi                             the document of the API, made from the routes
//	webtest                             the whole server, for tests
//
// A handler returns an error; [site.Site.Page] and [site.Site.API] turn it into an
// HTML page or into problem+json, by the one table of package site.
package handlers

import (
	"cmp"
	"net/http"
	"slices"
	"sync"

	"github.com/go-chi/chi/v5"

	"proflens/encode"
	"proflens/handlers/anatomyweb"
	"proflens/handlers/covweb"
	"proflens/handlers/dcpiweb"
	"proflens/handlers/gateweb"
	"proflens/handlers/instrweb"
	"proflens/handlers/manual"
	"proflens/handlers/memprofweb"
	"proflens/handlers/middleware"
	"proflens/handlers/mipweb"
	"proflens/handlers/nameweb"
	"proflens/handlers/projectweb"
	"proflens/handlers/rankweb"
	"proflens/handlers/sampleweb"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
)

// server is the site with what its own pages need.
type server struct {
	*site.Site
	naming   *nameweb.Handler
	anatomy  *anatomyweb.Handler
	previews site.Decoded[previewOf, *encode.ProfdataPreview]
	decodes  site.Slots // held by a request that has originals decoded
	uploads  site.Slots // held by a request that brings files
	cards    site.Slots // held while a picture is drawn
	renders  renders
	counts   *counts
	routes   chi.Router

	describe  sync.Once // of the API
	described []byte

	example sync.Mutex // held while an example becomes a profile
}

// How many requests may have originals decoded, and bring files, at once.
const (
	defaultDecodes = 2
	defaultUploads = 64
)

// New makes the whole HTTP interface.
func New(c site.Config) http.Handler { return newServer(c).handler() }

// Probes makes what is left of it for a process that only decodes: whether it is well,
// and its metrics.
func Probes(c site.Config) http.Handler {
	s := newServer(c)
	r := chi.NewRouter()
	r.Use(middleware.HeadAsGet)
	r.NotFound(s.API(func(http.ResponseWriter, *http.Request) error { return site.ErrNoRoute }))
	s.probes(r)
	s.routes = r
	return s.handler()
}

// probes are the routes for those who look after a server.
func (s *server) probes(r chi.Router) {
	r.Handle("GET /healthz", s.Call(s.healthz, healthzSays))
	r.Handle("GET /readyz", s.Call(s.readyz, readyzSays))
	r.Handle("GET /version", s.Call(s.version, versionSays))
	r.Handle("GET /metrics", s.Call(s.getMetrics, getMetricsSays))
}

func newServer(c site.Config) *server {
	s := &server{
		Site:    site.New(c),
		decodes: make(site.Slots, cmp.Or(c.Decodes, defaultDecodes)),
		uploads: make(site.Slots, cmp.Or(c.MaxUploads, defaultUploads)),
		cards:   make(site.Slots, cards),
	}
	s.counts = newCounts(append(s.slots(), c.Measures...))
	s.Families = []*site.Family{
		instrweb.Family(s.Site),
		covweb.Family(s.Site),
		mipweb.Family(s.Site),
		sampleweb.Family(s.Site),
		dcpiweb.Family(s.Site),
		memprofweb.Family(s.Site),
		sourceweb.Family(s.Site),
		rankweb.Family(s.Site),
	}
	s.anatomy = &anatomyweb.Handler{Site: s.Site, Decodes: s.decodes}
	s.naming = &nameweb.Handler{Site: s.Site, Answer: s.answerProfile}
	s.routes = s.router()
	return s
}

// handler wraps the routes in the middleware that must see every request,
// outermost first.
func (s *server) handler() http.Handler {
	h := s.AfterStoring(s.routes)
	h = s.private(h)
	if s.BasePath != "" {
		h = middleware.BasePath(s.Site, middleware.Recover(s.Site, h)) // so that the page of a fault is below it too
	}
	h = middleware.CrossOrigin(s.Site, h)
	h = middleware.LimitRate(s.Site, h)
	h = middleware.Compress(h)
	h = s.OwnHost(h)
	h = middleware.SecurityHeaders(h)
	h = middleware.Recover(s.Site, h)
	h = middleware.AccessLog(s.Site, s.counts.request, h)
	h = s.Arrive(h)
	h = site.RequestID(h)
	return middleware.Deadlines(s.Site, h)
}

// router is the route table: the tree of resources, as addresses.
func (s *server) router() chi.Router {
	r := chi.NewRouter()
	r.Use(middleware.HeadAsGet, middleware.Within(cmp.Or(s.TransferTimeout, site.DefaultTransferTimeout)),
		middleware.Budget)
	r.NotFound(s.Page(s.notFound))
	r.MethodNotAllowed(s.Page(s.methodNotAllowed))

	docs := manual.New(s.Site, s.document, s.commands)
	s.Serve(r.Get, map[string]site.Handler{
		"/":                        s.homePage,
		"/compare":                 s.choosePage,
		"/compare/{pair}":          s.withProgress(s.compared(s.comparePage), s.waitingForComparison),
		"/compare/{pair}/card.png": s.compared(s.comparedCard),
		"/merge":                   s.mergePage,
		"/login":                   s.loginPage,
		"/docs":                    site.NoParams(docs.Index),
		"/docs/":                   site.NoParams(docs.Index),
		"/docs/{name}":             site.NoParams(docs.Read),
		"/static/*":                s.staticFile,
		"/favicon.ico":             s.staticFile,
	})
	s.Serve(r.Post, map[string]site.Handler{
		"/upload":         s.uploadForm,
		"/merge":          s.mergeForm,
		"/theme":          s.SetTheme,
		"/library":        s.KeepLibrary,
		"/login":          s.loginForm,
		"/logout":         s.logoutForm,
		"/samples/{name}": s.openExample,
	})
	r.Handle("PUT /{id}", s.Call(s.putFile, putFileAtRootSays, uploadKeys...)) // curl -T: {id} is a file's name
	for _, path := range s.comparedPaths(comparedPages) {
		r.Get("/compare/{pair}"+path, s.Page(s.withProgress(s.belowCompared(path, comparedPages), s.waitingForComparison)))
	}
	projects := projectweb.New(s.Site)
	r.Route("/projects", projects.Pages)

	s.probes(r)

	r.Route("/p/{id}", func(r chi.Router) {
		r.Use(s.Load(s.Page))
		s.Serve(r.Get, map[string]site.Handler{"/labels": site.NoParams(s.naming.Page), "/delete": s.deletePage})
		s.Serve(r.Post, map[string]site.Handler{
			"/labels":  s.naming.Form,
			"/delete":  s.deleteForm,
			"/salvage": s.salvageForm,
			"/files":   s.postFiles,
			"/sources": s.postSources,
		})
		r.With(s.Open(s.Page, s.undecodedDiagnostics)).Get("/diagnostics", s.Page(s.anatomy.DiagnosticsPage))
		r.With(s.Open(s.Page, s.anatomy.RawPage)).Get("/raw", s.Page(s.anatomy.RawPage))
		card := site.NoParams(s.card)
		r.With(s.Open(s.Page, card)).Get("/card.png", s.Page(card))
		r.Group(func(r chi.Router) {
			// What has no tables yet is answered by the status page.
			r.Use(s.Open(s.Page, s.statusPage))
			s.Serve(r.Get, map[string]site.Handler{
				"/downloads":  s.downloadsPage,
				"/convert":    s.downloadsPage, // its former address
				"/binary-ids": binaryIDs.Serve(s.Site),
			})
			for _, path := range s.Paths(site.PagesOf) {
				r.Get(path, s.Page(s.withProgress(s.ByFamily(path, site.PagesOf), s.waitingForProfile)))
			}
			for _, path := range s.Paths(site.PostsOf) {
				r.Post(path, s.Page(s.ByFamily(path, site.PostsOf)))
			}
		})
		r.NotFound(s.Open(s.Page, s.notFound)(s.Page(s.notFound)).ServeHTTP)
	})

	r.Route("/api/v1", func(r chi.Router) {
		r.Handle("GET /openapi.json", s.Call(s.openAPI, openAPISays+objectsSay))
		pair := []string{"base", "test"}
		r.Handle("GET /compare", s.comparedCall(s.getComparePair, "", getComparePairSays,
			slices.Concat(pair, site.CompareKeys)...))
		r.Handle("GET /compare/tree", s.comparedCall(s.belowComparePair("/tree"), "/tree", compareTreeSays, pair...))
		gates := &gateweb.Handler{Site: s.Site}
		r.Handle("GET /compare/gate", s.Call(gates.Get, gateweb.GetSays, gateweb.Keys...))
		r.Handle("POST /compare/gate", s.Call(gates.Post, gateweb.PostSays, gateweb.Keys...))
		r.Handle("GET /compare/{pair}", s.comparedCall(s.compared(s.getCompare), "", getCompareSays, site.CompareKeys...))
		for _, path := range s.comparedPaths(comparedAPI) {
			r.Handle("GET /compare/{pair}"+path, s.comparedCall(s.belowCompared(path, comparedAPI), path, ""))
		}
		r.Handle("POST /recognise", s.Call(s.postRecognise, postRecogniseSays))
		r.Handle("POST /merge", s.Call(s.postMerge, postMergeSays, waitKeys...))
		r.Route("/projects", projects.API)
		r.Route("/profiles", func(r chi.Router) {
			r.Handle("GET /", s.Call(s.listProfiles, listProfilesSays, listKeys...))
			r.Handle("POST /", s.Call(s.postProfiles, postProfilesSays, uploadKeys...))
			r.Route("/{id}", func(r chi.Router) {
				r.Handle("PUT /", s.Call(s.putFile, putFileSays, uploadKeys...)) // here {id} is a file's name
				r.Group(func(r chi.Router) {
					r.Use(s.Load(s.API))
					r.Handle("GET /", s.Call(s.getProfile, getProfileSays, profileKeys...))
					r.Handle("PATCH /", s.Call(site.NoParams(s.naming.Patch), nameweb.Says))
					r.Handle("DELETE /", s.Call(site.NoParams(s.deleteProfile), deleteProfileSays))
					r.Handle("POST /files", s.Call(s.postFiles, postFilesSays, uploadKeys...))
					r.Handle("POST /sources", s.Call(s.postSources, postSourcesSays, "filename"))
					r.Handle("GET /sources", s.Call(s.getSources, getSourcesSays, fileKeys...))
					r.Handle("DELETE /sources", s.Call(site.NoParams(s.deleteSources), deleteSourcesSays))
					r.Handle("POST /salvage", s.Call(s.postSalvage, postSalvageSays, waitKeys...))
					r.Handle("GET /original", s.Call(s.getOriginal, getOriginalSays, fileKeys...))
					r.Handle("GET /anatomy", s.Call(s.anatomy.Get, anatomyweb.GetSays, anatomyweb.Keys...))
					r.Handle("GET /diagnostics", s.Call(site.NoParams(s.getDiagnostics), getDiagnosticsSays))
					r.Handle("GET /export/{format}", s.exportCall())
					r.Handle("GET /convert", s.Call(s.getConvert, getConvertSays, convertKeys...))
					r.Group(func(r chi.Router) {
						r.Use(s.Open(s.API, s.NotReady))
						ids := binaryIDs.Export(s.Site)
						r.Handle("GET /binary-ids", site.Call{
							Handler: s.API(s.Listed("-binary-ids", ids)),
							Said:    []site.Said{{Keys: ids.Keys, Says: binaryIDsSay, Declared: ids.Says}},
						})
						for _, path := range s.Paths(site.ApiRoutesOf) {
							r.Handle("GET "+path, s.CallOf(path, site.ApiRoutesOf))
						}
						for _, path := range s.Paths(site.PostsOf) {
							r.Handle("POST "+path, s.CallOf(path, site.PostsOf))
						}
					})
				})
			})
		})
	})
	return r
}
