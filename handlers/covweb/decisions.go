package covweb

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/decode/covmap"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/covview"
	"proflens/views/page"
)

// decisions is the page and the table of conditions made of several.
var decisions = lists.Declared{
	Declaration: covdb.Decisions, ID: "mcdc", API: "/coverage/mcdc", View: decisionsView, Title: "MC/DC conditions",
	Own: strings.Fields("path file without missing instances"), Opens: "Open line",
	First: "Most conditions missing first, own code before tests and dependencies.",
	None:  page.Blank{Title: "No decisions", Text: "Compile with -fcoverage-mcdc to have conditions recorded."},
	Find:  func(v *site.Values) lists.Finder { return foundDecisions(v, false) },
}

// foundDecisions finds those that a request asks for; on a page without those that no number has.
func foundDecisions(v *site.Values, onPage bool) lists.Finder {
	q, files := covdb.DecisionQuery{Missing: v.Yes("missing"), Instances: v.Yes("instances"),
		Worst: onPage && v.One("sort") == ""}, filesOf(v)
	return within(onPage, func(ctx context.Context, p *covdb.Profile) (find table.Find, err error) {
		if q.Files, err = files(p); err != nil {
			return nil, err
		}
		return p.FindDecisions(ctx, q)
	})
}

// decisionsPage is GET /p/{id}/mcdc: what is missing most comes first.
func (s *handler) decisionsPage(w http.ResponseWriter, r *http.Request) error {
	d, shown := decisions, *covdb.Decisions
	shown.Usual, shown.Show = "-missing", "file missing mcdc vectors function"
	d.Declaration = &shown
	d.Find = func(v *site.Values) lists.Finder { return foundDecisions(v, true) }
	texts := texts{}
	read := func(d *covdb.Decision) error {
		for _, span := range append([]covdb.Span{{File: d.File}}, d.Spans...) {
			if f := span.File; f != nil && texts[f] == nil && len(texts) < maxTexts {
				text, _, err := s.SourceText(r.Context(), s.Entry(r), f.Name)
				if err != nil {
					return err
				}
				texts[f] = &listing{text: sources.Lines(text)}
			}
		}
		return nil
	}
	d.Inspect = func(_ *http.Request, _ *lists.Request, in *page.Inspector, row any) error {
		d := row.(*covdb.Decision)
		err := read(d)
		in.Lists = texts.inspected(d)
		return err
	}
	d.Adorn = func(_ *http.Request, v *lists.Request, g *page.Grid) error {
		missing := v.Address.Query.Get("missing") == "true"
		sums := v.Found.Around.(*covdb.DecisionSums).Conditions
		g.Says = humanize.Say("{decision}, {} of {condition} shown to matter.", v.Found.Matching, sums.Covered, sums.Total)
		if missing {
			g.Says += " Decisions in macros are among them; totals leave those out."
		} else {
			g.Says += " Of several instantiations, the one that shows most counts; macros do not."
		}
		g.Facets = plain(v).Ways("missing", "false", strconv.FormatBool(missing), []site.Way{
			{"false", "All", ""}, {"true", "With something missing", ""},
		})
		chipsOf(v, g)
		v.Link = func(row any) string { return openURL(v.Base, &row.(*covdb.Decision).Place) }
		links := s.SourceLinks(s.Entry(r))
		v.Draw = lists.Draws{
			"file": func(row any) page.GridCell {
				d := row.(*covdb.Decision)
				c := placeCell(&d.Place, v.Link(row), links)
				if d.Used.File != nil {
					at := &covdb.Place{File: d.Used.File, Line: d.Used.Start.Line}
					used := placeCell(at, openURL(v.Base, at), nil) // a second sign would be too close to be touched
					used.Text, used.Title = "used at "+used.Text, "used at "+used.Title
					c.Lines = append(c.Lines, used)
				}
				return c
			},
			"mcdc": func(row any) page.GridCell {
				m := row.(*covdb.Decision).Metric
				return page.GridCell{
					Bar:    &chart.Bar{Width: chart.PartBar(float64(m.Covered) / float64(max(m.Total, 1))).Width},
					Number: humanize.Number{Text: covview.OfAll(m)},
				}
			},
			"vectors": func(row any) page.GridCell {
				return page.GridCell{Number: humanize.Whole(len(row.(*covdb.Decision).Seen.Vectors))}
			},
			"missing": func(row any) page.GridCell {
				return texts.missing(row.(*covdb.Decision))
			},
		}
		for _, d := range table.RowsOf[covdb.Decision](&v.Found) {
			if err := read(d); err != nil {
				return err
			}
		}
		return nil
	}
	return d.Serve(s.Site)(w, r)
}

// maxTexts is of how many files one page of decisions has the text.
const maxTexts = 100

// texts are the lines of files, as far as there is a text.
type texts map[*covdb.File]*listing

// condition names one: "C2 cur == end", with its place where there is no text, or a macro has it.
func (t texts) condition(d *covdb.Decision, at int) string {
	span := d.Spans[at]
	l := t[span.File]
	text := cmp.Or(l.codeOf(span.Start, l.called(span.End)), "at "+d.Seen.Conditions[at].Start.String())
	if span.File != nil && span.File != d.File {
		text += ", " + span.File.Base() + ":" + strconv.Itoa(int(span.Start.Line))
	}
	return "C" + strconv.Itoa(at+1) + " " + humanize.Printable(text)
}

// called is the end of the arguments that begin at a place, on one line; the place itself where none
// do. The region of a macro that is used ends before them.
func (l *listing) called(end covmap.Position) covmap.Position {
	if l == nil || end.Line == 0 || int(end.Line) > len(l.text) || end.Column == 0 {
		return end
	}
	depth, line := 0, l.text[end.Line-1]
	for i := int(end.Column) - 1; i < len(line); i++ {
		switch line[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 1 {
			if line[i] == ')' && i >= int(end.Column) {
				end.Column = uint32(i + 2)
			}
			break
		}
	}
	return end
}

// missing are the conditions that were not shown to matter.
func (t texts) missing(d *covdb.Decision) page.GridCell {
	const most = 4
	var c page.GridCell
	for at := range d.Seen.Conditions {
		if one := &d.Seen.Conditions[at]; one.Folded || one.Covered() {
			continue
		}
		if more := d.Metric.Missed() - most; len(c.Lines) == most && more > 1 { // one takes the line itself
			c.Lines = append(c.Lines, page.GridCell{Text: "and " + humanize.Int(more) + " more"})
			break
		}
		text := t.condition(d, at)
		c.Lines = append(c.Lines, page.GridCell{Text: text, Title: text})
	}
	return c
}

// inspected is a decision in the inspector: its conditions, the vectors that would show those
// that are missing, and those that ran.
func (t texts) inspected(row *covdb.Decision) []page.Lines {
	d := row.Seen
	conditions := page.Lines{Title: "Conditions", Note: t[row.File].codeOf(d.Start, d.End)}
	for at := range d.Conditions[:min(len(d.Conditions), covview.MaxVectors)] {
		c := &d.Conditions[at]
		line := page.NoteLine{Text: t.condition(row, at), Note: "○ not shown to matter"}
		switch {
		case c.Folded:
			line.Note = "known to the compiler"
		case c.Covered():
			line.Note = "shown by vectors " + strconv.Itoa(c.Pair[0]) + " and " + strconv.Itoa(c.Pair[1])
		}
		conditions.List = append(conditions.List, line)
	}
	conditions.More = humanize.More(len(d.Conditions) - covview.MaxVectors)
	wanted, pairs := d.Wanted(), page.Lines{Title: "Would show what is missing"}
	for i := range wanted[:min(len(wanted), covview.MaxVectors)] {
		w := &wanted[i]
		pairs.List = append(pairs.List, page.NoteLine{
			Text: vectorText(w.Values, w.Result), Note: covview.WantedSays(wanted, i),
		})
	}
	pairs.More = humanize.More(len(wanted) - covview.MaxVectors)
	ran := page.Lines{Title: "Vectors that ran", More: humanize.More(len(d.Vectors) - covview.MaxVectors)}
	for i := range d.Vectors[:min(len(d.Vectors), covview.MaxVectors)] {
		v := &d.Vectors[i]
		ran.List = append(ran.List, page.NoteLine{Text: strconv.Itoa(i+1) + ": " + vectorText(v.Values, v.Result)})
	}
	return slices.DeleteFunc([]page.Lines{conditions, pairs, ran}, func(l page.Lines) bool { return len(l.List) == 0 })
}

// vectorText is a vector in a line: "T F – → F".
func vectorText(values []coverage.Value, result bool) string {
	var list []string
	for _, v := range values[:min(len(values), covview.MaxHeads)] {
		list = append(list, covview.ValueText(v, "–"))
	}
	if len(values) > covview.MaxHeads {
		list = append(list, "…")
	}
	return strings.Join(list, " ") + " → " + covview.Truth(result)
}

// openURL is a line of a file with what unfolds under it.
func openURL(base string, p *covdb.Place) string {
	to, hash, _ := strings.Cut(lineURL(base, p.File, p.Line), "#")
	return to + "&open=" + strconv.Itoa(int(p.Line)) + "#" + hash
}
