package cov

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"proflens/analyze/coverage"
	"proflens/command/covsite"
	"proflens/encode/llvmcov"
	"proflens/handlers/covweb"
	"proflens/internal/humanize"
	"proflens/static"
	"proflens/views"
	"proflens/views/covview"
	"proflens/views/page"
)

// htmlPages are those of show, which stand where llvm-cov's do.
type htmlPages struct {
	*destination
	covweb.Report
	keep    func(*coverage.Function) bool
	written map[int]string // the page of each file that has one
	number  int            // of the file or function on its page
}

// showHTML writes a page for each file, and those that lead to them, or all files as one page.
// What is dumped is that of the text.
func (r *run) showHTML(c *coverage.Coverage, s *sources, keep func(*coverage.Function) bool, into *destination,
	text llvmcov.ShowOptions) error {
	o := &r.options
	for i := 0; i < len(s.files) && o.Dump; i++ {
		if _, err := llvmcov.ShowFile(io.Discard, c, s.files[i], false, text); err != nil {
			return err
		}
	}
	h := &htmlPages{into, covweb.Report{
		Coverage: c, Branches: o.Branches != "", Percents: o.Branches == "percent", Expansions: o.Expansions,
		Instances: o.Instantiations, Decisions: o.MCDC, Binary: text.Binary,
		Demangle: text.Demangle,
		Text: func(file int) [][]byte {
			text, _ := s.source(file)
			return text
		},
	}, keep, map[int]string{}, 0}
	rows := llvmcov.Rows(c, s.files, keep)
	if !into.isFolder() {
		return h.onePage(rows)
	}
	if err := h.assets(); err != nil {
		return err
	}
	for i := range rows {
		if err := h.file(&rows[i]); err != nil {
			return err
		}
	}
	if !o.Directories || len(rows) < 2 {
		return h.table("index.html", llvmcov.Directory{Rows: rows})
	}
	list := llvmcov.Directories(c, s.files, keep)
	for _, d := range list {
		if err := h.table(h.index(d.Path), d); err != nil {
			return err
		}
	}
	top := h.index(list[len(list)-1].Path)
	return h.write("index.html", covview.Report{Onward: covsite.Relative("index.html", top)}, covview.ReportOnward(top))
}

// assets writes the style sheet, the script and the fonts.
func (h *htmlPages) assets() error {
	return fs.WalkDir(static.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".svg" {
			return err
		}
		data, err := fs.ReadFile(static.Files(), name)
		if err != nil {
			return err
		}
		if name == "app.js" {
			name = "control.js"
		}
		return h.create(name, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
	})
}

// create writes a file of the folder.
func (h *htmlPages) create(name string, write func(io.Writer) error) error {
	f := &viewFile{root: h.root, name: name}
	return errors.Join(write(f), f.Close())
}

// frame is what is round a page.
func (h *htmlPages) frame(name string) covview.Report {
	o := &h.r.options
	f := covview.Report{
		Title: o.ProjectTitle, Maker: h.r.maker(), TabSize: int(min(o.TabSize, 1000)),
		Root: strings.Repeat("../", strings.Count(name, "/")),
	}
	if o.CreatedTime {
		f.Created = h.r.created()
	}
	return f
}

// render writes a page with its frame.
func (h *htmlPages) render(w io.Writer, f covview.Report, content templ.Component) error {
	return covview.ReportFrame(f).Render(templ.WithChildren(views.Alone(h.r.ctx), content), w)
}

func (h *htmlPages) write(name string, f covview.Report, content templ.Component) error {
	return h.create(name, func(w io.Writer) error { return h.render(w, f, content) })
}

// sources are what is shown of a file: it, or the functions that are kept.
func (h *htmlPages) sources(row *llvmcov.Row) (list []*covview.Source) {
	name := h.Coverage.Files[row.File].Name
	if h.keep == nil {
		if m := h.Report.File(row.File, row.Summary); m != nil {
			return []*covview.Source{m}
		}
		h.r.warn("The file '%s' isn't covered.", name)
		return nil
	}
	for _, f := range h.Coverage.Standing(row.File) {
		if !h.keep(f) {
			continue
		}
		h.number++
		h.Prefix = "F" + strconv.Itoa(h.number)
		if m := h.Function(f); m != nil {
			list = append(list, m)
			continue
		}
		h.r.warn("Could not read coverage for '%s'.", f.Name)
	}
	return list
}

// file writes the page of a file, if there is anything to show.
func (h *htmlPages) file(row *llvmcov.Row) error {
	h.number, h.Prefix = 0, ""
	list := h.sources(row)
	if len(list) == 0 {
		return nil
	}
	name := h.place(h.Coverage.Files[row.File].Name)
	h.written[row.File] = name
	frame := h.frame(name)
	frame.Page = humanize.Printable(path.Base(row.Name))
	content := covview.SourceMain(*list[0])
	if h.keep != nil {
		content = several(frame, 1, func(int) []*covview.Source { return list })
	}
	return h.write(name, frame, content)
}

// several are files or functions on one page, which are made one after another.
func several(f covview.Report, n int, made func(int) []*covview.Source) templ.Component {
	return covview.ReportSources(f, templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		for i := range n {
			for _, m := range made(i) {
				if err := covview.ReportSource(*m).Render(ctx, w); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// onePage writes all files as one page.
func (h *htmlPages) onePage(rows []llvmcov.Row) error {
	style, err := fs.ReadFile(static.Files(), "style.css")
	if err != nil {
		return err
	}
	frame := h.frame("")
	frame.Style = string(style)
	return h.render(h.r.out, frame, several(frame, len(rows), func(i int) []*covview.Source {
		if h.keep == nil {
			h.Prefix = "F" + strconv.Itoa(i)
		}
		return h.sources(&rows[i])
	}))
}

// table writes a table of files, under the name of its page.
func (h *htmlPages) table(name string, d llvmcov.Directory) error {
	options := h.r.columns()
	columns := options.Columns()
	t := covview.ReportTable{}
	var total coverage.Summary
	for i := range d.Rows {
		row := &d.Rows[i]
		total.Add(row.Summary)
		to, ok := h.written[row.File]
		if row.File < 0 {
			to, ok = h.index(d.Path+row.Name), true
		}
		shown := covview.ReportRow{
			Name: humanize.Printable(coverage.CleanPath(row.Name)), Cells: h.cells(columns, &row.Summary),
		}
		if row.File < 0 {
			shown.Name += "/"
		}
		if ok {
			shown.URL = covsite.Relative(name, to)
		}
		switch {
		case row.Functions.Total > 0:
			t.Rows = append(t.Rows, shown)
		case h.keep == nil:
			t.Without = append(t.Without, shown)
		}
	}
	for _, c := range columns {
		t.Heads = append(t.Heads, c.Name)
	}
	t.Measures = covweb.Measures(total, int(h.r.options.low))
	t.Totals = covview.ReportRow{Name: "Totals", Cells: h.cells(columns, &total)}
	frame := h.frame(name)
	if d.Path != "" {
		frame.Page = humanize.Printable(d.Path)
	}
	above := ""
	for _, path := range append(slices.Clip(d.Above), d.Path) {
		label := strings.TrimPrefix(path, above)
		t.Above = append(t.Above, page.Link{Label: humanize.Printable(label), URL: covsite.Relative(name, h.index(path))})
		above = path
	}
	return h.write(name, frame, covview.ReportFiles(frame, t))
}

// cells are the figures of a file in the columns of a table.
func (h *htmlPages) cells(columns []llvmcov.Column, s *coverage.Summary) (list []covview.ReportCell) {
	for _, c := range columns {
		m := c.Of(s)
		cell := covview.ReportCell{Text: "-"}
		switch percent := m.Percent(); {
		case m.Total == 0:
		case percent >= h.r.options.high:
			cell.State = coverage.Ran
		case percent < h.r.options.low:
			cell.State = coverage.Missed
		default:
			cell.State = coverage.Partly
		}
		if m.Total > 0 {
			cell.Text = strconv.FormatFloat(m.Percent(), 'f', 2, 64) + "%"
		}
		cell.Text += fmt.Sprintf(" (%d/%d)", m.Covered, m.Total)
		list = append(list, cell)
	}
	return list
}
