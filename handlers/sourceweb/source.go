package sourceweb

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze/sources"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/lines"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// How much a page shows.
const (
	sourceRows = 1000 // lines
	mostThings = 50   // at the selected line, of each family
	maxLine    = 1<<32 - 1
	// heaviestLines is how many lines stand beside a file while none is selected.
	heaviestLines = 20
)

// sourceRequest is a request for the page of a file.
type sourceRequest struct {
	site.Listing
	sel, from uint32 // 0: none, or as it comes
	bare      bool   // lines without figures too
	address   site.Address
}

func parseSource(r *http.Request) (*sourceRequest, error) {
	v := site.NewValues(r.URL.Query(), keys("file", "show", "sel", "from"))
	q := &sourceRequest{
		Listing: v.Listing(), sel: uint32(v.Number("sel", 1, maxLine, 0)), from: uint32(v.Number("from", 1, maxLine, 0)),
		bare: site.Choice(v, "show", "all", "figures") == "all", address: site.AddressOf(r.URL),
	}
	return q, v.Err
}

// sourcePage is GET /p/{id}/files/*, and /p/{id}/files with a file.
func (s *handler) sourcePage(w http.ResponseWriter, r *http.Request) error {
	q, err := parseSource(r)
	if err != nil {
		return err
	}
	t, err := s.figures(r)
	if err != nil {
		return err
	}
	f, exact, err := fileOf(t, nameIn(r))
	if err != nil {
		return err
	}
	e := s.Entry(r)
	if !exact {
		to := site.Address{Path: site.PageOf(e.ID) + "/files", Query: q.address.Query}
		return site.SeeOther(w, r, to.With("file", f.Name).String())
	}
	csv := site.NewAddress(site.APIOf(e.ID)+"/lines").With("file", f.Name)
	if q.Format != "" {
		return site.Forward(w, r, csv.With("format", string(q.Format)).String())
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	text, hasText, err := s.SourceText(ctx, e, f.Name)
	if err != nil {
		return err
	}
	d := drawing{q: q, t: t, f: f, links: s.SourceLinks(e)}
	if hasText {
		d.text = sources.Lines(text)
		d.colours = func(first, last int) [][]Token {
			tokens, settled := s.syntax.Between(f.Name, text, first, last, s.PageWait == 0)
			if !settled {
				site.Unsettled(w)
			}
			return tokens
		}
	}
	m := d.draw()
	m.CSV = csv.With("format", "csv").String()
	if m.Embedded, err = s.SourceEmbedded(ctx, e, f.Name); err != nil {
		return err
	}
	if !hasText {
		m.Ask = &sourceview.AskText{
			Title: "No source text for this file.", Text: "The program holds line numbers only. The figures are complete.",
		}
	} else if last := f.Lines[len(f.Lines)-1]; int(last) > len(d.text) {
		m.Ask = &sourceview.AskText{
			Title: "This text is of another version.",
			Text:  humanize.Say("It has {line}; the profile has figures of line {}.", len(d.text), strconv.Itoa(int(last))),
		}
	}
	if m.Ask != nil {
		names, err := s.SourceNames(ctx, e)
		if err != nil {
			return err
		}
		if err := Ask(ctx, s.Site, e, names, m.Ask, site.Origin(r),
			strings.TrimPrefix(q.address.String(), site.PageOf(e.ID))); err != nil {
			return err
		}
	}
	if q.sel > 0 {
		things, err := s.AtLine(ctx, s.Profile(r), site.PageOf(e.ID), f.Name, q.sel, mostThings)
		if err != nil {
			return err
		}
		m.Inspector = d.inspect(things)
	}
	return s.Render(w, r, sourceview.SourcePage(s.ProfileShell(r, site.FilesView, f.Name), m))
}

// drawing is a file on its way to a page.
type drawing struct {
	q      *sourceRequest
	t      *lines.Table
	f      *lines.File
	text   [][]byte
	syntax [][]Token

	colours func(first, last int) [][]Token // of lines; nil without text
	links   *sources.Links
}

// draw makes the page.
func (d *drawing) draw() sourceview.Source {
	name := d.f.Name
	at := strings.LastIndexByte(name, '/') + 1
	m := sourceview.Source{
		Dir: humanize.Printable(name[:at]), Name: humanize.Printable(name[at:]), NoText: d.text == nil,
		Elsewhere: d.elsewhere(0),
	}
	for c := range d.t.Columns {
		column := &d.t.Columns[c]
		m.Heads = append(m.Heads, sourceview.Head{Label: column.Label, Title: column.Title})
		if v := d.f.Sums[c]; v > 0 {
			m.Sums = append(m.Sums, sourceview.Fact{Term: column.Label, Value: site.FigureOf(column, v)})
		}
	}
	numbers := d.f.Lines
	if d.text != nil {
		to := d.q.address.Without("show", "from")
		m.Ways = []page.Segment{
			{Label: "All lines", URL: to.String(), Current: d.q.bare},
			{
				Label: "With figures", Title: "only lines that have a figure", URL: to.With("show", "figures").String(),
				Current: !d.q.bare,
			},
		}
		if d.q.bare {
			numbers = make([]uint32, len(d.text))
			for i := range numbers {
				numbers[i] = uint32(i) + 1
			}
			for _, line := range d.f.Lines {
				if line == 0 || int(line) > len(d.text) {
					numbers = append(numbers, line)
				}
			}
			slices.Sort(numbers)
		}
	}
	// The page begins at the line asked for, or so that the selected one is on it.
	from := 0
	switch {
	case d.q.from > 0:
		from, _ = slices.BinarySearch(numbers, d.q.from)
		from = min(from, len(numbers)-1)
	case d.q.sel > 0:
		at, _ := slices.BinarySearch(numbers, d.q.sel)
		from = at / sourceRows * sourceRows
		from = min(from, (len(numbers)-1)/sourceRows*sourceRows)
	}
	to := min(from+sourceRows, len(numbers))
	turn := d.q.address.Without("sel", "from")
	if from > 0 {
		m.Earlier = turn.With("from", strconv.Itoa(int(max(numbers[max(from-sourceRows, 0)], 1)))).String()
	}
	if to < len(numbers) {
		m.Later = turn.With("from", strconv.Itoa(int(numbers[to]))).String()
	}
	largest := uint64(0)
	for i := range d.f.Lines {
		largest = max(largest, d.heat(d.f.At(i)))
	}
	if d.colours != nil {
		d.syntax = d.colours(int(numbers[from]), int(numbers[to-1]))
	}
	link := d.links.File(name, d.t.Below(d.f))
	for _, line := range numbers[from:to] {
		m.Rows = append(m.Rows, d.line(line, largest, link))
	}
	m.Shown = humanize.Plural(len(d.f.Lines), "line") + " with figures"
	if to-from < len(numbers) {
		m.Shown = humanize.Say("lines {}–{}; {}", numbers[from], numbers[to-1], m.Shown)
	}
	m.Previous, m.Next = d.steps()
	if d.q.sel == 0 {
		m.Heaviest = d.heaviest()
	}
	return m
}

// heat is the figure that a line's bar shows: the last of its columns, which has what
// passes the line where a family tells that apart.
func (d *drawing) heat(cells []uint64) uint64 { return cells[len(cells)-1] }

// line is a row of the page.
func (d *drawing) line(number uint32, largest uint64, link sources.Link) sourceview.Line {
	n := strconv.Itoa(int(number))
	l := sourceview.Line{ID: "L" + n, Number: n}
	if number == 0 {
		l.Number = "–"
	} else {
		l.Source = link.At(number)
		l.Select = d.q.address.With("sel", n).String()
		l.Selected.Selected = d.q.sel == number
	}
	if int(number) <= len(d.text) && number > 0 {
		text := d.text[number-1]
		var tokens []Token
		if int(number) <= len(d.syntax) {
			tokens = d.syntax[number-1]
		}
		l.Text = Coloured(nil, text, tokens, 0, len(text), sourceview.Code{})
	}
	i, ok := slices.BinarySearch(d.f.Lines, number)
	if !ok {
		l.Figures = make([]humanize.Number, len(d.t.Columns))
		return l
	}
	cells := d.f.At(i)
	for c := range cells {
		l.Figures = append(l.Figures, site.FigureOf(&d.t.Columns[c], cells[c]))
	}
	l.Has, l.Bar = true, chart.ShareBar(float64(d.heat(cells)), float64(largest))
	return l
}

// elsewhere is where the file, or a line of it, is on another host.
func (d *drawing) elsewhere(line uint32) *sourceview.Elsewhere {
	return Elsewhere(d.links, d.f.Name, d.t.Below(d.f), line)
}

// heaviest are the lines with the most of what bars show.
func (d *drawing) heaviest() *sourceview.Heaviest {
	order := make([]int, 0, len(d.f.Lines))
	for i, line := range d.f.Lines {
		if line > 0 && d.heat(d.f.At(i)) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.heat(d.f.At(b)), d.heat(d.f.At(a))) })
	if len(order) == 0 {
		return nil
	}
	column := &d.t.Columns[len(d.t.Columns)-1]
	h := &sourceview.Heaviest{Title: "Most: " + column.Label}
	for _, i := range order[:min(len(order), heaviestLines)] {
		line := d.f.Lines[i]
		row := sourceview.HeavyLine{
			Number: strconv.Itoa(int(line)), URL: d.to(line), Value: site.FigureOf(column, d.heat(d.f.At(i))),
		}
		if int(line) <= len(d.text) {
			row.Text = humanize.Printable(strings.Join(strings.Fields(string(d.text[line-1])), " "))
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// to is the page with a line selected.
func (d *drawing) to(line uint32) string {
	n := strconv.Itoa(int(line))
	return d.q.address.Without("from").With("sel", n).String() + "#L" + n
}

// steps are the lines with figures before and after the selected one.
func (d *drawing) steps() (previous, next string) {
	for _, line := range d.f.Lines {
		if line > 0 && line < d.q.sel {
			previous = d.to(line)
		}
		if line > d.q.sel {
			return previous, d.to(line)
		}
	}
	return previous, ""
}

// inspect says what is at the selected line.
func (d *drawing) inspect(things []site.LineThings) *sourceview.Inspector {
	n := strconv.Itoa(int(d.q.sel))
	to := d.q.address.Without("sel").String() + "#L" + n
	in := &sourceview.Inspector{Title: "Line " + n, Close: to, Elsewhere: d.elsewhere(d.q.sel)}
	if i, ok := slices.BinarySearch(d.f.Lines, d.q.sel); ok {
		for c, v := range d.f.At(i) {
			if v > 0 {
				in.Facts = append(in.Facts, sourceview.Fact{Term: d.t.Columns[c].Label, Value: site.FigureOf(&d.t.Columns[c], v)})
			}
		}
	} else {
		in.Missing = "The profile has nothing on this line."
	}
	in.Groups = Groups(things)
	return in
}

// Groups are the things at a line, as pages list them.
func Groups(things []site.LineThings) []sourceview.LineGroup {
	var list []sourceview.LineGroup
	for _, t := range things {
		g := sourceview.LineGroup{Title: t.Title}
		for _, thing := range t.List {
			g.Rows = append(g.Rows, sourceview.LineThing{Name: thing.Name, URL: thing.URL, Value: thing.Value})
		}
		g.More = humanize.More(t.All - len(t.List))
		list = append(list, g)
	}
	return list
}

// listLines is GET /profiles/{id}/lines of the API.
func (s *handler) listLines(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), keys("file"))
	l, name := v.Listing(), v.One("file")
	if v.Err != nil {
		return v.Err
	}
	t, err := s.figures(r)
	if err != nil {
		return err
	}
	files := t.Files
	if name != "" {
		f, _, err := fileOf(t, name)
		if err != nil {
			return err
		}
		files = []lines.File{*f}
	}
	return s.ListTable(w, r, l, "-lines", func(_ context.Context, o table.Options, whole bool) (table.Table, error) {
		d, find := t.FindLines(files)
		return d.Open(find, table.Query{}, o, whole), nil
	})
}
