package measures

import (
	"context"

	"proflens/decode/covmap"
	"proflens/profiledb/covdb"
)

// ChangedLines is the coverage of the lines that a change adds. It is measured where
// somebody gives the diff, see [Changed].
const ChangedLines = "changed_lines_coverage"

var coverage = Family{
	Name:  covmap.Family,
	Needs: "source coverage",
	Measures: []Measure{
		{Name: "coverage", Title: "Lines covered", Unit: Part, Better: 1},
		{Name: "branch_coverage", Title: "Branches covered", Unit: Part, Better: 1},
		{Name: "function_coverage", Title: "Functions covered", Unit: Part, Better: 1},
		{Name: "region_coverage", Title: "Regions covered", Unit: Part, Better: 1},
		{Name: "instantiation_coverage", Title: "Instantiations covered", Unit: Part, Better: 1},
		{Name: "mcdc_coverage", Title: "MC/DC conditions covered", Unit: Part, Better: 1},
		{Name: ChangedLines, Title: "Changed lines covered", Unit: Part, Better: 1, Needs: "a diff"},
		{Name: "lines_lost", Title: "Lines that no longer run", Unit: Count, Better: -1, Pair: true},
		{Name: "lines_gained", Title: "Lines that run now", Unit: Count, Better: 1, Pair: true},
	},
	// Of has the sums of llvm-cov's report.
	Of: of(covdb.Of, func(_ context.Context, p *covdb.Profile) (Set, error) {
		s, set := p.Overview.Totals.Summary, Set{}
		set.put("coverage", part(s.Lines.Covered, s.Lines.Total))
		set.put("branch_coverage", part(s.Branches.Covered, s.Branches.Total))
		set.put("function_coverage", part(s.Functions.Covered, s.Functions.Total))
		set.put("region_coverage", part(s.Regions.Covered, s.Regions.Total))
		set.put("instantiation_coverage", part(s.Instantiations.Covered, s.Instantiations.Total))
		set.put("mcdc_coverage", part(s.MCDC.Covered, s.MCDC.Total))
		return set, nil
	}),
	Between: between(covdb.Of, func(ctx context.Context, base, test *covdb.Profile) (Set, error) {
		c, err := covdb.Compare(ctx, base, test)
		if err != nil {
			return nil, err
		}
		return Set{"lines_lost": number(c.Sum.NewlyUncovered), "lines_gained": number(c.Sum.NewlyCovered)}, nil
	}),
}
