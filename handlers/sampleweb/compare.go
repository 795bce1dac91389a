package sampleweb

import (
	"context"
	"slices"

	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/ranks"
	"proflens/profile/sampledb"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// comparer compares sample profiles: the shares of functions.
func (s *handler) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: moves.Keys(sampledb.Compared, "by"), Declared: lists.Says(sampledb.Compared),
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			by := site.Choice(v, "by", sampledb.ColTotal, sampledb.ColOwn, sampledb.ColHead)
			return &moves.Of[*sampledb.ComparedRow]{Comparing: c,
				Open: func(ctx context.Context) (*moves.View[*sampledb.ComparedRow], error) {
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

// compareMeasure is what functions are compared by; base_ and it is a column.
type compareMeasure struct {
	by           query.Column
	label, whole string
}

var compareMeasures = []compareMeasure{
	{sampledb.ColTotal, "total", "all totals"}, {sampledb.ColOwn, "own samples", "all samples"},
	{sampledb.ColHead, "head samples", "all head samples"},
}

func compareView(ctx context.Context, c *site.Comparing, by query.Column) (*moves.View[*sampledb.ComparedRow], error) {
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
	v := &moves.View[*sampledb.ComparedRow]{
		Comparing: c, Source: compared, Unit: moves.Points(&c.CompareParams), Measure: "share of " + measure.whole,
		Of:   sampledb.Compared.Shown("name change base test base_" + string(by) + " test_" + string(by) + " state"),
		How:  sampleview.HowCompared,
		Name: func(m *sampledb.ComparedRow) (humanize.Name, string) { return compareName(c, m) },
		What: heatTurn,
	}
	v.Lists = compareLists(v)
	v.Words = moves.Words[*sampledb.ComparedRow]{
		Sentence: func(f *moves.Figures[*sampledb.ComparedRow]) (lead, rest string) {
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
		Members: newCompareObject(compared, overlap, c.Counts),
	}
	return v, nil
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
			Label: one.label, Title: sampledb.Compared.Field("base_" + string(one.by)).Help, URL: a.String(),
			Current: one.by == compared.By,
		})
	}
	return choice
}

// compareName is a function's name, and its page in the profile that has it.
func compareName(c *site.Comparing, r *sampledb.ComparedRow) (humanize.Name, string) {
	of := c.Base
	if r.Base == nil {
		of = c.Test
	}
	return c.Symbols.Name([]byte(r.PGO), r.Ref), pageOf(site.PageOf(of.ID), r.Any().Name)
}

// heatTurn says of a function in both how its heat differs.
func heatTurn(r *sampledb.ComparedRow) []page.Turn {
	if r.Base == nil || r.Test == nil || r.Base.Heat == "" || r.Test.Heat == "" || r.Base.Heat == r.Test.Heat {
		return nil
	}
	tag := func(h sampledb.Heat) *page.Tag {
		if t := heatTag(h); t != nil {
			return t
		}
		return &page.Tag{Text: string(h), Tone: page.Neutral, Title: "neither hot nor cold"}
	}
	return []page.Turn{{From: tag(r.Base.Heat), To: tag(r.Test.Heat)}}
}

func compareSentence(c *sampledb.Comparison, o *overlap, f *moves.Figures[*sampledb.ComparedRow]) (lead, rest string) {
	percent := func(share float64) string { return humanize.Percent(share, 1) }
	lead = "Compared by name only."
	if o.why == "" {
		lead, rest = percent(o.Similarity)+" similar.", percent(o.Samples)+" of the samples overlap. "
	}
	rest += f.Apart(percent)
	switch inBase, inTest := c.Counts[sampledb.HotInBase], c.Counts[sampledb.HotInTest]; {
	case inBase > 0 && inTest > 0:
		rest += humanize.Int(inBase) + " hot in A are not in B, " + humanize.Int(inTest) + " the other way round. "
	case inBase > 0:
		rest += humanize.Int(inBase) + " hot in A " + areNot(inBase) + " in B. "
	case inTest > 0:
		rest += humanize.Int(inTest) + " hot in B " + areNot(inTest) + " in A. "
	}
	return lead, rest + f.Says()
}

func areNot(n int) string {
	if n == 1 {
		return "is not"
	}
	return "are not"
}

func compareLists(v *moves.View[*sampledb.ComparedRow]) []moves.ListOf[*sampledb.ComparedRow] {
	hold := func(side string, held func(p *table.MovePage[*sampledb.ComparedRow]) float64) func(p *table.MovePage[*sampledb.ComparedRow]) string {
		return func(p *table.MovePage[*sampledb.ComparedRow]) string {
			return humanize.Plural(p.Matching, v.Of.Noun[0], v.Of.Noun[1]) + ", " + humanize.Percent(held(p), 2) + " of " + side
		}
	}
	inA := hold("A", func(p *table.MovePage[*sampledb.ComparedRow]) float64 { return p.Base })
	inB := hold("B", func(p *table.MovePage[*sampledb.ComparedRow]) float64 { return p.Test })
	figure := func(m *sampledb.ComparedRow) string { return v.Unit.Value(max(m.InBase, m.InTest)) }
	byBase, byTest := []query.Key{{Column: table.MoveBase, Desc: true}}, []query.Key{{Column: table.MoveTest, Desc: true}}
	return []moves.ListOf[*sampledb.ComparedRow]{
		{ID: "hot-base", Title: "Hot in A, not in B", State: sampledb.HotInBase, Says: inA, Figure: figure, Sort: byBase},
		{ID: "hot-test", Title: "Hot in B, not in A", State: sampledb.HotInTest, Says: inB, Figure: figure, Sort: byTest},
		{ID: "lost", Title: "Lost", State: table.OnlyBase, Says: inA, Figure: figure, Sort: byBase},
		{ID: "new", Title: "New", State: table.OnlyTest, Says: inB, Figure: figure, Sort: byTest},
		{ID: "changed", Title: "Code changed", State: table.Changed, Says: inA, Figure: figure, Sort: byBase},
	}
}
