package projectweb

import (
	"context"
	"net/http"

	"proflens/builds"
	"proflens/builds/gate"
	"proflens/handlers/site"
	"proflens/internal/humanize"
)

// judged is a build and what the gate says of it.
type judged struct {
	build   *builds.Build
	base    *builds.Build // nil for the first
	report  *gate.Report
	pending bool // figures that rules need have not been measured yet
}

// rules are those kept with a project, for a branch. What cannot be read has been kept by
// another version of the program: then there are none, and why.
func (h *history) rules(ctx context.Context, branch string) ([]gate.Rule, error) {
	text, _, err := h.store.Rules(ctx, h.project)
	if err != nil || text == "" {
		return nil, err
	}
	config, err := gate.Parse([]byte(text))
	if err != nil {
		return nil, &site.Problem{
			Status: http.StatusUnprocessableEntity, Kind: "malformed", Title: "The rules of the project cannot be read",
			Detail: err.Error(),
		}
	}
	return config.For(branch), nil
}

// judge judges a build of a series against those before it.
func judge(rules []gate.Rule, series []*builds.Build, b *builds.Build, figures builds.Figures) *judged {
	state := figures.Build(series, b)
	j := &judged{build: b, base: before(series, b), report: &gate.Report{Test: nameOf(b)}}
	if j.base != nil {
		j.report.Base = nameOf(j.base)
	}
	j.pending = state.Pending
	f := &gate.Figures{Base: state.Base, Test: state.Own, Between: state.Between, NoBase: j.base == nil}
	f.Warn(rules)
	j.report.Results, j.report.Warning = gate.Judge(rules, f), f.Warning
	return j
}

// nameOf is a build for people: its commit, else the name of its newest profile.
func nameOf(b *builds.Build) string {
	if b.Commit == "" {
		return humanize.Printable(b.Profiles[0].Name)
	}
	return humanize.Commit(b.Commit)
}

// judgeNewest judges the newest build of a request's branch and workload.
func (s *Handler) judgeNewest(ctx context.Context, h *history, c *choice) (*judged, error) {
	rules, err := h.rules(ctx, c.branch)
	if err != nil {
		return nil, err
	}
	newest := c.series[len(c.series)-1]
	figures, err := s.measurer.Figures(ctx, builds.Near(c.series, newest))
	if err != nil {
		return nil, err
	}
	return judge(rules, c.series, newest, figures), nil
}

// gateObject is what the rules say of a build.
type gateObject struct {
	Project  string       `json:"project"`
	Branch   string       `json:"branch"`
	Workload string       `json:"workload"`
	Base     *buildObject `json:"base_build"` // null for the first
	Test     buildObject  `json:"test_build"`
	Pending  bool         `json:"pending"` // not all is measured yet
	*gate.Object
}

// getGate is GET /api/v1/projects/{project}/gate?branch=&workload=: what the rules that are
// kept say of the newest build, against the one before.
func (s *Handler) getGate(w http.ResponseWriter, r *http.Request) error {
	h, c, err := s.chosen(r, false)
	if err != nil {
		return err
	}
	j, err := s.judgeNewest(r.Context(), h, c)
	if err != nil {
		return err
	}
	o := gateObject{
		Project: h.project, Branch: c.branch, Workload: c.workload, Test: s.buildObject(h.project, j.build),
		Pending: j.pending, Object: gate.NewObject(j.report),
	}
	if j.base != nil {
		base := s.buildObject(h.project, j.base)
		o.Base = &base
	}
	site.NoStore(w)
	return site.WriteJSON(w, o)
}

// chosen reads the branch and the workload of a request that has no other parameters.
func (s *Handler) chosen(r *http.Request, form bool) (*history, *choice, error) {
	v := site.NewValues(r.URL.Query(), buildKeys)
	if v.Err != nil {
		return nil, nil, v.Err
	}
	h, err := s.historyOf(r)
	if err != nil {
		return nil, nil, err
	}
	c := h.choose(v, form)
	return h, &c, v.Err
}
