package projectweb

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strings"

	"proflens/builds"
	"proflens/builds/gate"
	"proflens/handlers/site"
)

// badge is GET /projects/{project}/badge/{branch}.svg?workload=&measure=: what the gate says
// of the newest build or, with measure=, that figure of it. Without rules it is the first figure of
// a family that leads, such as the lines covered.
func (s *Handler) badge(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), []string{"workload", "measure"})
	if v.Err != nil {
		return v.Err
	}
	project := part(r, "project")
	name, ok := strings.CutSuffix(part(r, "branch"), ".svg")
	if !ok {
		return site.ErrNoRoute
	}
	h, err := s.history(r.Context(), project, nil)
	if err != nil {
		return err
	}
	v.Query.Set("branch", name)
	c := h.choose(v, false)
	if v.Err != nil {
		var param *site.ParamError
		if errors.As(v.Err, &param) && param.Param == "branch" {
			return noBuild(project, "on the branch "+name)
		}
		return v.Err
	}
	b, err := s.drawBadge(r, h, &c, v)
	if err != nil {
		return err
	}
	b.Label = project + " " + name
	var svg bytes.Buffer
	if err := b.WriteSVG(&svg); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(svg.Bytes())
	return nil
}

func (s *Handler) drawBadge(r *http.Request, h *history, c *choice, v *site.Values) (gate.Badge, error) {
	wanted := v.One("measure")
	if wanted == "" {
		j, err := s.judgeNewest(r.Context(), h, c)
		if err != nil {
			return gate.Badge{}, err
		}
		if j.pending && len(j.report.Results) > 0 {
			return gate.Badge{Value: "being measured", Tone: gate.Neutral}, nil
		}
		if len(j.report.Results) > 0 {
			return gate.BadgeOf("", j.report), nil
		}
	}
	near := builds.Near(c.series, c.series[len(c.series)-1])
	figures, err := s.measurer.Figures(r.Context(), near)
	if err != nil {
		return gate.Badge{}, err
	}
	list := curves(near, figures)
	at, none := called(list, wanted), gate.Badge{Value: "no " + wanted, Tone: gate.Neutral}
	if wanted == "" {
		none = gate.BadgeOf("", &gate.Report{})
		at = slices.IndexFunc(list, s.leads)
	}
	if at < 0 {
		return none, nil
	}
	m := &list[at]
	trend := builds.TrendOf(near, m.Measure, m.thing, figures)
	b := gate.Badge{Value: "–", Tone: gate.Neutral}
	if p := &trend.Points[len(trend.Points)-1]; p.Known {
		b.Value = number(m.Unit, p.Number)
	}
	b.Value += " " + lower(m.title())
	return b, nil
}

// leads reports whether a curve is of a family that leads before others.
func (s *Handler) leads(c curve) bool {
	return slices.ContainsFunc(s.Families, func(f *site.Family) bool { return f.Leads && f.Name == c.Family })
}

// ofPages are the curves as pages have them: first those of a family that leads.
func (s *Handler) ofPages(series []*builds.Build, figures builds.Figures) []curve {
	list := curves(series, figures)
	return slices.Concat(
		slices.DeleteFunc(slices.Clone(list), func(c curve) bool { return !s.leads(c) }), slices.DeleteFunc(list, s.leads),
	)
}

// lower begins a title within a line.
func lower(title string) string {
	if len(title) > 1 && title[1] >= 'a' && title[1] <= 'z' {
		return strings.ToLower(title[:1]) + title[1:]
	}
	return title
}
