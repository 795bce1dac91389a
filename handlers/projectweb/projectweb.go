// Package projectweb is the pages and the API of projects: their builds, how measures of
// these went over time, what the newest of a branch is, and the rules of the gate.
package projectweb

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/builds"
	"proflens/catalog/projects"
	"proflens/handlers/site"
)

// Room answers for the addresses below /projects.
type Room struct {
	*site.Site
	keeper *builds.Keeper
}

// New makes the room of a server's projects. Without Config.Builds there are none.
func New(s *site.Site) *Room { return &Room{s, s.Builds} }

// Pages are the routes below /projects.
func (s *Room) Pages(r chi.Router) {
	r.Use(fewer)
	r.Get("/", s.Page(s.listPage))
	r.Get("/{project}", s.Page(s.orAPI(s.overviewPage, "trends")))
	r.Get("/{project}/builds", s.Page(s.orAPI(s.buildsPage, "builds")))
	r.Get("/{project}/builds/{commit}", s.Page(s.orAPI(s.buildPage, "builds")))
	r.Get("/{project}/branches", s.Page(s.orAPI(s.branchesPage)))
	r.Get("/{project}/gate", s.Page(s.orAPI(s.gatePage, "gate")))
	r.Get("/{project}/rules", s.Page(s.rulesPage))
	r.Post("/{project}/rules", s.Page(s.rulesForm))
	r.Get("/{project}/latest/{branch}", s.Page(s.latestPage))
	r.Get("/{project}/badge/{branch}", s.Page(s.badge))
}

// API is the routes below /api/v1/projects.
func (s *Room) API(r chi.Router) {
	r.Use(fewer)
	r.Get("/", s.Site.API(s.getProjects))
	r.Get("/{project}", s.Site.API(s.getProject))
	r.Get("/{project}/builds", s.Site.API(s.getBuilds))
	r.Get("/{project}/builds/{commit}", s.Site.API(s.getBuild))
	r.Get("/{project}/builds/{commit}/runs", s.Site.API(s.getRuns))
	r.Get("/{project}/trends", s.Site.API(s.getTrends))
	r.Get("/{project}/latest/{branch}", s.Site.API(s.getLatest))
	r.Get("/{project}/gate", s.Site.API(s.getGate))
	r.Get("/{project}/rules", s.Site.API(s.getRules))
	r.Put("/{project}/rules", s.Site.API(s.putRules))
}

// orAPI leads a page that is asked for with format= to the call that has the same.
func (s *Room) orAPI(h site.Handler, below ...string) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q := r.URL.Query()
		if !q.Has("format") {
			return h(w, r)
		}
		for key := range q {
			if q.Get(key) == "" && key == "format" || key == "view" || key == "format" && q.Get(key) == "json" &&
				!slices.Contains(below, "trends") {
				q.Del(key)
			}
		}
		to := apiOf(part(r, "project"), below...)
		if commit := part(r, "commit"); commit != "" {
			to += "/" + escaped(commit)
		}
		http.Redirect(w, r, strings.TrimSuffix(to+"?"+q.Encode(), "?"), http.StatusSeeOther)
		return nil
	}
}

// store asks the catalog about projects; a server without them has no such address.
func (s *Room) store() (*projects.Store, error) {
	if s.keeper == nil {
		return nil, site.ErrNoRoute
	}
	return s.Store.Projects(), nil
}

// fresh keeps an answer from being kept: builds come, and their figures after them.
func fresh(w http.ResponseWriter) { w.Header().Set("Cache-Control", "no-store") }
