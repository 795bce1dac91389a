package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/store"
)

func openSamples(ctx context.Context, p Profile, o Options) (Table, error) {
	return Samples(ctx, p, store.AddressQuery{}, o)
}

// Samples is the addresses that a selection of DCPI's samples has; the Offset and
// Limit of the query do not count.
func Samples(ctx context.Context, p Profile, q store.AddressQuery, o Options) (Table, error) {
	db, err := dcpiOverview(ctx, p)
	if err != nil {
		return nil, err
	}
	columns, hidden, err := p.DCPIColumnsOf(ctx, q.DCPISelection)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(
		[]Column[store.AddressRow]{{"address", 18, func(r *store.AddressRow) Cell { return addressCell(r.Address) }}},
		imageCells(db, func(r *store.AddressRow) int { return r.Image }),
		[]Column[store.AddressRow]{
			{"offset", 10, func(r *store.AddressRow) Cell { return Count(r.Offset) }},
			{"procedure", 24, func(r *store.AddressRow) Cell {
				if !r.HasProcedure {
					return Null
				}
				return Text(r.Procedure)
			}},
			{"procedure_offset", 16, func(r *store.AddressRow) Cell {
				if !r.HasProcedure {
					return Null
				}
				return Count(r.Inside)
			}},
			{"cum_share", 9, func(r *store.AddressRow) Cell { return Ratio(r.Cum) }},
		})
	all = append(all, dcpiColumns(columns, all, func(r *store.AddressRow) []store.DCPICell { return r.Cells })...)
	l := &List[store.AddressRow]{Columns: all, Quote: o.Quote}
	page := &store.AddressPage{}
	l.Read = func(ctx context.Context, offset, limit int) (Step[store.AddressRow], error) {
		q.Offset, q.Limit = offset, limit
		if page, err = p.Addresses(ctx, q); err != nil {
			return Step[store.AddressRow]{}, err
		}
		return Step[store.AddressRow]{Rows: page.Rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[store.AddressRow]) []byte {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		return dcpiEnvelope(b, columns, hidden, o.Quote)
	}
	return l, nil
}
