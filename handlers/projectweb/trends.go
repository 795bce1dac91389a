package projectweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"proflens/builds"
	"proflens/builds/measures"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/profile/table"
)

// curves are the trends of a series: one for each measure that some build has a value of,
// and for each thing of those that have a value each.
func curves(series []*builds.Build, figures builds.Figures) (list []curve) {
	found, things := builds.Measured(series, figures)
	for _, m := range found {
		if !m.Each {
			list = append(list, curve{Measure: m, name: m.Key()})
			continue
		}
		for _, thing := range things[m.Key()] {
			list = append(list, curve{Measure: m, thing: thing, name: m.Key() + ":" + thing})
		}
	}
	for i := range list {
		list[i].name = strings.TrimPrefix(list[i].name, ".")
	}
	return list
}

// curve is what can be drawn over builds.
type curve struct {
	measures.Measure
	thing string
	name  string // as measure= has it: "instr.overlap", "dcpi.image_samples:/vmunix", "size"
}

// title is what it is called.
func (c *curve) title() string {
	if c.thing != "" {
		return c.Title + ": " + c.thing
	}
	return c.Title
}

// called finds a curve by its name, or by that without its family; -1 for none.
func called(list []curve, name string) int {
	for i := range list {
		if list[i].name == name {
			return i
		}
	}
	return slices.IndexFunc(list, func(c curve) bool {
		return c.Family != "" && strings.TrimPrefix(c.name, string(c.Family)+".") == name
	})
}

// chosenOf finds the curve that measure= names, and adds one that no build has a value of but
// some could; of any other name v fails.
func chosenOf(v *site.Values, list []curve) (all []curve, at int) {
	name := v.One("measure")
	if at = called(list, name); at >= 0 {
		return list, at
	}
	for _, m := range measures.Find(name) {
		if !m.Each {
			return append(list, curve{Measure: *m, name: m.Key()}), len(list)
		}
	}
	unknownMeasure(v, list)
	return list, -1
}

// unknownMeasure says which there are.
func unknownMeasure(v *site.Values, list []curve) {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name
	}
	v.Fail("measure", "no build has a figure %q; those that some have are %s", v.One("measure"), strings.Join(names, ", "))
}

// trendsObject are the measures over the builds of a branch.
type trendsObject struct {
	Project  string        `json:"project"`
	Branch   string        `json:"branch"`
	Workload string        `json:"workload"`
	Items    []trendObject `json:"items"`
}

// trendObject is a measure over builds.
type trendObject struct {
	Measure string         `json:"measure"`
	Family  model.Family   `json:"family" doc:"Empty for the size."`
	Title   string         `json:"title"`
	Unit    measures.Unit  `json:"unit" is:"count|bytes|part"`
	Better  int            `json:"better" is:"-1..1" doc:"1 where more is better, -1 where less is."`
	Pair    bool           `json:"pair" doc:"It is of two profiles: against the build before."`
	Points  []*pointObject `json:"points" doc:"The oldest first."`
}

// pointObject is a build in a trend. Without a value, Value, Of and Number are null.
type pointObject struct {
	Measure string         `json:"-" col:"measure"`
	Commit  string         `json:"commit" col:"commit"`
	Subject string         `json:"subject" col:"subject"`
	At      time.Time      `json:"at"`
	_       table.Computed `col:"at"`
	Profile *string        `json:"profile" col:"profile"` // that was measured; null where the build has none
	Before  *string        `json:"before" col:"before" doc:"Profile of the last build before that has one."`
	Value   *decimal       `json:"value"`
	_       table.Computed `col:"value"`
	Of      *decimal       `json:"of" col:"of" doc:"Of a part, the whole."`
	Exact   string         `json:"exact,omitempty" doc:"Value in decimal where a double has not all its digits."`
	LeftOut string         `json:"left_out,omitempty" doc:"What the value is without."`
	Number  *decimal       `json:"number" col:"number" doc:"What is drawn: per cent of a part."`
	Step    *decimal       `json:"step" col:"step" doc:"How far the level moved with this build, and stayed."`
	Dismiss bool           `json:"dismissed" doc:"Pages mark the step no more."`
	Pending bool           `json:"pending" col:"pending"`
}

// Cell implements [table.Celler].
func (o *pointObject) Cell(column string, options *table.Options) table.Cell {
	switch {
	case column == "at":
		return table.Text(o.At.Format(time.RFC3339))
	case o.Exact != "":
		return table.BigCount(o.Exact)
	case o.Value == nil:
		return table.Null
	}
	return o.Value.Cell(column, options)
}

// decimal is a number that CSV has without an exponent.
type decimal float64

// Cell implements [table.Celler].
func (n *decimal) Cell(string, *table.Options) table.Cell {
	return table.BigCount(strconv.FormatFloat(float64(*n), 'f', -1, 64))
}

func newPoint(name string, p *builds.Point) *pointObject {
	o := &pointObject{Measure: name, Commit: p.Commit, Subject: p.Subject, At: p.At.UTC(), Pending: p.Pending,
		Dismiss: p.Dismissed}
	if p.Profile != nil {
		o.Profile = &p.Profile.ID
	}
	if p.Before != nil {
		o.Before = &p.Before.ID
	}
	if p.Known {
		o.Value, o.Number = (*decimal)(&p.Value.N), (*decimal)(&p.Number)
		o.Exact, o.LeftOut = p.Value.Exact, p.Value.LeftOut
		if p.Value.Of != 0 {
			o.Of = (*decimal)(&p.Value.Of)
		}
		if p.Step != 0 {
			o.Step = (*decimal)(&p.Step)
		}
	}
	return o
}

// getTrends is GET /api/v1/projects/{project}/trends?branch=&workload=&measure=&format=.
// Without measure= it answers with all.
func (s *Handler) getTrends(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), trendKeys)
	format := wanted(v, r)
	if v.Err != nil {
		return v.Err
	}
	h, err := s.historyOf(r)
	if err != nil {
		return err
	}
	c := h.choose(v, false)
	if v.Err != nil {
		return v.Err
	}
	figures, err := s.measurer.Figures(r.Context(), c.series)
	if err != nil {
		return err
	}
	list := curves(c.series, figures)
	if v.One("measure") != "" {
		var at int
		if list, at = chosenOf(v, list); v.Err != nil {
			return v.Err
		}
		list = list[at : at+1]
	}
	dismissed, err := h.store.Dismissed(r.Context(), h.project)
	if err != nil {
		return err
	}
	items := make([]trendObject, len(list))
	for i := range list {
		m := &list[i]
		trend := builds.TrendOf(c.series, m.Measure, m.thing, figures)
		dismiss(trend, dismissed, &c, m)
		items[i] = trendObject{
			Measure: m.name, Family: m.Family, Title: m.title(), Unit: m.Unit, Better: m.Better, Pair: m.Pair,
			Points: make([]*pointObject, len(trend.Points)),
		}
		for j := range trend.Points {
			items[i].Points[j] = newPoint(m.name, &trend.Points[j])
		}
	}
	site.NoStore(w)
	w.Header().Add("Vary", "Accept")
	if format == table.FormatCSV {
		return writeTrends(r.Context(), w, items, fileName(h.project, c.branch, "trends"))
	}
	return site.WriteJSON(w, trendsObject{h.project, c.branch, c.workload, items})
}

// writeTrends writes a line a point.
func writeTrends(ctx context.Context, w http.ResponseWriter, items []trendObject, name string) error {
	var points []*pointObject
	for _, t := range items {
		points = append(points, t.Points...)
	}
	return writeCSV(ctx, w, trendPoints, points, name)
}

// trendPoints are those of trends as CSV.
var trendPoints = table.Declare[pointObject](table.Declaration{})

// writeCSV writes rows that are in memory.
func writeCSV(ctx context.Context, w http.ResponseWriter, d *table.Declaration, rows any, name string) error {
	selected, err := d.Whole(table.Set{Rows: rows}, table.Options{}).Select(nil, table.FormatCSV)
	if err != nil {
		return fmt.Errorf("columns of %s: %w", name, err)
	}
	return site.StreamTable(ctx, w, selected, 0, -1, table.FormatCSV, name)
}

// fileName is what a download is called, without its ending.
func fileName(parts ...string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, c) || c < ' ' {
			return '-'
		}
		return c
	}, strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "-"))
}
