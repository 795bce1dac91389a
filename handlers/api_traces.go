package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/store"
)

var traceKeys = slices.Concat([]string{"by"}, listingKeys)

// traceParams is a request for temporal traces.
type traceParams struct {
	listing
	ByFunction bool // by=function
}

// parseTraces reads a request for temporal traces. Errors are *paramError.
func parseTraces(q url.Values) (traceParams, error) {
	v, err := newValues(q, traceKeys)
	if err != nil {
		return traceParams{}, err
	}
	p := traceParams{ByFunction: choice(v, "by", "trace", "function") == "function", listing: v.listing()}
	return p, v.err
}

// listTraces is GET /profiles/{id}/traces: each function of each trace in the
// order in which they first ran, or with by=function each function once, in the
// order that the export "order" writes.
func (s *server) listTraces(w http.ResponseWriter, r *http.Request) error {
	p, err := parseTraces(r.URL.Query())
	if err != nil {
		return err
	}
	demangle := uncached(p.Names)
	if p.wanted(r) == FormatJSON {
		demangle = s.cached(p.Names)
	}
	if p.ByFunction {
		return listRows(s, w, r, p.listing, func(ctx context.Context) (rowList[placedItem], error) {
			return orderList(ctx, s.profile(r), p, demangle)
		})
	}
	return listRows(s, w, r, p.listing, func(ctx context.Context) (rowList[traceItem], error) {
		return traceList(ctx, s.profile(r), p, demangle)
	})
}

// traceItem is a function in a trace.
type traceItem struct {
	namedItem
	store.TraceInfo
	trace, position int
}

var traceColumns = slices.Concat(
	[]column[traceItem]{
		{"trace", 5, func(t *traceItem) cell { return intOf(uint64(t.trace)) }},
		{"weight", 20, func(t *traceItem) cell { return countOf(t.Weight) }},
		{"position", 8, func(t *traceItem) cell { return intOf(uint64(t.position)) }},
	},
	nameColumnsOf(func(t *traceItem) *namedItem { return &t.namedItem }))

// traceList is the traces one after another, a row for each function.
func traceList(ctx context.Context, p Profile, v traceParams, demangle func(string) string) (rowList[traceItem], error) {
	traces, err := p.Traces(ctx)
	if err != nil {
		return rowList[traceItem]{}, err
	}
	total := 0
	for _, t := range traces {
		total += t.Length
	}
	held, refs := -1, []uint64(nil) // the last trace that was read
	read := func(ctx context.Context, offset, limit int) ([]traceItem, int, error) {
		var items []traceItem
		for i, t := range traces {
			if offset >= t.Length || len(items) == limit {
				offset = max(offset-t.Length, 0)
				continue
			}
			if held != i {
				if refs, err = p.Trace(ctx, i); err != nil {
					return nil, 0, err
				}
				held = i
			}
			for position := offset; position < len(refs) && len(items) < limit; position++ {
				items = append(items, traceItem{namedItem: namedItem{ref: refs[position]}, TraceInfo: t, trace: i, position: position})
			}
			offset = 0
		}
		known, err := p.NamesOf(ctx, refsOf(items, func(t *traceItem) uint64 { return t.ref }))
		if err != nil {
			return nil, 0, err
		}
		for i := range items {
			items[i].namedItem = newNamedItem(items[i].ref, known[items[i].ref].Name, demangle)
		}
		return items, total, nil
	}
	more, err := traceTotals(ctx, p, traces, v.Counts)
	return rowList[traceItem]{
		name: "-traces", columns: traceColumns, text: []string{"trace", "position", "fid", "demangled"}, read: read, more: more,
	}, err
}

// placedItem is a function at its place in the function order.
type placedItem struct {
	namedItem
	analyze.Placed
	place int // from 0
}

var placedColumns = slices.Concat(
	[]column[placedItem]{
		{"place", 8, func(f *placedItem) cell { return intOf(uint64(f.place)) }},
		{"first", 8, func(f *placedItem) cell { return intOf(uint64(f.First)) }},
		{"traces", 8, func(f *placedItem) cell { return intOf(uint64(f.Traces)) }},
	},
	nameColumnsOf(func(f *placedItem) *namedItem { return &f.namedItem }))

// orderList is the function order.
func orderList(ctx context.Context, p Profile, v traceParams, demangle func(string) string) (rowList[placedItem], error) {
	order, err := p.FunctionOrder(ctx)
	if err != nil {
		return rowList[placedItem]{}, err
	}
	traces, err := p.Traces(ctx)
	if err != nil {
		return rowList[placedItem]{}, err
	}
	read := func(ctx context.Context, offset, limit int) ([]placedItem, int, error) {
		from := min(offset, len(order))
		shown := order[from:min(len(order), from+limit)]
		known, err := p.NamesOf(ctx, refsOf(shown, func(f *analyze.Placed) uint64 { return f.NameRef }))
		if err != nil {
			return nil, 0, err
		}
		var items []placedItem
		for i, f := range shown {
			items = append(items, placedItem{newNamedItem(f.NameRef, known[f.NameRef].Name, demangle), f, from + i})
		}
		return items, len(order), nil
	}
	more, err := traceTotals(ctx, p, traces, v.Counts)
	return rowList[placedItem]{
		name: "-order", columns: placedColumns, text: []string{"place", "first", "traces", "fid", "demangled"}, read: read, more: more,
	}, err
}

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
func traceTotals(ctx context.Context, p Profile, traces []store.TraceInfo, quote bool) (func([]byte) []byte, error) {
	o, err := p.Overview(ctx)
	if err != nil {
		return nil, err
	}
	return func(b []byte) []byte {
		b = strconv.AppendInt(append(b, `,"traces":`...), int64(len(traces)), 10)
		b = append(b, `,"trace_stream_size":`...)
		return append(b, exactly(quote)(strconv.FormatUint(o.Info.TraceStreamSize, 10))...)
	}, nil
}
