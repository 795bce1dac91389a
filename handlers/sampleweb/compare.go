package sampleweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/sampledb"
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
			return moves.Read(c, v, &moves.View[*sampledb.ComparedRow]{
				Of:   sampledb.Compared.Shown("name change base test base_" + string(by) + " test_" + string(by) + " state"),
				Unit: moves.Points(), Open: func(ctx context.Context, v *moves.View[*sampledb.ComparedRow]) error {
					base, test, err := site.Both(c, sampledb.Of)
					if err != nil {
						return err
					}
					compared, err := sampledb.Compare(ctx, base, test, by)
					if err != nil {
						return err
					}
					overlap, err := newOverlap(ctx, base, test)
					if err == nil {
						showCompared(v, compared, overlap)
					}
					return err
				},
			})
		},
		Ranks: site.Asked(sampledb.Of, (*sampledb.Profile).Ranks),
	}
}

// compareWays are what functions are compared by, and compareMeasures what their shares are of.
var (
	compareWays = []site.Way{
		{string(sampledb.ColTotal), "total", ""}, {string(sampledb.ColOwn), "own samples", ""},
		{string(sampledb.ColHead), "head samples", ""},
	}
	compareMeasures = map[query.Column]string{
		sampledb.ColTotal: "share of all totals", sampledb.ColOwn: "share of all samples",
		sampledb.ColHead: "share of all head samples",
	}
)

// showCompared says how samples are shown side by side.
func showCompared(v *moves.View[*sampledb.ComparedRow], compared *sampledb.Comparison, overlap *overlap) {
	v.Source, v.Measure, v.How = compared, compareMeasures[compared.By], sampleview.HowCompared
	v.Programs = true
	v.Name = func(m *sampledb.ComparedRow) (humanize.Name, string) {
		return v.Symbols.Name([]byte(m.PGO), m.Ref), pageOf(site.PageOf(v.Having(m.Base != nil).ID), m.Any().Name)
	}
	v.What = func(m *sampledb.ComparedRow) []page.Turn { return moves.Turned(turnTag(m.Base), turnTag(m.Test)) }
	v.Lists = []moves.ListOf[*sampledb.ComparedRow]{
		{ID: "hot-base", Title: "Hot in A, not in B", State: sampledb.HotInBase},
		{ID: "hot-test", Title: "Hot in B, not in A", State: sampledb.HotInTest, Test: true},
		{ID: "lost", Title: "Lost", State: table.OnlyBase}, {ID: "new", Title: "New", State: table.OnlyTest, Test: true},
		{ID: "changed", Title: "Code changed", State: table.Changed},
	}
	v.Words = moves.Words[*sampledb.ComparedRow]{
		Sentence: func(f *moves.Figures[*sampledb.ComparedRow]) (lead, rest string) {
			return compareSentence(compared, overlap, f)
		},
		Head: func(m *page.Compare) {
			m.Measures = []page.Choice{measureChoice(v.Comparing, compared)}
			if overlap.why == "" {
				m.Parts = append(m.Parts, sampleview.OverlapPart(overlap.lines()))
				return
			}
			m.Notes = append(m.Notes, "Places in functions cannot be compared: "+overlap.why+". Functions are compared by "+
				"name.")
		},
		Members: newCompareObject(compared, overlap, v.Counts),
	}
}

// measureChoice offers heads where a profile has any.
func measureChoice(c *site.Comparing, compared *sampledb.Comparison) page.Choice {
	var ways []site.Way
	for _, w := range compareWays {
		if by := query.Column(w.Value); by != sampledb.ColHead || by == compared.By ||
			compared.Base.Quality.Heads+compared.Test.Quality.Heads > 0 {
			w.Title = sampledb.Compared.Field("base_" + w.Value).Help
			ways = append(ways, w)
		}
	}
	return c.Choice("By", "by", string(compared.By), ways, "sort")
}

// turnTag is how hot a function is; nil where that is not known.
func turnTag(s *sampledb.ComparedSide) *page.Tag {
	if s == nil || s.Heat == "" {
		return nil
	}
	if t := heatTag(s.Heat); t != nil {
		return t
	}
	return &page.Tag{Text: string(s.Heat), Tone: page.Neutral, Title: "neither hot nor cold"}
}

func compareSentence(c *sampledb.Comparison, o *overlap, f *moves.Figures[*sampledb.ComparedRow]) (lead, rest string) {
	percent := func(share float64) string { return humanize.Percent(share, 1) }
	lead = "Compared by name only."
	if o.why == "" {
		lead, rest = percent(o.Similarity)+" similar.", percent(o.Samples)+" of the samples overlap. "
	}
	rest += f.Apart(percent)
	switch inBase, inTest := c.Held(sampledb.HotInBase).Rows, c.Held(sampledb.HotInTest).Rows; {
	case inBase > 0 && inTest > 0:
		rest += humanize.Say("{} hot in A are not in B, {} the other way round. ", inBase, inTest)
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
