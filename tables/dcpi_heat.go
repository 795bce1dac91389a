package tables

import (
	"context"
	"fmt"

	"proflens/profiledb/dcpidb"
)

// Heat is the cells of a heat map in which there are samples.
func Heat(ctx context.Context, p *dcpidb.Profile, q dcpidb.HeatQuery, o Options) (Table, error) {
	db := p.Overview
	heat, err := p.HeatMap(ctx, q)
	if err != nil {
		return nil, err
	}
	base := db.Images[q.Image].Base
	rows, err := heat.Sampled(ctx, q.Text, q.Sort)
	if err != nil {
		return nil, err
	}
	type row = dcpidb.HeatCell
	all := []Column[row]{
		{"address", 18, func(c *row) Cell { return addressCell(base + c.Offset) }},
		{"offset", 10, func(c *row) Cell { return Count(c.Offset) }},
		{"bytes", 8, func(*row) Cell { return Count(q.Cell) }},
		{"procedure", 24, func(c *row) Cell {
			if c.Procedure == nil {
				return Null
			}
			return Text(c.Procedure.Name)
		}},
		{"procedure_offset", 16, func(c *row) Cell {
			if c.Procedure == nil {
				return Null
			}
			return Count(c.Procedure.Inside)
		}},
		{"counts", 8, func(c *row) Cell { return Count(c.Addresses) }},
	}
	all = append(all, dcpiColumns(heat.Columns, all, func(c *row) []dcpidb.Cell { return c.Cells })...)
	return &List[row]{
		Columns: all, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[row], error) {
			from := min(offset, len(rows))
			return Step[row]{Rows: rows[from:min(len(rows), from+limit)], Total: len(rows)}, ctx.Err()
		},
		More: func(b []byte, _ []Column[row]) []byte {
			b = AppendCount(append(b, `,"extent":`...), heat.Extent, o.Quote)
			b = AppendCount(append(b, `,"from":`...), q.From, o.Quote)
			b = fmt.Appendf(b, `,"cells":%d`, len(heat.Cells))
			return dcpiEnvelope(b, heat.Columns, heat.Hidden, o.Quote)
		},
	}, nil
}
