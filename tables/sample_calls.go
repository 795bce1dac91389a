package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/decode/sampleprof"
	"proflens/profiledb/sampledb"
)

// sampleSide are the columns of a function beside another: its address, what it is called
// demangled, and its linkage name. A name that is not known is null.
func sampleSide[T any](side string, of func(*T) *sampledb.Name, demangle func(string) string) []Column[T] {
	cell := func(value func(n *sampledb.Name) Cell) func(*T) Cell {
		return func(row *T) Cell {
			n := of(row)
			if n == nil {
				return Null
			}
			return value(n)
		}
	}
	return []Column[T]{
		{side + "_fid", 16, cell(func(n *sampledb.Name) Cell { return Hex(n.GUID) })},
		{side, 48, cell(func(n *sampledb.Name) Cell {
			if len(n.Linkage) == 0 {
				return Null
			}
			return Text(demangle(string(n.Linkage)))
		})},
		{side + "_linkage_name", 0, cell(func(n *sampledb.Name) Cell { return textOrNull(string(n.Linkage)) })},
	}
}

func openSampleEdges(ctx context.Context, p *sampledb.Profile, o Options) (Table, error) {
	return SampleEdges(p, sampledb.EdgeQuery{}, o), nil
}

var sampleEdgeText = []string{"calls", "places", "inlined", "inlined_at", "caller", "callee"}

// SampleEdges is the calls between functions that a query selects, those that were inlined
// too; its Offset and Limit do not count.
func SampleEdges(p *sampledb.Profile, q sampledb.EdgeQuery, o Options) Table {
	columns := slices.Concat(
		sampleSide("caller", func(e *sampledb.Edge) *sampledb.Name { return e.Caller }, o.Demangle),
		sampleSide("callee", func(e *sampledb.Edge) *sampledb.Name { return e.Callee }, o.Demangle),
		[]Column[sampledb.Edge]{
			{"calls", 12, func(e *sampledb.Edge) Cell { return Count(e.Calls) }},
			{"places", 8, func(e *sampledb.Edge) Cell { return Int(uint64(e.Places)) }},
			{"inlined", 12, func(e *sampledb.Edge) Cell { return Count(e.Inlined) }},
			{"inlined_at", 10, func(e *sampledb.Edge) Cell { return Int(uint64(e.InlinedAt)) }},
		})
	var page *sampledb.EdgePage
	l := &List[sampledb.Edge]{Columns: columns, Text: sampleEdgeText, Quote: o.Quote}
	l.Read = func(ctx context.Context, offset, limit int) (Step[sampledb.Edge], error) {
		q.Offset, q.Limit = offset, limit
		var err error
		if page, err = p.Edges(ctx, q); err != nil {
			return Step[sampledb.Edge]{}, err
		}
		return Step[sampledb.Edge]{Rows: page.Rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[sampledb.Edge]) []byte {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		b = AppendCount(append(b, `,"matching_calls":`...), page.Calls, o.Quote)
		return AppendCount(append(b, `,"matching_inlined":`...), page.Inlined, o.Quote)
	}
	return l
}

func openSampleTargets(ctx context.Context, p *sampledb.Profile, o Options) (Table, error) {
	return SampleTargets(ctx, p, 0, o)
}

// SampleTargets is the functions that places call without having them inlined, of a
// function by its GUID or of all with 0.
func SampleTargets(ctx context.Context, p *sampledb.Profile, function uint64, o Options) (Table, error) {
	return placesTable(ctx, p, sampledb.OfTargets, function, o, []string{
		"count", "share", "offset", "discriminator", "caller", "callee",
	},
		func(names []sampledb.Name) []Column[sampledb.Place] {
			return slices.Concat(
				sampleSide("caller", func(r *sampledb.Place) *sampledb.Name { return &names[r.Function.Name] }, o.Demangle),
				whereColumns(p, names),
				sampleSide("callee", func(r *sampledb.Place) *sampledb.Name { return &names[r.Target.Name] }, o.Demangle),
				[]Column[sampledb.Place]{
					{"count", 12, func(r *sampledb.Place) Cell { return Count(r.Target.Count) }},
					{"share", 8, func(r *sampledb.Place) Cell {
						sum := uint64(0)
						for _, t := range r.Targets {
							sum = sampleprof.Add(sum, t.Count)
						}
						return Ratio(PartOf(r.Target.Count, sum))
					}},
				})
		})
}
