package mipweb

import (
	"context"
	"slices"

	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/tables"
	"proflens/views/page"
)

type functionMove = query.Move[mipdb.ComparedRow]

// comparer compares machine IR: what ran, how large functions are, and when they first ran.
func (s *room) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: []string{"by"},
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			by := site.Choice(v, "by", mipdb.CompareCovered, mipdb.CompareSize, mipdb.CompareOrder)
			return &moves.Of[mipdb.ComparedRow]{Comparing: c,
				Open: func(ctx context.Context) (*moves.View[mipdb.ComparedRow], error) {
					return compareView(ctx, c, by)
				}}, nil
		},
	}
}

// compareStates are those of functions.
var compareStates = slices.Concat(moves.States, []moves.State{
	{
		Word: "newly_covered", Label: "newly covered",
		Tag: &page.Tag{Text: "newly covered", Tone: page.Good, Title: "it ran only in B"},
	},
	{
		Word: "newly_dead", Label: "newly dead",
		Tag: &page.Tag{Text: "newly dead", Tone: page.Caution, Title: "it ran only in A"},
	},
	{
		Word: "moved", Label: "moved in start-up order",
		Tag: &page.Tag{
			Text: "moved", Tone: page.Neutral, Title: "its position at first run changed, among functions that ran in both",
		},
	},
	{Word: "grown", Label: "grown"},
	{Word: "shrunk", Label: "shrunk"},
})

func compareView(ctx context.Context, c *site.Comparing, by query.Column) (*moves.View[mipdb.ComparedRow], error) {
	base, err := mipdb.Of(c.Base.Profile)
	if err != nil {
		return nil, err
	}
	test, err := mipdb.Of(c.Test.Profile)
	if err != nil {
		return nil, err
	}
	compared, err := mipdb.Compare(ctx, base, test, by)
	if err != nil {
		return nil, err
	}
	v := &moves.View[mipdb.ComparedRow]{
		Comparing: c, Source: compared, Thing: "function", Things: "functions", How: page.HowMIPCompared,
		States: compareStates,
		Name:   func(m *functionMove) (say.Name, string) { return compareName(c, m) },
	}
	switch by {
	case mipdb.CompareOrder:
		v.Unit, v.Measure = moves.Amount("places", 1), "position in the start-up order"
	case mipdb.CompareSize:
		v.Unit, v.Measure = moves.Bytes(float64(max(compared.Base.Bytes, compared.Test.Bytes))), "size"
	default:
		v.Unit, v.Measure = moves.Bytes(float64(max(compared.Base.CoveredBytes, compared.Test.CoveredBytes))),
			"bytes that ran"
	}
	v.Columns = []moves.Column[mipdb.ComparedRow]{
		{
			Key: "a-covered", Label: "Ran in A", Title: "bytes of it that ran in A",
			Cell: func(m *functionMove) say.Number { return ranOf(m.Row.Base) },
		},
		{
			Key: "b-covered", Label: "Ran in B", Title: "bytes of it that ran in B",
			Cell: func(m *functionMove) say.Number { return ranOf(m.Row.Test) },
		},
		{
			Key: "size", Label: "Size", Title: "bytes, in A and in B where they differ", Sort: mipdb.CompareSize, Cell: sizeTurn,
		},
	}
	if compared.Ordered {
		v.Columns = append(v.Columns, moves.Column[mipdb.ComparedRow]{
			Key: "place", Label: "Place", Title: "in A and in B, among the functions that ran in both",
			Sort: mipdb.ComparePlaceChange, Cell: placeTurn,
		})
	}
	v.Lists = compareLists(compared)
	v.Words = moves.Words[mipdb.ComparedRow]{
		Sentence: func(f *moves.Figures[mipdb.ComparedRow]) (lead, rest string) { return compareSentence(compared, f) },
		Head: func(_ context.Context, m *page.Compare) error {
			m.Measures = []page.Choice{compareMeasures(c, compared)}
			return nil
		},
		Table: func(q query.MoveQuery, words []string, o table.Options, members []byte) table.Table {
			return tables.ComparedMIP(compared, q, words, o, members)
		},
		Members: newCompareObject(compared),
	}
	return v, v.Ask(compared.Sorts())
}

func compareMeasures(c *site.Comparing, compared *mipdb.Comparison) page.Choice {
	choice := page.Choice{Label: "By"}
	for _, one := range []struct {
		by           query.Column
		label, title string
	}{
		{mipdb.CompareCovered, "bytes that ran", "how many bytes of each function ran"},
		{mipdb.CompareSize, "size", "bytes of each function"},
		{mipdb.CompareOrder, "start-up order", "when each function first ran"},
	} {
		if one.by == mipdb.CompareOrder && !compared.Ordered {
			continue
		}
		word := string(one.by)
		if one.by == mipdb.CompareCovered {
			word = ""
		}
		choice.Segments = append(choice.Segments, page.Segment{
			Label: one.label, Title: one.title,
			URL: c.Address.Without("page", "cursor", "min", "sort").With("by", word).String(), Current: one.by == compared.By,
		})
	}
	return choice
}

// compareSentence tells what ran that did not, and the other way round; then sizes and
// the order.
func compareSentence(c *mipdb.Comparison, f *moves.Figures[mipdb.ComparedRow]) (lead, rest string) {
	covered, dead := c.Counts[mipdb.NewlyCovered], c.Counts[mipdb.NewlyDead]
	lead = say.Plural(covered, "function", "functions") + " newly covered, " + say.Int(dead) + " newly dead."
	if covered+dead == 0 {
		lead = "The same functions ran."
	}
	if covered > 0 {
		rest += say.Bytes(c.CoveredBy).Text + " ran only in B. "
	}
	if dead > 0 {
		rest += say.Bytes(c.DeadBy).Text + " ran only in A. "
	}
	if grown, shrunk := c.Counts[mipdb.Grown], c.Counts[mipdb.Shrunk]; grown+shrunk > 0 {
		rest += say.Int(grown) + " grew, by " + say.Bytes(c.GrownBy).Text + "; " + say.Int(shrunk) + " shrank, by " +
			say.Bytes(c.ShrunkBy).Text + ". "
	}
	if moved := c.Counts[mipdb.Moved]; moved > 0 {
		rest += say.Int(moved) + " moved in the start-up order. "
	}
	if n := f.Lost.Matching; n > 0 {
		rest += say.Int(n) + " lost. "
	}
	if n := f.New.Matching; n > 0 {
		rest += say.Int(n) + " new. "
	}
	return lead, rest + f.Says()
}

func compareLists(c *mipdb.Comparison) []moves.ListOf[mipdb.ComparedRow] {
	count := func(p *query.MovePage[mipdb.ComparedRow]) string {
		return say.Plural(p.Matching, "function", "functions")
	}
	with := func(bytes uint64, what string) func(p *query.MovePage[mipdb.ComparedRow]) string {
		return func(p *query.MovePage[mipdb.ComparedRow]) string {
			return count(p) + ", " + say.Bytes(bytes).Text + " " + what
		}
	}
	size := func(m *functionMove) string { return say.Bytes(uint64(m.Row.Any().Size)).Text }
	bySize := []query.Key{{Column: mipdb.CompareSize, Desc: true}}
	byChange := []query.Key{{Column: mipdb.CompareSizeChange, Desc: true}}
	list := []moves.ListOf[mipdb.ComparedRow]{
		{
			ID: "newly-covered", Title: "Newly covered", State: mipdb.NewlyCovered, Says: with(c.CoveredBy, "ran"),
			Sort: bySize, Figure: func(m *functionMove) string { return say.Bytes(m.Row.Test.CoveredBytes).Text },
		},
		{
			ID: "newly-dead", Title: "Newly dead", State: mipdb.NewlyDead, Says: with(c.DeadBy, "ran in A"), Sort: bySize,
			Figure: func(m *functionMove) string { return say.Bytes(m.Row.Base.CoveredBytes).Text },
		},
		{
			ID: "moved", Title: "Moved in start-up order", State: mipdb.Moved, Says: count,
			Sort:   []query.Key{{Column: mipdb.ComparePlaceChange, Desc: true}},
			Figure: func(m *functionMove) string { return placeTurn(m).Text },
		},
		{ID: "grown", Title: "Grown", State: mipdb.Grown, Says: with(c.GrownBy, "more"), Sort: byChange, Figure: sizeFigure},
		{
			ID: "shrunk", Title: "Shrunk", State: mipdb.Shrunk, Says: with(c.ShrunkBy, "less"), Sort: byChange,
			Figure: sizeFigure,
		},
	}
	if c.By != mipdb.CompareOrder { // which has only what ran in both
		list = append(list,
			moves.ListOf[mipdb.ComparedRow]{
				ID: "lost", Title: "Lost", State: query.MoveOnlyBase, Says: count, Sort: bySize, Figure: size,
			},
			moves.ListOf[mipdb.ComparedRow]{
				ID: "new", Title: "New", State: query.MoveOnlyTest, Says: count, Sort: bySize, Figure: size,
			})
	}
	return list
}

func ranOf(f *mipdb.Row) say.Number {
	switch {
	case f == nil:
		return say.Number{Text: "–"}
	case !f.Executed:
		return say.Number{Text: "never"}
	}
	return say.Bytes(f.CoveredBytes)
}

// sizeTurn is a function's size, or both where they differ.
func sizeTurn(m *functionMove) say.Number {
	b, t := m.Row.Base, m.Row.Test
	if b == nil || t == nil || b.Size == t.Size {
		return say.Bytes(uint64(m.Row.Any().Size))
	}
	return say.Number{Text: say.Int(b.Size) + " → " + say.Int(t.Size) + say.NumberSpace + "bytes"}
}

// sizeFigure is the difference.
func sizeFigure(m *functionMove) string {
	b, t := m.Row.Base.Size, m.Row.Test.Size
	if t > b {
		return "+" + say.Bytes(uint64(t-b)).Text
	}
	return "−" + say.Bytes(uint64(b-t)).Text
}

func placeTurn(m *functionMove) say.Number {
	if m.Row.BasePlace == 0 || m.Row.TestPlace == 0 {
		return say.Number{Text: "–"}
	}
	if m.State&mipdb.Moved == 0 {
		return say.Number{
			Text: "kept", Exact: "place " + say.Int(m.Row.BasePlace) + " in A, " + say.Int(m.Row.TestPlace) + " in B",
		}
	}
	return say.Number{Text: say.Int(m.Row.BasePlace) + " → " + say.Int(m.Row.TestPlace)}
}

// compareName is a function's name, and its page in the profile that has it.
func compareName(c *site.Comparing, m *functionMove) (say.Name, string) {
	id := c.Base.ID
	if m.Row.Base == nil {
		id = c.Test.ID
	}
	f := m.Row.Any()
	return c.Symbols.Name(f.Linkage, f.Signature), site.PageOf(id) + "/functions/" + f.FID
}

// compareObject is what the API says of both profiles together.
type compareObject struct {
	By           string `json:"by"`
	NewlyCovered int    `json:"newly_covered"`
	NewlyDead    int    `json:"newly_dead"`
	Moved        int    `json:"moved"`
	Grown        int    `json:"grown"`
	Shrunk       int    `json:"shrunk"`
	CoveredBy    uint64 `json:"newly_covered_bytes"`
	DeadBy       uint64 `json:"newly_dead_bytes"`
	GrownBy      uint64 `json:"grown_bytes"`
	ShrunkBy     uint64 `json:"shrunk_bytes"`
}

func newCompareObject(c *mipdb.Comparison) compareObject {
	return compareObject{
		string(c.By), c.Counts[mipdb.NewlyCovered], c.Counts[mipdb.NewlyDead], c.Counts[mipdb.Moved], c.Counts[mipdb.Grown],
		c.Counts[mipdb.Shrunk],
		c.CoveredBy, c.DeadBy, c.GrownBy, c.ShrunkBy,
	}
}
