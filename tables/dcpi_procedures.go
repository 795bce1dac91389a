package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/profiledb/dcpidb"
)

func openProcedures(ctx context.Context, p *dcpidb.Profile, o Options) (Table, error) {
	return Procedures(ctx, p, dcpidb.ProcedureQuery{}, o)
}

// Procedures is the procedures that a selection has samples of, a row of each
// image for samples outside all, and ranges of addresses in images whose
// procedures are not known; the Offset and Limit of the query do not count.
func Procedures(ctx context.Context, p *dcpidb.Profile, q dcpidb.ProcedureQuery, o Options) (Table, error) {
	db := p.Overview
	columns, hidden := p.Columns(q.Selection)
	type row = dcpidb.ProcedureRow
	all := slices.Concat(
		procedureCells(db, func(r *row) *dcpidb.Row { return &r.Row }),
		[]Column[row]{{"cum_share", 9, func(r *row) Cell { return Ratio(r.Cum) }}})
	all = append(all, dcpiColumns(columns, all, func(r *row) []dcpidb.Cell { return r.Cells })...)
	l := &List[row]{Columns: all, Quote: o.Quote}
	page := &dcpidb.ProcedurePage{}
	l.Read = func(ctx context.Context, offset, limit int) (Step[row], error) {
		q.Offset, q.Limit = offset, limit
		var err error
		if page, err = p.Procedures(ctx, q); err != nil {
			return Step[row]{}, err
		}
		return Step[row]{Rows: page.Rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[row]) []byte {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		return dcpiEnvelope(b, columns, hidden, o.Quote)
	}
	return l, nil
}

// procedureCells are the columns that say which procedure a row is.
func procedureCells[T any](db *dcpidb.Overview, of func(*T) *dcpidb.Row) []Column[T] {
	return slices.Concat(
		[]Column[T]{
			{"procedure", 24, func(r *T) Cell {
				if row := of(r); row.Kind == dcpidb.RowProcedure {
					return Text(row.Name)
				}
				return Null
			}},
			{"kind", 9, func(r *T) Cell { return Text(string(of(r).Kind)) }},
		},
		imageCells(db, func(r *T) int { return of(r).Image }),
		[]Column[T]{
			{"address", 18, func(r *T) Cell {
				if row := of(r); row.Kind != dcpidb.RowNone {
					return addressCell(row.Address)
				}
				return Null
			}},
			{"size", 8, func(r *T) Cell {
				if row := of(r); row.Size > 0 {
					return Count(row.Size)
				}
				return Null
			}},
		})
}
