package projectweb

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"proflens/builds"
	"proflens/builds/measures"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/projectview"
)

// listPage is GET /projects.
func (s *Handler) listPage(w http.ResponseWriter, r *http.Request) error {
	store, err := s.store()
	if err != nil {
		return err
	}
	groups, err := store.Projects(r.Context(), maxChoices)
	if err != nil {
		return err
	}
	m := projectview.List{Empty: s.uploadLine(r, "NAME", "main")}
	for _, g := range groups {
		row := projectview.Project{
			Name: humanize.Printable(g.Value), URL: projectpath.Of(g.Value), Profiles: humanize.Int(g.Profiles),
			Newest: humanize.Ago(g.Newest, time.Now()),
		}
		if len(m.Rows) < namedProjects {
			if err := s.nameBranches(r.Context(), g.Value, &row); err != nil {
				return err
			}
		}
		m.Rows = append(m.Rows, row)
	}
	site.NoStore(w)
	return s.Render(w, r, views.Page(s.Shell(r, "Projects"), projectview.ListMain(m)))
}

// Link is the page of all projects; empty where no listed profile is of one.
func (s *Handler) Link(ctx context.Context) (string, error) {
	if s.measurer == nil {
		return "", nil
	}
	if some, err := s.Store.Projects().Any(ctx); err != nil || !some {
		return "", err
	}
	return "/projects", nil
}

// Of how many projects the list names branches, and how many of each.
const (
	namedProjects = 100
	namedBranches = 3
)

func (s *Handler) nameBranches(ctx context.Context, project string, row *projectview.Project) error {
	store, err := s.store()
	if err != nil {
		return err
	}
	branches, err := store.Branches(ctx, project, maxChoices)
	if err != nil {
		return err
	}
	for _, b := range branches[:min(namedBranches, len(branches))] {
		row.Branches = append(row.Branches, page.Link{
			Label: branchName(b.Value), URL: query(projectpath.Of(project), "!branch", b.Value),
		})
	}
	if more := len(branches) - namedBranches; more > 0 {
		row.More = "and " + humanize.Int(more) + " more"
	}
	return nil
}

// builds are the newest of those looked at, at most limit, with the chosen figure and a few others.
func (s *Handler) builds(at *selection, limit int) projectview.Builds {
	c := at.chosen()
	m := projectview.Builds{
		Title: "Builds of " + branchName(at.branch), Says: "newest first", Value: c.title(), Count: humanize.Int(at.builds),
	}
	if at.builds > limit {
		m.All = at.query(projectpath.Of(at.project, "builds"))
	}
	others := at.beside()
	trends := make([]*builds.Trend, len(others))
	for i := range others {
		m.Heads = append(m.Heads, others[i].title())
		trends[i] = builds.TrendOf(at.series, others[i].Measure, others[i].thing, at.figures)
	}
	for _, b := range slices.Backward(at.series) {
		if len(m.Rows) == limit {
			break
		}
		i := slices.Index(at.series, b)
		row := s.buildRow(at.history, b)
		row.Value, row.Change = "–", "–"
		if p := &at.trend.Points[i]; p.Known {
			row.Value = number(c.Unit, p.Number)
			if c.Unit == measures.Part {
				row.Part = chart.NewCover(p.Number / 100).Along()
			}
			if last := lastKnown(at.trend.Points[:i]); last != nil {
				row.Change = change(c.Unit, last.Number, p.Number)
			}
		} else if p.Pending {
			row.Value = "…"
		}
		for _, t := range trends {
			text := "–"
			if p := &t.Points[i]; p.Known {
				text = number(t.Unit, p.Number)
			}
			row.Figures = append(row.Figures, text)
		}
		row.Compare = s.compareBuilds(at.series, b)
		m.Rows = append(m.Rows, row)
	}
	return m
}

// beside are the few curves that lists show beside the chosen one.
func (s *selection) beside() (list []curve) {
	for i := range s.curves {
		if i != s.at && len(list) < maxBeside && s.curves[i].Pair {
			list = append(list, s.curves[i])
		}
	}
	for i := range s.curves {
		if i != s.at && len(list) < maxBeside && !s.curves[i].Pair {
			list = append(list, s.curves[i])
		}
	}
	return list
}

const maxBeside = 3

// buildRow is what every list says of a build.
func (s *Handler) buildRow(h *history, b *builds.Build) projectview.Build {
	return projectview.Build{
		Commit: nameOf(b), URL: h.pageOf(b), Subject: humanize.Printable(b.Subject), Branch: branchName(b.Branch),
		At:       day(b.At),
		Families: s.familyTags(b.Families()),
	}
}

// buildsPage is GET /projects/{project}/builds?branch=&workload=&q=&page=.
func (s *Handler) buildsPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), []string{"branch", "workload", "q", "page"})
	number, text := v.Number("page", 1, maxProfiles, 1), v.Words("q")
	if v.Err != nil {
		return v.Err
	}
	h, err := s.historyOf(r)
	if err != nil {
		return err
	}
	var found []*builds.Build
	for _, b := range slices.Backward(h.list) {
		if v.Query.Has("branch") && b.Branch != v.One("branch") || v.Query.Has("workload") &&
			b.Workload != v.One("workload") || !matches(b, text) {
			continue
		}
		found = append(found, b)
	}
	address := func(pairs ...string) string {
		return query(projectpath.Of(h.project, "builds"), append(selected(v), pairs...)...)
	}
	m := projectview.Builds{
		Title: "Builds", Says: "newest first", Branched: true,
		CSV:   query(apiOf(h.project, "builds"), append(selected(v), "format", "csv")...),
		Shown: humanize.Plural(len(found), "build"),
	}
	if text != "" || v.Query.Has("branch") || v.Query.Has("workload") {
		m.Shown += " of " + humanize.Int(len(h.list))
	}
	const rows = site.DefaultLimit
	from := min((number-1)*rows, len(found))
	for _, b := range found[from:min(from+rows, len(found))] {
		row := s.buildRow(h, b)
		row.Compare = s.compareBuilds(builds.Series(h.list, b.Branch, b.Workload), b)
		m.Rows = append(m.Rows, row)
	}
	m.Pager = pager(number, (len(found)+rows-1)/rows, func(n int) string {
		return address("page", humanize.Plain(humanize.Int(n)))
	})
	site.NoStore(w)
	return s.Render(w, r, views.Page(s.shell(r, h, buildsTab, buildsTab), projectview.BuildsMain(m)))
}

// selected are the parameters that select builds, where they are given.
func selected(v *site.Values) (pairs []string) {
	for _, key := range []string{"branch", "workload", "q"} {
		if v.Query.Has(key) && (key != "q" || v.One(key) != "") {
			pairs = append(pairs, "!"+key, v.One(key))
		}
	}
	return pairs
}

// pager leads through pages, from 1.
func pager(at, of int, address func(int) string) page.Pager {
	p := page.Pager{Page: humanize.Int(at), Pages: humanize.Int(max(of, 1))}
	if at > 1 {
		p.First, p.Previous = address(1), address(at-1)
	}
	if at < of {
		p.Next, p.Last = address(at+1), address(of)
	}
	return p
}

// matches reports whether a build has a text in its commit, branch, workload or subject.
func matches(b *builds.Build, text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{b.Commit, b.Branch, b.Workload, b.Subject, b.ID()}, func(s string) bool {
		return strings.Contains(strings.ToLower(s), text)
	})
}

// branchesPage is GET /projects/{project}/branches?measure=.
func (s *Handler) branchesPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), []string{"measure"})
	if v.Err != nil {
		return v.Err
	}
	ctx := s.RequestContext(r)
	at, err := s.look(r.WithContext(ctx), v)
	if err != nil {
		return err
	}
	m, err := s.branchRows(ctx, at, maxBranches)
	if err != nil {
		return err
	}
	site.NoStore(w)
	return s.Render(w, r, views.Page(s.shell(r, at.history, branchesTab, branchesTab), projectview.BranchesMain(m)))
}

// maxBranches is how many branches their page shows.
const maxBranches = 100
