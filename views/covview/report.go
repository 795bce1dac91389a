package covview

import (
	"proflens/analyze/coverage"
	"proflens/views/page"
)

// Report is what frames the pages of a report that is read without a server.
type Report struct {
	Title   string // of the project; may be empty
	Page    string // what the page shows: a file, a directory; empty of all
	Created string // "2026-11-26 15:04"; empty: nothing is said
	Maker   string // "Proflens 1.2"
	Root    string // leads from the page to the folder of the report: "../../"
	Style   string // the style sheet itself, where the report is one page; empty: it is a file
	TabSize int    // columns
	Onward  string // where the page goes by itself; empty: nowhere
}

// Heading is the title of the page.
func (r *Report) Heading() string {
	title := "Coverage Report"
	if r.Title != "" {
		title = r.Title + " – " + title
	}
	if r.Page != "" {
		title = r.Page + " – " + title
	}
	return title
}

// ReportTable is the files of a report, or of a directory of it.
type ReportTable struct {
	Measures []Measure
	Above    []page.Link // directories around it, and itself
	Heads    []string    // "Line Coverage"
	Rows     []ReportRow
	Totals   ReportRow
	Without  []ReportRow // files without functions
}

// ReportRow is a file or a directory.
type ReportRow struct {
	Name, URL string // URL may be empty
	Cells     []ReportCell
}

// ReportCell is how much of something ran.
type ReportCell struct {
	State coverage.State // by the watermarks; Unmapped of nothing
	Text  string         // "75.00% (9/12)"
}

// MarkWord says where a figure is between the watermarks.
func MarkWord(s coverage.State) string {
	return [...]string{"nothing to cover", "low", "between the watermarks", "high"}[s]
}
