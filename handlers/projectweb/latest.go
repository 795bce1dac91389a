package projectweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"proflens/builds"
	"proflens/catalog/projects"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
)

// noBuild is the answer where a project has no such build.
func noBuild(project, which string) error {
	return &site.Absent{
		Title: "No such build", Detail: fmt.Sprintf("%s has no listed build %s", humanize.Printable(project),
			humanize.Printable(which)),
	}
}

// latestPage is GET /projects/{project}/latest/{branch}[/{commit}]?workload=&kind=: it leads
// to the build's page or, with kind=, to its profile of that family.
func (s *Handler) latestPage(w http.ResponseWriter, r *http.Request) error {
	l, err := s.latest(r)
	if err != nil {
		return err
	}
	site.NoStore(w)
	to := l.pageOf(l.build)
	if l.profile != nil {
		to = site.PageOf(l.profile.ID)
	}
	return site.SeeOther(w, r, to)
}

// getLatest is the same in the API: the build or, with kind=, the way to the profile.
func (s *Handler) getLatest(w http.ResponseWriter, r *http.Request) error {
	l, err := s.latest(r)
	if err != nil {
		return err
	}
	site.NoStore(w)
	if l.profile != nil {
		http.Redirect(w, r, site.APIOf(l.profile.ID), http.StatusTemporaryRedirect)
		return nil
	}
	return site.WriteJSON(w, s.buildObject(l.project, l.build))
}

// latest is what an address below latest leads to.
type latest struct {
	*history
	build   *builds.Build
	profile *projects.Profile // of the family that was asked for; else nil
}

// latest finds the newest build of a branch, or its build of a commit. What follows latest
// is a branch if there is one of that name, else a branch and a commit.
func (s *Handler) latest(r *http.Request) (*latest, error) {
	v := site.NewValues(r.URL.Query(), latestKeys)
	name, kind := part(r, "branch"), v.One("kind")
	if v.Err != nil {
		return nil, v.Err
	}
	if known := s.kinds(); kind != "" && !slices.Contains(known, kind) {
		return nil, &site.ParamError{
			Param: "kind", Msg: fmt.Sprintf("unknown value %q; use one of %s", kind, strings.Join(known, ", ")),
		}
	}
	h, commit, err := s.branchOf(r.Context(), part(r, "project"), name)
	if err != nil {
		return nil, err
	}
	list := h.list
	if v.Query.Has("workload") {
		list = slices.DeleteFunc(slices.Clone(list), func(b *builds.Build) bool { return b.Workload != v.One("workload") })
	}
	l := &latest{history: h}
	if commit != "" {
		l.build = builds.Find(list, commit)
	}
	for _, b := range slices.Backward(list) {
		if commit == "" && (kind == "" || b.Of(model.Family(kind)) != nil) {
			l.build = b
			break
		}
	}
	which := "on the branch " + name
	if v.Query.Has("workload") {
		which += " with the workload " + v.One("workload")
	}
	if l.build == nil && kind != "" && commit == "" {
		return nil, noBuild(h.project, which+" with a profile of the kind "+kind)
	}
	if l.build == nil {
		return nil, noBuild(h.project, which)
	}
	if kind != "" {
		if l.profile = l.build.Of(model.Family(kind)); l.profile == nil {
			return nil, noBuild(h.project, which+" with a profile of the kind "+kind)
		}
	}
	return l, nil
}

// branchOf reads the builds of a branch; where there is none of that name, of the branch
// before its last slash, and the commit behind it.
func (s *Handler) branchOf(ctx context.Context, project, name string) (h *history, commit string, err error) {
	h, err = s.history(ctx, project, map[string]string{projects.Branch: name})
	if err != nil || len(h.list) > 0 {
		return h, "", err
	}
	at := strings.LastIndexByte(name, '/')
	if at <= 0 || at == len(name)-1 {
		return nil, "", noBuild(project, "on the branch "+name)
	}
	h, err = s.history(ctx, project, map[string]string{projects.Branch: name[:at]})
	if err == nil && len(h.list) == 0 {
		err = noBuild(project, "on the branch "+name)
	}
	return h, name[at+1:], err
}

// kinds are the words of the families.
func (s *Handler) kinds() (list []string) {
	for _, f := range s.Families {
		if f.Name != "" {
			list = append(list, string(f.Name))
		}
	}
	return list
}
