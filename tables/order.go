package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/profile/table"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
)

// placed is a function at its place in the function order.
type placed struct {
	named
	*instrdb.PlacedFunction
}

var orderColumns = slices.Concat(
	[]table.Column[placed]{
		{"place", 8, func(f *placed) table.Cell { return table.Int(uint64(f.Place)) }},
		{"first", 8, func(f *placed) table.Cell { return table.Int(uint64(f.First)) }},
		{"traces", 8, func(f *placed) table.Cell { return table.Int(uint64(f.Traces)) }},
		{"max", 20, func(f *placed) table.Cell { return table.Count(f.Max) }},
	},
	nameColumns(func(f *placed) *named { return &f.named }))

// traceTotals adds to the envelope how many traces there are, and of how many
// that were ever seen they are a sample.
func traceTotals[T any](p *instrdb.Profile, traces []instrdb.TraceInfo, quote bool) func([]byte,
	[]table.Column[T]) []byte {
	return func(b []byte, _ []table.Column[T]) []byte {
		b = strconv.AppendInt(append(b, `,"traces":`...), int64(len(traces)), 10)
		return table.AppendCount(append(b, `,"trace_stream_size":`...), p.Overview.Info.TraceStreamSize, quote)
	}
}

func openOrder(ctx context.Context, p *instrdb.Profile, o table.Options) (table.Table, error) {
	return Order(ctx, p, query.RowQuery{}, o)
}

// Order is each function of the temporal traces once, those that a query selects, in
// its order: without one in that of the export of that name. The query's Offset and
// Limit do not count.
func Order(ctx context.Context, p *instrdb.Profile, q query.RowQuery, o table.Options) (table.Table, error) {
	traces, err := p.Traces(ctx)
	if err != nil {
		return nil, err
	}
	l := &table.List[placed]{
		Columns: orderColumns, Text: []string{"place", "first", "traces", "fid", "demangled"}, Quote: o.Quote,
	}
	l.Read = func(ctx context.Context, offset, limit int) (table.Step[placed], error) {
		q.Offset, q.Limit = offset, limit
		page, err := p.Placed(ctx, q)
		if err != nil {
			return table.Step[placed]{}, err
		}
		rows := make([]placed, len(page.Rows))
		for i := range page.Rows {
			f := &page.Rows[i]
			rows[i] = placed{newNamed(f.NameRef, f.Name, o.Demangle), f}
		}
		return table.Step[placed]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = traceTotals[placed](p, traces, o.Quote)
	return l, nil
}
