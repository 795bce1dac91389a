package projectweb

import (
	"net/http"
	"strings"

	"proflens/builds"
	"proflens/builds/gate"
	"proflens/builds/measures"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/page"
	"proflens/views/projectview"
)

// outcomes are the tags of rules.
var outcomes = map[gate.Outcome]page.Tag{
	gate.Pass:    {Text: "● pass", Tone: page.Good},
	gate.Fail:    {Text: "▾ fail", Tone: page.Bad},
	gate.Missing: {Text: "○ missing", Tone: page.Bad},
}

// verdict is a report in a tag. Of a first build it is about the limits that need no build
// before.
func verdict(j *judged) page.Tag {
	judged, failed, missing := 0, 0, 0
	for i := range j.report.Results {
		res := &j.report.Results[i]
		if j.lacksBase(res) {
			continue
		}
		judged++
		switch res.Outcome {
		case gate.Fail:
			failed++
		case gate.Missing:
			missing++
		}
	}
	all := humanize.Int(judged)
	switch {
	case len(j.report.Results) == 0:
		return page.Tag{Text: "no rules", Tone: page.Neutral}
	case judged == 0:
		return page.Tag{Text: "nothing to judge", Tone: page.Neutral}
	case j.pending && failed == 0:
		return page.Tag{Text: "being measured", Tone: page.Neutral}
	case failed == 0 && missing == 0 && judged < len(j.report.Results):
		return page.Tag{Text: "● limits pass", Tone: page.Good}
	case failed == 0 && missing == 0:
		return page.Tag{Text: "● passes", Tone: page.Good}
	case failed == 0:
		return page.Tag{Text: humanize.Say("○ {} of {} missing", missing, all), Tone: page.Bad}
	case missing == 0:
		return page.Tag{Text: humanize.Say("▾ {} of {} fail", failed, all), Tone: page.Bad}
	}
	return page.Tag{
		Text: humanize.Say("▾ {} of {} fail, {} missing", failed, all, missing), Tone: page.Bad,
	}
}

// lacksBase reports whether a rule cannot be judged because the build is the first.
func (j *judged) lacksBase(res *gate.Result) bool { return j.base == nil && res.NeedsBase() }

// gatePanel is what the rules say of a build.
func (s *Handler) gatePanel(r *http.Request, h *history, c *choice, j *judged, fault error) projectview.Gate {
	m := projectview.Gate{
		Says: branchName(c.branch) + ", " + nameOf(j.build), Report: c.query(projectpath.Of(h.project, "gate")),
		RulesURL: projectpath.Of(h.project, "rules"),
		Verdict:  verdict(j), Warning: j.report.Warning, LeftOut: j.report.LeftOut(),
	}
	if j.base != nil {
		m.Says += " against " + nameOf(j.base)
		m.Compare = s.compareBuilds(c.series, j.build)
	}
	if c.branch != "" {
		picture := projectpath.Of(h.project, "badge", projectpath.Part(c.branch)+".svg")
		latest := projectpath.Of(h.project, "latest", projectpath.Part(c.branch))
		if len(c.workloads) > 1 {
			picture, latest = query(picture, "!workload", c.workload), query(latest, "!workload", c.workload)
		}
		m.Badge, m.Latest, m.BadgeAlt = picture, latest, "Badge of "+branchName(c.branch)
		at := site.Origin(r) + s.BasePath
		m.BadgeCopy = "[![" + markdownText(h.project+" "+c.branch) + "](" + at + picture + ")](" + at + latest + ")"
	}
	if fault != nil {
		m.Fault = site.ProblemOf(fault).Detail
		return m
	}
	if j.pending && len(j.report.Results) > 0 {
		m.Pending = "Figures of this build are still being measured."
	}
	for i := range j.report.Results {
		res := &j.report.Results[i]
		rule := projectview.Rule{
			Tag: outcomes[res.Outcome], Name: humanize.Printable(res.Name), Title: humanize.Printable(res.Title),
			Wanted: res.Wanted,
			Figure: res.Figure, Why: spaced(res.Why),
		}
		if j.lacksBase(res) {
			rule.Tag, rule.Figure, rule.Why = page.Tag{Text: "– no base", Tone: page.Neutral}, "no build before", ""
		} else if res.Outcome == gate.Missing {
			rule.Figure = rule.Why
			if j.pending {
				rule.Tag = page.Tag{Text: "… measuring", Tone: page.Neutral}
			}
		}
		m.Rules = append(m.Rules, rule)
	}
	return m
}

// compareBuilds is the page that compares a build with the one before, in the first family
// that is measured and that both have; empty where there is none.
func (s *Handler) compareBuilds(series []*builds.Build, b *builds.Build) string {
	for i := range measures.Families {
		family := measures.Families[i].Name
		if base, test := builds.Compared(series, b, family); base != nil && test != nil && base != test {
			return query(site.CompareURL(base.ID, test.ID), "family", string(family))
		}
	}
	return ""
}

// gatePage is GET /projects/{project}/gate?branch=&workload=.
func (s *Handler) gatePage(w http.ResponseWriter, r *http.Request) error {
	h, c, err := s.chosen(r, true)
	if err != nil {
		return err
	}
	j, fault, err := s.judgeOrSay(r, h, c)
	if err != nil {
		return err
	}
	site.NoStore(w)
	m := projectview.GatePage{
		Gate: s.gatePanel(r, h, c, j, fault), Action: projectpath.Of(h.project, "gate"),
		Branches: options(c.branches, c.branch, branchName), Loads: options(c.workloads, c.workload, loadName),
		JSON: c.query(apiOf(h.project, "gate")),
	}
	if c.branch != "" {
		m.Command = "proflens gate -server " + site.ShellWord(site.Origin(r)+s.BasePath) + " -project " +
			site.ShellWord(h.project) + " -branch " + site.ShellWord(c.branch) + " default.profraw"
	}
	return s.Render(w, r, views.Page(s.shell(r, h, gateTab, gateTab), projectview.GateMain(m)))
}

// judgeOrSay judges the newest build. Rules that cannot be read are fault.
func (s *Handler) judgeOrSay(r *http.Request, h *history, c *choice) (j *judged, fault, err error) {
	rules, fault := h.rules(r.Context(), c.branch)
	newest := c.series[len(c.series)-1]
	figures, err := s.measurer.Figures(r.Context(), builds.Near(c.series, newest))
	if err != nil {
		return nil, nil, err
	}
	return judge(rules, c.series, newest, figures), fault, nil
}

// spaced is a sentence about figures, whatever the things are called that it is about.
func spaced(text string) string {
	return humanize.Printable(strings.ReplaceAll(text, humanize.NumberSpace, " "))
}

// markdownText is text in a link of Markdown.
func markdownText(text string) string {
	var b []rune
	for _, c := range humanize.Printable(text) {
		if c == '[' || c == ']' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return string(b)
}
