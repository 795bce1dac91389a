package covweb

import (
	"slices"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/decode/covmap"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/covdb"
	"proflens/profile/lines"
	"proflens/profile/stored"
	"proflens/views/chart"
	"proflens/views/covview"
	"proflens/views/sourceview"
)

// How much of a line its row has room for.
const (
	maxChips  = 2
	maxPieces = 60
)

// source is what the rows of a file's page are made of.
type source struct {
	*listing
	q             *sourceRequest
	cov           *coverage.Coverage
	groups        []extent
	starts        map[uint32][]*extent // groups of several functions, by line
	columns       uint32               // width of the ribbons
	gapAt         map[uint32]bool
	before, after string // of the address that selects a line
	profile       *stored.Profile
	name          string       // of the file, as recorded
	figures       *lines.File  // of other families; nil for none
	figured       *lines.Table // that figures are of
	files         *covdb.Profile
	file          int
	links         *sources.Links
	link          sources.Link // of the file
}

// widest is how many columns ribbons are wide.
func widest(rows []coverage.Row) uint32 {
	const least, most = 60, 140
	w := uint32(least)
	for i := range rows {
		if n := len(rows[i].Segments); n > 0 {
			w = max(w, rows[i].Segments[n-1].Column+8)
		}
	}
	return min(w, most)
}

// lines are the rows of the page.
func (s *handler) lines(v *source, page []run) []covview.Line {
	var list []covview.Line
	for i := range page {
		r := &page[i]
		if r.fold != nil {
			list = append(list, s.foldLine(v, r.fold))
			continue
		}
		for line := r.first; ; line++ {
			list = append(list, s.line(v, r.row, line))
			if line == r.last {
				break
			}
		}
	}
	return list
}

// foldLine is the row that stands for several.
func (s *handler) foldLine(v *source, f *fold) covview.Line {
	l := covview.Line{ID: "L" + strconv.Itoa(int(f.first)), Number: f.String()}
	l.Fold = &covview.Fold{Text: humanize.Plural(f.mapped, "line"), Never: f.never}
	if f.mapped == 0 {
		l.Fold.Text, l.Fold.Says = humanize.Plural(f.last-f.first+1, "line"), "without code"
	}
	switch {
	case f.none:
		return l
	case f.mapped == 0:
	case f.never:
		l.Fold.Text += ":"
		l.Fold.Names, l.Fold.Says = []string{s.shortName(&v.groups[f.group])}, "never ran"
	default:
		l.Fold.Text, l.Fold.Says = l.Fold.Text+", all covered", ""
		const most = 3
		for i := range v.groups {
			if g := &v.groups[i]; f.holds(g.first) {
				if len(l.Fold.Names) == most {
					l.Fold.Names = append(l.Fold.Names, "…")
					break
				}
				l.Fold.Names = append(l.Fold.Names, s.shortName(g))
			}
		}
		if len(l.Fold.Names) > 0 {
			l.Fold.Text += ":"
		}
	}
	l.Fold.URL = anchor(v.q.toggled(f.span, true), f.first)
	return l
}

func (s *handler) shortName(e *extent) string {
	return s.name(e.Functions[0].Name, names.Short).Whole()
}

// line is one line of source.
func (s *handler) line(v *source, row int, number uint32) covview.Line {
	text := strconv.Itoa(int(number))
	l := covview.Line{ID: v.q.report.id(number), Number: text}
	if v.q.report == nil {
		l.Select, l.Source = v.before+text+v.after, v.link.At(number)
	}
	l.Selected.Selected = v.q.sel == number
	l.Figures = v.figuresAt(number)
	if row < 0 {
		l.Text = v.plainText(number)
		return l
	}
	l.Row = &v.rows[row]
	if l.State == coverage.Unmapped {
		l.Text = v.plainText(number)
		return l
	}
	l.Gap = v.gapAt[number]
	if v.text != nil {
		l.Text = v.spans(l.Row, number)
	} else {
		l.Ribbon, l.Open = v.ribbon(l.Row)
	}
	v.sides(&l)
	s.unfolding(v, &l, number)
	return l
}

// piece is a part of a line from one column up to another; 0: up to the end.
type piece struct {
	from, to uint32
	count    uint64
	entry    bool
}

// pieces are those parts of a line that have a count.
func pieces(r *coverage.Row) []piece {
	var list []piece
	now := r.Wrapped
	at := uint32(1)
	add := func(to uint32) {
		if now != nil && now.HasCount && (!now.Gap || len(r.Segments) == 0) && (to == 0 || to > at) {
			list = append(list, piece{at, to, now.Count, now.Entry && now.Line == r.First})
		}
	}
	for i := range r.Segments {
		s := &r.Segments[i]
		add(s.Column)
		now, at = s, s.Column
	}
	add(0)
	return list
}

// ribbon draws a line by column.
func (v *source) ribbon(r *coverage.Row) (list []covview.Piece, open bool) {
	x := func(column uint32) float64 { return min(float64(column-min(column, 1))/float64(v.columns), 1) }
	parts := pieces(r)
	for i, p := range parts[:min(len(parts), maxPieces)] {
		to := 1.0
		if p.to > 0 {
			to = x(p.to)
		}
		from := x(p.from)
		if from >= to {
			continue
		}
		c := covview.Piece{X: chart.Along(from), Width: chart.Along(max(to-from-0.003, 0.002)), Class: "ran"}
		if p.count == 0 {
			c.Class = "no"
		}
		c.Rest = p.to == 0 && !p.entry && i > 0
		list, open = append(list, c), p.to == 0
	}
	return list, open
}

// plainText is a line's text.
func (l *listing) plainText(number uint32) []sourceview.Code {
	if int(number) > len(l.text) {
		return nil
	}
	line := l.text[number-1]
	return l.coloured(nil, number, 0, len(line), sourceview.Code{})
}

// spans are a line's text with its regions.
func (l *listing) spans(r *coverage.Row, number uint32) []sourceview.Code {
	if int(number) > len(l.text) {
		return nil
	}
	line := l.text[number-1]
	var list []sourceview.Code
	at := 0
	add := func(to int, class, title string) {
		if to = sourceview.Boundary(line, min(to, len(line))); to > at {
			list = l.coloured(list, number, at, to, sourceview.Code{Class: class, Title: title})
			at = to
		}
	}
	if len(r.Segments) > 0 {
		for _, p := range pieces(r) {
			if p.count == r.Count {
				continue
			}
			add(int(p.from)-1, "", "")
			to := len(line)
			if p.to > 0 {
				to = int(p.to) - 1
			}
			class := "src-differs"
			if p.count == 0 {
				class = "src-missed"
			}
			add(to, class, covview.Times(p.count))
		}
	}
	add(len(line), "", "")
	return list
}

// coloured appends a part of a line, like a span, divided by its syntax.
func (l *listing) coloured(list []sourceview.Code, number uint32, from, to int,
	like sourceview.Code) []sourceview.Code {
	var tokens []sourceweb.Token
	if int(number) <= len(l.syntax) {
		tokens = l.syntax[number-1]
	}
	return sourceweb.Coloured(list, l.text[number-1], tokens, from, to, like)
}

// sides puts a line's conditions at its edge: each, or what they come to.
func (v *source) sides(l *covview.Line) {
	if len(l.Sides) <= maxChips {
		l.Chips = v.chips(l.Sides)
		return
	}
	missed, of := 0, 0
	for i := range l.Sides {
		m, n := l.Sides[i].Missed()
		missed, of = missed+m, of+n
	}
	switch {
	case of == 0:
		l.Summary = humanize.Int(len(l.Sides)) + " constant"
	case missed > 0:
		l.Summary, l.Missed = humanize.Say("◐ {} of {side}", of-missed, of), true
	default:
		l.Summary = "all " + humanize.Plural(of, "side")
	}
}

// chips are conditions with both sides.
func (v *source) chips(list []coverage.Sides) (chips []covview.Sides) {
	for i := range list {
		s := &list[i]
		c := covview.Sides{Sides: s, Title: strconv.Itoa(int(s.Start.Column)) + "–" + endOf(s.Start, s.End)}
		if code := v.codeOf(s.Start, s.End); code != "" {
			c.Title += " " + code
		}
		for at, count := range [2]uint64{s.True, s.False} {
			if c.Counts[at] = humanize.Count(count); v.q != nil && v.q.report != nil {
				c.Counts[at] = v.q.report.side(count, s.True+s.False)
			}
		}
		chips = append(chips, c)
	}
	return chips
}

// endOf writes an end, with its line where that is another.
func endOf(start, end covmap.Position) string {
	if start.Line == end.Line {
		return strconv.Itoa(int(end.Column))
	}
	return end.String()
}

// unfolding says what unfolds under a line, and unfolds it where it is asked for.
func (s *handler) unfolding(v *source, l *covview.Line, number uint32) {
	groups := v.starts[number]
	decisions := bestDecisions(l.Decisions)
	uses := expansionUses(l.Expansions)
	var words []string
	if len(uses) > 0 {
		words = append(words, humanize.Plural(len(uses), "expansion"))
	}
	if len(l.Sides) > maxChips {
		words = append(words, "conditions")
	}
	if len(decisions) > 0 {
		words = append(words, "MC/DC")
		var m coverage.Metric
		for _, d := range decisions {
			m.Add(d.Metric())
		}
		if m.Total > 0 {
			l.MCDC = "MC/DC " + covview.PartOf(m)
			l.Missed = l.Missed || m.Missed() > 0
		}
	}
	for _, g := range groups {
		words = append(words, humanize.Plural(len(g.Functions), "instantiation"))
	}
	if len(words) == 0 {
		return
	}
	at := span{number, number}
	l.Unfolded = v.q.opens(at)
	l.Unfold = strings.Join(words, ", ")
	if v.q.report == nil {
		l.Toggle = anchor(v.q.toggled(at, !l.Unfolded), number)
	}
	if !l.Unfolded {
		return
	}
	for _, g := range groups {
		l.Details = append(l.Details, covview.Detail{Instances: s.instances(v.cov, g)})
	}
	for i := range uses {
		s.expand(v, &uses[i])
		l.Details = append(l.Details, covview.Detail{Expansion: &uses[i]})
	}
	if len(l.Sides) > maxChips {
		l.Details = append(l.Details, covview.Detail{Conditions: v.chips(l.Sides)})
	}
	for i := range decisions {
		d := &decisions[i]
		d.Text = v.codeOf(d.Start, d.End)
		l.Details = append(l.Details, covview.Detail{Decision: d})
	}
}

// expansionUses puts those of one place together.
func expansionUses(list []coverage.Expansion) []covview.Expansion {
	var uses []covview.Expansion
	for _, e := range list {
		i := slices.IndexFunc(uses, func(u covview.Expansion) bool {
			return u.Region.Start == e.Region.Start && u.Region.End == e.Region.End
		})
		if i < 0 {
			uses = append(uses, covview.Expansion{Expansion: e, Functions: 1})
			continue
		}
		uses[i].Functions++
		if e.Region.Count > uses[i].Region.Count {
			uses[i].Expansion = e
		}
	}
	return uses
}
