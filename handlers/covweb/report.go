package covweb

import (
	"bytes"
	"net/url"
	"strconv"

	"proflens/analyze/coverage"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/covdb"
	"proflens/views/covview"
)

// Report makes the pages of a coverage that are read without a server: all of a file or of
// a function on one, with what is asked for unfolded. It counts as llvm-cov does.
type Report struct {
	Coverage *coverage.Coverage
	// Text is the lines of a file, by index; nil where it cannot be read.
	Text func(file int) [][]byte
	// What is shown beside lines: sides of branches, which may be in percent, what macros
	// stand for, functions that begin at one place, and MC/DC.
	Branches, Percents, Expansions, Instances, Decisions bool
	Binary                                               bool // 1 for every count above 0
	// Prefix begins the anchors of lines, where several files are on one page.
	Prefix string
	// Demangle makes names of functions readable; nil for ours.
	Demangle func(string) string

	handler *handler
}

const reportNames = 4 << 20 // bytes of names that are kept

// File is a file's page. It is nil where the text cannot be read or nothing is mapped.
func (r *Report) File(file int, sum coverage.Summary) *covview.Source {
	return r.page(r.Coverage.FileView(file), sum, nil)
}

// Function is the lines of one function under its name, nil as that of a file is.
func (r *Report) Function(f *coverage.Function) *covview.Source {
	view := r.Coverage.FunctionView(f)
	if view == nil {
		return nil
	}
	return r.page(view, r.Coverage.Summary(f), f)
}

// Measures are the figures of a whole, with a goal in percent of the lines.
func Measures(sum coverage.Summary, goal int) []covview.Measure {
	return measures(&covdb.Sums{Summary: sum}, false, goal, nil)
}

// page makes the page of a view, which is a function's or, with nil, a file's.
func (r *Report) page(view *coverage.View, sum coverage.Summary, f *coverage.Function) *covview.Source {
	text := r.Text(view.File)
	rows := r.rows(view, len(text))
	if len(rows) == 0 {
		return nil
	}
	if r.handler == nil {
		r.handler = &handler{
			Site: &site.Site{Names: names.NewCache(reportNames)}, syntax: &sourceweb.Syntax{}, demangle: r.Demangle,
		}
	}
	name := coverage.CleanPath(r.Coverage.Files[view.File].Name)
	q := &sourceRequest{show: showAll, report: r, address: site.Address{Query: url.Values{}}}
	v := &source{listing: &listing{rows: rows, text: text, part: f != nil}, q: q, cov: r.Coverage, file: view.File}
	v.syntax, _ = r.handler.syntax.Of(name, bytes.Join(text, []byte("\n")), len(text), true)
	m := &covview.Source{Measures: fileMeasures(&covdb.Sums{Summary: sum}, false)}
	if m.Name = baseName(name); f != nil {
		v.groups = []extent{}
		m.Name = r.handler.name(f.Name, names.Full).Whole()
	} else {
		m.Dir = humanize.Printable(name[:len(name)-len(m.Name)])
		m.Name = humanize.Printable(m.Name)
	}
	r.handler.fill(m, v, nil)
	return m
}

// rows are those of a view that are in the text, with what is asked for.
func (r *Report) rows(view *coverage.View, text int) []coverage.Row {
	if !r.Branches {
		view.Branches = nil
	}
	if !r.Expansions {
		view.Expansions = nil
	}
	if !r.Decisions {
		view.Decisions = nil
	}
	rows := view.Rows()
	for i := range rows {
		row := &rows[i]
		if int64(row.First) > int64(text) {
			return rows[:i]
		}
		row.Last = uint32(min(int64(row.Last), int64(text)))
		if r.Binary {
			row.Count = min(row.Count, 1)
		}
	}
	return rows
}

// id is the anchor of a line.
func (r *Report) id(line uint32) string {
	id := "L" + strconv.Itoa(int(line))
	if r != nil {
		id = r.Prefix + id
	}
	return id
}

// side is how often a side of a condition was taken, of all.
func (r *Report) side(count, of uint64) humanize.Number {
	switch {
	case r.Percents && of > 0:
		return humanize.Number{Text: strconv.FormatFloat(100*float64(count)/float64(of), 'f', 2, 64) + "%"}
	case r.Percents:
		return humanize.Number{Text: "0.00%"}
	case r.Binary:
		count = min(count, 1)
	}
	return humanize.Count(count)
}
