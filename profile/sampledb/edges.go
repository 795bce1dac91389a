package sampledb

import (
	"cmp"
	"context"
	"slices"

	"proflens/decode/sampleprof"
	"proflens/profile/budget"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Edge is a function that calls another, or that has it inlined, wherever the caller's own
// code is.
type Edge struct {
	Caller    *Ident `col:"caller_" parts:"fid,function,linkage_name" head:"Caller"`
	_         column `how:"names a name" is:"sort,up,words" help:"the calling function" as:"!"`
	Callee    *Ident `col:"callee_" parts:"fid,function,linkage_name" head:"Callee" is:"sort,up,words"`
	_         column `help:"the called function" as:"!"`
	Calls     uint64 `col:"calls" width:"12" how:"sample-calls a number of calls" is:"sort,range,bar"`
	_         column `help:"sampled calls that were not inlined"`
	Places    int    `col:"places" width:"8" is:"sort,range" help:"places of the caller with such calls"`
	Inlined   uint64 `col:"inlined" width:"12" is:"sort,range"`
	_         column `help:"counts of the callee, and of what is in it, where it is inlined into the caller"`
	InlinedAt int    `col:"inlined_at" width:"10" is:"sort,range" help:"places where it is inlined"`
	_         column `col:"weight" is:"page,sort,number" help:"calls and inlined counts together"`
}

// Edges is the table of the call graph.
var Edges = table.Declare[Edge](table.Declaration{
	Around: (*EdgeSums)(nil),
	About:  "A caller and a callee.",
	Noun:   "call", All: true,
	Usual: "-calls", Sought: "caller or callee",
	Show: "caller callee calls places inlined inlined_at", Text: "calls places inlined inlined_at caller callee",
	Least: "calls",
})

// Weight is what edges are ordered by: calls and inlined counts together.
func (e *Edge) Weight() uint64 { return sampleprof.Add(e.Calls, e.Inlined) }

// Cell implements [table.Celler].
func (e *Edge) Cell(string, *table.Options) table.Cell { return table.Count(e.Weight()) }

// edgeKey is the ids of both names.
type edgeKey struct{ caller, callee uint32 }

// edgeBytes is what an edge takes, and edgePlace what it takes to be found while all are
// added up.
const (
	edgeBytes = 48
	edgePlace = 80
)

// edges adds up all calls: those that could still be inlined first, then the heaviest inlined.
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
				found[key], list = i, append(list, Edge{Caller: &x.names[caller].Ident, Callee: &x.names[callee].Ident})
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
			return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(b.Inlined, a.Inlined),
				cmp.Compare(a.Caller.ID, b.Caller.ID),
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

// EdgeSums is what the edges that match come to.
type EdgeSums struct {
	Calls   uint64 `col:"matching_calls"`
	Inlined uint64 `col:"matching_inlined"`
}

// FindEdges finds edges: of a caller, and of a callee, by their GUIDs; 0 is any. The error
// is the context's, or about the file.
func (p *Profile) FindEdges(ctx context.Context, caller, callee uint64) (table.Find, error) {
	all, err := p.edges(ctx)
	set := table.Set{Rows: all, Sorted: true, Matched: func(ids []uint32) any {
		var s EdgeSums
		for _, i := range ids {
			s.Calls, s.Inlined = sampleprof.Add(s.Calls, all[i].Calls), sampleprof.Add(s.Inlined, all[i].Inlined)
		}
		return &s
	}}
	if caller != 0 {
		set.Tests = append(set.Tests, func(i uint32) bool { return all[i].Caller.GUID == caller })
	}
	if callee != 0 {
		set.Tests = append(set.Tests, func(i uint32) bool { return all[i].Callee.GUID == callee })
	}
	return Edges.Within(set), err
}
