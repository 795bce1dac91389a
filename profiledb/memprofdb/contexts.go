package memprofdb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Query selects, orders and pages allocation contexts. The zero value is all of
// them, those of the most bytes first. What is not known comes last in both
// directions; ties end in the recorded order.
type Query struct {
	Filter
	Sort   []query.Key // empty is bytes, descending
	Offset int         // position in the order
	Limit  int         // rows; 0 is none, for the totals alone
}

// Row is one allocation context.
type Row struct {
	Index   int     // from 0, in the order in which each stack was first seen
	Context uint64  // its address in pages
	StackID uint64  // number in a raw profile or a report; 0 elsewhere
	Stack   []Frame // leaf first, at most MaxRowFrames
	Depth   int     // frames of the stack
	Site    uint64  // ID of its Site by line; 0 without frames
	Class   analyze.MemProfClass
	Mixed   bool // its site has cold contexts and others: it needs cloning
	MIB     memprof.MIB
}

// MaxRowFrames is how many frames of a stack a row has. Real stacks have some
// tens.
const MaxRowFrames = 512

// Value is a column of the row, in its unit; known is false where the profile
// lacks it, and for words.
func (r *Row) Value(c query.Column) (v float64, known bool) {
	f, ok := figures[c]
	if !ok {
		return 0, false
	}
	return f.number(func(field memprof.MIBField) (uint64, bool) {
		switch field {
		case fieldIndex:
			return uint64(r.Index), true
		case fieldDepth:
			return uint64(r.Depth), true
		}
		return r.MIB.Value(field)
	})
}

// Page is one page of a query.
type Page struct {
	Rows     []Row
	All      int // contexts of the profile
	Matching int // that match
	Totals   analyze.MemProfTotals
	// Classes of those that match, by the thresholds of the query, in the order of
	// analyze.MemProfClasses.
	Classes    [len(analyze.MemProfClasses)]ClassTotals
	Thresholds analyze.MemProfThresholds // in force
}

// Contexts returns one page of the allocation contexts.
//
// Errors are a *query.ColumnError, that of names.NewMatcher for a pattern, the
// context's, or about the file.
func (p *Profile) Contexts(ctx context.Context, q Query) (*Page, error) {
	x, selected, err := p.selected(ctx, &q.Filter)
	if err != nil {
		return nil, err
	}
	ids, err := p.order(ctx, x, selected, &q)
	if err != nil {
		return nil, err
	}
	page := &Page{
		All: len(x.contexts.stack), Matching: len(ids), Totals: selected.totals, Classes: selected.classTotals,
		Thresholds: q.thresholds(),
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for n, i := range ids[from:to] {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		page.Rows = append(page.Rows, x.row(i, selected, MaxRowFrames))
	}
	return page, nil
}

// row makes the row of a context, with at most so many frames.
func (x *index) row(i uint32, of *selection, frames int) Row {
	r := Row{
		Index: int(i), Context: x.contexts.address[i], StackID: x.contexts.id[i],
		Stack: x.frames(x.contexts.stack[i], frames), Depth: int(x.stackDepth(i)),
		Class: analyze.MemProfClasses[of.classes[i]], Mixed: of.mixed.Has(i), MIB: x.contexts.mib(i),
	}
	if at, ok := x.place(i); ok {
		r.Site = x.address(at)
	}
	return r
}

// selection is the contexts of a filter, and their sums. It is immutable.
type selection struct {
	ids         []uint32 // indices, in the recorded order
	totals      analyze.MemProfTotals
	classTotals [len(analyze.MemProfClasses)]ClassTotals
	classes     []uint8      // of all contexts
	mixed       query.Bitset // of all contexts
}

// selected is the tables and what a filter selects of them, from the cache when
// it was asked for before.
func (p *Profile) selected(ctx context.Context, f *Filter) (*index, *selection, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := stored.Cached(ctx, p.Profile, "memprof selection "+f.key(), func() (*selection, int64, error) {
		n := len(x.contexts.stack)
		s := &selection{classes: x.contexts.classes(f.thresholds())}
		s.mixed = x.mixed(s.classes)
		tests, err := p.tests(ctx, x, f, s)
		if err != nil {
			return nil, 0, err
		}
		s.ids = query.Select(n, nil, tests)
		for _, i := range s.ids {
			x.contexts.addTo(&s.totals, i)
			class := &s.classTotals[s.classes[i]]
			class.Contexts++
			class.Bytes.Add(x.contexts.get(i, memprof.TotalSize))
		}
		return s, int64(len(s.ids))*4 + int64(n) + int64(n)/8 + 512, nil
	})
	return x, s, err
}

// order is the contexts of a query in its order, from the cache when it was
// asked for before.
func (p *Profile) order(ctx context.Context, x *index, of *selection, q *Query) ([]uint32, error) {
	keys := q.Sort
	if len(keys) == 0 {
		keys = []query.Key{{Column: ColBytes, Desc: true}}
	}
	return stored.Cached(ctx, p.Profile, "memprof order "+query.CacheKey(q.key(), keys), func() ([]uint32, int64, error) {
		ids := slices.Clone(of.ids)
		err := query.Sort(ctx, ids, keys, func(c query.Column) (query.Value, error) { return x.value(c, of.classes) })
		return ids, int64(len(ids)) * 4, err
	})
}
