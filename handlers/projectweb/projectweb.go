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

// Handler answers for the addresses below /projects.
type Handler struct {
	*site.Site
	measurer *builds.Measurer
}

// New makes the handler of a server's projects. Without Config.Builds there are none.
func New(s *site.Site) *Handler { return &Handler{s, s.Builds} }

// Pages are the routes below /projects.
func (s *Handler) Pages(r chi.Router) {
	r.Use(fewer)
	s.Serve(r.Get, map[string]site.Handler{
		"/":                          site.NoParams(s.listPage),
		"/{project}":                 s.orAPI(s.overviewPage, "trends"),
		"/{project}/builds":          s.orAPI(s.buildsPage, "builds"),
		"/{project}/builds/{commit}": s.orAPI(s.buildPage, "builds"),
		"/{project}/branches":        s.orAPI(s.branchesPage),
		"/{project}/gate":            s.orAPI(s.gatePage, "gate"),
		"/{project}/rules":           site.NoParams(s.rulesPage),
		"/{project}/latest/{branch}": s.latestPage,
		"/{project}/badge/{branch}":  s.badge,
	})
	s.Serve(r.Post, map[string]site.Handler{"/{project}/rules": s.rulesForm, "/{project}/trends": s.stepForm})
}

// The parameters of the calls.
var (
	projectsKeys = []string{"limit"}
	buildKeys    = []string{"branch", "workload"}
	buildsKeys   = strings.Fields("branch workload q limit format")
	runsKeys     = strings.Fields("branch workload kind limit format")
	trendKeys    = []string{"branch", "workload", "measure", "format"}
	latestKeys   = []string{"workload", "kind"}
)

// API is the routes below /api/v1/projects.
func (s *Handler) API(r chi.Router) {
	r.Use(fewer)
	r.Handle("GET /", s.Call(s.getProjects, `projects listProjects: List projects, that with the newest profile first
		Those with a listed profile. The list ends at limit; it has no further pages.
		?limit integer 1..1000 =1000: Maximum number of projects.
		>200 ProjectList: The projects.
		>400`+objectsSay, projectsKeys...))
	r.Handle("GET /{project}", s.Call(site.NoParams(s.getProject), `projects getProject: The branches of a project
		Each with its newest build, that with the newest first. Slashes of a name may stay as they are: owner/name.
		Where a name has a word of these addresses as a part, such as owner/builds, they are written %2F.
		>200 ProjectDetail: The project.
		>400 404`))
	r.Handle("GET /{project}/builds", s.Call(s.getBuilds, `
		projects listBuilds: List the builds of a project, the newest first
		A build is the profiles of one commit, on a branch, under a workload. An empty branch or workload selects what
		has no such label. CSV has all builds unless a limit is given.
		?branch: Branch.
		?workload: Workload that the program ran.
		?q: Part of the commit, the branch, the workload or the subject.
		?limit integer 1..1000 =100: Maximum number of rows.
		?format json|csv: Without it Accept decides.
		>200 BuildList csv: The builds.
		>400 404`, buildsKeys...))
	r.Handle("GET /{project}/builds/{commit}", s.Call(s.getBuild, `projects getBuild: One build, with its figures
		Figures are by the keys of measures: those of its profiles, and against the build before.
		?branch: Branch.
		?workload: Workload that the program ran.
		>200 Build: The build.
		>400 404`, buildKeys...))
	r.Handle("GET /{project}/builds/{commit}/runs", s.Call(s.getRuns, `
		projects getRuns: What the runs of a build disagree on
		Of each family with several profiles of the commit whose functions can be ranked: functions that one run
		executed, and that in another never ran or were cold. At most eight runs, the newest. As CSV, a line for each
		function and run.
		?branch: Branch.
		?workload: Workload that the program ran.
		?kind: Family; without it, all.
		?limit integer 1..1000 =100: Maximum number of rows.
		?format json|csv: Without it Accept decides.
		>200 RunsList csv: The families.
		>400 404`, runsKeys...))
	r.Handle("GET /{project}/trends", s.Call(s.getTrends, `projects getTrends: Measures over the builds of a branch
		The oldest build first. Without branch, the trunk (main, master or trunk) or else the branch of the newest
		build; without workload, that of the newest build. A figure that is null is not there: what has not been
		measured yet is pending. A step is a build with which the level moved and stayed.
		?branch: Branch.
		?workload: Workload that the program ran.
		?measure: One measure, such as coverage.coverage, instr.overlap or size; without it, all that some build has.
		The family may be left out.
		?format json|csv: Without it Accept decides.
		>200 TrendList csv: The trends.
		>400 404`, trendKeys...))
	r.Handle("GET /{project}/latest/{branch}", s.Call(s.getLatest, `projects getLatest: The newest build of a branch
		A slash and a commit, or its first characters, may follow the branch: the build of that commit. Slashes of a
		branch may stay as they are; what is the name of a branch is one.
		?workload: Workload that the program ran.
		?kind: Family: leads to the newest profile of it.
		>200 Build: The build.
		>307: With kind: the way to its newest profile of that family.
		+Location: Where it leads.
		>400 404`, latestKeys...))
	r.Handle("GET /{project}/gate", s.Call(s.getGate, `
		projects getProjectGate: What the rules of a project say of the newest build
		It is judged against the build before. Also where a rule fails the status is 200, and passed is false. While
		pending is true, figures that rules need are still being measured.
		?branch: Branch.
		?workload: Workload that the program ran.
		>200 ProjectGate: The report.
		>400 404 422`, buildKeys...))
	r.Handle("GET /{project}/rules", s.Call(site.NoParams(s.getRules), `projects getRules: The rules of a project
		Its proflens.toml.
		>200 text: The rules.
		>400 404`))
	r.Handle("PUT /{project}/rules", s.Call(site.NoParams(s.putRules), `projects putRules: Set the rules of a project
		Sends a proflens.toml, which is read first. An empty body has them forgotten.
		<text
		>204: They are kept.
		>400 401 403 413`))
}

// orAPI leads a page that is asked for with format= to the call that has the same.
func (s *Handler) orAPI(h site.Handler, below ...string) site.Handler {
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
		return site.Forward(w, r, strings.TrimSuffix(to+"?"+q.Encode(), "?"))
	}
}

// store asks the catalog about projects; a server without them has no such address.
func (s *Handler) store() (*projects.Store, error) {
	if s.measurer == nil {
		return nil, site.ErrNoRoute
	}
	return s.Store.Projects(), nil
}
