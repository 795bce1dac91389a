// Package rankweb compares profiles of different families by how their functions rank:
// what is hot in one, and not in the other. It is of no family.
package rankweb

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/ranks"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/page"
)

// How leads to what the figures are.
const How page.How = "ranks the rank agreement"

// Family is how such profiles are compared. It has no profiles of its own.
func Family(*site.Site) *site.Family {
	return &site.Family{
		Name: "ranks", Measures: "Ranks",
		Comparer: &site.Comparer{
			Across: true, Keys: moves.Keys(ranks.Compared, "by"), Declared: lists.Says(ranks.Compared),
			Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
				by := site.Choice(v, "by", ranks.ByTotal, ranks.ByEntry)
				return moves.Read(c, v, &moves.View[*ranks.Row]{
					Of: ranks.Compared, Unit: moves.Points(), Open: func(ctx context.Context, v *moves.View[*ranks.Row]) error {
						both, err := open(ctx, c, by)
						if err == nil {
							both.show(v)
						}
						return err
					},
				})
			},
		},
	}
}

// both are two profiles, compared.
type both struct {
	*ranks.Comparison
	base, test *ranks.Profile
}

func open(ctx context.Context, c *site.Comparing, by query.Column) (*both, error) {
	var sides [2]*ranks.Profile
	for i, side := range []site.ComparedSide{c.Base, c.Test} {
		var err error
		if sides[i], err = c.Ranked(side.Entry).Comparer.Ranks(ctx, side.Profile); err != nil {
			return nil, err
		}
		if by == ranks.ByEntry && !sides[i].Entered {
			return nil, &site.ParamError{
				Param: "by", Msg: fmt.Sprintf("the %s of %s do not say how often functions were entered; use total",
					sides[i].Unit, "AB"[i:i+1]),
			}
		}
	}
	key := query.CacheKey("ranks compared", c.Test.Profile.ID(), by)
	compared, err := stored.Cached(ctx, c.Base.Profile, key, func() (*ranks.Comparison, int64, error) {
		made := ranks.Compare(sides[0], sides[1], by)
		return made, int64(made.Len()) * 192, ctx.Err()
	})
	return &both{compared, sides[0], sides[1]}, err
}

// show says how the profiles are shown side by side.
func (b *both) show(v *moves.View[*ranks.Row]) {
	inBase, inTest := hotIn(b.base, b.test), hotIn(b.test, b.base)
	of := *ranks.Compared
	of.States = slices.Clone(of.States)
	of.States[ranks.HotInBase.Bit()].Label, of.States[ranks.HotInTest.Bit()].Label = inBase, inTest
	v.Of, v.Source, v.How = &of, b, How
	if v.Measure = "share of " + b.base.Unit + " and of " + b.test.Unit; b.By == ranks.ByEntry {
		v.Measure = "share of all entries"
	}
	v.Name = func(r *ranks.Row) (humanize.Name, string) {
		of := site.PageOf(v.Having(r.Base != nil).ID)
		return v.Symbols.Name([]byte(r.PGO), r.Ref), of + "/functions/" + site.FID(r.Any().ID)
	}
	v.What = func(r *ranks.Row) []page.Turn { return moves.Turned(heatTag(r.Base), heatTag(r.Test)) }
	v.Lists = []moves.ListOf[*ranks.Row]{
		{ID: "hot-base", Title: "H" + inBase[1:], State: ranks.HotInBase},
		{ID: "hot-test", Title: "H" + inTest[1:], State: ranks.HotInTest, Test: true},
		{ID: "lost", Title: "Only in A", State: table.OnlyBase},
		{ID: "new", Title: "Only in B", State: table.OnlyTest, Test: true},
	}
	v.Words = moves.Words[*ranks.Row]{
		Sentence: b.sentence,
		Head: func(m *page.Compare) {
			if m.Notes = b.notes(); b.base.Entered && b.test.Entered {
				m.Measures = []page.Choice{v.Choice("By", "by", string(b.By), ways, "sort")}
			}
		},
		Members: b.object(),
	}
}

// ways are what functions can be ranked by.
var ways = []site.Way{
	{string(ranks.ByTotal), "total", "what ran in a function, wherever its code is"},
	{
		Value: string(ranks.ByEntry), Label: "entries",
		Title: "times a function was entered, also where it is inlined",
	},
}

// hotIn names a state: what is hot by one of the two alone.
func hotIn(one, other *ranks.Profile) string {
	return "hot in " + one.Unit + ", not in " + other.Unit
}

func (b *both) sentence(f *moves.Figures[*ranks.Row]) (lead, rest string) {
	lead = "The rank agreement cannot be computed."
	if b.Ranked {
		lead = "Rank agreement " + agreement(b.Agreement) + "."
	}
	rest = humanize.Plural(b.Common, "function") + " in both. "
	if n := b.Held(ranks.HotInBase).Rows; n > 0 {
		rest += humanize.Int(n) + " " + hotIn(b.base, b.test) + ". "
	}
	if n := b.Held(ranks.HotInTest).Rows; n > 0 {
		rest += humanize.Int(n) + " " + hotIn(b.test, b.base) + ". "
	}
	return lead, rest + f.Apart(func(share float64) string { return humanize.Percent(share, 1) })
}

// agreement writes a coefficient.
func agreement(v float64) string {
	if v < 0 {
		return "−" + strconv.FormatFloat(-v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// notes tell how far the hottest functions are the same.
func (b *both) notes() (notes []string) {
	// What was not sampled says nothing of functions that it does not have.
	inA, inB := " in A", " hottest in B"
	if !b.test.Sampled {
		inA += " that B records"
	}
	if !b.base.Sampled {
		inB += " that A records"
	}
	are := func(n int) string { return humanize.Plural(n, "is", "are") }
	for _, t := range b.Tops {
		hottest := humanize.Plural(t.Base, "hottest function")
		notes = append(notes, "Of the "+hottest+inA+", "+are(t.Both)+" among the "+humanize.Int(t.Test)+inB+", and "+
			are(t.HotInTest)+" hot in B. Of the "+humanize.Int(t.Test)+" in B, "+are(t.HotInBase)+" hot in A.")
	}
	return notes
}

// heatTags are how hot a function is, on a page.
var heatTags = map[ranks.Heat]*page.Tag{
	ranks.Hot:   {Text: "hot", Tone: page.Bad, Title: "by the hot threshold of this profile"},
	ranks.Warm:  {Text: "warm", Tone: page.Neutral, Title: "neither hot nor cold"},
	ranks.Cold:  {Text: "cold", Tone: page.Accented, Title: "by the cold threshold of this profile"},
	ranks.Never: {Text: "never", Tone: page.Neutral, Title: "it did not run"},
}

// heatTag is how hot a function is; nil where that is not known.
func heatTag(s *ranks.Side) *page.Tag {
	if s == nil {
		return nil
	}
	return heatTags[s.Heat]
}

// object is what the API says of both profiles together.
type object struct {
	By        string      `json:"by"`
	BaseUnit  string      `json:"base_unit"` // of totals
	TestUnit  string      `json:"test_unit"`
	Common    int         `json:"common"`    // functions in both
	Agreement *float64    `json:"agreement"` // rank correlation of these; null where there is none
	HotBase   int         `json:"hot_base"`  // functions hot in the base profile and not in the test profile
	HotTest   int         `json:"hot_test"`
	Tops      []topObject `json:"tops"`
}

// topObject is the hottest functions of both.
type topObject struct {
	N         int `json:"n"`
	Base      int `json:"base"` // as many there are, at most n
	Test      int `json:"test"`
	Both      int `json:"both"`        // among the hottest of both
	HotInTest int `json:"hot_in_test"` // of those of the base profile
	HotInBase int `json:"hot_in_base"`
}

func (b *both) object() object {
	o := object{
		By: string(b.By), BaseUnit: b.base.Unit, TestUnit: b.test.Unit, Common: b.Common,
		HotBase: b.Held(ranks.HotInBase).Rows, HotTest: b.Held(ranks.HotInTest).Rows, Tops: []topObject{},
	}
	if b.Ranked {
		o.Agreement = &b.Agreement
	}
	for _, t := range b.Tops {
		o.Tops = append(o.Tops, topObject(t))
	}
	return o
}
