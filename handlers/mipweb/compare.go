package mipweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// comparer compares machine IR: what ran, how large functions are, and when they first ran.
func (s *handler) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: moves.Keys(mipdb.Compared, "by"), Declared: lists.Says(mipdb.Compared),
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			by := site.Choice(v, "by", mipdb.CompareCovered, mipdb.CompareSize, mipdb.CompareOrder)
			return &moves.Of[*mipdb.ComparedRow]{Comparing: c,
				Open: func(ctx context.Context) (*moves.View[*mipdb.ComparedRow], error) {
					return compareView(ctx, c, by)
				}}, nil
		},
	}
}

func compareView(ctx context.Context, c *site.Comparing, by query.Column) (*moves.View[*mipdb.ComparedRow], error) {
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
	v := &moves.View[*mipdb.ComparedRow]{
		Comparing: c, Of: mipdb.Compared, Source: compared, How: page.HowMIPCompared,
		Name: func(m *mipdb.ComparedRow) (humanize.Name, string) { return compareName(c, m) },
		Draw: map[string]func(m *mipdb.ComparedRow) page.GridCell{
			"base_covered_bytes": func(m *mipdb.ComparedRow) page.GridCell { return ranOf(m.Base) },
			"test_covered_bytes": func(m *mipdb.ComparedRow) page.GridCell { return ranOf(m.Test) },
			"size":               func(m *mipdb.ComparedRow) page.GridCell { return page.GridCell{Number: sizeTurn(m)} },
			"place_change":       func(m *mipdb.ComparedRow) page.GridCell { return page.GridCell{Number: placeTurn(m)} },
		},
	}
	if !compared.Ordered {
		v.Of = v.Of.Shown("name change base_covered_bytes test_covered_bytes size state")
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
	v.Lists = compareLists(compared)
	v.Words = moves.Words[*mipdb.ComparedRow]{
		Sentence: func(f *moves.Figures[*mipdb.ComparedRow]) (lead, rest string) { return compareSentence(compared, f) },
		Head: func(_ context.Context, m *page.Compare) error {
			m.Measures = []page.Choice{compareMeasures(c, compared)}
			return nil
		},
		Members: newCompareObject(compared),
	}
	return v, nil
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
func compareSentence(c *mipdb.Comparison, f *moves.Figures[*mipdb.ComparedRow]) (lead, rest string) {
	covered, dead := c.Counts[mipdb.NewlyCovered], c.Counts[mipdb.NewlyDead]
	lead = humanize.Plural(covered, "function", "functions") + " newly covered, " + humanize.Int(dead) + " newly dead."
	if covered+dead == 0 {
		lead = "The same functions ran."
	}
	if covered > 0 {
		rest += humanize.Bytes(c.CoveredBy).Text + " ran only in B. "
	}
	if dead > 0 {
		rest += humanize.Bytes(c.DeadBy).Text + " ran only in A. "
	}
	if grown, shrunk := c.Counts[mipdb.Grown], c.Counts[mipdb.Shrunk]; grown+shrunk > 0 {
		rest += humanize.Int(grown) + " grew, by " + humanize.Bytes(c.GrownBy).Text + "; " + humanize.Int(shrunk) + " shrank, by " +
			humanize.Bytes(c.ShrunkBy).Text + ". "
	}
	if moved := c.Counts[mipdb.Moved]; moved > 0 {
		rest += humanize.Int(moved) + " moved in the start-up order. "
	}
	if n := f.Lost.Matching; n > 0 {
		rest += humanize.Int(n) + " lost. "
	}
	if n := f.New.Matching; n > 0 {
		rest += humanize.Int(n) + " new. "
	}
	return lead, rest + f.Says()
}

func compareLists(c *mipdb.Comparison) []moves.ListOf[*mipdb.ComparedRow] {
	count := func(p *table.MovePage[*mipdb.ComparedRow]) string {
		return humanize.Plural(p.Matching, "function", "functions")
	}
	with := func(bytes uint64, what string) func(p *table.MovePage[*mipdb.ComparedRow]) string {
		return func(p *table.MovePage[*mipdb.ComparedRow]) string {
			return count(p) + ", " + humanize.Bytes(bytes).Text + " " + what
		}
	}
	size := func(m *mipdb.ComparedRow) string { return humanize.Bytes(uint64(m.Size)).Text }
	bySize := []query.Key{{Column: mipdb.CompareSize, Desc: true}}
	byChange := []query.Key{{Column: mipdb.CompareSizeChange, Desc: true}}
	list := []moves.ListOf[*mipdb.ComparedRow]{
		{
			ID: "newly-covered", Title: "Newly covered", State: mipdb.NewlyCovered, Says: with(c.CoveredBy, "ran"),
			Sort: bySize, Figure: func(m *mipdb.ComparedRow) string { return humanize.Bytes(m.Test.CoveredBytes).Text },
		},
		{
			ID: "newly-dead", Title: "Newly dead", State: mipdb.NewlyDead, Says: with(c.DeadBy, "ran in A"), Sort: bySize,
			Figure: func(m *mipdb.ComparedRow) string { return humanize.Bytes(m.Base.CoveredBytes).Text },
		},
		{
			ID: "moved", Title: "Moved in start-up order", State: mipdb.Moved, Says: count,
			Sort:   []query.Key{{Column: mipdb.ComparePlaceChange, Desc: true}},
			Figure: func(m *mipdb.ComparedRow) string { return placeTurn(m).Text },
		},
		{ID: "grown", Title: "Grown", State: mipdb.Grown, Says: with(c.GrownBy, "more"), Sort: byChange, Figure: sizeFigure},
		{
			ID: "shrunk", Title: "Shrunk", State: mipdb.Shrunk, Says: with(c.ShrunkBy, "less"), Sort: byChange,
			Figure: sizeFigure,
		},
	}
	if c.By != mipdb.CompareOrder { // which has only what ran in both
		list = append(list,
			moves.ListOf[*mipdb.ComparedRow]{
				ID: "lost", Title: "Lost", State: table.OnlyBase, Says: count, Sort: bySize, Figure: size,
			},
			moves.ListOf[*mipdb.ComparedRow]{
				ID: "new", Title: "New", State: table.OnlyTest, Says: count, Sort: bySize, Figure: size,
			})
	}
	return list
}

func ranOf(f *mipdb.ComparedSide) (c page.GridCell) {
	switch {
	case f == nil:
		c.Number.Text = "–"
	case !f.Executed:
		c.Number.Text = "never"
	default:
		c.Number = humanize.Bytes(f.CoveredBytes)
	}
	return c
}

// sizeTurn is a function's size, or both where they differ.
func sizeTurn(m *mipdb.ComparedRow) humanize.Number {
	b, t := m.Base, m.Test
	if b == nil || t == nil || b.Size == t.Size {
		return humanize.Bytes(uint64(m.Size))
	}
	return humanize.Number{Text: humanize.Int(b.Size) + " → " + humanize.Int(t.Size) + humanize.NumberSpace + "bytes"}
}

// sizeFigure is the difference.
func sizeFigure(m *mipdb.ComparedRow) string {
	if m.SizeChange > 0 {
		return "+" + humanize.Bytes(uint64(m.SizeChange)).Text
	}
	return "−" + humanize.Bytes(uint64(-m.SizeChange)).Text
}

func placeTurn(m *mipdb.ComparedRow) humanize.Number {
	if m.Base == nil || m.Test == nil || m.Base.Place == 0 {
		return humanize.Number{Text: "–"}
	}
	if m.State&mipdb.Moved == 0 {
		return humanize.Number{
			Text: "kept", Exact: "place " + humanize.Int(m.Base.Place) + " in A, " + humanize.Int(m.Test.Place) + " in B",
		}
	}
	return humanize.Number{Text: humanize.Int(m.Base.Place) + " → " + humanize.Int(m.Test.Place)}
}

// compareName is a function's name, and its page in the profile that has it.
func compareName(c *site.Comparing, m *mipdb.ComparedRow) (humanize.Name, string) {
	id := c.Base.ID
	if m.Base == nil {
		id = c.Test.ID
	}
	return c.Symbols.Name([]byte(m.PGO), m.Ref), site.PageOf(id) + "/functions/" + m.FID
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
