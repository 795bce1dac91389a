package site

import (
	"context"
	"net/http"

	"proflens/catalog"
	"proflens/internal/humanize"
	"proflens/views/page"
)

// How much of each list the first page of a profile shows.
const (
	overviewIDs    = 4
	overviewLines  = 8
	overviewInputs = 12
)

// Draw is a page without its frame.
type Draw func(page.Shell) page.Part

// Overview is GET /p/{id}, the first page of a profile of any family: fill has what all
// families show and the profile's path, and gives what draws the page in its frame.
func (s *Site) Overview(
	fill func(ctx context.Context, r *http.Request, head page.Overview, base string) (Draw, error)) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if done, err := s.beginOverview(w, r); done {
			return err
		}
		draw, err := fill(s.RequestContext(r), r, s.overviewHead(r), s.Base(r))
		if err != nil {
			return err
		}
		shell := s.ProfileShell(r, OverviewView, "")
		s.Receipt(w, r, &shell)
		return s.Render(w, r, draw(shell))
	}
}

// beginOverview answers where a page is not asked for, or the browser has it. done says that
// the answer is written.
func (s *Site) beginOverview(w http.ResponseWriter, r *http.Request) (done bool, err error) {
	if r.URL.Query().Has("format") {
		return true, AnswerByAPI(w, r)
	}
	if err := NewValues(r.URL.Query(), nil).Err; err != nil {
		return true, err
	}
	if WantsPlain(r) {
		return true, s.ProfileText(w, r)
	}
	if s.NotModifiedPage(w, r) {
		return true, nil
	}
	if s.Profile(r).Storing() {
		Unsettled(w)
	}
	return false, nil
}

// overviewHead is what the first pages of all families have: findings, and what
// the profile is made of.
func (s *Site) overviewHead(r *http.Request) page.Overview {
	o, base := s.Profile(r).Overview, s.Base(r)
	v := page.Overview{
		Describe: o.Info.Describe, File: fileCard(o), Merged: s.mergedModel(s.Entry(r)),
		FindingCount: humanize.Int(len(o.Findings)), FindingsURL: base + "/diagnostics", RawURL: base + "/raw",
		IDsURL: base + "/binary-ids",
	}
	for _, f := range WorstFirst(o.Findings)[:min(len(o.Findings), overviewLines)] {
		line := findingLine(f)
		line.URL = s.RowsOf(s.Entry(r), &f)
		v.Findings = append(v.Findings, line)
	}
	v.MoreFindings = humanize.More(len(o.Findings) - len(v.Findings))
	return v
}

// shownInputs is how many inputs of a merge an overview lists.
const shownInputs = 50

// mergedModel says what a profile was merged from; nil for an upload.
func (s *Site) mergedModel(e *catalog.Entry) *page.Merged {
	m := e.Merged
	if m == nil {
		return nil
	}
	list := &page.Merged{}
	if more := len(m.Inputs) - shownInputs; more > 0 {
		list.More, list.MoreURL = humanize.Int(more)+" more", APIOf(e.ID)
	}
	for _, in := range m.Inputs[:min(len(m.Inputs), shownInputs)] {
		input := page.MergedInput{
			Name: humanize.Printable(in.Name), Describe: in.Describe, Weight: humanize.Int(in.Weight),
			Digest: ShortDigest(in.Digest),
		}
		if in.ID != "" {
			input.URL = PageOf(in.ID)
		}
		if len(in.Partial) > 0 {
			input.Partial = "partial: " + in.Partial[0].Count(func(n uint64) string { return humanize.Int(n) }, "–")
		}
		input.Has, input.LeftOut = contributionWords(in.Contribution), humanize.Printable(in.LeftOut)
		list.Inputs = append(list.Inputs, input)
	}
	for _, f := range m.Findings {
		list.Findings = append(list.Findings, findingLine(f))
	}
	return list
}

// contributionWords say what an input has in a sum; empty for one of which that is not
// told.
func contributionWords(c *catalog.Contribution) string {
	if c == nil {
		return ""
	}
	words := humanize.Say("{function ran|functions ran}, counts of {}", c.Functions, humanize.Group(c.Count))
	if c.OnlyCounters > 0 {
		words += humanize.Say("; alone it ran {function} and {counter}", c.OnlyFunctions, c.OnlyCounters)
	}
	if c.Overlap != nil {
		words += humanize.Say("; {%} as the others", *c.Overlap)
	}
	return words
}
