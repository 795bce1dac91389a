package sampledb

import (
	"cmp"
	"context"
	"slices"

	"proflens/decode/sampleprof"
	"proflens/profiledb/budget"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Edge is a function that calls another, or that has it inlined, wherever the caller's own
// code is.
type Edge struct {
	Caller, Callee *Name
	Calls          uint64 // that were not inlined
	Places         int    // of the caller with such calls
	Inlined        uint64 // counts of the callee, with all in it, where it is inlined into the caller
	InlinedAt      int    // places where it is
}

// Weight is what edges are ordered by: calls and inlined counts together.
func (e *Edge) Weight() uint64 { return sampleprof.Add(e.Calls, e.Inlined) }

// edgeKey is the ids of both names.
type edgeKey struct{ caller, callee uint32 }

// edgeBytes is what an edge takes, and edgePlace what it takes to be found while all are
// added up.
const (
	edgeBytes = 48
	edgePlace = 80
)

// edges adds up all calls, the heaviest first.
func (p *Profile) edges(ctx context.Context) ([]Edge, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	return stored.Cached(ctx, p.Profile, "sample edges", func() ([]Edge, int64, error) {
		var list []Edge
		found := map[edgeKey]int32{} // places in list
		at := func(caller, callee sampleprof.NameID) *Edge {
			key := edgeKey{uint32(caller), uint32(callee)}
			i, ok := found[key]
			if !ok {
				i = int32(len(list))
				found[key], list = i, append(list, Edge{Caller: &x.names[caller], Callee: &x.names[callee]})
			}
			return &list[i]
		}
		m := budget.NewMeter(ctx)
		err := p.Each(ctx, func(entry *Entry) error {
			before := len(list)
			addCalls(entry.Function, at)
			return m.Add((len(list) - before) * (edgeBytes*growthCost + edgePlace))
		})
		if err != nil {
			return nil, 0, err
		}
		slices.SortFunc(list, func(a, b Edge) int {
			return cmp.Or(cmp.Compare(b.Weight(), a.Weight()), cmp.Compare(a.Caller.ID, b.Caller.ID),
				cmp.Compare(a.Callee.ID, b.Callee.ID))
		})
		return list, int64(cap(list)) * edgeBytes, nil
	})
}

// addCalls adds the calls of a function, and of what it inlined; sum is its counts.
func addCalls(f *sampleprof.Function, at func(caller, callee sampleprof.NameID) *Edge) (sum uint64) {
	for i := range f.Body {
		sum = sampleprof.Add(sum, f.Body[i].Count)
		for _, t := range f.Body[i].Targets {
			e := at(f.Name, t.Name)
			e.Calls = sampleprof.Add(e.Calls, t.Count)
			e.Places++
		}
	}
	for _, s := range f.Sites {
		inside := addCalls(s.Callee, at)
		e := at(f.Name, s.Callee.Name)
		e.Inlined = sampleprof.Add(e.Inlined, inside)
		e.InlinedAt++
		sum = sampleprof.Add(sum, inside)
	}
	return sum
}

// The columns of edges that can be sorted or filtered by.
const (
	ColCaller    query.Column = "caller"
	ColCallee    query.Column = "callee"
	ColWeight    query.Column = "weight" // calls and inlined counts together
	ColInlinedAt query.Column = "inlined_at"
)

// EdgeColumns are all of them.
var EdgeColumns = []query.Column{ColWeight, ColCalls, ColInlined, ColPlaces, ColInlinedAt, ColCaller, ColCallee}

// EdgeQuery selects, orders and pages edges. The zero value is all, the heaviest first.
type EdgeQuery struct {
	query.RowQuery
	Caller, Callee uint64 // GUIDs; 0 is any
}

// EdgePage is one page of edges.
type EdgePage struct {
	Rows           []Edge
	All, Matching  int
	Calls, Inlined uint64 // of those that match
}

// Edges returns one page of the call graph. Errors are a *query.ColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) Edges(ctx context.Context, q EdgeQuery) (*EdgePage, error) {
	all, err := p.edges(ctx)
	if err != nil {
		return nil, err
	}
	among := all
	if q.Caller != 0 || q.Callee != 0 {
		among = nil
		for _, e := range all {
			if (q.Caller == 0 || e.Caller.GUID == q.Caller) && (q.Callee == 0 || e.Callee.GUID == q.Callee) {
				among = append(among, e)
			}
		}
	}
	ids, err := q.Pick(ctx, query.Rows{
		Len:   len(among),
		Names: func(i uint32, show func([]byte)) { show(among[i].Caller.Linkage); show(among[i].Callee.Linkage) },
		Value: func(c query.Column) (query.Value, error) { return edgeValue(c, among) },
	})
	if err != nil {
		return nil, err
	}
	page := &EdgePage{All: len(all), Matching: len(ids)}
	for _, i := range ids {
		page.Calls, page.Inlined = sampleprof.Add(page.Calls, among[i].Calls), sampleprof.Add(page.Inlined, among[i].Inlined)
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, among[i])
	}
	return page, nil
}

func edgeValue(c query.Column, among []Edge) (query.Value, error) {
	of := func(number func(e *Edge) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(&among[i]) }}, nil
	}
	switch c {
	case ColWeight:
		return of((*Edge).Weight)
	case ColCalls:
		return of(func(e *Edge) uint64 { return e.Calls })
	case ColInlined:
		return of(func(e *Edge) uint64 { return e.Inlined })
	case ColPlaces:
		return of(func(e *Edge) uint64 { return uint64(e.Places) })
	case ColInlinedAt:
		return of(func(e *Edge) uint64 { return uint64(e.InlinedAt) })
	case ColCaller:
		return query.Words(len(among), func(i uint32) string { return string(among[i].Caller.Linkage) }), nil
	case ColCallee:
		return query.Words(len(among), func(i uint32) string { return string(among[i].Callee.Linkage) }), nil
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: EdgeColumns}
}
