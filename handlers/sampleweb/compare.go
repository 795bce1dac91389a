package sampleweb

import (
	"context"
	"slices"

	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/query"
	"proflens/profiledb/ranks"
	"proflens/profiledb/sampledb"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/tables"
	"proflens/views/page"
	"proflens/views/sampleview"
)

type functionMove = query.Move[sampledb.ComparedRow]

// comparer compares sample profiles: the shares of functions.
func (s *room) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: []string{"by"},
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			by := site.Choice(v, "by", sampledb.ColTotal, sampledb.ColOwn, sampledb.ColHead)
			return &moves.Of[sampledb.ComparedRow]{Comparing: c,
				Open: func(ctx context.Context) (*moves.View[sampledb.ComparedRow], error) {
					return compareView(ctx, c, by)
				}}, nil
		},
		Ranks: func(ctx context.Context, p *stored.Profile) (*ranks.Profile, error) {
			samples, err := sampledb.Of(p)
			if err != nil {
				return nil, err
			}
			return samples.Ranks(ctx)
		},
	}
}

// compareStates are those of functions.
var compareStates = slices.Concat(moves.States, []moves.State{
	{Word: "hot_base", Label: "hot in A, not in B"},
	{Word: "hot_test", Label: "hot in B, not in A"},
	{
		Word: "inlined_base", Label: "only inlined in A",
		Tag: &page.Tag{Text: "only inlined in A", Tone: page.Neutral, Title: "A has it only where it is inlined into others"},
	},
	{
		Word: "inlined_test", Label: "only inlined in B",
		Tag: &page.Tag{Text: "only inlined in B", Tone: page.Neutral, Title: "B has it only where it is inlined into others"},
	},
})

// compareMeasure is what functions are compared by.
type compareMeasure struct {
	by                          query.Column
	label, title, column, whole string
	of                          func(n *sampledb.Name) uint64
}

var compareMeasures = []compareMeasure{
	{
		sampledb.ColTotal, "total", "samples of the function and of what is inlined into it", "Total", "all totals",
		func(n *sampledb.Name) uint64 { return n.Total },
	},
	{
		sampledb.ColOwn, "own samples", "counts of the function itself, wherever its code is", "Own", "all samples",
		(*sampledb.Name).Own,
	},
	{
		sampledb.ColHead, "head samples", "times it was entered by a branch", "Head", "all head samples",
		func(n *sampledb.Name) uint64 { return n.Head },
	},
}

func compareView(ctx context.Context, c *site.Comparing, by query.Column) (*moves.View[sampledb.ComparedRow], error) {
	base, err := sampledb.Of(c.Base.Profile)
	if err != nil {
		return nil, err
	}
	test, err := sampledb.Of(c.Test.Profile)
	if err != nil {
		return nil, err
	}
	compared, err := sampledb.Compare(ctx, base, test, by)
	if err != nil {
		return nil, err
	}
	overlap, err := newOverlap(ctx, base, test)
	if err != nil {
		return nil, err
	}
	measure := &compareMeasures[slices.IndexFunc(compareMeasures, func(m compareMeasure) bool { return m.by == by })]
	v := &moves.View[sampledb.ComparedRow]{
		Comparing: c, Source: compared, Unit: moves.Points(&c.CompareParams), Thing: "function", Things: "functions",
		Measure: "share of " + measure.whole, How: sampleview.HowCompared, States: compareStates,
		Name: func(m *functionMove) (say.Name, string) { return compareName(c, &m.Row) },
		What: func(m *functionMove) []page.Turn { return heatTurn(compared, &m.Row) },
	}
	raw := func(test bool) func(m *functionMove) say.Number {
		return func(m *functionMove) say.Number {
			n := m.Row.Base
			if test {
				n = m.Row.Test
			}
			if n == nil {
				return say.Number{Text: "–"}
			}
			return say.Count(measure.of(n))
		}
	}
	v.Columns = []moves.Column[sampledb.ComparedRow]{
		{
			Key: "a-share", Label: "Share in A", Title: "of the whole of A", Sort: query.MoveBase,
			Cell: func(m *functionMove) say.Number { return v.Side(m, false) },
		},
		{
			Key: "b-share", Label: "Share in B", Title: "of the whole of B", Sort: query.MoveTest,
			Cell: func(m *functionMove) say.Number { return v.Side(m, true) },
		},
		{Key: "a-samples", Label: measure.column + " in A", Title: measure.title, Cell: raw(false)},
		{Key: "b-samples", Label: measure.column + " in B", Title: measure.title, Cell: raw(true)},
	}
	v.Lists = compareLists(v)
	v.Words = moves.Words[sampledb.ComparedRow]{
		Sentence: func(f *moves.Figures[sampledb.ComparedRow]) (lead, rest string) {
			return compareSentence(compared, overlap, f)
		},
		Head: func(_ context.Context, m *page.Compare) error {
			m.Measures = []page.Choice{measureChoice(c, compared)}
			if overlap.why != "" {
				m.Notes = append(m.Notes, "Places in functions cannot be compared: "+overlap.why+". Functions are compared by "+
					"name.")
			} else {
				m.Parts = append(m.Parts, sampleview.OverlapPart(overlap.lines()))
			}
			return nil
		},
		Table: func(q query.MoveQuery, words []string, o table.Options, members []byte) table.Table {
			return tables.ComparedFunctions(compared, q, words, o, members)
		},
		Members: newCompareObject(compared, overlap, c.Counts),
	}
	return v, v.Ask(compared.Sorts())
}

func measureChoice(c *site.Comparing, compared *sampledb.Comparison) page.Choice {
	choice := page.Choice{Label: "By"}
	for _, one := range compareMeasures {
		if one.by == sampledb.ColHead && compared.By != one.by && compared.Base.Quality.Heads == 0 &&
			compared.Test.Quality.Heads == 0 {
			continue
		}
		a := c.Address.Without("page", "cursor", "sort").With("by", string(one.by))
		if one.by == sampledb.ColTotal {
			a = a.Without("by")
		}
		choice.Segments = append(choice.Segments, page.Segment{
			Label: one.label, Title: one.title, URL: a.String(), Current: one.by == compared.By,
		})
	}
	return choice
}

// compareName is a function's name, and its page in the profile that has it.
func compareName(c *site.Comparing, r *sampledb.ComparedRow) (say.Name, string) {
	of, n := c.Base, r.Base
	if n == nil {
		of, n = c.Test, r.Test
	}
	return nameOf(r.Any(), c.Symbols), pageOf(site.PageOf(of.ID), n)
}

// heatTurn says of a function in both how its heat differs.
func heatTurn(c *sampledb.Comparison, r *sampledb.ComparedRow) []page.Turn {
	if r.Base == nil || r.Test == nil || r.Base.Entries == 0 || r.Test.Entries == 0 {
		return nil
	}
	from, to := c.Base.HeatOf(r.Base.Max), c.Test.HeatOf(r.Test.Max)
	if from == to {
		return nil
	}
	tag := func(h sampledb.Heat) *page.Tag {
		if t := heatTag(h); t != nil {
			return t
		}
		return &page.Tag{Text: string(h), Tone: page.Neutral, Title: "neither hot nor cold"}
	}
	return []page.Turn{{From: tag(from), To: tag(to)}}
}

func compareSentence(c *sampledb.Comparison, o *overlap, f *moves.Figures[sampledb.ComparedRow]) (lead, rest string) {
	percent := func(share float64) string { return say.Percent(share, 1) }
	lead = "Compared by name only."
	if o.why == "" {
		lead, rest = percent(o.Similarity)+" similar.", percent(o.Samples)+" of the samples overlap. "
	}
	rest += f.Apart(percent)
	switch inBase, inTest := c.Counts[sampledb.HotInBase], c.Counts[sampledb.HotInTest]; {
	case inBase > 0 && inTest > 0:
		rest += say.Int(inBase) + " hot in A are not in B, " + say.Int(inTest) + " the other way round. "
	case inBase > 0:
		rest += say.Int(inBase) + " hot in A " + areNot(inBase) + " in B. "
	case inTest > 0:
		rest += say.Int(inTest) + " hot in B " + areNot(inTest) + " in A. "
	}
	return lead, rest + f.Says()
}

func areNot(n int) string {
	if n == 1 {
		return "is not"
	}
	return "are not"
}

func compareLists(v *moves.View[sampledb.ComparedRow]) []moves.ListOf[sampledb.ComparedRow] {
	hold := func(side string, held func(p *query.MovePage[sampledb.ComparedRow]) float64) func(p *query.MovePage[sampledb.ComparedRow]) string {
		return func(p *query.MovePage[sampledb.ComparedRow]) string {
			return say.Plural(p.Matching, v.Thing, v.Things) + ", " + say.Percent(held(p), 2) + " of " + side
		}
	}
	inA := hold("A", func(p *query.MovePage[sampledb.ComparedRow]) float64 { return p.Base })
	inB := hold("B", func(p *query.MovePage[sampledb.ComparedRow]) float64 { return p.Test })
	figure := func(m *functionMove) string { return v.Unit.Value(max(m.Base, m.Test)) }
	byBase, byTest := []query.Key{{Column: query.MoveBase, Desc: true}}, []query.Key{{Column: query.MoveTest, Desc: true}}
	return []moves.ListOf[sampledb.ComparedRow]{
		{ID: "hot-base", Title: "Hot in A, not in B", State: sampledb.HotInBase, Says: inA, Figure: figure, Sort: byBase},
		{ID: "hot-test", Title: "Hot in B, not in A", State: sampledb.HotInTest, Says: inB, Figure: figure, Sort: byTest},
		{ID: "lost", Title: "Lost", State: query.MoveOnlyBase, Says: inA, Figure: figure, Sort: byBase},
		{ID: "new", Title: "New", State: query.MoveOnlyTest, Says: inB, Figure: figure, Sort: byTest},
		{ID: "changed", Title: "Code changed", State: query.MoveChanged, Says: inA, Figure: figure, Sort: byBase},
	}
}
