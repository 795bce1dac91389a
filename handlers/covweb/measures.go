package covweb

import (
	"fmt"

	"proflens/analyze/coverage"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/figure"
	"proflens/views/covview"
)

// measures are the five figures at the head of a page; those of nothing are left out,
// but for lines. goal is in percent; urls are the lists of what is missing.
func measures(s *covdb.Sums, union bool, goal int, urls map[string]string) []covview.Measure {
	all := *s
	all.Lines, all.Regions, all.Branches = s.Of(union).Lines, s.Of(union).Regions, s.Of(union).Branches
	var list []covview.Measure
	for _, f := range covdb.Figures.Show(covdb.Figures.Text, &covdb.Overview{Totals: all}, figure.Page) {
		n := coverage.Metric{Total: int(f.Whole.Lo), Covered: int(f.Of.Lo)}
		if n.Total == 0 && f.Name != "lines" {
			continue
		}
		v := covview.Measure{
			ID: f.Name, Label: f.Label, Percent: covview.Share(n), Of: covview.OfAll(n), Bar: covview.BarOf(n, 0),
		}
		if f.Name == "lines" {
			v.Bar = covview.BarOf(n, s.Partly)
			if n.Total > 0 {
				v.Goal = fmt.Sprintf("%d%%", goal)
				v.Note = goalWords(n, goal)
			}
		} else if f.Note != "" {
			v.Note, v.URL = f.Note, urls[f.Name]
		}
		list = append(list, v)
	}
	return list
}

// goalWords say how far the goal is.
func goalWords(n coverage.Metric, goal int) string {
	wanted := (n.Total*goal + 99) / 100
	text := "goal " + humanize.Int(goal) + humanize.NumberSpace + "%: "
	if short := wanted - n.Covered; short > 0 {
		return text + humanize.Plural(short, "line") + " short"
	}
	return text + "reached"
}

// inFull is a count with all digits, as listings of source have it.
func inFull(v uint64) humanize.Number { return humanize.Whole(v) }
