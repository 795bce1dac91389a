package moves

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views"
	"proflens/views/chart"
	"proflens/views/page"
)

const (
	chartMoves = 10 // rows of the chart
	listMoves  = 4  // and of each list
)

// Source gives the rows of a comparison as a query asks for them.
type Source[P table.Pair] interface {
	Page(ctx context.Context, q table.MoveQuery) (*table.MovePage[P], error)
	Find(q table.MoveQuery) table.Find
}

// View shows the rows of a comparison in the frame of all comparisons.
type View[P table.Pair] struct {
	*site.Comparing
	Of     *table.Declaration
	Source Source[P]
	// Rows are those of the table, where a family has filters of its own; else nil.
	Rows           Source[P]
	Unit           Unit
	Title, Measure string // Title heads the chart
	How            page.How
	Name           func(row P) (name humanize.Name, url string) // the row's first cell
	What           func(row P) []page.Turn                      // that changed besides; nil for nothing
	Draw           map[string]func(row P) page.GridCell         // of columns that no other table has
	Lists          []ListOf[P]
	Filters        []string // parameters of the family that select rows
	Words          Words[P]
	Unmangled      bool // names have one form only

	query  table.MoveQuery // of the table; its Min is the threshold in force
	params lists.Params
}

// ReadStates reads the states that a request asks for.
func ReadStates(v *site.Values, words []string, states []table.StateWord) (set table.State) {
	var known []string
	for _, s := range states {
		known = append(known, s.Word)
	}
	for _, word := range words {
		i := slices.Index(known, word)
		if i < 0 {
			v.Fail("state", "unknown state %q; use one or more of %s", word, strings.Join(known, ", "))
			continue
		}
		set |= 1 << i
	}
	return set
}

// ListOf is a list of moves of one state beside the chart.
type ListOf[P table.Pair] struct {
	ID, Title string
	State     table.State
	Sort      []query.Key
	Says      func(p *table.MovePage[P]) string
	Figure    func(m P) string
}

// Figures are what a sentence is made of.
type Figures[P table.Pair] struct {
	All, Both     int // in all, and in both profiles
	Moved         int // by the threshold or more
	MovedBoth     int // of Both
	Lost, New     *table.MovePage[P]
	Changed       *table.MovePage[P]
	Some          bool // something moved
	Largest       P
	Least         float64 // the threshold
	LeastSays     string
	thing, things string
	largestSays   string
}

// Least is the threshold of what is called a change, whatever the table shows.
func (v *View[P]) Least() float64 {
	if v.query.Min < 0 {
		return v.Unit.Usual
	}
	return v.query.Min
}

// Figures asks for those.
func (v *View[P]) Figures(ctx context.Context) (*Figures[P], error) {
	least := v.Least()
	f := &Figures[P]{Least: least, LeastSays: v.Unit.Least(least), thing: v.Of.Noun[0], things: v.Of.Noun[1]}
	var err error
	page := func(q table.MoveQuery) *table.MovePage[P] {
		if err != nil {
			return &table.MovePage[P]{}
		}
		var p *table.MovePage[P]
		if p, err = v.Source.Page(ctx, q); err != nil {
			return &table.MovePage[P]{}
		}
		return p
	}
	const both = table.Matched | table.Changed
	f.Moved = page(table.MoveQuery{Min: least}).Matching
	f.MovedBoth = page(table.MoveQuery{Min: least, States: both}).Matching
	f.Both = page(table.MoveQuery{Min: table.AllMoves, States: both}).Matching
	f.Lost = page(table.MoveQuery{Min: table.AllMoves, States: table.OnlyBase})
	f.New = page(table.MoveQuery{Min: table.AllMoves, States: table.OnlyTest})
	f.Changed = page(table.MoveQuery{Min: table.AllMoves, States: table.Changed})
	top := page(table.MoveQuery{RowQuery: query.RowQuery{Limit: 1}})
	f.All = top.All
	if f.Some = len(top.Rows) > 0; f.Some {
		f.Largest = top.Rows[0]
		name, _ := v.Name(f.Largest)
		change := v.Unit.Change(f.Largest.Measured().Change)
		if v.Unit.Name != "bytes" {
			change += " " + v.Unit.Name
		}
		f.largestSays = change + " in " + site.ShortName(name)
	}
	return f, err
}

// Says tells what moved by the threshold, or that nothing did.
func (f *Figures[P]) Says() string {
	switch {
	case f.All == 0:
		return "Neither has any " + f.things + "."
	case !f.Some:
		return "Nothing moved."
	case f.Moved == 0:
		return "Nothing moved by " + f.LeastSays + " or more; the largest move is " + f.largestSays + "."
	case f.Both == 0:
		return "They have no " + f.thing + " in common."
	}
	return "Of the " + humanize.Int(f.Both) + " in both, " + humanize.Int(f.MovedBoth) + " moved by " + f.LeastSays + " or more."
}

// Apart tells what one side alone has, and what these hold of both.
func (f *Figures[P]) Apart(held func(v float64) string) string {
	n := f.Lost.Matching + f.New.Matching
	if n == 0 {
		return ""
	}
	verb := " exist on one side only and hold "
	if n == 1 {
		verb = " exists on one side only and holds "
	}
	var parts []string
	if f.Lost.Matching > 0 {
		parts = append(parts, held(f.Lost.Base)+" of A")
	}
	if f.New.Matching > 0 {
		parts = append(parts, held(f.New.Test)+" of B")
	}
	return humanize.Plural(n, f.thing, f.things) + verb + strings.Join(parts, " and ") + ". "
}

// Fill makes the chart, the lists and the table.
func (v *View[P]) Fill(ctx context.Context, m *page.Compare) error {
	top, err := v.Source.Page(ctx, table.MoveQuery{Min: v.Least(), RowQuery: query.RowQuery{Limit: chartMoves}})
	if err != nil {
		return err
	}
	if len(top.Rows) > 0 {
		m.Chart = v.chart(top.Rows)
	}
	for _, l := range v.Lists {
		p, err := v.Source.Page(ctx, table.MoveQuery{
			Min: table.AllMoves, States: l.State, RowQuery: query.RowQuery{Sort: l.Sort, Limit: listMoves},
		})
		if err != nil {
			return err
		}
		if p.Matching > 0 {
			m.Lists = append(m.Lists, v.list(&l, p))
		}
	}
	return v.table(ctx, m)
}

func (v *View[P]) list(l *ListOf[P], p *table.MovePage[P]) page.MoveList {
	list := page.MoveList{ID: l.ID, Title: l.Title, Says: l.Says(p)}
	if p.Matching > len(p.Rows) {
		a := v.Plain().With("state", v.Of.States[bitOf(l.State)].Word)
		if len(l.Sort) > 0 && l.Sort[0].Column != table.MoveAbsChange {
			word := string(l.Sort[0].Column)
			if l.Sort[0].Desc {
				word = "-" + word
			}
			a = a.With("sort", word)
		}
		list.URL, list.Count = v.keepMeasure(a).String(), humanize.Int(p.Matching)
	}
	for i := range p.Rows {
		name, url := v.Name(p.Rows[i])
		list.Rows = append(list.Rows, page.MoveListRow{Name: name, URL: url, Figure: l.Figure(p.Rows[i])})
	}
	return list
}

// keepMeasure adds to a plain address what is compared, which is no filter.
func (v *View[P]) keepMeasure(a site.Address) site.Address {
	for _, key := range v.Family.Comparer.Keys {
		if value := v.Address.Query.Get(key); value != "" && !slices.Contains(v.filters(), key) {
			a = a.With(key, value)
		}
	}
	return a
}

func bitOf(state table.State) int {
	bit := 0
	for state>>bit&1 == 0 && bit < 15 {
		bit++
	}
	return bit
}

// stateTag is the tag of a row that one profile lacks.
func (v *View[P]) stateTag(m P) *page.Tag {
	alone := m.Standing() & (table.OnlyBase | table.OnlyTest)
	if alone == 0 {
		return nil
	}
	return tagOf(v.Of.States[bitOf(alone)])
}

// dumbbellEdge is how much of the width is left free at both ends, in per cent.
const dumbbellEdge = 4.0

func (v *View[P]) chart(rows []P) *page.Dumbbells {
	largest := 0.0
	for _, row := range rows {
		largest = max(largest, row.Measured().InBase, row.Measured().InTest)
	}
	at := func(value float64) string {
		if largest > 0 {
			value /= largest
		}
		return chart.Decimal(dumbbellEdge + value*(100-2*dumbbellEdge))
	}
	title := v.Title
	if title == "" {
		title = "Ten largest moves"
		if len(rows) < chartMoves {
			title = "Largest moves"
		}
	}
	d := &page.Dumbbells{Title: title, Says: v.Measure}
	for _, tick := range chart.Steps(largest, v.Unit.Name == "bytes") {
		d.Ticks = append(d.Ticks, page.DumbbellTick{At: at(tick), Label: v.Unit.Tick(tick)})
	}
	for _, row := range rows {
		r := row.Measured()
		name, url := v.Name(row)
		b := page.Dumbbell{
			Name: name, URL: url, Tag: v.stateTag(row), A: at(r.InBase), B: at(r.InTest),
			Word:   string(table.DirectionOf(r.Change)),
			Change: v.Unit.Change(r.Change),
		}
		b.From, b.To = at(min(r.InBase, r.InTest)), at(max(r.InBase, r.InTest))
		b.AbsentA, b.AbsentB = row.Standing().Absent()
		side := func(value float64, absent bool) string {
			if absent {
				return "absent"
			}
			return v.Unit.Value(value)
		}
		b.Title = "A " + side(r.InBase, b.AbsentA) + ", B " + side(r.InTest, b.AbsentB)
		d.Rows = append(d.Rows, b)
	}
	return d
}

// table makes the table: as all declared ones are, with the name, what is compared, and what
// changed drawn alike in all comparisons.
func (v *View[P]) table(ctx context.Context, m *page.Compare) error {
	source := v.Source
	if v.Rows != nil {
		source = v.Rows
	}
	r := &lists.Request{
		Declared: v.declared(), Params: v.params, Query: table.Query{RowQuery: v.query.RowQuery}, Address: v.Address,
		Symbols: v.Symbols, Draw: map[string]func(row any) page.GridCell{},
	}
	var err error
	if r.Fields, err = r.Shown(v.Cols); err != nil {
		return err
	}
	if r.Found, err = source.Find(v.query)(ctx, r.Query); err != nil {
		return err
	}
	largest := 0.0
	for i := range r.Found.Len() {
		largest = max(largest, math.Abs(r.Found.Row(i).Addr().Interface().(P).Measured().Change))
	}
	fields, _ := r.OnPage()
	draw := map[string]func(row P) page.GridCell{
		"change": func(row P) page.GridCell {
			change := row.Measured().Change
			return page.GridCell{Change: new(page.ChangeBarOf(change, largest, v.Unit.Change(change)))}
		},
		"base":  func(row P) page.GridCell { return page.GridCell{Number: v.Side(row, false)} },
		"test":  func(row P) page.GridCell { return page.GridCell{Number: v.Side(row, true)} },
		"state": v.what,
		fields[0].Name: func(row P) page.GridCell {
			name, url := v.Name(row)
			return page.GridCell{Name: &name, URL: url}
		},
	}
	maps.Copy(draw, v.Draw)
	for name, cell := range draw {
		r.Draw[name] = func(row any) page.GridCell { return cell(row.(P)) }
	}
	g, err := r.Grid(v.Request.WithContext(ctx))
	if err != nil {
		return err
	}
	m.Grid = g
	v.fill(&m.Table, g, &r.Found)
	return nil
}

// filters are the parameters that select rows.
func (v *View[P]) filters() []string {
	list := slices.Concat(site.CompareFilters, v.Filters)
	for _, c := range v.Of.Ranges() {
		list = append(list, string(c))
	}
	return list
}

// declared is the table with the heads of what is compared.
func (v *View[P]) declared() *lists.Declared {
	of := v.Of.Titled("change", "Change, "+v.Unit.Name, v.Of.Field("change").Help)
	for i, name := range []string{"base", "test"} {
		side := "AB"[i : i+1]
		if v.Unit.Name == "points" {
			of = of.Titled(name, "Share in "+side, "of the total of "+side)
		} else {
			of = of.Titled(name, side, v.Measure)
		}
	}
	return &lists.Declared{Declaration: of, ID: "pairs", Title: "Changes", Opens: "Open " + of.Noun[0]}
}

// what is what changed of a row: its states, and what the family says.
func (v *View[P]) what(row P) (c page.GridCell) {
	for bit, s := range v.Of.States {
		if s.Tag != "" && row.Standing()>>bit&1 != 0 {
			c.Tags = append(c.Tags, *tagOf(s))
		}
	}
	if v.What != nil {
		c.Drawn = views.Turns(v.What(row))
	}
	return c
}

// tagOf marks the rows of a state.
func tagOf(s table.StateWord) *page.Tag {
	return &page.Tag{Text: s.Tag, Tone: cmp.Or(page.Tone(s.Tone), page.Neutral), Title: s.Title}
}

// Side is what one side has, in words: the base, or the test profile.
func (v *View[P]) Side(row P, test bool) humanize.Number {
	value, absent := row.Measured().InBase, row.Standing()&table.OnlyTest != 0
	if test {
		value, absent = row.Measured().InTest, row.Standing()&table.OnlyBase != 0
	}
	if absent {
		return humanize.Number{Text: "–"}
	}
	return humanize.Number{Text: v.Unit.Value(value)}
}
