package measures

import (
	"context"
	"math"

	"proflens/analyze"
	memprofile "proflens/decode/memprof"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
)

var memprof = Family{
	Name:    memprofile.Family,
	Needs:   "a heap profile",
	Figures: memprofdb.Figures,
	Measures: pairs(
		"overlap part more Overlap of bytes by context: sum over contexts of the smaller share of the bytes; " +
			"contexts match by their stacks ([compared](#memprof-compared))",
	),
	Of: of(memprofdb.Of, memprofOf),
	Between: between(memprofdb.Of, func(ctx context.Context, base, test *memprofdb.Profile) (Set, error) {
		c, err := memprofdb.Compare(ctx, base, test, memprofdb.CompareQuery{
			By: memprofdb.SitesByContext, Library: &analyze.Library{},
		})
		if err != nil || c.Base.Bytes.IsZero() || c.Test.Bytes.IsZero() {
			return Set{}, err
		}
		b, t, both := c.Base.Bytes.Float64(), c.Test.Bytes.Float64(), 0.0
		c.Each(func(m *memprofdb.ComparedSite) { both += min(m.InBase/b, m.InTest/t) })
		return Set{"overlap": share(both)}, nil
	}),
}

// longLived is how many milliseconds the objects of a context live on average that hold
// memory at the peak.
const longLived = 200

func memprofOf(ctx context.Context, p *memprofdb.Profile) (Set, error) {
	set := Set{}
	if o := p.Overview; o.Schema.Has(memprofile.TotalLifetime) && o.Schema.Has(memprofile.AllocCount) {
		span := query.RealRange{Column: memprofdb.ColAvgLifetime, Min: longLived, Max: math.MaxFloat64}
		page, err := p.Contexts(ctx, memprofdb.Query{Filter: memprofdb.Filter{Ranges: []query.RealRange{span}}})
		if err != nil {
			return nil, err
		}
		set["long_lived_bytes"] = sum(page.Totals.Bytes)
	}
	return set, nil
}
