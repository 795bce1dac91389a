// Package gateweb judges profiles by the rules of a gate. It is of no family: which
// figures there are, package measures says.
package gateweb

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"proflens/analyze/sources"
	"proflens/builds/gate"
	"proflens/builds/measures"
	"proflens/catalog"
	"proflens/decode/unidiff"
	"proflens/handlers/site"
	"proflens/profile/budget"
	"proflens/profile/stored"
)

// Handler is what answers.
type Handler struct{ *site.Site }

// GetSays is what the document of the API has of the call without a diff.
const GetSays = `
	compare gateProfiles: Judge a profile by the rules of a gate
	Measures the test, and the test against the base, and judges the figures. A rule that needs what a profile lacks
	fails by name. A rule without a family is judged by the first family that has the measure and that the base or the
	test is of.
	>200 Gate text markdown junit sarif: Every rule passes.
	>422 GateProblem|Problem text markdown junit sarif: A rule fails, or a profile lacks what it needs; rules names
	each with its figures. Also a profile that could not be decoded, and rules of the project that cannot be read.
	>400 404 410 500` + says

// Get is GET /compare/gate?base=&test=: the test judged by the rules of the request or,
// without any, by those of its project. A gate that fails is a problem of status 422.
func (s *Handler) Get(w http.ResponseWriter, r *http.Request) error { return s.answer(w, r, nil) }

// PostSays is what it has of the one with a diff.
const PostSays = `
	compare gateChange: Judge a profile by the rules of a gate, with a diff
	As GET. The body is a unified diff, as git diff prints it: min_changed_lines_coverage judges the lines that it
	adds. Nothing is stored.
	<diff
	>200 Gate text markdown junit sarif: Every rule passes.
	>422 GateProblem|Problem text markdown junit sarif: A rule fails, or a profile lacks what it needs; rules names
	each with its figures. Also a profile that could not be decoded, and rules of the project that cannot be read.
	>400 404 410 500` + says

// Post is the same with a unified diff as the body, for rules about the lines that it adds.
func (s *Handler) Post(w http.ResponseWriter, r *http.Request) error {
	diff, err := unidiff.ParseWithin(r.Body, budget.NewMeter(r.Context()).Add)
	if err != nil {
		return err
	}
	return s.answer(w, r, diff)
}

// side is the profiles of one build.
type side struct {
	entries  []*catalog.Entry
	profiles []*stored.Profile
}

func (d *side) close() {
	for _, p := range d.profiles {
		p.Close()
	}
}

// name is that of the profiles, for people.
func (d *side) name() string {
	var words []string
	for _, e := range d.entries {
		words = append(words, e.Name)
	}
	return strings.Join(words, " + ")
}

func (s *Handler) answer(w http.ResponseWriter, r *http.Request, diff []unidiff.File) error {
	p, err := readParams(r)
	if err != nil {
		return err
	}
	ctx := s.RequestContext(r)
	var sides [2]side
	for i, ids := range [][]string{p.base, p.test} {
		defer sides[i].close()
		if err := s.open(ctx, &sides[i], ids); err != nil {
			return err
		}
	}
	base, test := &sides[0], &sides[1]
	if len(p.rules) == 0 {
		if p.rules, err = s.kept(ctx, test.entries[0]); err != nil {
			return err
		}
	}
	f, err := gate.Measure(ctx, p.rules, base.profiles, test.profiles)
	if twice, ok := errors.AsType[*gate.TwiceError](err); ok {
		return &site.ParamError{Param: twice.Side, Msg: twice.Error()}
	}
	if err == nil && diff != nil {
		err = s.changed(ctx, test, diff, f)
	}
	if err != nil {
		return err
	}
	report := &gate.Report{Base: base.name(), Test: test.name(), Warning: f.Warning, Results: gate.Judge(p.rules, f)}
	if len(base.entries) == 1 && len(test.entries) == 1 && len(s.ComparedFamilies(base.entries[0], test.entries[0])) > 0 {
		report.Link = site.Origin(r) + site.CompareURL(base.entries[0].ID, test.entries[0].ID)
	}
	return write(w, r, p.format, report)
}

// open opens profiles, all of which must be ready.
func (s *Handler) open(ctx context.Context, d *side, ids []string) error {
	for _, id := range ids {
		e, err := s.Store.Entry(ctx, id)
		if err != nil {
			return err
		}
		if e.State != catalog.Ready {
			return s.Unready(e)
		}
		p, err := s.Store.Open(ctx, e)
		if err != nil {
			return err
		}
		d.entries, d.profiles = append(d.entries, e), append(d.profiles, p)
	}
	return nil
}

// kept are the rules of a profile's project, for its branch.
func (s *Handler) kept(ctx context.Context, e *catalog.Entry) ([]gate.Rule, error) {
	text := ""
	if e.Project != "" {
		var err error
		if text, _, err = s.Store.Projects().Rules(ctx, e.Project); err != nil {
			return nil, err
		}
	}
	c, err := gate.Parse([]byte(text))
	if err != nil {
		return nil, &site.Problem{
			Status: http.StatusUnprocessableEntity, Kind: "malformed", Title: "The rules of the project cannot be read",
			Detail: err.Error(),
		}
	}
	rules := c.For(e.Labels["branch"])
	if len(rules) == 0 {
		return nil, &site.ParamError{
			Msg: "there are no rules: give some, such as min_overlap=95, or keep them with the project of the test",
		}
	}
	return rules, nil
}

// changed adds how the lines ran that a diff adds.
func (s *Handler) changed(ctx context.Context, test *side, diff []unidiff.File, f *gate.Figures) error {
	for i, p := range test.profiles {
		set, err := measures.Changed(ctx, p, diff, func(name string) ([][]byte, bool, error) {
			text, ok, err := s.SourceText(ctx, test.entries[i], name)
			return sources.Lines(text), ok, err
		})
		if err != nil {
			return err
		}
		for key, v := range set {
			f.Test[key] = v
		}
	}
	return nil
}
