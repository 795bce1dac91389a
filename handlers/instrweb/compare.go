package instrweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// comparer compares counters: the shares of functions.
func (s *handler) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: compareKeys, Declared: lists.Says(instrdb.Pairs),
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			p := parseCompare(v, &c.CompareParams)
			if v.Err != nil {
				return nil, v.Err
			}
			both := &compared{compareParams: p, View: moves.View[*instrdb.PairRow]{
				Comparing: c, Of: instrdb.Pairs, Unit: moves.Points(&c.CompareParams), Filters: pairFilterKeys,
			}}
			return both, both.Ask()
		},
		Pages: []site.ComparedRoute{{Path: "/tree", Answer: s.compareTreePage}},
		API: []site.ComparedRoute{{Path: "/tree", Answer: s.getCompareTree, Does: "where counts changed", Keys: changeTreeKeys, Says: `
			compare comparePairTree: Where two profiles with counters differ, by file path or namespace
			Same as GET /compare/tree.
			?path: A node: a path or a namespace. ; selects names without a path; :: selects functions in no
			namespace. Default: all.
			>200 ChangeNodeList table: The nodes.`}},
		Ranks: ranked,
	}
}

// compared is two profiles with counters, compared as a request asks for it.
type compared struct {
	moves.View[*instrdb.PairRow]
	compareParams
}

// open pairs their records.
func (v *compared) open(ctx context.Context) (*instrdb.Comparison, error) {
	return openCompared(ctx, v.Comparing)
}

func openCompared(ctx context.Context, c *site.Comparing) (*instrdb.Comparison, error) {
	base, err := instrdb.Of(c.Base.Profile)
	if err != nil {
		return nil, err
	}
	test, err := instrdb.Of(c.Test.Profile)
	if err != nil {
		return nil, err
	}
	return instrdb.Compare(ctx, base, test)
}

// Table implements [site.Compared].
func (v *compared) Table(ctx context.Context, o table.Options) (table.Table, error) {
	c, err := v.open(ctx)
	if err != nil {
		return nil, err
	}
	overlap, err := c.Overlap(ctx, v.OverlapCS)
	if err != nil {
		return nil, err
	}
	members, err := moves.Members(newComparisonObject(v.BasePath, v.Comparing, c, overlap, v.OverlapCS, v.Counts))
	return v.View.Open(&pairs{c, v.own}, members, o), err
}

// Lead implements [site.Compared]: it is what llvm-profdata overlap prints, after why that
// means little.
func (v *compared) Lead(ctx context.Context) (string, error) {
	c, err := v.open(ctx)
	if err != nil {
		return "", err
	}
	overlap, err := c.Overlap(ctx, v.OverlapCS)
	if err != nil {
		return "", err
	}
	lead := overlapText(humanize.Printable(v.Base.Name), humanize.Printable(v.Test.Name), overlap)
	if why := doubt(c); why != "" {
		lead = "warning: " + why + "\n" + lead
	}
	return lead, nil
}

// pairs are the pairs of a comparison as rows: of shares of the total.
type pairs struct {
	*instrdb.Comparison
	own instrdb.CompareQuery // what is selected besides
}

// query is what of pairs is asked for.
func (p *pairs) query(q *table.MoveQuery) instrdb.CompareQuery {
	c := p.own
	c.Direction = q.Direction
	for i, state := range instrdb.PairStates {
		if q.States>>i&1 != 0 {
			c.States = append(c.States, state)
		}
	}
	if q.Min >= 0 {
		c.Over = &q.Min
	}
	return c
}

// Find implements [moves.Source].
func (p *pairs) Find(q table.MoveQuery) table.Find { return p.FindPairs(p.query(&q)) }

// Page implements [moves.Source].
func (p *pairs) Page(ctx context.Context, q table.MoveQuery) (*table.MovePage[*instrdb.PairRow], error) {
	found, err := p.Find(q)(ctx, table.Query{RowQuery: q.RowQuery})
	if err != nil {
		return nil, err
	}
	f, of := p.Figures(), found.Around.(*instrdb.PairTotals)
	return &table.MovePage[*instrdb.PairRow]{
		Rows: found.Rows.([]*instrdb.PairRow), All: found.All, Matching: found.Matching,
		Base: site.Part(of.Base.Float64(), f.BaseTotal.Float64()),
		Test: site.Part(of.Test.Float64(), f.TestTotal.Float64()),
	}, nil
}
