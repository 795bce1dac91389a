package tables

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profiledb/instrdb"
)

// placed is a function at its place in the function order.
type placed struct {
	named
	analyze.Placed
	place int // from 0
}

var orderColumns = slices.Concat(
	[]Column[placed]{
		{"place", 8, func(f *placed) Cell { return Int(uint64(f.place)) }},
		{"first", 8, func(f *placed) Cell { return Int(uint64(f.First)) }},
		{"traces", 8, func(f *placed) Cell { return Int(uint64(f.Traces)) }},
	},
	nameColumns(func(f *placed) *named { return &f.named }))

func openOrder(ctx context.Context, p *instrdb.Profile, o Options) (Table, error) {
	return Order(ctx, p, o)
}

// Order is each function of the temporal traces once, in the order of the
// export of that name.
func Order(ctx context.Context, p *instrdb.Profile, o Options) (Table, error) {
	order, err := p.FunctionOrder(ctx)
	if err != nil {
		return nil, err
	}
	traces, err := p.Traces(ctx)
	if err != nil {
		return nil, err
	}
	l := &List[placed]{Columns: orderColumns, Text: []string{"place", "first", "traces", "fid", "demangled"}, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[placed], error) {
		from := min(offset, len(order))
		shown := order[from:min(len(order), from+limit)]
		known, err := p.NamesOf(ctx, refsOf(shown, func(f *analyze.Placed) uint64 { return f.NameRef }))
		if err != nil {
			return Step[placed]{}, err
		}
		rows := make([]placed, len(shown))
		for i, f := range shown {
			rows[i] = placed{newNamed(f.NameRef, known[f.NameRef].Name, o.Demangle), f, from + i}
		}
		return Step[placed]{Rows: rows, Total: len(order)}, nil
	}
	l.More = traceTotals[placed](p, traces, o.Quote)
	return l, nil
}
