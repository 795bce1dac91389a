package anatomyweb

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
	"proflens/views"
	"proflens/views/page"
)

// findingsShown is how many findings a page of diagnostics has.
const findingsShown = 100

// findingsAtOnce are looked through without a filter.
const findingsAtOnce = 6

// DiagnosticsPage is GET /p/{id}/diagnostics: every finding in full.
func (s *Handler) DiagnosticsPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), []string{"q", "severity", "page", "format"})
	number, words := v.Number("page", 1, 1<<30, 1), v.Words("q")
	severity := site.Choice(v, "severity", "", model.Error, model.Warning, model.Note)
	format := site.Choice(v, "format", "", table.FormatJSON, table.FormatText)
	if v.Err != nil {
		return v.Err
	}
	if format == table.FormatJSON {
		return site.Forward(w, r, site.APIOf(s.Entry(r).ID)+"/diagnostics")
	}
	if s.NotModifiedPage(w, r) {
		return nil
	}
	found, settled, err := s.Findings(r)
	if err != nil {
		return err
	}
	if !settled {
		site.Unsettled(w)
	}
	e := s.Entry(r)
	ctx := s.RequestContext(r)
	shown := slices.DeleteFunc(slices.Clone(found), func(f model.Finding) bool {
		return severity != "" && f.Severity != severity || !hasWords(&f, words)
	})
	if format == table.FormatText {
		text := ""
		for _, f := range shown {
			text += site.FindingText(f)
		}
		return site.WritePlain(w, http.StatusOK, text)
	}
	a := site.AddressOf(r.URL)
	m := diagnosticsModel(e, a, shown, number, s.RowsOf)
	if m.Summary = severities(found); len(found) > findingsAtOnce || len(shown) < len(found) {
		m.Filter = page.QuickFilter{
			Action: a.Path, Q: words, Label: "code, file or words", Keep: site.Keep(a.Without("q", "page")),
		}
		m.Severities = severitySegments(a, found, severity)
	}
	if len(shown) < len(found) && len(shown) == 0 {
		m.Blank = page.Blank{
			Title: humanize.Say("0 of {finding} match", len(found)),
			Chips: []page.Chip{{Text: strings.TrimSpace(string(severity) + " " + words), Remove: a.Path}},
		}
	}
	if m.Salvage, err = s.SalvageOffer(ctx, e); err != nil {
		return err
	}
	return s.Render(w, r, views.Diagnostics(s.ProfileShell(r, site.DiagnosticsView, ""), m))
}

func diagnosticsModel(e *catalog.Entry, a site.Address, found []model.Finding, number int,
	rows func(*catalog.Entry, *model.Finding) string) page.Diagnostics {
	v := page.Diagnostics{
		JSON:  site.APIOf(e.ID) + "/diagnostics",
		Blank: page.Blank{Title: "Nothing to report", Text: "The files were read completely; nothing unusual was found."},
	}
	if e.State == catalog.Decoding {
		v.Blank = page.Blank{Title: "Nothing to report so far", Text: "The tables are still being stored."}
	}
	pages := max((len(found)+findingsShown-1)/findingsShown, 1)
	number = min(number, pages)
	to := func(n int) string {
		if n < 1 || n > pages || n == number {
			return ""
		}
		if n == 1 {
			return a.Without("page").String()
		}
		return a.With("page", strconv.Itoa(n)).String()
	}
	v.Pager = page.Pager{
		Page: humanize.Int(number), Pages: humanize.Int(pages),
		First: to(1), Previous: to(number - 1), Next: to(number + 1), Last: to(pages),
	}
	first := (number - 1) * findingsShown
	for i := first; i < min(first+findingsShown, len(found)); i++ {
		d := diagnosis(e, &found[i], i+1)
		d.Rows = rows(e, &found[i])
		v.Findings = append(v.Findings, d)
	}
	return v
}

// hasWords reports whether a finding has every one of some words, in any case.
func hasWords(f *model.Finding, words string) bool {
	text := strings.ToLower(strings.Join([]string{f.Code, f.Message, f.File, f.Section, f.Field, f.Cause, f.Remedy}, "\n"))
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// severitySegments choose findings of one severity, of those that there are.
func severitySegments(a site.Address, found []model.Finding, now model.Severity) []page.Segment {
	ways := []site.Way{{"", "All " + humanize.Int(len(found)), ""}}
	for _, s := range []model.Severity{model.Error, model.Warning, model.Note} {
		n := 0
		for i := range found {
			if found[i].Severity == s {
				n++
			}
		}
		if n > 0 && n < len(found) {
			ways = append(ways, site.Way{string(s), string(s) + " " + humanize.Int(n), ""})
		}
	}
	if len(ways) == 1 {
		return nil
	}
	return a.Without("page").Ways("severity", "", string(now), ways)
}

// severities counts: "1 error, 2 notes".
func severities(found []model.Finding) string {
	var words []string
	for _, s := range []struct {
		severity  model.Severity
		one, many string
	}{{model.Error, "error", "errors"}, {model.Warning, "warning", "warnings"}, {model.Note, "note", "notes"}} {
		n := 0
		for i := range found {
			if found[i].Severity == s.severity {
				n++
			}
		}
		if n > 0 {
			words = append(words, humanize.Plural(n, s.one, s.many))
		}
	}
	return strings.Join(words, ", ")
}

// diagnosis tells the n-th finding of a page in full.
func diagnosis(e *catalog.Entry, f *model.Finding, n int) page.Diagnosis {
	d := page.Diagnosis{
		ID: "finding-" + strconv.Itoa(n), Severity: site.SeverityTag(f.Severity),
		Code: f.Code, Title: site.Told(f),
		File: humanize.Printable(f.File), Section: humanize.Printable(f.Section), Field: humanize.Printable(f.Field),
		Expected: humanize.Grouped(humanize.Printable(f.Expected)), Found: humanize.Grouped(humanize.Printable(f.Found)),
		Cause: site.Prose(f.Cause), Remedy: site.Prose(f.Remedy),
	}
	if f.Count > 1 {
		d.Records = humanize.Int(f.Count) + " records"
	}
	if hasPlace(f) {
		d.Offset = humanize.Offset(f.Offset)
		if file := fileOf(e, f.File); file >= 0 {
			d.Bytes = RawAddress(e, file).at(f.Offset, 0)
		}
	}
	return d
}

// hasPlace reports whether a finding is about a place in its file, and not
// about the file as a whole.
func hasPlace(f *model.Finding) bool { return f.Section != "" || f.Field != "" || f.Offset > 0 }

// fileOf is the index of the file that a finding names; -1 when that is
// none, or several files and no name.
func fileOf(e *catalog.Entry, name string) int {
	if name == "" && len(e.Files) == 1 {
		return 0
	}
	return slices.IndexFunc(e.Files, func(f catalog.FileEntry) bool { return f.Name == name })
}

// bytesAddress makes links to the page of one file's bytes.
type bytesAddress struct{ site.Address }

// RawAddress is the page of a file's bytes without an offset.
func RawAddress(e *catalog.Entry, file int) bytesAddress {
	a := site.NewAddress(site.PageOf(e.ID) + "/raw")
	return bytesAddress{a.With("file", site.FilePick(e.Files, file))}
}

// at is the address of length bytes at an offset; 0 when it is not known how
// many there are.
func (a bytesAddress) at(offset, length uint64) string {
	with := a.Without("page", "length").With("at", humanize.Hex(offset))
	if length > 0 {
		with = with.With("length", strconv.FormatUint(length, 10))
	}
	return with.String() + "#bytes"
}
