package covweb

import (
	"slices"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/views/covview"
)

// maxExpanded is how many lines of an expansion are shown.
const maxExpanded = 60

// expand fills in what a macro or an include stands for.
func (s *handler) expand(v *source, e *covview.Expansion) {
	view := v.cov.ExpansionView(e.Expansion)
	rows := view.Rows()
	name := v.cov.Files[view.File].Name
	e.Text = v.codeOf(e.Region.Start, e.Region.End)
	inner := source{listing: &listing{rows: rows}, q: v.q, cov: v.cov, columns: widest(rows), files: v.files}
	var file *covdb.File
	if v.q.report != nil {
		inner.text = v.q.report.Text(view.File)
	} else if f, err := v.files.FileAt(view.File); err == nil {
		name, file = f.Path, f
	}
	if e.Place = humanize.Printable(name); len(rows) > 0 {
		e.Place += ":" + strconv.Itoa(int(rows[0].First))
		if file != nil {
			e.URL = lineURL(v.q.base, file, rows[0].First)
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.State == coverage.Unmapped {
			continue
		}
		if len(e.Lines) == maxExpanded {
			e.More = "More lines stand in " + e.Place + "."
			break
		}
		l := covview.Line{Row: r, Number: span{r.First, r.Last}.words()}
		if inner.text != nil && r.First == r.Last {
			l.Text = inner.spans(r, r.First)
		} else {
			l.Ribbon, l.Open = inner.ribbon(r)
		}
		inner.sides(&l)
		e.Lines = append(e.Lines, l)
	}
}

// words are lines for people.
func (s span) words() string { return strings.Replace(s.String(), "..", "–", 1) }

// bestDecisions puts those of one place together.
func bestDecisions(list []*coverage.Decision) []covview.Decision {
	var all []covview.Decision
	for _, d := range list {
		i := slices.IndexFunc(all, func(s covview.Decision) bool { return s.Start == d.Start && s.End == d.End })
		if i < 0 {
			all = append(all, covview.Decision{Decision: d, Functions: 1})
			continue
		}
		best := &all[i]
		best.Functions++
		if covered := best.Metric().Covered; d.Metric().Covered > covered ||
			len(d.Vectors) > len(best.Vectors) && d.Metric().Covered == covered {
			best.Decision = d
		}
	}
	return all
}
