package mipweb

import (
	"context"
	"net/http"
	"path"
	"reflect"
	"strconv"
	"strings"

	"proflens/decode/mip"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/mipview"
	"proflens/views/page"
)

// shownRuns is how many runs have a column.
const shownRuns = 60

// runsRequest is a request for the page of runs.
type runsRequest struct {
	lists.Params
	base    string // "/p/{id}"
	address site.Address
}

// matrixList is the functions that ran, those first that the fewest runs executed.
func matrixList() *lists.List {
	l := lists.ListOf(mipdb.Functions)
	l.Heads, l.Usual = matrixColumns, query.Key{Column: mipdb.ColRuns}
	return l
}

// runsPage is GET /p/{id}/runs.
func (s *handler) runsPage(w http.ResponseWriter, r *http.Request) error {
	l := matrixList()
	if moved, err := l.Typed(w, r); moved || err != nil {
		return err
	}
	p, err := l.Parse(r.URL.Query(), lists.Selected)
	if err != nil {
		return err
	}
	if p.Format != "" { // the runs; they are not what is filtered
		a := site.AddressOf(r.URL).Without(l.Filters()...).Without("sort", lists.Selected)
		a.Path = site.APIOf(s.Entry(r).ID) + "/runs"
		return site.Forward(w, r, a.String())
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	o := s.machine(r).Overview
	v := runsRequest{Params: p, base: s.Base(r), address: site.AddressOf(r.URL)}
	m, err := v.model(ctx, o, s.machine(r), s.Symbols(p.Names))
	if err != nil {
		return err
	}
	if m.Incomplete != nil {
		site.Unsettled(w)
	}
	return s.Render(w, r, mipview.RunsPage(s.ProfileShell(r, site.RunsView, ""), *m))
}

func (v *runsRequest) model(ctx context.Context, o *mipdb.Overview, p *mipdb.Profile,
	s site.Symbols) (*mipview.Runs, error) {
	m := &mipview.Runs{List: page.List{Shown: "no rows"}}
	if m.Empty = mipEmpty(p); m.Empty != nil {
		return m, nil
	}
	runs, err := p.Runs(ctx)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		m.Says = humanize.Say("At least {run}, the largest merge count.", o.RunsAtLeast)
		m.Empty = &page.Blank{
			Title: "The runs are merged", Text: "A .mip says in how many runs a function ran, not in which. To see each run, " +
				"upload the .mipraw files with their map.",
		}
		return m, nil
	}
	last := &runs[len(runs)-1]
	m.Says = humanize.Say("{run} executed {function} with {:bytes} together.", len(runs), last.SumFunctions, last.SumBytes)
	points := []chart.PlotPoint{{}}
	var alone uint64
	for i := range runs {
		alone += runs[i].OnlyFunctions
		points = append(points, chart.PlotPoint{X: uint64(i + 1), Y: runs[i].SumBytes})
	}
	if len(runs) > 1 {
		m.Says += " " + humanize.Int(alone) + " of these functions ran in one run alone."
		m.Growth = chart.NewPlot(points,
			humanize.Say("The bytes of functions executed grow to {:bytes} with {run}.", last.SumBytes, len(runs)))
	}
	if len(runs) > shownRuns {
		m.Notes = append(m.Notes, humanize.Say("The first {} of {} runs have a column; the CSV has them all.", shownRuns,
			len(runs)))
		runs = runs[:shownRuns]
	}
	idle := 0
	for i := range runs {
		r := &runs[i]
		name := strings.TrimSuffix(path.Base(filepathSlashes.Replace(r.File)), ".mipraw")
		m.Columns = append(m.Columns, mipview.RunColumn{
			Run: humanize.Int(r.Run), File: humanize.Printable(r.File), URL: v.functionsOf("run", r.Run),
			Short: humanize.Printable(name),
			Idle:  r.Functions == 0,
		})
		if r.Functions == 0 {
			idle++
		}
	}
	if idle > 0 {
		m.Notes = append(m.Notes, humanize.Plural(idle, "run")+
			" executed nothing: the program ended before writing its counters, or ran no instrumented code.")
	}
	m.Figures = v.figures(o, runs)
	return m, v.fillRows(ctx, m, o, p, len(runs), s)
}

// filepathSlashes reads names of files as Windows writes them too.
var filepathSlashes = strings.NewReplacer("\\", "/")

// functionsOf is the functions of a run, or of it alone.
func (v *runsRequest) functionsOf(key string, run int) string {
	return site.NewAddress(v.base+"/functions").With(key, strconv.Itoa(run)).String()
}

// runFigures are the rows of the table of runs: a column of the raw files each, which says what it is, and the
// parameter by which functions are these.
var runFigures = []struct{ column, label, link string }{
	{"functions", "Functions", "run"},
	{"bytes", "Bytes", ""},
	{"blocks", "Blocks", ""},
	{"only_functions", "Only this run", "only-run"},
	{"only_bytes", "Only this run, bytes", ""},
	{"sum_functions", "So far", ""},
	{"sum_bytes", "So far, bytes", ""},
	{"sum_blocks", "So far, blocks", ""},
}

// figures are the rows of the table of runs, those of blocks where these were counted.
func (v *runsRequest) figures(o *mipdb.Overview, runs []mipdb.Run) (list []mipview.RunFigure) {
	for _, of := range runFigures {
		if strings.HasSuffix(of.column, "blocks") && !o.HasBlocks() {
			continue
		}
		f, write := mipdb.RawFiles.Field(of.column), humanize.BigCount
		if f.Unit == table.Bytes {
			write = humanize.BigBytes
		}
		figure := mipview.RunFigure{Label: of.label, Title: f.Help}
		for i := range runs {
			c := mipview.RunCell{Value: write(f.Text(reflect.ValueOf(&runs[i]).Elem()))}
			if of.link != "" && c.Value.Text != "0" {
				c.URL = v.functionsOf(of.link, runs[i].Run)
			}
			figure.Cells = append(figure.Cells, c)
		}
		list = append(list, figure)
	}
	return list
}

// fillRows adds a page of functions with a mark for each run that executed them,
// those first that the fewest runs did.
func (v *runsRequest) fillRows(ctx context.Context, m *mipview.Runs, o *mipdb.Overview, p *mipdb.Profile, columns int,
	s site.Symbols) error {
	q := mipdb.Query{
		Names: query.Names{Text: v.Query.Text, Regexp: v.Query.Regexp}, Ranges: v.Query.Ranges, Sort: v.Query.Sort,
		Executed: new(true), Offset: v.Offset, Limit: v.Limit,
	}
	if len(q.Sort) == 0 {
		q.Sort = []query.Key{{Column: mipdb.ColRuns}, {Column: mipdb.ColSize, Desc: true}}
	}
	rows, err := p.Functions(ctx, q)
	if err != nil {
		return err
	}
	found := lists.Found{Shown: len(rows.Rows), Matching: rows.Matching, All: int(o.Executed)}
	if !rows.Complete {
		found.Scanned, found.Functions = rows.Scanned, rows.All
	}
	m.List = matrixList().Frame(v.address, &v.Params, found)
	indices := make([]uint32, len(rows.Rows))
	for i := range rows.Rows {
		indices[i] = uint32(rows.Rows[i].Index)
	}
	ran, err := p.FunctionRuns(ctx, indices)
	if err != nil {
		return err
	}
	m.Scale = chart.HeatLegend{Low: "1 call", High: "most calls of the function"}
	if !o.HasCalls() {
		m.Scale = chart.HeatLegend{Low: "did not run", High: "ran"}
	}
	for i := range rows.Rows {
		r := &rows.Rows[i]
		row := mipview.RunRow{
			Name: s.Name(r.Linkage, r.Signature), URL: v.base + "/functions/" + r.FID, Size: humanize.Count(uint64(r.Size)),
			Runs: humanize.Int(r.MergeCount), Cells: make([]mipview.RunMark, columns),
			Selected: v.address.Selected(r.FID),
		}
		if row.Selected.Selected {
			if err := inspect(ctx, m.Inspector, p, r, row.Name, v.base); err != nil {
				return err
			}
		}
		for _, run := range ran[i] {
			if run.Run >= 1 && run.Run <= columns {
				row.Cells[run.Run-1] = runMark(o, run, r.Calls)
			}
		}
		m.Rows = append(m.Rows, row)
	}
	return nil
}

// matrixColumns are those before the runs.
var matrixColumns = []site.Column{
	{Key: site.NameColumn, Label: "Function", Sort: "name", Ascending: true},
	{Key: "size", Label: "Bytes", Number: true, Sort: "size"},
	{
		Key: "merge_count", Label: "Runs", Title: "merge count: runs in which it ran", Number: true, Sort: "merge_count",
		Ascending: true,
	},
}

// runMark is what a run says of a function that had so many calls in all.
func runMark(o *mipdb.Overview, run mipdb.FunctionRun, calls uint64) mipview.RunMark {
	first := ""
	if o.HasTimestamps() {
		first = ", first run: no. " + humanize.Int(run.First)
	}
	if !o.HasCalls() {
		return mipview.RunMark{Text: "ran", Title: "executed in run " + humanize.Int(run.Run) + first, Step: 5}
	}
	n := humanize.Count(uint64(run.Calls))
	if run.Calls >= mip.MaxCalls {
		n.Text = "≥ " + n.Text
	}
	return mipview.RunMark{
		Text: n.Text, Step: max(chart.ShareStep(float64(run.Calls), float64(calls)), 1),
		Title: humanize.Say("run {}: {call}{}", run.Run, run.Calls, first),
	}
}
