package covweb

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	"proflens/catalog"
	"proflens/encode/llvmcov"
	"proflens/handlers/site"
	"proflens/profile/covdb"
	"proflens/views/covview"
	"proflens/views/sourceview"
)

// Which added lines a page of changed lines shows.
const (
	showUncovered = "uncovered"
	showPartly    = "partly"
)

var changedKeys = []string{"diff", "file", "show", "format"}

// changedPage is GET /p/{id}/changed, and of the API: what a diff that was kept says.
func (s *handler) changedPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), changedKeys)
	show := site.Choice(v, "show", "", showUncovered, showPartly)
	format := site.Choice(v, "format", "", "json", markdownFormat, textFormat)
	if v.Err != nil {
		return v.Err
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	e, p := s.Entry(r), s.coverage(r)
	base := site.PageOf(e.ID)
	m := covview.Changed{Ask: askForDiff(e, base, site.Origin(r))}
	if digest := v.One("diff"); digest != "" {
		diff, ok, err := s.keptDiff(ctx, e, digest)
		if err != nil {
			return err
		}
		if !ok {
			return &site.Absent{
				Title:  "No such diff",
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
	m.Changed, m.Show = changed, map[string]coverage.State{
		showUncovered: coverage.Missed, showPartly: coverage.Partly,
	}[show]
	says := llvmcov.ChangedSays(changed.Sum)
	if head, more, ok := strings.Cut(says, "; "); ok {
		m.Says, m.More = head+".", more
	} else {
		m.Says = says
	}
	m.JSON, m.Markdown = a.Without("file", "show").With("format", "json").String(),
		a.Without("file", "show").With("format", markdownFormat).String()
	m.Ways = a.Ways("show", "", show, []site.Way{
		{"", "All changed", ""}, {showUncovered, "Not covered", ""}, {showPartly, "Partly", ""},
	})
	m.URL = func(path string) string { return a.With("file", path).String() }
	list := changed.ByGaps()
	at := slices.IndexFunc(list, func(f *coverage.ChangedFile) bool { return f.Diff.Path == file })
	if at < 0 && file == "" && len(list) > 0 {
		at = 0
	}
	if at >= 0 {
		m.Open = list[at]
		m.Whole = site.NewAddress(base+"/files").With("file", p.FileNames()[m.Open.File]).String()
	}
}
