package instrweb

import (
	"context"
	"slices"

	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/tables"
)

// comparer compares counters: the shares of functions.
func (s *room) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: compareKeys,
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			p, err := parseCompare(v, &c.CompareParams)
			return &compared{Comparing: c, compareParams: p}, err
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
	*site.Comparing
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
	object, err := newComparisonObject(v.BasePath, v.Comparing, c, overlap, v.OverlapCS, v.Counts).members()
	if err != nil {
		return nil, err
	}
	return tables.Compare(ctx, c, v.Query, o, object)
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
	lead := overlapText(say.Printable(v.Base.Name), say.Printable(v.Test.Name), overlap)
	if why := doubt(c); why != "" {
		lead = "warning: " + why + "\n" + lead
	}
	return lead, nil
}

// pairs are the pairs of a comparison as moves: of shares of the total.
type pairs struct {
	*instrdb.Comparison
	own instrdb.CompareQuery // what is selected besides
}

// Page implements [moves.Source].
func (p *pairs) Page(ctx context.Context, q query.MoveQuery) (*query.MovePage[instrdb.PairRow], error) {
	c := p.own
	c.Sort, c.Offset, c.Limit, c.Direction = q.Sort, q.Offset, q.Limit, q.Direction
	for i, state := range instrdb.PairStates {
		if q.States>>i&1 != 0 {
			c.States = append(c.States, state)
		}
	}
	if q.Min >= 0 {
		c.Over = &q.Min
	}
	rows, err := p.Pairs(ctx, c)
	if err != nil {
		return nil, err
	}
	f := p.Figures()
	m := &query.MovePage[instrdb.PairRow]{
		All: rows.All, Matching: rows.Matching,
		Base: site.Part(rows.BaseTotal.Float64(), f.BaseTotal.Float64()),
		Test: site.Part(rows.TestTotal.Float64(), f.TestTotal.Float64()),
	}
	for _, row := range rows.Rows {
		move := query.Move[instrdb.PairRow]{
			Row: row, Name: row.Record().Name, State: 1 << slices.Index(instrdb.PairStates[:], row.State), Change: row.Change,
		}
		if row.Base != nil {
			move.Base = row.Base.Share
		}
		if row.Test != nil {
			move.Test = row.Test.Share
		}
		m.Rows = append(m.Rows, move)
	}
	return m, nil
}
