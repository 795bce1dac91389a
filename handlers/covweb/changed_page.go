package covweb

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	"proflens/catalog"
	"proflens/decode/unidiff"
	"proflens/encode/llvmcov"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/views/covview"
	"proflens/views/sourceview"
)

// Which added lines a page of changed lines shows.
const (
	showUncovered = "uncovered"
	showPartly    = "partly"
)

// maxChangedLines is how many lines of hunks a page shows.
const maxChangedLines = 2000

var changedKeys = []string{"diff", "file", "show", "format"}

// changedPage is GET /p/{id}/changed, and of the API: what a diff that was kept says.
func (s *handler) changedPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), changedKeys)
	show := site.Choice(v, "show", "", showUncovered, showPartly)
	format := site.Choice(v, "format", "", "json", markdownFormat, textFormat)
	if v.Err != nil {
		return v.Err
	}
	ctx, end, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	defer end()
	e, p := s.Entry(r), s.coverage(r)
	base := site.PageOf(e.ID)
	m := covview.Changed{Ask: askForDiff(e, base, site.Origin(r))}
	if digest := v.One("diff"); digest != "" {
		diff, ok, err := s.keptDiff(ctx, e, digest)
		if err != nil {
			return err
		}
		if !ok {
			return &site.Problem{
				Status: http.StatusNotFound, Kind: "not_found", Title: "No such diff",
				Detail: "no diff of this digest is kept with the profile",
			}
		}
		changed, err := s.changedOf(ctx, e, s.Profile(r), bytes.NewReader(diff))
		if err != nil {
			return err
		}
		if format != "" {
			return writeChanged(w, p, changed, format)
		}
		fillChanged(&m, changed, p, site.AddressOf(r.URL), v.One("file"), show, base)
	}
	if format != "" {
		return &site.ParamError{Param: "diff", Msg: "give a unified diff: " + m.Ask.Command}
	}
	return s.Render(w, r, covview.ChangedPage(s.ProfileShell(r, changedView, "Changed lines"), m))
}

func askForDiff(e *catalog.Entry, base, origin string) sourceview.AskText {
	return sourceview.AskText{
		Title: "Which changed lines ran?", Text: "Give a unified diff, or ask from a terminal, which keeps nothing here:",
		Command: "git diff main | curl --data-binary @- '" + origin + site.APIOf(e.ID) + "/changed?format=text'",
		Action:  base + "/changed", ID: e.ID,
	}
}

// fillChanged puts what a diff says on the page.
func fillChanged(m *covview.Changed, changed *coverage.Changed, p *covdb.Profile, a site.Address, file,
	show, base string) {
	sum := changed.Sum
	says := llvmcov.ChangedSays(sum)
	if head, more, ok := strings.Cut(says, "; "); ok {
		m.Says, m.More = head+".", more
	} else {
		m.Says = says
	}
	all := sum.Metric()
	m.Bar = covview.NewBar(all.Covered, sum.Partly, all.Total)
	m.Counts = fmt.Sprintf("%s covered, %s partly, %s not. %s no code.", humanize.Int(sum.Covered),
		humanize.Int(sum.Partly),
		humanize.Int(sum.NotCovered), humanize.Plural(sum.NoCode, "added line holds", "added lines hold"))
	m.JSON, m.Markdown = a.Without("file", "show").With("format", "json").String(),
		a.Without("file", "show").With("format", markdownFormat).String()
	m.Ways = a.Ways("show", "", show, []site.Way{
		{"", "All changed", ""}, {showUncovered, "Not covered", ""}, {showPartly, "Partly", ""},
	})
	for _, path := range changed.Unmapped {
		m.Unmapped = append(m.Unmapped, humanize.Printable(path))
	}
	list := changed.ByGaps()
	names := p.FileNames()
	for _, f := range list {
		lines := f.Sum.Metric()
		dir, name := "", f.Diff.Path
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			dir, name = name[:i+1], name[i+1:]
		}
		row := covview.ChangedFile{
			Dir: humanize.Printable(dir), Name: humanize.Printable(name), URL: a.With("file", f.Diff.Path).String(),
			Bar:   covview.NewBar(lines.Covered, f.Sum.Partly, lines.Total),
			Lines: fmt.Sprintf("%d/%d", lines.Covered, lines.Total), Not: humanize.Count(uint64(f.Sum.NotCovered)),
			Some:    f.Sum.NotCovered > 0,
			Current: f.Diff.Path == file || file == "" && f == list[0],
		}
		if row.Current {
			m.Open = changedText(f, show)
			m.Open.Dir, m.Open.Name = row.Dir, row.Name
			whole := site.NewAddress(base+"/files").With("file", names[f.File])
			m.Open.Whole = whole.String()
		}
		m.Files = append(m.Files, row)
	}
}

// changedText is the hunks of a file, those with lines that are asked for.
func changedText(f *coverage.ChangedFile, show string) *covview.ChangedText {
	lines := f.Sum.Metric()
	t := &covview.ChangedText{Says: fmt.Sprintf("%d of %d changed lines covered", lines.Covered, lines.Total)}
	byLine := map[int]coverage.ChangedLine{}
	for _, l := range f.Lines {
		byLine[l.Line] = l
	}
	unfit := map[*unidiff.Hunk]bool{}
	for _, h := range f.Unfit {
		unfit[h] = true
	}
	shown, left := 0, 0
	for i := range f.Diff.Hunks {
		h := &f.Diff.Hunks[i]
		one, some := changedHunk(h, byLine, unfit[h], show)
		switch {
		case !some:
			continue
		case shown >= maxChangedLines:
			left++
			continue
		}
		one.Lines = one.Lines[:min(len(one.Lines), maxChangedLines-shown)]
		shown += len(one.Lines)
		t.Hunks = append(t.Hunks, one)
	}
	if left > 0 {
		t.More = humanize.Plural(left, "more hunk", "more hunks") + ", in the JSON."
	}
	return t
}

// changedHunk is a hunk, and whether it has lines that are asked for.
func changedHunk(h *unidiff.Hunk, byLine map[int]coverage.ChangedLine, unfit bool,
	show string) (covview.ChangedHunk, bool) {
	one := covview.ChangedHunk{
		Head:    fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.Old.From, h.Old.Lines, h.New.From, h.New.Lines),
		Section: humanize.Printable(h.Section),
	}
	if unfit {
		one.Says = "not counted: the text of the source differs here"
	}
	some := show == ""
	for _, l := range h.Lines {
		line := covview.ChangedLine{Old: number(l.Old), New: number(l.New), Text: sourceweb.Visible([]byte(l.Text))}
		switch {
		case l.New == 0:
			line.Sign = "−"
		case l.Added():
			line.Sign, line.ID = "+", "N"+strconv.Itoa(l.New)
			if state := byLine[l.New]; !unfit && state.State != coverage.Unmapped {
				line.State, line.Count = states[state.State], humanize.Count(state.Count)
				some = some || show == showUncovered && state.State == coverage.Missed || show == showPartly &&
					state.State == coverage.Partly
			}
		}
		one.Lines = append(one.Lines, line)
	}
	return one, some
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
