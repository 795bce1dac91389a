package moves

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// Source gives the rows of a comparison as a query asks for them, and what those in a state of
// one bit come to.
type Source interface {
	Find(q table.MoveQuery) table.Find
	Held(state table.State) table.Held
}

// View shows the rows of a comparison in the frame of all comparisons: it is a
// [site.Compared]. A family gives what it knows without comparing; Open compares and sets
// the rest.
type View[P table.Pair] struct {
	*site.Comparing
	Of      *table.Declaration
	Unit    Unit
	Filters []string // parameters of the family that select rows
	Open    func(ctx context.Context, v *View[P]) error

	Source Source
	// Rows finds those of the table, where a family has filters of its own; else nil.
	Rows      func(q table.MoveQuery) table.Find
	Measure   string // what the unit counts: "bytes that ran"
	How       page.How
	Name      func(row P) (name humanize.Name, url string) // the row's first cell
	What      func(row P) []page.Turn                      // that changed besides; nil for nothing
	Draw      map[string]func(row P) page.GridCell         // of columns that no other table has
	Inspect   func(in *page.Inspector, row P)              // adds to the inspector; nil for nothing
	Lists     []ListOf[P]
	Words     Words[P]
	Unmangled bool // names have one form only
	// Programs is set where rows are all functions of a program: two without a pair are of two
	// programs, of which no more is said.
	Programs bool

	query  table.MoveQuery // of the table; its Min is the threshold in force
	params lists.Params
	usual  bool // that threshold is the unit's
}

// Words are what a family says and writes of its moves.
type Words[P table.Pair] struct {
	// Sentence says what there is to say, the most important first.
	Sentence func(f *Figures[P]) (lead, rest string)
	// Head adds the switches, notes and parts of the page; nil adds none.
	Head func(m *page.Compare)
	// Members are what the envelope of JSON says besides of both together. Envelope is all that
	// it says, and Text what a terminal is told first, where they are not as usual; else nil.
	Members  any
	Envelope func() any
	Text     func() string
}

// Read reads what a request asks of a view. The error is of values, or a *[site.ParamError].
func Read[P table.Pair](c *site.Comparing, values *site.Values, v *View[P]) (site.Compared, error) {
	v.Comparing = c
	v.params = lists.ListOf(v.Of).Rows(values, c.Listing)
	v.query = table.MoveQuery{Direction: c.Direction, States: readStates(values, c.States, v.Of.States)}
	switch {
	case c.Min != "":
		v.query.Min = v.Unit.read(values, c.Min)
	case c.Whole || len(v.params.Query.Ranges) > 0:
		v.query.Min = table.AllMoves
	default:
		v.usual = true
	}
	return v, values.Err
}

// Typed implements [site.Compared].
func (v *View[P]) Typed(w http.ResponseWriter, r *http.Request) (moved bool, err error) {
	return lists.ListOf(v.Of).Typed(w, r)
}

// readStates reads the states that a request asks for.
func readStates(v *site.Values, words []string, states []table.StateWord) (set table.State) {
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

// Keys are the parameters of comparisons whose rows are declared: its own, and its ranges.
func Keys(of *table.Declaration, own ...string) []string {
	own = append(own, site.Words(of.Ranges())...)
	site.OrderKeys(own)
	return own
}

// open compares, once.
func (v *View[P]) open(ctx context.Context) error {
	if v.Source != nil {
		return nil
	}
	err := v.Open(ctx, v)
	if v.usual {
		v.query.Min = v.Unit.Usual
	}
	return err
}

// find finds the rows of the table.
func (v *View[P]) find() table.Find {
	if v.Rows != nil {
		return v.Rows(v.query)
	}
	return v.Source.Find(v.query)
}

// rows are those that a query selects, at most limit; and the page that has them.
func (v *View[P]) rows(ctx context.Context, q table.MoveQuery, limit int, sort ...query.Key) ([]P, table.Page, error) {
	found, err := v.Source.Find(q)(ctx, table.Query{RowQuery: query.RowQuery{Sort: sort, Limit: limit}})
	if err != nil {
		return nil, found, err
	}
	rows := make([]P, found.Len())
	for i := range rows {
		rows[i] = found.Row(i).Addr().Interface().(P)
	}
	return rows, found, nil
}

// Page implements [site.Compared].
func (v *View[P]) Page(ctx context.Context, m *page.Compare) error {
	if _, err := v.declared().Shown(v.Cols); err != nil {
		return err
	}
	if err := v.open(ctx); err != nil {
		return err
	}
	f, err := v.Figures(ctx)
	if err != nil {
		return err
	}
	m.Lead, m.Sentence = v.Words.Sentence(f)
	if v.Words.Head != nil {
		v.Words.Head(m)
	}
	if says := f.Strangers(); says != "" && v.usual && v.Programs {
		m.Lead, m.Sentence, m.Views, m.Notes, m.Parts = says, "", nil, nil, nil
		return nil
	}
	top, _, err := v.rows(ctx, table.MoveQuery{Min: v.least()}, chartMoves)
	if err != nil {
		return err
	}
	if len(top) > 0 {
		m.Chart = v.chart(top)
	}
	for i := range v.Lists {
		if err := v.list(ctx, m, &v.Lists[i]); err != nil {
			return err
		}
	}
	return v.table(ctx, m)
}

// Lead implements [site.Compared].
func (v *View[P]) Lead(ctx context.Context) (string, error) {
	if err := v.open(ctx); err != nil {
		return "", err
	}
	if v.Words.Text != nil {
		return v.Words.Text(), nil
	}
	f, err := v.Figures(ctx)
	if err != nil {
		return "", err
	}
	lead, rest := v.Words.Sentence(f)
	said := "A  " + humanize.Printable(v.Base.Name) + "\nB  " + humanize.Printable(v.Test.Name) + "\n" + lead + " " +
		rest + "\n"
	return strings.ReplaceAll(said, humanize.NumberSpace, " "), nil
}

// Turned is what became of a tag: nothing where a profile has none, or both have the same.
func Turned(from, to *page.Tag) []page.Turn {
	if from == nil || to == nil || from.Text == to.Text {
		return nil
	}
	return []page.Turn{{From: from, To: to}}
}
