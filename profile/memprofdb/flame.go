package memprofdb

import (
	"cmp"
	"context"

	"proflens/analyze"
	"proflens/profile/calltree"
	"proflens/profile/query"
)

// FlameQuery asks for a flame graph.
type FlameQuery struct {
	Filter                // contexts that are in it
	Fold           Fold   // frames that are left out of it
	Weight         Weight // empty is bytes
	calltree.Query        // in a layout, a part of it
}

// FlameGraph is the merged call tree of a heap's contexts, or a part of it.
type FlameGraph struct {
	calltree.Graph[Function, analyze.MemProfTotals]
	Weight Weight
	Known  bool                  // the profile has the weight; else all widths are 0
	All    analyze.MemProfTotals // contexts of the profile
}

// FlameGraph returns a merged call tree, cut to what is asked for: the widest
// nodes that fit.
//
// Errors are stored.ErrNoPart for a function or a node that is not in it; those
// of Contexts for the filter.
func (p *Profile) FlameGraph(ctx context.Context, q FlameQuery) (*FlameGraph, error) {
	q.Weight = cmp.Or(q.Weight, WeightBytes)
	x, selected, err := p.selected(ctx, &q.Filter)
	if err != nil {
		return nil, err
	}
	chosen := query.NewBitset(len(x.contexts.stack))
	for _, i := range selected.ids {
		chosen.Set(i)
	}
	g, err := calltree.Of(ctx, p.stacks(x, q.Fold), chosen, q.Weight.Of, q.Query)
	if err != nil {
		return nil, err
	}
	return &FlameGraph{Graph: *g, Weight: q.Weight, Known: q.Weight.Known(p.Overview.Schema),
		All: p.Overview.MemProfTotals}, nil
}

// stacks are those of an index's contexts.
func (p *Profile) stacks(x *index, fold Fold) *calltree.Stacks[Function, analyze.MemProfTotals] {
	s := &calltree.Stacks[Function, analyze.MemProfTotals]{
		Profile: p.Profile, Key: "memprof " + fold.key() + x.pair, Len: len(x.contexts.stack), Depth: x.depthOf,
		Recursion: fold.Recursion,
		Functions: x.functions, FID: func(f *Function) uint64 { return f.FID }, Compare: (*Function).compare,
		Add: x.contexts.addTo, Sub: (*analyze.MemProfTotals).Sub,
	}
	s.Find = func(fid uint64) (uint32, bool) {
		n, ok := x.byFID[fid]
		return n, ok
	}
	s.Open = func(ctx context.Context) (calltree.Append, error) {
		folding, err := p.folder(ctx, x, Fold{Library: fold.Library})
		if err != nil {
			return nil, err
		}
		return func(list []uint32, inline []bool, i uint32) ([]uint32, []bool) {
			return folding.append(list, inline, x.contexts.stack[i])
		}, nil
	}
	return s
}

// depthOf is how many frames the stack of a context has.
func (x *index) depthOf(context uint32) int {
	if stack := x.contexts.stack[context]; stack >= 0 {
		return int(x.depth[stack])
	}
	return 0
}

// keptDepth is how many frames of a stack are kept, from the leaf on.
func (x *index) keptDepth(most int) int {
	return calltree.KeptDepth(len(x.contexts.stack), most, x.depthOf)
}
