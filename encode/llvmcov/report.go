package llvmcov

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
)

// ReportOptions are which columns a report has besides functions and lines.
type ReportOptions struct {
	Regions, Instantiations, Branches, MCDC bool
	Colours                                 bool
	Demangle                                func(string) string // nil: names stay as they are
	// Maker is said to have generated a table of files, below it; "": nothing is said.
	Maker string
	// Total is the name of the last row of a table of files; "": TOTAL.
	Total string
}

// columns are three of a report: how many, how many missed, and covered in percent.
type columns struct {
	name   string // of all three, on a page
	titles [3]string
	widths [3]int
	of     func(*coverage.Summary) coverage.Metric
	colour func(*coverage.Summary) coverage.Metric // the metric that gives the colour
	plain  bool                                    // the missed ones stand without colour
}

func regions(s *coverage.Summary) coverage.Metric        { return s.Regions }
func functions(s *coverage.Summary) coverage.Metric      { return s.Functions }
func instantiations(s *coverage.Summary) coverage.Metric { return s.Instantiations }
func lines(s *coverage.Summary) coverage.Metric          { return s.Lines }
func branches(s *coverage.Summary) coverage.Metric       { return s.Branches }
func conditions(s *coverage.Summary) coverage.Metric     { return s.MCDC }

// ofFiles are the columns of a table of files.
func (o *ReportOptions) ofFiles() []columns {
	wide := [3]int{12, 18, 10}
	var list []columns
	if o.Regions {
		list = append(list, columns{
			"Region Coverage", [3]string{"Regions", "Missed Regions", "Cover"}, wide, regions, regions, false,
		})
	}
	list = append(list, columns{
		"Function Coverage", [3]string{"Functions", "Missed Functions", "Executed"}, wide, functions, functions, true,
	})
	if o.Instantiations {
		list = append(list, columns{
			"Instantiation Coverage", [3]string{"Instantiations", "Missed Insts.", "Executed"}, [3]int{16, 16, 10},
			instantiations, instantiations, true,
		})
	}
	list = append(list, columns{
		"Line Coverage", [3]string{"Lines", "Missed Lines", "Cover"}, wide, lines, lines, false,
	})
	if o.Branches {
		list = append(list, columns{
			"Branch Coverage", [3]string{"Branches", "Missed Branches", "Cover"}, wide, branches, lines, false,
		})
	}
	if o.MCDC {
		list = append(list, columns{
			"MC/DC", [3]string{"MC/DC Conditions", "Missed Conditions", "Cover"}, [3]int{20, 21, 10}, conditions, lines,
			false,
		})
	}
	return list
}

// ofFunctions are the columns of a table of functions.
func (o *ReportOptions) ofFunctions() []columns {
	narrow := [3]int{10, 8, 8}
	list := []columns{
		{"", [3]string{"Regions", "Miss", "Cover"}, narrow, regions, regions, false},
		{"", [3]string{"Lines", "Miss", "Cover"}, narrow, lines, lines, false},
	}
	if o.Branches {
		list = append(list, columns{"", [3]string{"Branches", "Miss", "Cover"}, narrow, branches, lines, false})
	}
	if o.MCDC {
		list = append(list, columns{
			"", [3]string{"MC/DC Conditions", "Miss", "Cover"}, [3]int{20, 8, 8}, conditions, lines, false,
		})
	}
	return list
}

// Column is one of a page's tables of files.
type Column struct {
	Name string // "Line Coverage"
	Of   func(*coverage.Summary) coverage.Metric
}

// Columns are those of a table of files.
func (o *ReportOptions) Columns() (list []Column) {
	for _, c := range o.ofFiles() {
		list = append(list, Column{c.name, c.of})
	}
	return list
}

// Row is a file of a report, or a directory, whose name ends in a slash.
type Row struct {
	Name string
	File int // its index; of a directory -1
	coverage.Summary
}

// Rows are those of some files, by index and in their order, under what their names do not
// share. Of functions that keep does not let through nothing is counted; with nil all are.
func Rows(c *coverage.Coverage, files []int, keep func(*coverage.Function) bool) []Row {
	summaries := c.Summaries(keep)
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = c.Files[file].Name
	}
	cut := coverage.Redundant(names)
	rows := make([]Row, len(files))
	for i, file := range files {
		rows[i] = Row{names[i][min(cut, len(names[i])):], file, summaries[file]}
	}
	return rows
}

// WriteReport writes the table of files (section 14). Those without functions are listed too if
// they are asked for.
func WriteReport(w io.Writer, rows []Row, o ReportOptions, empty bool) error {
	r := reportWriter{output: output{w: w}, options: o, columns: o.ofFiles(), width: 25}
	var totals coverage.Summary
	var without []*Row // functions
	for i := range rows {
		r.width = max(r.width, len(rows[i].Name))
		totals.Add(rows[i].Summary)
	}
	r.head("Filename")
	for i := range rows {
		if row := &rows[i]; row.Functions.Total > 0 {
			r.file(row.Name, &row.Summary)
		} else if empty {
			without = append(without, row)
		}
	}
	if len(without) > 0 {
		r.text("\nFiles which contain no functions:\n")
		for _, row := range without {
			r.file(row.Name, &row.Summary)
		}
	}
	r.divider()
	r.file(cmp.Or(o.Total, "TOTAL"), &totals)
	if o.Maker != "" {
		r.tint(when(o.Colours, cyan), "\nGenerated by "+o.Maker)
	}
	return r.flush()
}

// WriteFunctions writes a table of functions for each of the files.
func WriteFunctions(w io.Writer, c *coverage.Coverage, files []int, o ReportOptions) error {
	r := reportWriter{output: output{w: w}, options: o, columns: o.ofFunctions(), width: 25}
	for i, file := range files {
		if i > 0 {
			r.byte('\n')
		}
		standing := c.Standing(file)
		names := make([]string, len(standing))
		for i, f := range standing {
			if names[i] = f.Name; o.Demangle != nil {
				names[i] = o.Demangle(f.Name)
			}
			r.width = max(r.width, len(names[i]))
		}
		r.text("File '" + c.Files[file].Name + "':\n")
		r.head("Name")
		var totals coverage.Summary
		for i, f := range standing {
			s := c.Summary(f)
			totals.Add(s)
			r.function(names[i], &s)
		}
		if len(standing) > 0 {
			r.divider()
			r.function("TOTAL", &totals)
		}
	}
	return r.flush()
}

type reportWriter struct {
	output
	options ReportOptions
	columns []columns
	width   int // of names
}

func (r *reportWriter) head(name string) {
	r.left(name, r.width)
	for _, c := range r.columns {
		for i, title := range c.titles {
			r.right(title, c.widths[i])
		}
	}
	r.byte('\n')
	r.divider()
}

func (r *reportWriter) divider() {
	n := r.width
	for _, c := range r.columns {
		n += c.widths[0] + c.widths[1] + c.widths[2]
	}
	r.repeat('-', n)
	r.byte('\n')
}

func (r *reportWriter) file(name string, s *coverage.Summary) {
	directory := strings.HasSuffix(name, "/")
	if name = coverage.CleanPath(name); directory {
		name += "/"
	}
	r.left(name, r.width)
	for _, c := range r.columns {
		m, shade := c.of(s), r.shade(c.colour(s))
		r.number(m.Total, c.widths[0])
		r.coloured(when(!c.plain, shade), func() { r.number(m.Missed(), c.widths[1]) })
		if m.Total == 0 {
			r.right("-", c.widths[2])
			continue
		}
		r.coloured(shade, func() { r.percent(m, c.widths[2]) })
	}
	r.byte('\n')
	r.spill()
}

func (r *reportWriter) function(name string, s *coverage.Summary) {
	if len(name) > r.width {
		name = name[:r.width-3] + "..."
	}
	r.left(name, r.width)
	for _, c := range r.columns {
		m := c.of(s)
		r.number(m.Total, c.widths[0])
		r.coloured(r.shade(c.colour(s)), func() { r.number(m.Missed(), c.widths[1]) })
		r.coloured(r.shade(m), func() { r.percent(m, c.widths[2]) })
	}
	r.byte('\n')
	r.spill()
}

func (r *reportWriter) number(n, width int) { r.right(strconv.Itoa(n), width) }

func (r *reportWriter) percent(m coverage.Metric, width int) {
	r.right(strconv.FormatFloat(m.Percent(), 'f', 2, 64), width-1)
	r.byte('%')
}

// shade is the colour of a metric.
func (r *reportWriter) shade(m coverage.Metric) colour {
	switch {
	case !r.options.Colours:
		return ""
	case m.Covered == m.Total:
		return green
	case m.Percent() >= 80:
		return yellow
	}
	return red
}
