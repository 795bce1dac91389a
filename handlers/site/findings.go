package site

import (
	"fmt"
	"net/http"
	"slices"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/internal/humanize"
	"proflens/profile/stored"
	"proflens/views/page"
)

// WorstFirst orders findings by severity, keeping the order among equals.
func WorstFirst(findings []model.Finding) []model.Finding {
	rank := map[model.Severity]int{model.Error: 0, model.Warning: 1, model.Note: 2}
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b model.Finding) int { return rank[a.Severity] - rank[b.Severity] })
	return sorted
}

// RowsOf is where the rows are that a finding counts; empty where there is no list of
// them.
func (s *Site) RowsOf(e *catalog.Entry, f *model.Finding) string {
	for _, family := range s.familiesOf(e.Families) {
		if path, ok := family.Counted[f.Code]; ok && e.State == catalog.Ready {
			return PageOf(e.ID) + path
		}
	}
	return ""
}

func findingLine(f model.Finding) page.Finding {
	line := page.Finding{
		Severity: string(f.Severity), Code: f.Code, Message: Told(&f),
		Cause: Prose(f.Cause), Remedy: Prose(f.Remedy),
	}
	add := func(s string) {
		if line.Where != "" {
			line.Where += ", "
		}
		line.Where += humanize.Printable(s)
	}
	if f.File != "" {
		add(f.File)
	}
	if f.Section != "" {
		add(f.Section)
	}
	if f.Offset > 0 {
		add(fmt.Sprintf("offset 0x%x", f.Offset))
	}
	return line
}

// ReadyFindings are those of a profile's tables, after what is known of files
// that were given later and could not be added.
func ReadyFindings(e *catalog.Entry, o *stored.Overview) []model.Finding {
	list := slices.DeleteFunc(EntryFindings(e), func(f model.Finding) bool { return slices.Contains(o.Findings, f) })
	return append(list, o.Findings...)
}

// refusedNotice says that files which were given to a ready profile could not
// be added to it.
func refusedNotice(e *catalog.Entry) []page.Notice {
	if e.State != catalog.Ready || e.Pending || !e.Refused {
		return nil
	}
	return []page.Notice{
		{
			Tone: page.Caution, Text: "Not added: " + Sentence(humanize.Printable(e.Finding.Message)),
			URL: PageOf(e.ID) + "/diagnostics", Link: "What is wrong",
		},
	}
}

// EntryFindings are what the catalog knows is wrong with a profile and with
// its files.
func EntryFindings(e *catalog.Entry) []model.Finding {
	list := []model.Finding{}
	add := func(f *model.Finding) {
		if f != nil && !slices.Contains(list, *f) {
			list = append(list, *f)
		}
	}
	add(e.Finding)
	for i := range e.Files {
		add(e.Files[i].Finding)
	}
	return list
}

// Findings are those of the opened profile, worst first, or what is known of
// one without tables. More may come while settled is false.
func (s *Site) Findings(r *http.Request) (found []model.Finding, settled bool, err error) {
	p, opened := r.Context().Value(ProfileKey).(*stored.Profile)
	if !opened {
		return WorstFirst(EntryFindings(s.Entry(r))), s.Entry(r).State == catalog.Failed, nil
	}
	return WorstFirst(ReadyFindings(s.Entry(r), p.Overview)), !p.Storing(), nil
}

// findingCount is the number beside the tab; empty where a page does not know
// it.
func (s *Site) findingCount(r *http.Request) humanize.Number {
	_, opened := r.Context().Value(ProfileKey).(*stored.Profile)
	if !opened && s.Entry(r).State != catalog.Failed {
		return humanize.Number{}
	}
	found, _, err := s.Findings(r)
	if err != nil {
		return humanize.Number{} // what the page itself needs of the tables says so
	}
	return humanize.Whole(len(found))
}

// SeverityTag is how bad a finding is.
func SeverityTag(s model.Severity) page.Tag {
	tag := page.Tag{Text: string(s), Tone: page.Neutral}
	switch s {
	case model.Error:
		tag.Tone = page.Bad
	case model.Warning:
		tag.Tone = page.Caution
	}
	return tag
}
