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
var How = page.How{Anchor: "ranks", What: "the rank agreement"}

// Family is how such profiles are compared. It has no profiles of its own.
func Family(*site.Site) *site.Family {
	return &site.Family{
		Name: "ranks", Measures: "Ranks",
		Comparer: &site.Comparer{
			Across: true, Keys: moves.Keys(ranks.Compared, "by"), Declared: lists.Says(ranks.Compared),
			Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
				by := site.Choice(v, "by", ranks.ByTotal, ranks.ByEntry)
				return &moves.Of[*ranks.Row]{Comparing: c, Open: func(ctx context.Context) (*moves.View[*ranks.Row], error) {
					both, err := open(ctx, c, by)
					if err != nil {
						return nil, err
					}
					return both.view(c)
				}}, nil
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
				Param: "by", Msg: fmt.Sprintf("the %s of %s do not say how often functions were entered; use total", sides[i].Unit,
					"AB"[i:i+1]),
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

func (b *both) view(c *site.Comparing) (*moves.View[*ranks.Row], error) {
	of := *ranks.Compared
	of.States = slices.Clone(of.States)
	of.States[4].Label, of.States[5].Label = b.hotIn(b.base, b.test), b.hotIn(b.test, b.base)
	v := &moves.View[*ranks.Row]{
		Comparing: c, Of: &of, Source: b, Unit: moves.Points(&c.CompareParams), How: How,
		Measure: "share of " + b.base.Unit + " and of " + b.test.Unit,
		Name:    func(m *ranks.Row) (humanize.Name, string) { return nameOf(c, m) }, What: heatTurn,
	}
	if b.By == ranks.ByEntry {
		v.Measure = "share of all entries"
	}
	v.Lists = b.lists(v)
	v.Words = moves.Words[*ranks.Row]{
		Sentence: b.sentence,
		Head: func(_ context.Context, m *page.Compare) error {
			m.Measures, m.Notes = b.measures(c), b.notes()
			return nil
		},
		Members: b.object(),
	}
	return v, nil
}

// hotIn names a state: what is hot by one of the two alone.
func (b *both) hotIn(one, other *ranks.Profile) string {
	return "hot in " + one.Unit + ", not in " + other.Unit
}

// measures are what functions can be ranked by.
func (b *both) measures(c *site.Comparing) []page.Choice {
	if !b.base.Entered || !b.test.Entered {
		return nil
	}
	a := c.Address.Without("page", "cursor", "sort", "by")
	return []page.Choice{{Label: "By", Segments: []page.Segment{
		{
			Label: "total", Title: "what ran in a function, wherever its code is", URL: a.String(),
			Current: b.By == ranks.ByTotal,
		},
		{
			Label: "entries", Title: "times a function was entered, also where it is inlined",
			URL: a.With("by", string(ranks.ByEntry)).String(), Current: b.By == ranks.ByEntry,
		},
	}}}
}

func (b *both) sentence(f *moves.Figures[*ranks.Row]) (lead, rest string) {
	lead = "No rank agreement can be told."
	if b.Ranked {
		lead = "Rank agreement " + agreement(b.Agreement) + "."
	}
	rest = humanize.Plural(b.Common, "function", "functions") + " in both. "
	if n := b.Counts[ranks.HotInBase]; n > 0 {
		rest += humanize.Int(n) + " " + b.hotIn(b.base, b.test) + ". "
	}
	if n := b.Counts[ranks.HotInTest]; n > 0 {
		rest += humanize.Int(n) + " " + b.hotIn(b.test, b.base) + ". "
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
	both := ""
	if !b.base.Sampled || !b.test.Sampled {
		both = " that the other tells of"
	}
	for _, t := range b.Tops {
		notes = append(notes, "Of the "+humanize.Int(t.Base)+" hottest in A"+both+", "+humanize.Int(t.Both)+" are among the "+humanize.Int(t.Test)+" hottest in B, and "+humanize.Int(t.HotInTest)+
			" are hot there; of these of B, "+humanize.Int(t.HotInBase)+" are hot in A.")
		both = ""
	}
	return notes
}

func (b *both) lists(v *moves.View[*ranks.Row]) []moves.ListOf[*ranks.Row] {
	hold := func(side string, held func(p *table.MovePage[*ranks.Row]) float64) func(p *table.MovePage[*ranks.Row]) string {
		return func(p *table.MovePage[*ranks.Row]) string {
			return humanize.Plural(p.Matching, v.Of.Noun[0], v.Of.Noun[1]) + ", " + humanize.Percent(held(p), 2) + " of " + side
		}
	}
	inA := hold("A", func(p *table.MovePage[*ranks.Row]) float64 { return p.Base })
	inB := hold("B", func(p *table.MovePage[*ranks.Row]) float64 { return p.Test })
	figure := func(m *ranks.Row) string { return v.Unit.Value(max(m.InBase, m.InTest)) }
	byBase, byTest := []query.Key{{Column: table.MoveBase, Desc: true}}, []query.Key{{Column: table.MoveTest, Desc: true}}
	return []moves.ListOf[*ranks.Row]{
		{
			ID: "hot-base", Title: "H" + b.hotIn(b.base, b.test)[1:], State: ranks.HotInBase, Says: inA, Figure: figure,
			Sort: byBase,
		},
		{
			ID: "hot-test", Title: "H" + b.hotIn(b.test, b.base)[1:], State: ranks.HotInTest, Says: inB, Figure: figure,
			Sort: byTest,
		},
		{ID: "lost", Title: "Only in A", State: table.OnlyBase, Says: inA, Figure: figure, Sort: byBase},
		{ID: "new", Title: "Only in B", State: table.OnlyTest, Says: inB, Figure: figure, Sort: byTest},
	}
}

// nameOf is a function's name, and its page in the profile that has it.
func nameOf(c *site.Comparing, r *ranks.Row) (humanize.Name, string) {
	id := c.Base.ID
	if r.Base == nil {
		id = c.Test.ID
	}
	return c.Symbols.Name([]byte(r.PGO), r.Ref), site.PageOf(id) + "/functions/" + site.FID(r.Any().ID)
}

// heatTags are how hot a function is, on a page.
var heatTags = map[ranks.Heat]*page.Tag{
	ranks.Hot:   {Text: "hot", Tone: page.Bad, Title: "by the hot threshold of this profile"},
	ranks.Warm:  {Text: "warm", Tone: page.Neutral, Title: "neither hot nor cold"},
	ranks.Cold:  {Text: "cold", Tone: page.Accented, Title: "by the cold threshold of this profile"},
	ranks.Never: {Text: "never", Tone: page.Neutral, Title: "it did not run"},
}

// heatTurn says of a function in both how its heat differs.
func heatTurn(r *ranks.Row) []page.Turn {
	if r.Base == nil || r.Test == nil || r.Base.Heat == r.Test.Heat || r.Base.Heat == "" || r.Test.Heat == "" {
		return nil
	}
	return []page.Turn{{From: heatTags[r.Base.Heat], To: heatTags[r.Test.Heat]}}
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
		By: string(b.By), BaseUnit: b.base.Unit, TestUnit: b.test.Unit, Common: b.Common, HotBase: b.Counts[ranks.HotInBase],
		HotTest: b.Counts[ranks.HotInTest], Tops: []topObject{},
	}
	if b.Ranked {
		o.Agreement = &b.Agreement
	}
	for _, t := range b.Tops {
		o.Tops = append(o.Tops, topObject(t))
	}
	return o
}
