package covweb

import (
	"bytes"
	"context"
	"net/http"
	"slices"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/stored"
	"proflens/views/covview"
	"proflens/views/page"
)

const (
	glanceRows    = 6
	functionLines = 80 // of a function, on its page
)

// onOverview is the coverage of a profile on its first page.
func (s *handler) onOverview(ctx context.Context, r *http.Request) (page.Part, error) {
	e := s.Entry(r)
	p, err := covdb.Of(s.Profile(r))
	if err != nil {
		return nil, err
	}
	base, o := site.PageOf(e.ID), p.Overview
	q, err := s.usual(ctx, e)
	if err != nil {
		return nil, err
	}
	whole, x := p, s.exclusion(e, q)
	if p, err = x.Of(ctx, whole); err != nil {
		return nil, err
	}
	sums, err := p.Sum(ctx, covdb.FileQuery{Without: q.without})
	if err != nil {
		return nil, err
	}
	v := covview.Glance{
		Of: q.of(&covdb.Node{Files: sums.Files}, o),
		Measures: measures(&sums.Sums, false, usualGoal, map[string]string{
			"functions": base + "/uncovered", "mcdc": base + "/mcdc?missing=true",
			"branches": q.flat("branches<100", "kind,branches"), "regions": q.flat("regions<100", "kind,regions"),
		}),
		Findings: misfitLines(o, base), Files: base + "/files", FilesN: humanize.Plural(o.Files, "file"),
	}
	if v.LeftOut, err = x.LeftOut(ctx, whole, p, q.query("", nil, 0, 0)); err != nil {
		return nil, err
	}
	q.thresholds = []covdb.Threshold{{Column: "lines", Op: "<", Percent: 100}}
	files, _, err := p.Files(ctx, q.query("", ownFirst(nil), 0, glanceRows))
	q.thresholds = nil
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		v.Rows = append(v.Rows, q.row(f))
	}
	err = s.longest(ctx, p, q, glanceRows, &v.Longest)
	return covview.GlancePanel(v), err
}

// onFunction is a function's lines on its page; nil where the mapping has it not.
func (s *handler) onFunction(ctx context.Context, e *catalog.Entry, profile *stored.Profile,
	name []byte) (page.Part, error) {
	p, err := covdb.Of(profile)
	if noPart(err) || len(name) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found, err := p.Named(ctx, instrprof.NameRef(name))
	if err != nil || len(found) == 0 || found[0].File == nil {
		return nil, err
	}
	f, c, err := p.Function(ctx, found[0].ID)
	if err != nil {
		return nil, err
	}
	view := c.FunctionUnion(&c.Functions[0])
	if view == nil {
		return nil, nil
	}
	base := site.PageOf(e.ID)
	v := covview.OfFunction{
		Source: sourceweb.Elsewhere(s.SourceLinks(e), f.File.Name, f.File.Path, f.Line),
		URL:    lineURL(base, f.File, f.Line),
		Place:  humanize.Printable(f.File.Path) + ":" + span{f.Line, f.Line}.String(),
	}
	sums := covdb.Sums{Summary: f.Summary}
	v.List = fileMeasures(&sums, false)
	v.Says = humanize.Say("{} of {line} covered", f.Lines.Covered, f.Lines.Total)
	if f.Count == 0 {
		v.Says = "never ran: " + humanize.Plural(f.Lines.Total, "line")
	}
	rows := view.Rows()
	drawn := source{listing: &listing{rows: rows}, cov: c, columns: widest(rows)}
	text, hasText, err := s.SourceText(ctx, e, f.File.Name)
	if err != nil {
		return nil, err
	}
	if hasText {
		drawn.text = sources.Lines(text)
		// Of its own lines alone the colours are known at once.
		before := min(int(max(f.Line, 1))-1, len(drawn.text))
		own := drawn.text[before:min(before+functionLines, len(drawn.text))]
		tokens, _ := s.syntax.Of(f.File.Name, bytes.Join(own, []byte("\n")), len(own), s.PageWait == 0)
		drawn.syntax = slices.Concat(make([][]sourceweb.Token, before), tokens)
	}
	for i := range rows {
		r := &rows[i]
		if r.State == coverage.Unmapped && (!hasText || r.Last < f.Line || r.First > f.EndLine) {
			continue
		}
		lines := span{r.First, r.Last}
		for first := r.First; first <= r.Last; first++ {
			if hasText {
				lines = span{first, first}
			}
			if len(v.Rows) == functionLines {
				v.More = "All lines of the file"
				return covview.OfFunctionPanel(v), nil
			}
			l := covview.Line{Row: r, Number: lines.words(), Toggle: lineURL(base, f.File, lines.first)}
			if hasText {
				l.Text = drawn.spans(r, first)
			} else {
				l.Ribbon, l.Open = drawn.ribbon(r)
			}
			drawn.sides(&l)
			v.Rows = append(v.Rows, l)
			if !hasText || first == maxLine {
				break
			}
		}
	}
	return covview.OfFunctionPanel(v), nil
}
