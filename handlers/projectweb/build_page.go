package projectweb

import (
	"net/http"
	"net/url"
	"slices"

	"proflens/builds"
	"proflens/catalog/projects"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/page"
	"proflens/views/projectview"
)

func escaped(id string) string { return url.PathEscape(id) }

// buildPage is GET /projects/{project}/builds/{commit}: what there is of a build.
func (s *Handler) buildPage(w http.ResponseWriter, r *http.Request) error {
	h, b, err := s.build(r)
	if err != nil {
		return err
	}
	ctx := s.RequestContext(r)
	series := builds.Series(h.list, b.Branch, b.Workload)
	near := builds.Near(series, b)
	figures, err := s.measurer.Figures(ctx, near)
	if err != nil {
		return err
	}
	m := projectview.One{
		Commit: nameOf(b), Subject: humanize.Printable(b.Subject), Branch: branchName(b.Branch),
		Workload:  humanize.Printable(b.Workload),
		BranchURL: query(projectpath.Of(h.project), "!branch", b.Branch, "workload", b.Workload), At: day(b.At),
		JSON: h.addressOf(b, apiOf(h.project, "builds", escaped(b.ID()))), Compare: s.compareBuilds(series, b),
		Profiles: s.profileRows(h, series, b),
	}
	if last := before(series, b); last != nil {
		m.Before = &page.Link{Label: nameOf(last), URL: h.pageOf(last)}
	}
	if i := slices.Index(series, b); i+1 < len(series) {
		m.After = &page.Link{Label: nameOf(series[i+1]), URL: h.pageOf(series[i+1])}
	}
	state := figures.Build(series, b)
	if state.Pending {
		m.Pending = "Some figures are still being measured."
	}
	m.Figures = s.figureRows(h, b, near, figures)
	rules, fault := h.rules(ctx, b.Branch)
	c := choice{branch: b.Branch, workload: b.Workload, series: series, workloads: []string{b.Workload, ""}}
	m.Gate = s.gatePanel(r, h, &c, judge(rules, series, b, figures), fault)
	found, err := s.runsOf(ctx, h, b, shownRun)
	if err != nil {
		return err
	}
	for i := range found {
		m.Runs = append(m.Runs, s.runPanel(h, b, &found[i]))
	}
	site.NoStore(w)
	shell := s.shell(r, h, "", nameOf(b))
	shell.Keys = append(shell.Keys, page.Keys("← →: the build before, after", "c: compare with the build before")...)
	return s.Render(w, r, views.Page(shell, projectview.OneMain(m)))
}

// profileRows are the profiles of a build, those of other workloads of its commit too.
func (s *Handler) profileRows(h *history, series []*builds.Build, b *builds.Build) (list []projectview.Profile) {
	for _, other := range h.list {
		if other != b && (b.Commit == "" || other.Commit != b.Commit || other.Branch != b.Branch) {
			continue
		}
		for _, p := range other.Profiles {
			row := projectview.Profile{
				Name: humanize.Printable(p.Name), URL: site.PageOf(p.ID), Families: s.familyTags(p.Families),
				Describe: humanize.Printable(p.Describe),
				Workload: humanize.Printable(p.Labels[projects.Workload]), Added: humanize.Exactly(p.Created),
				Size: humanize.Bytes(uint64(max(p.Size, 0))),
			}
			for _, f := range p.Families {
				if base, test := builds.Compared(series, b, f); other == b && test == p && base != nil && row.Compare == "" {
					row.Compare = query(site.CompareURL(base.ID, p.ID), "family", string(f))
				}
			}
			list = append(list, row)
		}
	}
	return list
}

// figureRows are the measures of a build beside those of the builds before.
func (s *Handler) figureRows(h *history, b *builds.Build, near []*builds.Build,
	figures builds.Figures) (list []projectview.Figure) {
	for _, c := range s.ofPages(near, figures) {
		trend := builds.TrendOf(near, c.Measure, c.thing, figures)
		p := &trend.Points[len(trend.Points)-1]
		if !p.Known {
			continue
		}
		row := projectview.Figure{
			Title: c.title(), Value: number(c.Unit, p.Number), Of: whole(c.Unit, p.Value), Pair: c.Pair,
			URL: query(projectpath.Of(h.project), "!branch", b.Branch, "workload", b.Workload, "measure", c.name),
		}
		for _, f := range s.Families {
			if f.Name == c.Family {
				row.Family = f.Measures
			}
		}
		if last := lastKnown(trend.Points[:len(trend.Points)-1]); last != nil && !c.Pair {
			row.Before, row.Change = number(c.Unit, last.Number), change(c.Unit, last.Number, p.Number)
			_, tone := arrow(c.Better, p.Number-last.Number)
			row.Worse, row.Better = tone == page.Bad, tone == page.Good
		}
		list = append(list, row)
	}
	return list
}
