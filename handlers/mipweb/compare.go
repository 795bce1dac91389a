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
			unit := moves.Bytes()
			if by == mipdb.CompareOrder {
				unit = moves.Amount("places")
			}
			return moves.Read(c, v, &moves.View[*mipdb.ComparedRow]{
				Of: mipdb.Compared, Unit: unit, Open: func(ctx context.Context, v *moves.View[*mipdb.ComparedRow]) error {
					base, test, err := site.Both(c, mipdb.Of)
					if err != nil {
						return err
					}
					compared, err := mipdb.Compare(ctx, base, test, by)
					if err == nil {
						showCompared(v, compared)
					}
					return err
				},
			})
		},
	}
}

// showCompared says how machine IR is shown side by side.
func showCompared(v *moves.View[*mipdb.ComparedRow], compared *mipdb.Comparison) {
	v.Source, v.How, v.Programs = compared, page.HowMIPCompared, true
	v.Name = func(m *mipdb.ComparedRow) (humanize.Name, string) {
		return v.Symbols.Name([]byte(m.PGO), m.Ref), site.PageOf(v.Having(m.Base != nil).ID) + "/functions/" + m.FID
	}
	v.Draw = map[string]func(m *mipdb.ComparedRow) page.GridCell{
		"base_covered_bytes": func(m *mipdb.ComparedRow) page.GridCell { return ranOf(m.Base) },
		"test_covered_bytes": func(m *mipdb.ComparedRow) page.GridCell { return ranOf(m.Test) },
		"size":               func(m *mipdb.ComparedRow) page.GridCell { return page.GridCell{Number: sizeTurn(m)} },
		"place_change":       func(m *mipdb.ComparedRow) page.GridCell { return page.GridCell{Number: placeTurn(m)} },
	}
	ways := []site.Way{
		{string(mipdb.CompareCovered), "bytes that ran", "how many bytes of each function ran"},
		{string(mipdb.CompareSize), "size", "bytes of each function"},
		{string(mipdb.CompareOrder), "start-up order", "when each function first ran"},
	}
	if !compared.Ordered {
		v.Of, ways = v.Of.Shown("name change base_covered_bytes test_covered_bytes size state"), ways[:2]
	}
	switch compared.By {
	case mipdb.CompareOrder:
		v.Measure = "position in the start-up order"
	case mipdb.CompareSize:
		v.Unit, v.Measure = v.Unit.Above(float64(max(compared.Base.Bytes, compared.Test.Bytes))), "size"
	default:
		v.Unit = v.Unit.Above(float64(max(compared.Base.CoveredBytes, compared.Test.CoveredBytes)))
		v.Measure = "bytes that ran"
	}
	v.Lists = compareLists(compared)
	v.Words = moves.Words[*mipdb.ComparedRow]{
		Sentence: func(f *moves.Figures[*mipdb.ComparedRow]) (lead, rest string) { return compareSentence(compared, f) },
		Head: func(m *page.Compare) {
			m.Measures = []page.Choice{v.Choice("By", "by", string(compared.By), ways, "min", "sort")}
		},
		Members: newCompareObject(compared),
	}
}

// compareSentence tells what ran that did not, and the other way round; then sizes and
// the order.
func compareSentence(c *mipdb.Comparison, f *moves.Figures[*mipdb.ComparedRow]) (lead, rest string) {
	covered, dead := c.Counts[mipdb.NewlyCovered], c.Counts[mipdb.NewlyDead]
	lead = humanize.Say("{function} newly covered, {} newly dead.", covered, dead)
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
		rest += humanize.Say("{} grew, by {:bytes}; {} shrank, by {:bytes}. ", grown, c.GrownBy, shrunk, c.ShrunkBy)
	}
	if moved := c.Counts[mipdb.Moved]; moved > 0 {
		rest += humanize.Int(moved) + " moved in the start-up order. "
	}
	if n := f.Lost.Rows; n > 0 {
		rest += humanize.Int(n) + " lost. "
	}
	if n := f.New.Rows; n > 0 {
		rest += humanize.Int(n) + " new. "
	}
	return lead, rest + f.Says()
}

func compareLists(c *mipdb.Comparison) []moves.ListOf[*mipdb.ComparedRow] {
	count := func(h table.Held) string { return humanize.Plural(h.Rows, "function") }
	with := func(bytes uint64, what string) func(h table.Held) string {
		return func(h table.Held) string { return count(h) + ", " + humanize.Bytes(bytes).Text + " " + what }
	}
	size := func(m *mipdb.ComparedRow) string { return humanize.Bytes(uint64(m.Size)).Text }
	bySize := query.Key{Column: mipdb.CompareSize, Desc: true}
	byChange := query.Key{Column: mipdb.CompareSizeChange, Desc: true}
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
			Sort:   query.Key{Column: mipdb.ComparePlaceChange, Desc: true},
			Figure: func(m *mipdb.ComparedRow) string { return placeTurn(m).Text },
		},
		{ID: "grown", Title: "Grown", State: mipdb.Grown, Says: with(c.GrownBy, "more"), Sort: byChange, Figure: sizeFigure},
		{
			ID: "shrunk", Title: "Shrunk", State: mipdb.Shrunk, Says: with(c.ShrunkBy, "less"), Sort: byChange,
			Figure: sizeFigure,
		},
		{ID: "lost", Title: "Lost", State: table.OnlyBase, Says: count, Sort: bySize, Figure: size},
		{ID: "new", Title: "New", State: table.OnlyTest, Says: count, Sort: bySize, Figure: size},
	}
	if c.By == mipdb.CompareOrder { // which has only what ran in both
		list = list[:5]
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
			Text: "kept", Exact: humanize.Say("place {} in A, {} in B", m.Base.Place, m.Test.Place),
		}
	}
	return humanize.Number{Text: humanize.Say("{} → {}", m.Base.Place, m.Test.Place)}
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
		c.Counts[mipdb.Shrunk], c.CoveredBy, c.DeadBy, c.GrownBy, c.ShrunkBy,
	}
}
