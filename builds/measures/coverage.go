package measures

import (
	"context"

	"proflens/decode/covmap"
	"proflens/profile/covdb"
	"proflens/profile/stored"
)

// ChangedLines is the coverage of the lines that a change adds. It is measured where
// somebody gives the diff, see [Changed].
const ChangedLines = "changed_lines_coverage"

// Labels are those by which the figures of a profile are counted otherwise.
var Labels = covdb.Labels

var coverage = Family{
	Name:    covmap.Family,
	Needs:   "source coverage",
	Figures: covdb.Figures,
	Measures: append([]Measure{
		{
			Name: ChangedLines, Title: "Changed lines covered", Unit: Part, Better: 1, Needs: "a diff",
			Says: "part of the lines with code that a diff adds",
		},
	}, pairs(
		"lines_lost count less Lines that no longer run: lines that ran in the base alone "+
			"([compared](#cov-compared))",
		"lines_gained count more Lines that run now: lines that ran in the test alone",
	)...),
	Between: func(ctx context.Context, base, test *stored.Profile) (Set, error) {
		c, err := covdb.CompareCounted(ctx, base, test)
		if err != nil {
			return nil, err
		}
		set := Set{"lines_lost": number(c.Sum.NewlyUncovered), "lines_gained": number(c.Sum.NewlyCovered)}
		set.without(c.LeftOut())
		return set, nil
	},
}
