package tables

import (
	"context"
	"slices"
	"strings"

	"proflens/store"
)

func openImages(ctx context.Context, p Profile, o Options) (Table, error) {
	return DCPITotals(ctx, p, store.DCPISelection{}, store.OfImage, o)
}

func openDCPITotals(of store.DCPIOf) func(context.Context, Profile, Options) (Table, error) {
	return func(ctx context.Context, p Profile, o Options) (Table, error) {
		return DCPITotals(ctx, p, store.DCPISelection{}, of, o)
	}
}

// DCPITotals is the images, epochs or hosts of a selection, with what each
// holds.
func DCPITotals(ctx context.Context, p Profile, s store.DCPISelection, of store.DCPIOf, o Options) (Table, error) {
	db, err := dcpiOverview(ctx, p)
	if err != nil {
		return nil, err
	}
	totals, columns, err := p.DCPITotals(ctx, s, of)
	if err != nil {
		return nil, err
	}
	var all []Column[store.DCPITotal]
	if of == store.OfImage {
		all = imageTotalCells(db)
	} else {
		all = []Column[store.DCPITotal]{
			{string(of), 20, func(t *store.DCPITotal) Cell { return Text(t.Name) }},
			{"images", 6, func(t *store.DCPITotal) Cell { return Int(uint64(t.Images)) }},
		}
	}
	all = append(all, Column[store.DCPITotal]{"profiles", 8, func(t *store.DCPITotal) Cell { return Int(uint64(t.Profiles)) }})
	if of != store.OfEpoch {
		all = append(all, Column[store.DCPITotal]{"epochs", 6, func(t *store.DCPITotal) Cell { return Int(uint64(t.Epochs)) }})
	}
	if of != store.OfPlatform {
		all = append(all, Column[store.DCPITotal]{"platforms", 9, func(t *store.DCPITotal) Cell { return Int(uint64(t.Platforms)) }})
	}
	all = append(all, dcpiColumns(columns, all, func(t *store.DCPITotal) []store.DCPICell { return t.Cells })...)
	return &List[store.DCPITotal]{
		Columns: all, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[store.DCPITotal], error) {
			from := min(offset, len(totals))
			return Step[store.DCPITotal]{Rows: totals[from:min(len(totals), from+limit)], Total: len(totals)}, ctx.Err()
		},
		More: func(b []byte, _ []Column[store.DCPITotal]) []byte { return dcpiEnvelope(b, columns, 0, o.Quote) },
	}, nil
}

// imageTotalCells are the columns of an image.
func imageTotalCells(db *store.DCPIOverview) []Column[store.DCPITotal] {
	type row = store.DCPITotal
	image := func(t *row) *store.DCPIImage { return &db.Images[t.Image] }
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
