package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/profile/table"
	"proflens/profiledb/instrdb"
)

// traced is a function in a temporal trace.
type traced struct {
	named
	instrdb.TraceInfo
	trace, position int
}

var traceColumns = slices.Concat(
	[]table.Column[traced]{
		{"trace", 5, func(t *traced) table.Cell { return table.Int(uint64(t.trace)) }},
		{"weight", 20, func(t *traced) table.Cell { return table.Count(t.Weight) }},
		{"position", 8, func(t *traced) table.Cell { return table.Int(uint64(t.position)) }},
	},
	nameColumns(func(t *traced) *named { return &t.named }))

func openTraces(ctx context.Context, p *instrdb.Profile, o table.Options) (table.Table, error) {
	return Traces(ctx, p, o)
}

// Traces is the temporal traces one after another, a row for each function in
// the order in which they first ran (instrprof.md §2.11).
func Traces(ctx context.Context, p *instrdb.Profile, o table.Options) (table.Table, error) {
	traces, err := p.Traces(ctx)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, t := range traces {
		total += t.Length
	}
	l := &table.List[traced]{
		Columns: traceColumns, Text: []string{"trace", "position", "fid", "demangled"}, Quote: o.Quote,
	}
	held, refs := -1, []uint64(nil) // the last trace that was read
	l.Read = func(ctx context.Context, offset, limit int) (table.Step[traced], error) {
		var rows []traced
		for i, t := range traces {
			if offset >= t.Length || len(rows) == limit {
				offset = max(offset-t.Length, 0)
				continue
			}
			if held != i {
				if refs, err = p.Trace(ctx, i); err != nil {
					return table.Step[traced]{}, err
				}
				held = i
			}
			for position := offset; position < len(refs) && len(rows) < limit; position++ {
				rows = append(rows, traced{named: named{ref: refs[position]}, TraceInfo: t, trace: i, position: position})
			}
			offset = 0
		}
		known, err := p.NamesOf(ctx, refsOf(rows, func(t *traced) uint64 { return t.ref }))
		if err != nil {
			return table.Step[traced]{}, err
		}
		for i := range rows {
			rows[i].named = newNamed(rows[i].ref, known[rows[i].ref].Name, o.Demangle)
		}
		return table.Step[traced]{Rows: rows, Total: total}, nil
	}
	l.More = traceTotals[traced](p, traces, o.Quote)
	return l, nil
}

// refsOf are the NameRefs of rows, each once.
func refsOf[T any](rows []T, ref func(*T) uint64) []uint64 {
	refs := make([]uint64, len(rows))
	for i := range rows {
		refs[i] = ref(&rows[i])
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

// traceTotals adds to the envelope how many traces there are, and of how many
// that were ever seen they are a sample.
func traceTotals[T any](p *instrdb.Profile, traces []instrdb.TraceInfo, quote bool) func([]byte,
	[]table.Column[T]) []byte {
	return func(b []byte, _ []table.Column[T]) []byte {
		b = strconv.AppendInt(append(b, `,"traces":`...), int64(len(traces)), 10)
		return table.AppendCount(append(b, `,"trace_stream_size":`...), p.Overview.Info.TraceStreamSize, quote)
	}
}
