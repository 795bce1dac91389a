package projectweb

import (
	"net/http"
	"slices"
	"strings"

	"proflens/builds"
	"proflens/catalog/projects"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
)

// trendOf lays a curve over the builds that are looked at.
func (s *selection) trendOf(c *curve) *builds.Trend {
	t := builds.TrendOf(s.series, c.Measure, c.thing, s.figures)
	dismiss(t, s.dismissed, &s.choice, c)
	return t
}

// dismiss marks the steps of a trend that were dismissed.
func dismiss(t *builds.Trend, dismissed map[projects.Step]bool, at *choice, c *curve) {
	for i := range t.Points {
		p := &t.Points[i]
		p.Dismissed = p.Step != 0 && dismissed[projects.Step{
			Branch: at.branch, Workload: at.workload, Measure: c.name, Build: p.ID(),
		}]
	}
}

// stepForm is POST /projects/{project}/trends: it dismisses a step, or brings it back, for all who
// see the project.
func (s *Handler) stepForm(w http.ResponseWriter, r *http.Request) error {
	if err := site.ReadForm(w, r, 64<<10); err != nil {
		return err
	}
	v := site.NewValues(r.PostForm, strings.Fields("branch workload measure build dismissed"))
	if v.Err != nil {
		return v.Err
	}
	if err := s.NeedsUpload(r); err != nil {
		return err
	}
	at, err := s.look(r, v)
	if err != nil {
		return err
	}
	id, dismissed := v.One("build"), v.Yes("dismissed")
	if v.Err == nil && !slices.ContainsFunc(at.trend.Points, func(p builds.Point) bool {
		return p.Step != 0 && p.ID() == id
	}) {
		v.Fail("build", "no step of the trend is with the build %q", id)
	}
	if v.Err != nil {
		return v.Err
	}
	step := projects.Step{Branch: at.branch, Workload: at.workload, Measure: at.chosen().name, Build: id}
	if err := at.store.Dismiss(r.Context(), at.project, step, dismissed); err != nil {
		return err
	}
	return site.SeeOther(w, r, at.address(projectpath.Of(at.project), at.chosen())+"#steps")
}
