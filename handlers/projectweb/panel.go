package projectweb

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"proflens/builds"
	"proflens/builds/gate"
	"proflens/builds/measures"
	"proflens/catalog/projects"
	"proflens/decode/model"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/projectview"
)

// What the panel of a trend shows at most.
const (
	maxSegments = 4
	maxSteps    = 3
	maxTitle    = 60 // characters of a commit's subject beside a step
)

// selection is what the pages of a project look at: a branch, a workload, and a measure.
type selection struct {
	*history
	choice
	figures builds.Figures
	// dismissed are steps that nobody wants to see; locked, that it takes a login to dismiss one.
	dismissed map[projects.Step]bool
	locked    bool
	curves    []curve
	at        int // of the chosen one
	trend     *builds.Trend
	builds    int // of the branch and workload, of which series has the newest
	rules     []gate.Rule
	fault     error // why the rules cannot be read
	table     bool
}

// chosen is the curve that is shown.
func (s *selection) chosen() *curve { return &s.curves[s.at] }

// standard is the curve that is looked at first: that of the first rule about a measure
// itself, else the first part of which more is better.
func (s *selection) standard() int {
	for _, r := range s.rules {
		if i := called(s.curves, r.Measure); i >= 0 && r.Of == gate.Itself && !s.curves[i].Pair {
			return i
		}
	}
	part := func(c curve) bool { return c.Unit == measures.Part && c.Better > 0 && !c.Pair }
	return max(0, slices.IndexFunc(s.curves, part))
}

// address is the page with another measure, branch or workload.
func (s *selection) address(path string, c *curve, pairs ...string) string {
	if c != nil {
		pairs = append([]string{"measure", c.name}, pairs...)
	}
	return s.query(path, pairs...)
}

// page is the address of the project's first page as it is seen, with this changed.
func (s *selection) page(pairs ...string) string {
	return s.address(projectpath.Of(s.project), s.chosen(), pairs...)
}

// trendPanel is the large chart.
func (s *selection) trendPanel() projectview.Trend {
	c := s.chosen()
	p := projectview.Trend{
		Title: c.title(), How: projectview.HowMeasures(string(c.Family)), Action: projectpath.Of(s.project),
		Branches: options(s.branches, s.branch, branchName), Loads: options(s.workloads, s.workload, loadName),
		JSON: s.address(apiOf(s.project, "trends"), c), CSV: s.address(apiOf(s.project, "trends"), c, "format", "csv"),
	}
	for i := range s.curves {
		p.Measures = append(p.Measures, page.Option{Value: s.curves[i].name, Label: s.curves[i].title(), Selected: i == s.at})
	}
	for _, i := range s.first() {
		one := &s.curves[i]
		view := ""
		if s.table {
			view = "table"
		}
		p.Segments = append(p.Segments, page.Segment{
			Label: one.title(), URL: s.address(projectpath.Of(s.project), one, "view", view), Current: i == s.at,
		})
	}
	p.Views = []page.Segment{
		{Label: "Chart", URL: s.page(), Current: !s.table},
		{Label: "Table", URL: s.page("view", "table"), Current: s.table},
	}
	known, pending := 0, 0
	for i := range s.trend.Points {
		if at := &s.trend.Points[i]; at.Known {
			known++
			p.Newest, p.NewestSays, p.Left = number(c.Unit, at.Number), builtFrom(at.Build), at.Value.LeftOut
		} else if at.Pending {
			pending++
		}
	}
	if pending > 0 {
		p.Pending = humanize.Say("{build is|builds are} still being measured.", pending)
	}
	switch {
	case s.table:
		p.Table = s.tableOf()
	case known > 0:
		p.Chart = s.chart()
	case pending == 0:
		p.Blank = &page.Blank{Title: "No build has this figure", Text: "It needs " + needs(c) + "."}
	}
	if len(s.series) < s.builds {
		p.Left = strings.TrimSpace(p.Left + " Drawn are " + s.drawn() + "; JSON and CSV have all.")
	}
	if s.cut {
		p.Left = strings.TrimSpace(p.Left + " Of the project the newest " + humanize.Int(maxProfiles) +
			" profiles are looked at.")
	}
	s.steps(&p)
	return p
}

// needs says what a curve takes.
func needs(c *curve) string {
	if c.Family == "" {
		return "a profile"
	}
	text := measures.FamilyOf(&c.Measure).Needs
	if c.Pair {
		text += " of two builds"
	}
	if c.Needs != "" {
		text += " and " + c.Needs
	}
	return text
}

// first are the curves that have a button of their own: the first of the chosen one's family,
// itself among them.
func (s *selection) first() (list []int) {
	for i := range s.curves {
		if s.curves[i].Family == s.chosen().Family {
			list = append(list, i)
		}
	}
	if at := slices.Index(list, s.at); at >= maxSegments {
		list[maxSegments-1] = s.at
	}
	return list[:min(maxSegments, len(list))]
}

// options are names to choose from.
func options(names []string, chosen string, write func(string) string) (list []page.Option) {
	for _, name := range names {
		list = append(list, page.Option{Value: name, Label: write(name), Selected: name == chosen})
	}
	return list
}

func loadName(name string) string {
	if name == "" {
		return "no workload"
	}
	return humanize.Printable(name)
}

// chart draws the trend.
func (s *selection) chart() *chart.Trend {
	c := s.chosen()
	values := make([]chart.TrendValue, len(s.trend.Points))
	last := -1
	for i := range values {
		p := &s.trend.Points[i]
		v := chart.TrendValue{Number: p.Number, Known: p.Known, Tick: p.At.UTC().Format("Jan 2006"), URL: s.pageOf(p.Build)}
		if p.Known {
			v.Title = builtFrom(p.Build) + ": " + number(c.Unit, p.Number)
			if p.Before != nil {
				v.Compare = compareURL(p.Before.ID, p.Profile.ID, c)
			}
			if last >= 0 {
				v.Title += ", " + moved(c.Unit, s.trend.Points[last].Number, p.Number)
			}
			if v.Step = p.Marked(); v.Step != 0 {
				sign, _ := arrow(c.Better, p.Step)
				v.StepText = sign + " " + moved(c.Unit, p.Number-p.Step, p.Number) + " at " + nameOf(p.Build)
				v.StepNote = cut(humanize.Printable(p.Subject))
			}
			last = i
		}
		values[i] = v
	}
	return chart.NewTrend(s.trendLabel(), values, s.axis(c))
}

// trendLabel is the chart in a sentence.
func (s *selection) trendLabel() string {
	c := s.chosen()
	var known []*builds.Point
	for i := range s.trend.Points {
		if s.trend.Points[i].Known {
			known = append(known, &s.trend.Points[i])
		}
	}
	if len(known) == 0 {
		return c.title()
	}
	first, last := known[0], known[len(known)-1]
	text := c.title() + ", " + humanize.Plural(len(known), "build") + " of " + branchName(s.branch) + ": "
	if len(known) > 1 {
		text += "from " + number(c.Unit, first.Number) + " on " + day(first.At).Text + " to "
	}
	return text + number(c.Unit, last.Number) + " on " + day(last.At).Text
}

// axis is what the values of a curve are, with the limits that the gate sets.
func (s *selection) axis(c *curve) chart.TrendAxis {
	a := chart.TrendAxis{Better: c.Better, Bytes: c.Unit == measures.Bytes, Write: axis(c.Unit)}
	if c.Unit == measures.Part {
		a.Most = 100
	}
	for _, r := range s.rules {
		if r.Of != gate.Itself || called(s.curves, r.Measure) < 0 || s.curves[called(s.curves, r.Measure)].name != c.name {
			continue
		}
		word := "at most "
		if r.Min {
			word = "at least "
		}
		a.Limits = append(a.Limits, chart.TrendBound{
			At: r.Limit, Least: r.Min, Label: "gate: " + word + axis(c.Unit)(r.Limit),
		})
	}
	return a
}

// small are the charts of the other measures below the large one: the first of each family,
// then the second, so that a project with several families sees all of them.
func (s *selection) small() (list []projectview.Small) {
	var turns [][]*curve
	seen := map[model.Family]int{}
	for i := range s.curves {
		c := &s.curves[i]
		turn := seen[c.Family]
		if seen[c.Family]++; turn == len(turns) {
			turns = append(turns, nil)
		}
		if i != s.at {
			turns[turn] = append(turns[turn], c)
		}
	}
	for _, c := range slices.Concat(turns...) {
		if len(list) == maxSmall {
			break
		}
		trend := s.trendOf(c)
		one := projectview.Small{Title: c.title(), URL: s.address(projectpath.Of(s.project), c), Value: newest(trend)}
		if one.Chart = spark(trend); one.Chart != nil {
			list = append(list, one)
		}
	}
	return list
}

const maxSmall = 10

// spark is a trend without words.
func spark(t *builds.Trend) *chart.Trend {
	values := make([]chart.TrendValue, len(t.Points))
	for i := range values {
		values[i] = chart.TrendValue{Number: t.Points[i].Number, Known: t.Points[i].Known, Step: t.Points[i].Marked()}
	}
	return chart.NewTrend(t.Title, values, chart.TrendAxis{Better: t.Better, Write: func(float64) string { return "" }})
}

// newest is the last value that a trend knows, in words.
func newest(t *builds.Trend) string {
	for i := range slices.Backward(t.Points) {
		if t.Points[i].Known {
			return number(t.Unit, t.Points[i].Number)
		}
	}
	return "–"
}

// compareURL compares two profiles in the family of a curve.
func compareURL(base, test string, c *curve) string {
	if base == test {
		return ""
	}
	return query(site.CompareURL(base, test), "family", string(c.Family))
}

// steps adds the newest steps in words, how many more there are, and those that were dismissed.
func (s *selection) steps(m *projectview.Trend) {
	c, last, list := s.chosen(), -1, []projectview.Step{}
	m.StepAction, m.StepLocked = projectpath.Of(s.project, "trends"), s.locked
	for i := range s.trend.Points {
		p := &s.trend.Points[i]
		if p.Step != 0 && last >= 0 {
			sign, tone := arrow(c.Better, p.Step)
			from := &s.trend.Points[last]
			step := projectview.Step{
				Tag: page.Tag{Text: sign + " step", Tone: tone},
				Says: fmt.Sprintf("%s → %s, %s: %s", nameOf(from.Build), nameOf(p.Build), day(p.At).Text,
					moved(c.Unit, from.Number, p.Number)),
			}
			if subject := cut(humanize.Printable(p.Subject)); subject != "" {
				step.Says += ". " + subject
			}
			if from.Profile != nil {
				step.Compare, step.CompareSays = compareURL(from.Profile.ID, p.Profile.ID, c),
					nameOf(from.Build)+" and "+nameOf(p.Build)
			}
			step.Fields = []page.Hidden{
				{Name: "branch", Value: s.branch}, {Name: "workload", Value: s.workload}, {Name: "measure", Value: c.name},
				{Name: "build", Value: p.ID()},
			}
			if p.Dismissed {
				m.Dismissed = append(m.Dismissed, step)
			} else {
				list = append(list, step)
			}
		}
		if p.Known {
			last = i
		}
	}
	slices.Reverse(list)
	slices.Reverse(m.Dismissed)
	if more := len(list) - maxSteps; more > 0 {
		list, m.MoreSteps = list[:maxSteps], "and "+humanize.Plural(more, "earlier step")
	}
	m.Steps = list
}

// tableOf is the twin of the chart, the newest first.
func (s *selection) tableOf() *projectview.Table {
	c := s.chosen()
	t := &projectview.Table{Value: c.title()}
	last := math.NaN()
	for i := range s.trend.Points {
		p := &s.trend.Points[i]
		row := projectview.TableRow{
			Commit: nameOf(p.Build), URL: s.pageOf(p.Build), Subject: humanize.Printable(p.Subject), At: day(p.At),
			Value: cmp.Or(missing(p), "–"),
		}
		if p.Known {
			row.Value, row.Of = number(c.Unit, p.Number), whole(c.Unit, p.Value)
			if !math.IsNaN(last) {
				row.Change = change(c.Unit, last, p.Number)
			}
			if p.Step != 0 {
				sign, tone := arrow(c.Better, p.Step)
				row.Step = &page.Tag{Text: sign + " step", Tone: tone}
				if p.Dismissed {
					row.Step.Text, row.Step.Tone = row.Step.Text+", dismissed", page.Neutral
				}
			}
			if p.Before != nil {
				row.Compare = compareURL(p.Before.ID, p.Profile.ID, c)
			}
			last = p.Number
		}
		t.Rows = append(t.Rows, row)
	}
	slices.Reverse(t.Rows)
	return t
}

// missing says why a point has no value.
func missing(p *builds.Point) string {
	if p.Pending {
		return "being measured"
	}
	return ""
}

// cut ends a commit's subject where a label has no more room.
func cut(subject string) string {
	if list := []rune(subject); len(list) > maxTitle {
		return string(list[:maxTitle-1]) + "…"
	}
	return subject
}
