package covweb

import (
	"fmt"

	"proflens/analyze/coverage"
	"proflens/profiledb/covdb"
	"proflens/say"
	"proflens/views/covview"
)

// metric is one of the five figures.
type metric struct {
	id, label string
	of        func(s *covdb.Sums, union bool) coverage.Metric
	missing   func(n int) string
}

var metrics = []metric{
	{"lines", "Lines", func(s *covdb.Sums, union bool) coverage.Metric { return s.Of(union).Lines }, nil},
	{
		"regions", "Regions", func(s *covdb.Sums, union bool) coverage.Metric { return s.Of(union).Regions },
		func(n int) string { return say.Int(n) + " not covered" },
	},
	{
		"branches", "Branches", func(s *covdb.Sums, union bool) coverage.Metric { return s.Of(union).Branches },
		func(n int) string { return say.Plural(n, "side", "sides") + " never taken" },
	},
	{
		"functions", "Functions", func(s *covdb.Sums, _ bool) coverage.Metric { return s.Functions },
		func(n int) string { return say.Int(n) + " never ran" },
	},
	{
		"mcdc", "MC/DC conditions", func(s *covdb.Sums, _ bool) coverage.Metric { return s.MCDC },
		func(n int) string { return say.Int(n) + " without a pair" },
	},
}

// share is a metric in percent.
func share(m coverage.Metric) string { return covview.Share(m.Covered, m.Total) }

// partly is how many of the lines that ran did so only in part.
func partly(s *covdb.Sums, m coverage.Metric) int { return min(s.Partly, m.Covered) }

// measures are the five figures at the head of a page; those of nothing are left out,
// but for lines. goal is in percent; urls are the lists of what is missing.
func measures(s *covdb.Sums, union bool, goal int, urls map[string]string) []covview.Measure {
	var list []covview.Measure
	for _, m := range metrics {
		n := m.of(s, union)
		if n.Total == 0 && m.id != "lines" {
			continue
		}
		v := covview.Measure{
			ID: m.id, Label: m.label, Percent: share(n), Of: say.Int(n.Covered) + " of " + say.Int(n.Total),
			Bar: covview.NewBar(n.Covered, 0, n.Total),
		}
		if m.id == "lines" {
			v.Bar = covview.NewBar(n.Covered, partly(s, n), n.Total)
			if n.Total > 0 {
				v.Goal = fmt.Sprintf("%d%%", goal)
				v.Note = goalWords(n, goal)
			}
		} else if missed := n.Missed(); missed > 0 {
			v.Note, v.URL = m.missing(missed), urls[m.id]
		}
		list = append(list, v)
	}
	return list
}

// goalWords say how far the goal is.
func goalWords(n coverage.Metric, goal int) string {
	wanted := (n.Total*goal + 99) / 100
	text := "goal " + say.Int(goal) + say.NumberSpace + "%: "
	if short := wanted - n.Covered; short > 0 {
		return text + say.Plural(short, "line", "lines") + " short"
	}
	return text + "reached"
}

// under reports whether lines are below a goal in percent.
func under(n coverage.Metric, goal int) bool { return n.Covered*100 < n.Total*goal }

// inFull is a count with all digits, as listings of source have it.
func inFull(v uint64) say.Number { return say.Number{Text: say.Int(v)} }
