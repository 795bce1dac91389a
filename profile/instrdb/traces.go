package instrdb

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"proflens/analyze"
	"proflens/profile/btree"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// TraceInfo is a temporal trace without its functions.
type TraceInfo struct {
	Weight uint64
	Length int // functions
}

// Traces lists the temporal traces in the file's order.
func (p *Profile) Traces(ctx context.Context) ([]TraceInfo, error) {
	return stored.Cached(ctx, p.Profile, "traces", func() ([]TraceInfo, int64, error) {
		list := []TraceInfo{}
		err := p.Walk("trace", func(row *stored.Row) {
			list = append(list, TraceInfo{Weight: row.Uint(1), Length: int(row.Int(2))})
		})
		return list, int64(len(list)) * 16, err
	})
}

// Trace is the NameRefs of a trace, from 0, in the order in which the functions
// first ran; stored.ErrNoPart when there is no such trace.
func (p *Profile) Trace(_ context.Context, index int) ([]uint64, error) {
	table, err := p.Table("trace")
	if err != nil {
		return nil, err
	}
	row, err := stored.Lookup(table.Cursor(), int64(index)+1)
	if err != nil || row == nil {
		return nil, cmp.Or(err, stored.ErrNoPart)
	}
	return readTrace(row), row.Err()
}

// readTrace decodes the NameRefs of a trace.
func readTrace(row *btree.Row) []uint64 {
	packed := row.Bytes(3)
	if n := row.Int(2); int64(len(packed)) != 8*n {
		row.Fail(stored.Damaged("trace %d has %d bytes, expected 8 for each of %d functions", row.ID, len(packed), n))
		return nil
	}
	refs := make([]uint64, 0, len(packed)/8)
	for ; len(packed) > 0; packed = packed[8:] {
		refs = append(refs, binary.LittleEndian.Uint64(packed))
	}
	return refs
}

// TracedFunction is a function in a temporal trace.
type TracedFunction struct {
	Trace    int        `col:"trace" width:"5" help:"number of the trace, from 0"`
	Weight   uint64     `col:"weight" width:"20" help:"of the trace"`
	Position int        `col:"position" width:"8" help:"in the trace, from 0"`
	Function table.Name `col:"name"`
}

// Traced is the table of the temporal traces one after another, each in the order in which
// its functions first ran (instrprof.md §2.11).
var Traced = table.Declare[TracedFunction](table.Declaration{
	Around: (*TraceSums)(nil), About: "A function in a temporal trace.", Noun: "function",
	Text: "trace position fid demangled",
})

// TraceSums are how many traces there are, and of how many that were ever seen they are a
// sample.
type TraceSums struct {
	Traces int    `col:"traces"`
	Stream uint64 `col:"trace_stream_size"`
}

func (p *Profile) traceSums(ctx context.Context) (*TraceSums, []TraceInfo, error) {
	traces, err := p.Traces(ctx)
	return &TraceSums{len(traces), p.Overview.Info.TraceStreamSize}, traces, err
}

// FindTraced finds the functions of all traces; it selects and orders none.
func (p *Profile) FindTraced(ctx context.Context) (table.Find, error) {
	sums, traces, err := p.traceSums(ctx)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, t := range traces {
		total += t.Length
	}
	held, refs := -1, []uint64(nil) // the last trace that was read
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		var rows []TracedFunction
		offset := q.Offset
		for i, t := range traces {
			if offset >= t.Length || len(rows) == q.Limit {
				offset = max(offset-t.Length, 0)
				continue
			}
			if held != i {
				if refs, err = p.Trace(ctx, i); err != nil {
					return table.Page{}, err
				}
				held = i
			}
			for at := offset; at < len(refs) && len(rows) < q.Limit; at++ {
				rows = append(rows, TracedFunction{i, t.Weight, at, table.Name{Ref: refs[at]}})
			}
			offset = 0
		}
		err := p.fillNames(ctx, len(rows), func(i int) *table.Name { return &rows[i].Function })
		return table.Page{Set: table.Set{Rows: rows, Around: sums}, All: total, Matching: total}, err
	}, nil
}

// fillNames adds to functions the names that the profile knows.
func (p *Profile) fillNames(ctx context.Context, n int, at func(int) *table.Name) error {
	refs := make([]uint64, n)
	for i := range refs {
		refs[i] = at(i).Ref
	}
	slices.Sort(refs)
	known, err := p.NamesOf(ctx, slices.Compact(refs))
	for i := range n {
		at(i).PGO = string(known[at(i).Ref].Name)
	}
	return err
}

// FunctionOrder is the functions of all traces in the order of [analyze.Order].
// It is shared: do not change it.
func (p *Profile) FunctionOrder(ctx context.Context) ([]analyze.Placed, error) {
	return stored.Cached(ctx, p.Profile, "function order", func() ([]analyze.Placed, int64, error) {
		var o analyze.Order
		err := p.EachRow(ctx, "trace", func(row *btree.Row) error {
			o.AddRefs(readTrace(row))
			return ctx.Err() // traces are long
		})
		list := o.Functions()
		return list, int64(len(list)) * 24, err
	})
}

// MaximaOf looks up the largest counter of each function, of all its records.
// Functions without a record have 0.
func (p *Profile) MaximaOf(ctx context.Context, refs []uint64) ([]uint64, error) {
	columns, err := p.columns(ctx, maxColumn)
	if err != nil {
		return nil, err
	}
	c := p.name.Cursor()
	maxima := make([]uint64, len(refs))
	for i, ref := range refs {
		if i%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e, err := p.lookup(c, ref)
		if err == stored.ErrNoPart {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, rank := range e.ranks {
			if rank < 1 || rank > p.rows {
				return nil, stored.Damaged("a name of function %d of %d", rank, p.rows)
			}
			maxima[i] = max(maxima[i], columns[maxColumn].at(uint32(rank-1)))
		}
	}
	return maxima, nil
}
