package moves

import (
	"context"
	"math"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

const (
	chartMoves = 10 // rows of the chart
	listMoves  = 4  // and of each list
)

// Source gives moves as a query asks for them.
type Source[T any] interface {
	Page(ctx context.Context, q query.MoveQuery) (*query.MovePage[T], error)
}

// View shows moves in the frame of all comparisons.
type View[T any] struct {
	*site.Comparing
	Source Source[T]
	// Rows are those of the table, where a family has filters of its own; else nil.
	Rows  Source[T]
	Unit  Unit
	Query query.MoveQuery // of the table; its Min is the threshold in force
	// Things are what is compared, one and many; Title heads the chart.
	Thing, Things, Title, Measure string
	How                           page.How
	States                        []State // by bit
	Name                          func(m *query.Move[T]) (name say.Name, url string)
	Note                          func(m *query.Move[T]) string // beside the name; nil for none
	Columns                       []Column[T]
	What                          func(m *query.Move[T]) []page.Turn // that changed besides; nil for nothing
	Lists                         []ListOf[T]
	Filters                       []string // parameters of the family that select rows
	Words                         Words[T]
	Unmangled                     bool // names have one form only
}

// State is a state of moves in words.
type State struct {
	Word  string // in addresses
	Label string // in the filter
	Tag   *page.Tag
}

// States are the states of all families: a family's own stand behind them.
var States = []State{
	{"matched", "in both", nil},
	{"changed", "code changed", &page.Tag{Text: "code changed", Tone: page.Neutral}},
	{"only_base", "lost", &page.Tag{Text: "lost", Tone: "less", Title: "in A, not in B"}},
	{"only_test", "new", &page.Tag{Text: "new", Tone: "more", Title: "in B, not in A"}},
}

// ReadStates reads the states that a request asks for.
func ReadStates(v *site.Values, words []string, states []State) (set query.MoveState) {
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

// Column is a column of the table, between the change and what changed besides.
type Column[T any] struct {
	Key, Label, Title string
	Sort              query.Column
	Cell              func(m *query.Move[T]) say.Number
}

// ListOf is a list of moves of one state beside the chart.
type ListOf[T any] struct {
	ID, Title string
	State     query.MoveState
	Sort      []query.Key
	Says      func(p *query.MovePage[T]) string
	Figure    func(m *query.Move[T]) string
}

// Figures are what a sentence is made of.
type Figures[T any] struct {
	All, Both     int // in all, and in both profiles
	Moved         int // by the threshold or more
	MovedBoth     int // of Both
	Lost, New     *query.MovePage[T]
	Changed       *query.MovePage[T]
	Largest       *query.Move[T] // nil where there is none
	Least         float64        // the threshold
	LeastSays     string
	thing, things string
	largestSays   string
}

// Least is the threshold of what is called a change, whatever the table shows.
func (v *View[T]) Least() float64 {
	if v.Query.Min < 0 {
		return v.Unit.Usual
	}
	return v.Query.Min
}

// Figures asks for those.
func (v *View[T]) Figures(ctx context.Context) (*Figures[T], error) {
	least := v.Least()
	f := &Figures[T]{Least: least, LeastSays: v.Unit.Least(least), thing: v.Thing, things: v.Things}
	var err error
	page := func(q query.MoveQuery) *query.MovePage[T] {
		if err != nil {
			return &query.MovePage[T]{}
		}
		var p *query.MovePage[T]
		if p, err = v.Source.Page(ctx, q); err != nil {
			return &query.MovePage[T]{}
		}
		return p
	}
	const both = query.MoveMatched | query.MoveChanged
	f.Moved = page(query.MoveQuery{Min: least}).Matching
	f.MovedBoth = page(query.MoveQuery{Min: least, States: both}).Matching
	f.Both = page(query.MoveQuery{Min: query.AllMoves, States: both}).Matching
	f.Lost = page(query.MoveQuery{Min: query.AllMoves, States: query.MoveOnlyBase})
	f.New = page(query.MoveQuery{Min: query.AllMoves, States: query.MoveOnlyTest})
	f.Changed = page(query.MoveQuery{Min: query.AllMoves, States: query.MoveChanged})
	top := page(query.MoveQuery{Min: 0, Limit: 1})
	f.All = top.All
	if len(top.Rows) > 0 {
		f.Largest = &top.Rows[0]
		name, _ := v.Name(f.Largest)
		change := v.Unit.Change(f.Largest.Change)
		if v.Unit.Name != "bytes" {
			change += " " + v.Unit.Name
		}
		f.largestSays = change + " in " + site.ShortName(name)
	}
	return f, err
}

// Says tells what moved by the threshold, or that nothing did.
func (f *Figures[T]) Says() string {
	switch {
	case f.All == 0:
		return "Neither has any " + f.things + "."
	case f.Largest == nil:
		return "Nothing moved."
	case f.Moved == 0:
		return "Nothing moved by " + f.LeastSays + " or more; the largest move is " + f.largestSays + "."
	case f.Both == 0:
		return "They have no " + f.thing + " in common."
	}
	return "Of the " + say.Int(f.Both) + " in both, " + say.Int(f.MovedBoth) + " moved by " + f.LeastSays + " or more."
}

// Apart tells what one side alone has, and what these hold of both.
func (f *Figures[T]) Apart(held func(v float64) string) string {
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
	return say.Plural(n, f.thing, f.things) + verb + strings.Join(parts, " and ") + ". "
}

// Fill makes the chart, the lists and the table.
func (v *View[T]) Fill(ctx context.Context, m *page.Compare) error {
	top, err := v.Source.Page(ctx, query.MoveQuery{Min: v.Least(), Limit: chartMoves})
	if err != nil {
		return err
	}
	if len(top.Rows) > 0 {
		m.Chart = v.chart(top.Rows)
	}
	for _, l := range v.Lists {
		p, err := v.Source.Page(ctx, query.MoveQuery{Min: query.AllMoves, States: l.State, Sort: l.Sort, Limit: listMoves})
		if err != nil {
			return err
		}
		if p.Matching > 0 {
			m.Lists = append(m.Lists, v.list(&l, p))
		}
	}
	source := v.Source
	if v.Rows != nil {
		source = v.Rows
	}
	rows, err := source.Page(ctx, v.Query)
	if err != nil {
		return err
	}
	v.table(&m.Table, rows)
	return nil
}

func (v *View[T]) list(l *ListOf[T], p *query.MovePage[T]) page.MoveList {
	list := page.MoveList{ID: l.ID, Title: l.Title, Says: l.Says(p)}
	if p.Matching > len(p.Rows) {
		a := v.Plain().With("state", v.States[bitOf(l.State)].Word)
		if len(l.Sort) > 0 && l.Sort[0].Column != query.MoveAbsChange {
			word := string(l.Sort[0].Column)
			if l.Sort[0].Desc {
				word = "-" + word
			}
			a = a.With("sort", word)
		}
		list.URL, list.Count = v.keepMeasure(a).String(), say.Int(p.Matching)
	}
	for i := range p.Rows {
		name, url := v.Name(&p.Rows[i])
		list.Rows = append(list.Rows, page.MoveListRow{Name: name, URL: url, Figure: l.Figure(&p.Rows[i])})
	}
	return list
}

// keepMeasure adds to a plain address what is compared, which is no filter.
func (v *View[T]) keepMeasure(a site.Address) site.Address {
	for _, key := range v.Family.Comparer.Keys {
		if value := v.Address.Query.Get(key); value != "" && !slices.Contains(v.Filters, key) {
			a = a.With(key, value)
		}
	}
	return a
}

func bitOf(state query.MoveState) int {
	bit := 0
	for state>>bit&1 == 0 && bit < 15 {
		bit++
	}
	return bit
}

// stateTag is the tag of a row that one profile lacks.
func (v *View[T]) stateTag(m *query.Move[T]) *page.Tag {
	if m.State&(query.MoveOnlyBase|query.MoveOnlyTest) == 0 {
		return nil
	}
	return v.States[bitOf(m.State&(query.MoveOnlyBase|query.MoveOnlyTest))].Tag
}

// dumbbellEdge is how much of the width is left free at both ends, in per cent.
const dumbbellEdge = 4.0

func (v *View[T]) chart(rows []query.Move[T]) *page.Dumbbells {
	largest := 0.0
	for i := range rows {
		largest = max(largest, rows[i].Base, rows[i].Test)
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
	for i := range rows {
		r := &rows[i]
		name, url := v.Name(r)
		b := page.Dumbbell{
			Name: name, URL: url, Tag: v.stateTag(r), A: at(r.Base), B: at(r.Test), Word: string(query.DirectionOf(r.Change)),
			Change: v.Unit.Change(r.Change),
		}
		b.From, b.To = at(min(r.Base, r.Test)), at(max(r.Base, r.Test))
		b.AbsentA, b.AbsentB = r.Absent()
		side := func(value float64, absent bool) string {
			if absent {
				return "absent"
			}
			return v.Unit.Value(value)
		}
		b.Title = "A " + side(r.Base, b.AbsentA) + ", B " + side(r.Test, b.AbsentB)
		d.Rows = append(d.Rows, b)
	}
	return d
}

func (v *View[T]) table(t *page.MoveTable, rows *query.MovePage[T]) {
	a := around{Comparing: v.Comparing, unit: v.Unit, query: v.Query, thing: v.Thing, things: v.Things, how: v.How,
		states:  v.States,
		filters: slices.Concat(site.CompareFilters, v.Filters), unmangled: v.Unmangled, matching: rows.Matching,
		all: rows.All}
	for _, c := range v.Columns {
		a.columns = append(a.columns, heading{page.Head{Column: c.Key, Label: c.Label, Title: c.Title, Number: true},
			c.Sort})
	}
	largest := 0.0
	for i := range rows.Rows {
		largest = max(largest, math.Abs(rows.Rows[i].Change))
	}
	for i := range rows.Rows {
		a.rows = append(a.rows, v.row(&rows.Rows[i], largest))
	}
	a.fill(t)
}

func (v *View[T]) row(m *query.Move[T], largest float64) page.MoveRow {
	r := page.MoveRow{Change: page.ChangeBarOf(m.Change, largest, v.Unit.Change(m.Change))}
	r.Name, r.URL = v.Name(m)
	if v.Note != nil {
		r.Note = v.Note(m)
	}
	for _, c := range v.Columns {
		r.Cells = append(r.Cells, c.Cell(m))
	}
	for bit, s := range v.States {
		if s.Tag != nil && m.State>>bit&1 != 0 {
			r.What = append(r.What, page.Turn{To: s.Tag})
		}
	}
	if v.What != nil {
		r.What = append(r.What, v.What(m)...)
	}
	return r
}

// Side is what one side has, in words: the base, or the test profile.
func (v *View[T]) Side(m *query.Move[T], test bool) say.Number {
	absentBase, absentTest := m.Absent()
	value, absent := m.Base, absentBase
	if test {
		value, absent = m.Test, absentTest
	}
	if absent {
		return say.Number{Text: "–"}
	}
	return say.Number{Text: v.Unit.Value(value)}
}
