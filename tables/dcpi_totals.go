package tables

import (
	"context"
	"slices"
	"strings"

	"proflens/profiledb/dcpidb"
)

func openImages(ctx context.Context, p *dcpidb.Profile, o Options) (Table, error) {
	return DCPITotals(ctx, p, dcpidb.TotalQuery{Of: dcpidb.OfImage}, o)
}

func openDCPITotals(of dcpidb.TotalOf) func(context.Context, *dcpidb.Profile, Options) (Table, error) {
	return func(ctx context.Context, p *dcpidb.Profile, o Options) (Table, error) {
		return DCPITotals(ctx, p, dcpidb.TotalQuery{Of: of}, o)
	}
}

// DCPITotals is the images, epochs or hosts of a selection, with what each
// holds.
func DCPITotals(ctx context.Context, p *dcpidb.Profile, q dcpidb.TotalQuery, o Options) (Table, error) {
	db, of := p.Overview, q.Of
	totals, columns, err := p.FindTotals(ctx, q)
	if err != nil {
		return nil, err
	}
	var all []Column[dcpidb.Total]
	if of == dcpidb.OfImage {
		all = imageTotalCells(db)
	} else {
		all = []Column[dcpidb.Total]{
			{string(of), 20, func(t *dcpidb.Total) Cell { return Text(t.Name) }},
			{"images", 6, func(t *dcpidb.Total) Cell { return Int(uint64(t.Images)) }},
		}
	}
	all = append(all, Column[dcpidb.Total]{"profiles", 8, func(t *dcpidb.Total) Cell { return Int(uint64(t.Profiles)) }})
	if of != dcpidb.OfEpoch {
		all = append(all, Column[dcpidb.Total]{"epochs", 6, func(t *dcpidb.Total) Cell { return Int(uint64(t.Epochs)) }})
	}
	if of != dcpidb.OfPlatform {
		all = append(all, Column[dcpidb.Total]{
			"platforms", 9, func(t *dcpidb.Total) Cell { return Int(uint64(t.Platforms)) },
		})
	}
	all = append(all, dcpiColumns(columns, all, func(t *dcpidb.Total) []dcpidb.Cell { return t.Cells })...)
	return &List[dcpidb.Total]{
		Columns: all, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[dcpidb.Total], error) {
			from := min(offset, len(totals))
			return Step[dcpidb.Total]{Rows: totals[from:min(len(totals), from+limit)], Total: len(totals)}, ctx.Err()
		},
		More: func(b []byte, _ []Column[dcpidb.Total]) []byte { return dcpiEnvelope(b, columns, 0, o.Quote) },
	}, nil
}

// imageTotalCells are the columns of an image.
func imageTotalCells(db *dcpidb.Overview) []Column[dcpidb.Total] {
	type row = dcpidb.Total
	image := func(t *row) *dcpidb.Image { return &db.Images[t.Image] }
	return slices.Concat(imageCells(db, func(t *row) int { return t.Image }), []Column[row]{
		{"text_start", 18, func(t *row) Cell {
			if !image(t).HasTextStart {
				return Null
			}
			return addressCell(image(t).TextStart)
		}},
		{"text_size", 10, func(t *row) Cell { return Count(image(t).TextSize) }},
		{"symbols", 7, func(t *row) Cell { return Int(uint64(image(t).Symbols)) }},
		{"listing", 12, func(t *row) Cell {
			if image(t).Listing < 0 {
				return Null
			}
			return Text(image(t).ListingFile)
		}},
		{"path", 24, func(t *row) Cell {
			if len(image(t).Paths) == 0 {
				return Null
			}
			return Text(strings.Join(image(t).Paths, " "))
		}},
	})
}
