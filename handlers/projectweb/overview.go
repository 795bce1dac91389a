package projectweb

import (
	"context"
	"fmt"
	"net/http"

	"proflens/builds"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/page"
	"proflens/views/projectview"
)

// How many rows the lists on a project's first page have.
const (
	overviewBranches = 6
	overviewBuilds   = 10
)

// maxDrawn is how many builds the pages of trends look at, the newest. The API and CSV have all.
const maxDrawn = 500

// look reads what the pages of trends look at. keys are more parameters of the page.
func (s *Handler) look(r *http.Request, v *site.Values) (*selection, error) {
	h, err := s.historyOf(r)
	if err != nil {
		return nil, err
	}
	at := &selection{history: h, choice: h.choose(v, true)}
	if v.Err != nil {
		return nil, v.Err
	}
	at.builds = len(at.series)
	at.series = at.series[max(0, at.builds-maxDrawn):]
	if at.figures, err = s.measurer.Figures(r.Context(), at.series); err != nil {
		return nil, err
	}
	at.rules, at.fault = h.rules(r.Context(), at.branch)
	at.curves = s.ofPages(at.series, at.figures)
	if at.at = at.standard(); v.One("measure") != "" {
		if at.curves, at.at = chosenOf(v, at.curves); v.Err != nil {
			return nil, v.Err
		}
	}
	if at.dismissed, err = h.store.Dismissed(r.Context(), h.project); err != nil {
		return nil, err
	}
	at.locked = s.AsksForToken(r)
	at.trend = at.trendOf(at.chosen())
	return at, nil
}

// overviewPage is GET /projects/{project}?branch=&workload=&measure=&view=.
func (s *Handler) overviewPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), []string{"branch", "workload", "measure", "view"})
	view := site.Choice(v, "view", "chart", "table")
	if v.Err != nil {
		return v.Err
	}
	ctx := s.RequestContext(r)
	at, err := s.look(r.WithContext(ctx), v)
	if err != nil {
		return err
	}
	at.table = view == "table"
	newest := at.series[len(at.series)-1]
	m := projectview.Overview{
		Name: humanize.Printable(at.project), Trend: at.trendPanel(), Small: at.small(),
		Gate:   s.gatePanel(r, at.history, &at.choice, at.judged(newest), at.fault),
		Builds: s.builds(at, overviewBuilds),
		Status: fmt.Sprintf("%s of %s, %s", at.drawn(), branchName(at.branch), span(at.series)),
	}
	if at.branch != "" {
		m.Command = "CI: proflens gate -project " + site.ShellWord(at.project) + " -branch " + site.ShellWord(at.branch) +
			" default.profraw"
	}
	if len(at.series) == 1 && len(at.workloads) == 1 {
		m.Trend.BlankCommand = s.uploadLine(r, at.project, at.branch)
	}
	if m.Branches, err = s.branchRows(ctx, at, overviewBranches); err != nil {
		return err
	}
	site.NoStore(w)
	shell := s.shell(r, at.history, overviewTab, "")
	shell.Keys = append(shell.Keys,
		page.Keys("← →: go along the builds of the chart", "c: compare with the build before")...)
	return s.Render(w, r, views.Page(shell, projectview.OverviewMain(m)))
}

// drawn says how many builds are looked at, and of how many.
func (s *selection) drawn() string {
	if len(s.series) < s.builds {
		return humanize.Say("the newest {} of {build}", len(s.series), s.builds)
	}
	return humanize.Plural(s.builds, "build")
}

// judged is what the rules say of a build of the series.
func (s *selection) judged(b *builds.Build) *judged { return judge(s.rules, s.series, b, s.figures) }

// span is from when to when builds are.
func span(series []*builds.Build) string {
	first, last := day(series[0].At).Text, day(series[len(series)-1].At).Text
	if first == last {
		return first
	}
	return first + " to " + last
}

// uploadLine is the command that gives a project its next build.
func (s *Handler) uploadLine(r *http.Request, project, branch string) string {
	line := "proflens upload -server " + site.ShellWord(site.Origin(r)) + " -project " + site.ShellWord(project)
	if branch != "" {
		line += " -branch " + site.ShellWord(branch)
	}
	return line + ` -commit "$(git rev-parse HEAD)" default.profraw`
}

// The tabs of a project.
const (
	overviewTab = "Overview"
	buildsTab   = "Builds"
	branchesTab = "Branches"
	gateTab     = "Gate"
	rulesTab    = "Rules"
)

// shell is the frame of a page of a project. Without builds it has none.
func (s *Handler) shell(r *http.Request, h *history, current, title string) page.Shell {
	name := humanize.Printable(h.project)
	if title != "" {
		title += " · "
	}
	shell := s.Shell(r, title+name)
	shell.Wide = true
	shell.Project = &page.Link{Label: name, URL: projectpath.Of(h.project)}
	shell.Search = &page.Search{
		Action: projectpath.Of(h.project, "builds"), Label: "Find a build, branch or commit", Value: r.URL.Query().Get("q"),
	}
	for _, t := range []struct {
		label, path string
		count       int
	}{
		{overviewTab, projectpath.Of(h.project), 0}, {buildsTab, projectpath.Of(h.project, "builds"), len(h.list)},
		{branchesTab, projectpath.Of(h.project, "branches"), len(h.byBranch)},
		{gateTab, projectpath.Of(h.project, "gate"), 0},
		{rulesTab, projectpath.Of(h.project, "rules"), 0},
	} {
		tab := page.Tab{Label: t.label, URL: t.path, Current: t.label == current}
		if t.count > 0 {
			tab.Count = humanize.Whole(t.count)
		}
		shell.Tabs = append(shell.Tabs, tab)
	}
	return shell
}

// branchRows are the branches with their latest builds, at most limit.
func (s *Handler) branchRows(ctx context.Context, at *selection, limit int) (projectview.Branches, error) {
	c := at.chosen()
	list := at.byBranch
	m := projectview.Branches{Value: c.title(), Count: humanize.Int(len(list))}
	if len(list) > limit {
		m.All = projectpath.Of(at.project, "branches")
	}
	for _, b := range list[:min(limit, len(list))] {
		row, err := s.branchRow(ctx, at, &b)
		if err != nil {
			return m, err
		}
		m.Rows = append(m.Rows, row)
	}
	return m, nil
}

// sparkBuilds is how many of the newest builds the small chart of a branch shows.
const sparkBuilds = 60

func (s *Handler) branchRow(ctx context.Context, at *selection, b *branch) (projectview.Branch, error) {
	latest, c := b.latest(), at.chosen()
	row := projectview.Branch{
		Name: branchName(b.name), URL: query(projectpath.Of(at.project), "!branch", b.name, "measure", c.name),
		Latest: nameOf(latest), LatestURL: at.pageOf(latest),
		At: day(latest.At), Families: s.familyTags(latest.Families()), Value: "–", Change: "–",
		Builds: humanize.Int(len(b.builds)), Current: b.name == at.branch,
	}
	if b.name != "" {
		row.LatestURL = projectpath.Of(at.project, "latest", projectpath.Part(b.name))
	}
	series := builds.Series(b.builds, b.name, latest.Workload)
	series = series[max(0, len(series)-sparkBuilds):]
	figures, err := at.figures, error(nil)
	if b.name != at.branch || latest.Workload != at.workload {
		if figures, err = s.measurer.Figures(ctx, series); err != nil {
			return row, err
		}
	}
	trend := builds.TrendOf(series, c.Measure, c.thing, figures)
	dismiss(trend, at.dismissed, &choice{branch: b.name, workload: latest.Workload}, c)
	if newest := trend.Points[len(trend.Points)-1]; newest.Known {
		row.Value = number(c.Unit, newest.Number)
		if last := lastKnown(trend.Points[:len(trend.Points)-1]); last != nil {
			row.Change = change(c.Unit, last.Number, newest.Number)
		}
	}
	if len(series) > 1 {
		row.Chart = spark(trend)
	}
	rules, err := at.history.rules(ctx, b.name)
	if err != nil {
		row.Gate = page.Tag{Text: "rules cannot be read", Tone: page.Bad}
		return row, nil
	}
	j := judge(rules, series, latest, figures)
	row.Gate = verdict(j)
	if j.base == nil && len(rules) > 0 {
		row.GateNote = "no build before"
	}
	return row, nil
}

func lastKnown(points []builds.Point) *builds.Point {
	for i := len(points) - 1; i >= 0; i-- {
		if points[i].Known {
			return &points[i]
		}
	}
	return nil
}
