package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/profiledb/dcpidb"
)

func openSamples(ctx context.Context, p *dcpidb.Profile, o Options) (Table, error) {
	return Samples(ctx, p, dcpidb.AddressQuery{}, o)
}

// Samples is the addresses that a selection of DCPI's samples has; the Offset and
// Limit of the query do not count.
func Samples(ctx context.Context, p *dcpidb.Profile, q dcpidb.AddressQuery, o Options) (Table, error) {
	db := p.Overview
	columns, hidden := p.Columns(q.Selection)
	place, err := p.Places(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(
		[]Column[dcpidb.AddressRow]{{"address", 18, func(r *dcpidb.AddressRow) Cell { return addressCell(r.Address) }}},
		imageCells(db, func(r *dcpidb.AddressRow) int { return r.Image }),
		[]Column[dcpidb.AddressRow]{
			{"offset", 10, func(r *dcpidb.AddressRow) Cell { return Count(r.Offset) }},
			{"procedure", 24, func(r *dcpidb.AddressRow) Cell {
				if !r.HasProcedure {
					return Null
				}
				return Text(r.Procedure)
			}},
			{"procedure_offset", 16, func(r *dcpidb.AddressRow) Cell {
				if !r.HasProcedure {
					return Null
				}
				return Count(r.Inside)
			}},
			{"file", 32, func(r *dcpidb.AddressRow) Cell {
				file, _ := place(r.Image, r.Address)
				if file == "" {
					return Null
				}
				return Text(file)
			}},
			{"line", 7, func(r *dcpidb.AddressRow) Cell {
				file, line := place(r.Image, r.Address)
				if file == "" || line == 0 {
					return Null
				}
				return Int(uint64(line))
			}},
			{"cum_share", 9, func(r *dcpidb.AddressRow) Cell { return Ratio(r.Cum) }},
		})
	all = append(all, dcpiColumns(columns, all, func(r *dcpidb.AddressRow) []dcpidb.Cell { return r.Cells })...)
	l := &List[dcpidb.AddressRow]{Columns: all, Quote: o.Quote}
	page := &dcpidb.AddressPage{}
	l.Read = func(ctx context.Context, offset, limit int) (Step[dcpidb.AddressRow], error) {
		q.Offset, q.Limit = offset, limit
		var err error
		if page, err = p.Addresses(ctx, q); err != nil {
			return Step[dcpidb.AddressRow]{}, err
		}
		return Step[dcpidb.AddressRow]{Rows: page.Rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[dcpidb.AddressRow]) []byte {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		return dcpiEnvelope(b, columns, hidden, o.Quote)
	}
	return l, nil
}
