package instrweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// comparer compares counters: the shares of functions.
func (s *handler) comparer() *site.Comparer {
	return &site.Comparer{
		Keys:     moves.Keys(instrdb.Pairs, append(pairFilterKeys[:8:8], "overlap_cs")...),
		Declared: lists.Says(instrdb.Pairs),
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			both := &compared{compareParams: parseCompare(v, &c.CompareParams)}
			both.View = moves.View[*instrdb.PairRow]{
				Of: instrdb.Pairs, Unit: moves.Points(), Filters: pairFilterKeys, Open: both.open,
			}
			return moves.Read(c, v, &both.View)
		},
		Pages: []site.ComparedRoute{{Path: "/tree", Answer: s.compareTreePage}},
		API: []site.ComparedRoute{{
			Path: "/tree", Answer: s.getCompareTree, Does: "where counts changed", Keys: changeTreeKeys, Says: `
			compare comparePairTree: Where two profiles with counters differ, by file path or namespace
			Same as GET /compare/tree.
			?path: A node: a path or a namespace. ; selects names without a path; :: selects functions in no
			namespace. Default: all.
			>200 ChangeNodeList table: The nodes.`,
		}},
		Ranks: ranked,
	}
}

// compared is two profiles with counters, compared as a request asks for it.
type compared struct {
	moves.View[*instrdb.PairRow]
	compareParams
}

// open pairs their records.
func (v *compared) open(ctx context.Context, _ *moves.View[*instrdb.PairRow]) error {
	c, err := openCompared(ctx, v.Comparing)
	if err != nil {
		return err
	}
	overlap, err := c.Overlap(ctx, v.OverlapCS)
	if err == nil {
		v.show(c, overlap)
	}
	return err
}

func openCompared(ctx context.Context, c *site.Comparing) (*instrdb.Comparison, error) {
	base, test, err := site.Both(c, instrdb.Of)
	if err != nil {
		return nil, err
	}
	return instrdb.Compare(ctx, base, test)
}

// pairs are the pairs of a comparison as a [moves.Source].
type pairs struct{ *instrdb.Comparison }

// Find implements [moves.Source].
func (p pairs) Find(q table.MoveQuery) table.Find {
	return p.Comparison.Find(instrdb.CompareQuery{MoveQuery: q})
}
