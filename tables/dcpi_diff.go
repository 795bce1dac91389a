package tables

import (
	"context"
	"fmt"
	"strconv"

	"proflens/profiledb/dcpidb"
)

func openDiff(ctx context.Context, p *dcpidb.Profile, o Options) (Table, error) {
	return Diff(ctx, p, dcpidb.DiffQuery{}, o)
}

// Diff is the procedures of a selection in two epochs or hosts, or in all, and
// how far these are apart; the Offset and Limit of the query do not count.
func Diff(ctx context.Context, p *dcpidb.Profile, q dcpidb.DiffQuery, o Options) (Table, error) {
	db := p.Overview
	q.Limit = 0
	page, err := p.Diff(ctx, q)
	if err != nil {
		return nil, err
	}
	type row = dcpidb.DiffRow
	figure := func(name string, value func(*row) float64) Column[row] {
		return Column[row]{name, 12, func(r *row) Cell { return DCPIFigure(value(r), page.Unit) }}
	}
	all := append(procedureCells(db, func(r *row) *dcpidb.Row { return &r.Row }),
		figure("before", func(r *row) float64 { return r.Before }),
		figure("after", func(r *row) float64 { return r.After }),
		figure("delta", func(r *row) float64 { return r.Delta }),
		figure("range", func(r *row) float64 { return r.Range }),
		Column[row]{"range_share", 11, func(r *row) Cell { return Ratio(r.Share) }},
		figure("sum", func(r *row) float64 { return r.Sum }),
		Column[row]{"sum_share", 9, func(r *row) Cell { return Ratio(r.OfTotal) }},
		Column[row]{"sets", 4, func(r *row) Cell { return Int(uint64(r.Sets)) }},
		Column[row]{"mean", 12, func(r *row) Cell { return Number(r.Mean) }},
		Column[row]{"deviation", 12, func(r *row) Cell { return Number(r.Deviation) }},
		figure("min", func(r *row) float64 { return r.Min }),
		figure("max", func(r *row) float64 { return r.Max }),
		Column[row]{"values", 0, func(r *row) Cell { return JSON(appendFigures(nil, r.Values, page.Unit, o.Quote)) }})
	l := &List[row]{Columns: all, Quote: o.Quote,
		Text: []string{"before", "after", "delta", "range_share", "sum", "sum_share", "image", "procedure"}}
	l.Read = func(ctx context.Context, offset, limit int) (Step[row], error) {
		q.Offset, q.Limit = offset, limit
		next, err := p.Diff(ctx, q)
		if err != nil {
			return Step[row]{}, err
		}
		page = next
		return Step[row]{Rows: page.Rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[row]) []byte {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		b = fmt.Appendf(b, `,"unit":"%s","set_names":[`, page.Unit)
		for i := range page.Sets {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendString(b, page.Sets[i].Name)
		}
		b = append(b, `],"totals":`...)
		b = appendFigures(b, page.Totals, page.Unit, o.Quote)
		b = append(b, `,"scale":[`...)
		for i, f := range page.Scale {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendFloat(b, f, 'g', -1, 64)
		}
		return append(b, ']')
	}
	return l, nil
}

// appendFigures appends figures of a unit as a JSON list.
func appendFigures(b []byte, figures []float64, unit dcpidb.Unit, quote bool) []byte {
	b = append(b, '[')
	for i, f := range figures {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendCell(b, DCPIFigure(f, unit), quote)
	}
	return append(b, ']')
}
