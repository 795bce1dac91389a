package measures

import (
	"context"
	"errors"
	"math"

	samples "proflens/decode/dcpi"
	"proflens/profile/dcpidb"
	"proflens/profile/stored"
)

var dcpi = Family{
	Name:    samples.Family,
	Figures: dcpidb.Figures,
	Needs:   "a database of DCPI",
	Measures: append([]Measure{
		{
			Name: "image_samples", Title: "Samples by image", Unit: Part, Each: true,
			Says: "part of these samples that an image has; each image has its own, as `image_samples:/vmunix`",
		},
		{
			Name: "procedures", Title: "Procedures with samples", Unit: Count,
			Says: "procedures with samples of that event",
		},
	}, pairs(
		"overlap part more Overlap of samples by procedure: [overlap](#dcpi-compared) of the samples of the "+
			"first event that both have",
	)...),
	Of: of(dcpidb.Of, func(ctx context.Context, p *dcpidb.Profile) (Set, error) {
		one := dcpidb.Selection{Events: p.Overview.Events[:1]}
		images, columns := p.Totals(one, dcpidb.OfImage)
		set := Set{}
		for _, image := range images { // those of one name are added up
			name := "image_samples:" + image.Name
			part(set, name, set[name].N+float64(image.Cells[0].Samples), float64(columns[0].Total.Samples))
		}
		rows, err := p.Procedures(ctx, dcpidb.ProcedureQuery{Selection: one, Limit: math.MaxInt32})
		if err != nil {
			return nil, err
		}
		known := 0
		for i := range rows.Rows {
			if r := &rows.Rows[i]; r.Kind == dcpidb.RowProcedure && r.Cells[0].Samples > 0 {
				known++
			}
		}
		set["procedures"] = number(known)
		return set, nil
	}),
	Between: between(dcpidb.Of, func(ctx context.Context, base, test *dcpidb.Profile) (Set, error) {
		c, err := dcpidb.Compare(ctx, base, test, dcpidb.CompareQuery{})
		if errors.Is(err, stored.ErrNoPart) { // no event in common
			return Set{}, nil
		}
		if err != nil || c.Base.Samples == 0 || c.Test.Samples == 0 {
			return Set{}, err
		}
		return Set{"overlap": share(c.Overlap)}, nil
	}),
}
