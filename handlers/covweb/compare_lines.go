package covweb

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/covview"
	"proflens/views/page"
)

// Which lines of two profiles are shown: those that became covered or uncovered, or all.
const showTurned = "turned"

var comparedLinesKeys = slices.Concat([]string{"family", "file", "show"}, site.ListingKeys)

// linesRequest is a request for the lines of two profiles.
type linesRequest struct {
	site.Listing
	all      bool
	name     string // of the file
	compared *covdb.Comparison
	file     *covdb.ComparedFile // nil where none is named
}

func readLines(r *http.Request) (*linesRequest, error) {
	v := site.NewValues(r.URL.Query(), comparedLinesKeys)
	q := &linesRequest{
		Listing: v.Listing(), all: site.Choice(v, "show", showTurned, showAll) == showAll, name: v.One("file"),
	}
	return q, v.Err
}

// open compares, and finds the file.
func (q *linesRequest) open(ctx context.Context, c *site.Comparing) (err error) {
	if q.compared, err = linesOf(ctx, c); err != nil || q.name == "" {
		return err
	}
	if q.file, err = q.compared.FileOf(q.name); errors.Is(err, stored.ErrNoPart) {
		err = &site.Absent{
			Title:  "No such file",
			Detail: "neither coverage mapping has a file " + humanize.Printable(q.name),
		}
	}
	return err
}

// getComparedLines is GET /compare/{a}...{b}/lines: the lines that became covered or
// uncovered, or all with code, of a file or of all files.
func (s *handler) getComparedLines(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	q, err := readLines(r)
	if err != nil {
		return err
	}
	ctx := s.RequestContext(r)
	format := q.Wanted(r)
	if s.NotModifiedOf(w, r, string(format), c.Base.Entry, c.Test.Entry) {
		return nil
	}
	if err := q.open(ctx, c); err != nil {
		return err
	}
	rows, err := site.SelectRows(q.compared.Table(q.file, q.all, table.Options{Quote: q.Counts}),
		&q.Listing, format)
	if err != nil {
		return err
	}
	if format == table.FormatJSON {
		return site.TablePage(ctx, w, rows, q.Listing)
	}
	limit := q.Limit
	if q.Listing.All {
		limit = -1
	}
	return site.StreamTable(r.Context(), w, rows, q.Offset, limit, format, site.FileName(c.Base.Name, "-compared-lines"))
}

// comparedLinesPage is GET /compare/{a}...{b}/lines: a file of two profiles, line by line.
func (s *handler) comparedLinesPage(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	q, err := readLines(r)
	if err != nil {
		return err
	}
	api := c.Address.Moved(site.CompareAPI(c.Base.ID, c.Test.ID) + "/lines")
	if q.Format != "" {
		return site.Forward(w, r, api)
	}
	if q.name == "" {
		return &site.ParamError{Param: "file", Msg: "name a file: its path, or its name as recorded"}
	}
	ctx := s.BeginCompared(w, r, c)
	if ctx == nil {
		return nil
	}
	if err := q.open(ctx, c); err != nil {
		return err
	}
	head, err := c.Frame(ctx)
	if err != nil {
		return err
	}
	m, err := s.comparedLines(ctx, c, q)
	if err != nil {
		return err
	}
	name := fileName(q.file.Any())
	head.Lead, head.Sentence = turnedWords(&q.file.Moved), apartWords(&q.file.Moved)+matchingWords[q.file.Matching]
	head.Views = []page.Segment{
		{Label: "All files", URL: c.At("").String()}, {Label: name.Base, URL: comparedURL(c, q.file).String(), Current: true},
	}
	m.CSV = c.Address.FirstPage("limit").With("format", "csv").
		Moved(site.CompareAPI(c.Base.ID, c.Test.ID) + "/lines")
	shell := s.Shell(r, name.Base+" · "+humanize.Printable(c.Base.Name)+" … "+humanize.Printable(c.Test.Name))
	shell.Wide, shell.Keys = true, page.Keys(
		"a b: pick A, pick B", "n p: next, previous change",
		"j k: next, previous line", "g: changes or all lines",
	)
	return s.Render(w, r, covview.ComparedLinesPage(shell, head, *m))
}

var matchingWords = map[coverage.Matching]string{
	coverage.ByNumber:   "Both have code in the same lines.",
	coverage.ByFunction: "Lines were matched by function, and by their place in it.",
	coverage.Unmatched:  "One of the two does not have the file.",
}

// comparedRun is lines on end of a comparison's page.
type comparedRun struct {
	pair *coverage.LinePair // nil for lines without code, or a fold
	from int                // of the pair's lines
	test uint32             // of lines without code, the first
	n    int
	fold int // lines that one row stands for; 0 for none
	at   int // of a fold, how many lines are before it
}

func (r *comparedRun) items() int {
	if r.fold > 0 {
		return 1
	}
	return r.n
}

// stands reports whether the lines say that something changed.
func (r *comparedRun) stands() bool { return r.pair != nil && r.pair.Turn != coverage.Kept }

// comparedRuns are the lines of a file in order; with a text also those without code,
// between those with.
func comparedRuns(pairs []coverage.LinePair, text int) []comparedRun {
	var runs []comparedRun
	next := uint32(0) // line of the test profile after the last run's
	for i := range pairs {
		p := &pairs[i]
		if p.Test > 0 {
			if next > 0 && p.Test > next && int(next) <= text {
				runs = append(runs, comparedRun{test: next, n: min(int(p.Test), text+1) - int(next)})
			}
			next = p.Test + uint32(p.Lines)
		}
		runs = append(runs, comparedRun{pair: p, n: p.Lines})
	}
	return runs
}

// foldKept folds what did not change, far from what did.
func foldKept(runs []comparedRun) []comparedRun {
	var list []comparedRun
	cut := func(block []comparedRun, from, to int) {
		for _, r := range block {
			n := r.n
			if first, last := max(from, 0), min(to, n); first < last {
				r.from, r.test, r.n = r.from+first, r.test+uint32(first), last-first
				list = append(list, r)
			}
			from, to = from-n, to-n
		}
	}
	before := 0
	for i := 0; i < len(runs); {
		if runs[i].stands() {
			list = append(list, runs[i])
			before += runs[i].n
			i++
			continue
		}
		n, end := 0, i
		for ; end < len(runs) && !runs[end].stands(); end++ {
			n += runs[end].n
		}
		head, tail := nearGap, nearGap
		if i == 0 {
			head = 0
		}
		if end == len(runs) {
			tail = 0
		}
		if middle := n - head - tail; middle >= leastFold {
			cut(runs[i:end], 0, head)
			list = append(list, comparedRun{fold: middle, at: before + head})
			cut(runs[i:end], n-tail, n)
		} else {
			cut(runs[i:end], 0, n)
		}
		before += n
		i = end
	}
	return list
}

// comparedLines makes the rows of the page.
func (s *handler) comparedLines(ctx context.Context, c *site.Comparing, q *linesRequest) (*covview.ComparedLines,
	error) {
	compared, err := q.compared.Lines(ctx, q.file)
	if err != nil {
		return nil, err
	}
	var texts [2]*listing
	for i, side := range []struct {
		entry *catalog.Entry
		file  *covdb.ComparedSide
	}{{c.Base.Entry, q.file.Base}, {c.Test.Entry, q.file.Test}} {
		texts[i] = &listing{}
		if side.file == nil {
			continue
		}
		text, ok, err := s.SourceText(ctx, side.entry, side.file.Name)
		if err != nil {
			return nil, err
		}
		if ok {
			texts[i].text = sources.Lines(text)
			texts[i].syntax, _ = s.syntax.Of(side.file.Name, text, math.MaxInt, true)
		}
	}
	name := fileName(q.file.Any())
	m := &covview.ComparedLines{
		Dir: name.Namespace, Name: name.Base, NoText: texts[0].text == nil && texts[1].text == nil,
		Moved: turnedWords(&q.file.Moved),
	}
	if q.Listing.All {
		q.Limit = sourceRows
	}
	a := c.Address.FirstPage()
	m.Ways = []page.Segment{
		{Label: "Changes", Title: "what did not change is folded", URL: a.Without("show").String(), Current: !q.all},
		{Label: "All lines", URL: a.With("show", showAll).String(), Current: q.all},
	}
	runs := comparedRuns(compared.Pairs, len(texts[1].text))
	if !q.all {
		runs = foldKept(runs)
	}
	total := 0
	turn := coverage.Kept
	for i := range runs {
		r := &runs[i]
		from, to := max(q.Offset-total, 0), min(q.Offset+q.Limit-total, r.items())
		total += r.items()
		for n := from; n < to; n++ {
			if r.fold > 0 {
				m.Rows = append(m.Rows, foldedLines(a.With("show", showAll), r, q.Limit))
				turn = coverage.Kept
				continue
			}
			l := comparedLine(c, q.file, texts, r, n)
			l.First = r.stands() && r.pair.Turn != turn
			if turn = coverage.Kept; r.pair != nil {
				turn = r.pair.Turn
			}
			m.Rows = append(m.Rows, l)
		}
	}
	m.Shown = humanize.Say("{row} of {}", len(m.Rows), total)
	m.Pager = site.ListPager(c.Address, &q.Listing, total)
	if len(m.Rows) == 0 {
		m.Empty = &page.Blank{Title: "No lines", Text: "Functions mention the file and have no code there."}
		if total > 0 {
			m.Empty = &page.Blank{Title: "There is no page " + humanize.Int(q.Page())}
		}
	}
	return m, nil
}

// foldedLines is the row of a fold, which leads to its lines among all.
func foldedLines(all site.Address, r *comparedRun, limit int) covview.ComparedLine {
	to := all
	if at := r.at / max(limit, 1); at > 0 {
		to = to.With("page", strconv.Itoa(at+1))
	}
	return covview.ComparedLine{Fold: humanize.Plural(r.fold, "line") + " without a change", Unfold: to.String()}
}

// comparedLine is one line.
func comparedLine(c *site.Comparing, f *covdb.ComparedFile, texts [2]*listing, r *comparedRun,
	n int) covview.ComparedLine {
	n += r.from
	if r.pair == nil {
		line := r.test + uint32(n-r.from)
		return covview.ComparedLine{B: covview.ComparedSide{Line: line}, Text: texts[1].plainText(line)}
	}
	l := covview.ComparedLine{Turn: r.pair.Turn}
	side := func(first uint32, row *coverage.Row, file *covdb.ComparedSide, id string,
		text *listing) covview.ComparedSide {
		if first == 0 {
			return covview.ComparedSide{}
		}
		line := first + uint32(n)
		l.Text = text.plainText(line)
		return covview.ComparedSide{Row: row, Line: line, URL: lineURL(site.PageOf(id), file.File, line)}
	}
	l.A = side(r.pair.Base, r.pair.BaseRow, f.Base, c.Base.ID, texts[0])
	l.B = side(r.pair.Test, r.pair.TestRow, f.Test, c.Test.ID, texts[1])
	return l
}
