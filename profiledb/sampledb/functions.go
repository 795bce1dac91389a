package sampledb

import (
	"context"

	"proflens/decode/sampleprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// The columns of functions that can be sorted or filtered by.
const (
	ColTotal    query.Column = "total" // with all that they inlined
	ColHead     query.Column = "head"
	ColEntry    query.Column = "entry"      // entries, estimated
	ColBody     query.Column = "body"       // own counts, not where inlined into others
	ColSum      query.Column = "sum"        // counts, of inlined code too
	ColMax      query.Column = "max"        // the largest count
	ColOwn      query.Column = "own"        // own counts, wherever the code is
	ColInlined  query.Column = "inlined"    // own counts where inlined into others
	ColAt       query.Column = "inlined_at" // places where it is inlined
	ColInlinees query.Column = "inlinees"   // functions inlined into it
	ColCalls    query.Column = "calls"      // to it that were not inlined
	ColContexts query.Column = "contexts"   // calling contexts
	ColPlaces   query.Column = "places"
	ColLost     query.Column = "lost" // counts in it of functions that are stale or gone
	ColName     query.Column = "name"
)

// Columns are all of them.
var Columns = []query.Column{
	ColTotal, ColHead, ColEntry, ColBody, ColSum, ColMax, ColOwn, ColInlined, ColAt, ColInlinees, ColCalls, ColContexts,
	ColPlaces, ColLost, ColName,
}

// Among says which names a list has.
type Among string

// The sets of names.
const (
	Entered Among = ""        // functions of the profile
	Sampled Among = "sampled" // all with counts of their own, also where they are inlined everywhere
)

// Heat says which functions are meant, by the thresholds of the summary.
type Heat string

// The heats; empty is any.
const (
	Hot  Heat = "hot"  // a count of the function, or of what it inlined, is hot
	Cold Heat = "cold" // none of these counts is more than cold
	Warm Heat = "warm" // neither
)

// HeatOf is the heat of a function by its largest count.
func (o *Overview) HeatOf(most uint64) Heat {
	switch {
	case o.Hot(most):
		return Hot
	case o.Cold(most):
		return Cold
	}
	return Warm
}

// Query selects, orders and pages names. The zero value is all functions, those with the
// most samples first; ties end in the order of the file's names.
type Query struct {
	query.RowQuery
	Among    Among
	Heat     Heat
	Fits     []sampleprof.Fit // how they stand in the programs; empty is all
	Unlisted bool             // those that the list of symbols has not
	Unnamed  bool             // those of which only the hash is known
}

// Page is one page of names.
type Page struct {
	Rows          []*Name
	All, Matching int
	Total         uint64 // of those that match, with all that they inlined: of Sampled, own counts
}

// Find returns one page of names. Errors are a *query.ColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) Find(ctx context.Context, q Query) (*Page, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	base, err := p.byTotal(ctx, x)
	if q.Among == Sampled {
		base, err = p.byOwn(ctx, x)
	}
	if err != nil {
		return nil, err
	}
	page := &Page{All: len(base)}
	ids := base
	if !q.Plain() || q.Heat != "" || len(q.Fits) > 0 || q.Unlisted || q.Unnamed {
		key := "sample order " + query.CacheKey(q.RowQuery.Key(), q.Among, q.Heat, q.Fits, q.Unlisted, q.Unnamed)
		ids, err = stored.Cached(ctx, p.Profile, key, func() ([]uint32, int64, error) {
			list, err := p.pick(ctx, x, base, &q)
			return list, int64(len(list)) * 4, err
		})
		if err != nil {
			return nil, err
		}
	}
	page.Matching = len(ids)
	for _, i := range ids {
		n := &x.names[i]
		if q.Among == Sampled {
			page.Total = sampleprof.Add(page.Total, n.Own())
		} else {
			page.Total = sampleprof.Add(page.Total, n.Total)
		}
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Rows = append(page.Rows, &x.names[i])
	}
	return page, nil
}

// pick filters and orders names.
func (p *Profile) pick(ctx context.Context, x *index, base []uint32, q *Query) ([]uint32, error) {
	among := base
	if q.Heat != "" || len(q.Fits) > 0 || q.Unlisted || q.Unnamed {
		among = nil
		for _, i := range base {
			n := &x.names[i]
			if (q.Heat == "" || p.Overview.HeatOf(n.Max) == q.Heat) && (len(q.Fits) == 0 || fits(n, q.Fits)) &&
				!(q.Unlisted && n.Listed) && !(q.Unnamed && len(n.Linkage) > 0) {
				among = append(among, i)
			}
		}
	}
	picked, err := q.Pick(ctx, query.Rows{
		Len:   len(among),
		Names: func(i uint32, show func([]byte)) { show(x.names[among[i]].Linkage) },
		Value: func(c query.Column) (query.Value, error) { return x.value(c, among) },
	})
	list := make([]uint32, len(picked))
	for at, i := range picked {
		list[at] = among[i]
	}
	return list, err
}

func fits(n *Name, of []sampleprof.Fit) bool {
	for _, fit := range of {
		if n.Fit == fit {
			return true
		}
	}
	return false
}

// value is a column of some names.
func (x *index) value(c query.Column, among []uint32) (query.Value, error) {
	of := func(number func(n *Name) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(&x.names[among[i]]) }}, nil
	}
	switch c {
	case ColTotal:
		return of(func(n *Name) uint64 { return n.Total })
	case ColHead:
		return of(func(n *Name) uint64 { return n.Head })
	case ColEntry:
		return of(func(n *Name) uint64 { return n.Entry })
	case ColBody:
		return of(func(n *Name) uint64 { return n.Body })
	case ColSum:
		return of(func(n *Name) uint64 { return n.Sum })
	case ColMax:
		return of(func(n *Name) uint64 { return n.Max })
	case ColOwn:
		return of(func(n *Name) uint64 { return n.Own() })
	case ColInlined:
		return of(func(n *Name) uint64 { return n.Inlined })
	case ColAt:
		return of(func(n *Name) uint64 { return uint64(n.InlinedAt) })
	case ColInlinees:
		return of(func(n *Name) uint64 { return uint64(n.Inlinees) })
	case ColCalls:
		return of(func(n *Name) uint64 { return n.Calls })
	case ColContexts:
		return of(func(n *Name) uint64 { return uint64(n.Entries) })
	case ColPlaces:
		return of(func(n *Name) uint64 { return uint64(n.Places) })
	case ColLost:
		return of(func(n *Name) uint64 { return n.Lost.Lost() })
	case ColName:
		return query.Words(len(among), func(i uint32) string { return string(x.names[among[i]].Linkage) }), nil
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: Columns}
}

// byTotal are the functions by total, descending.
func (p *Profile) byTotal(ctx context.Context, x *index) ([]uint32, error) {
	return p.sorted(ctx, x, "sample by total", func(n *Name) (uint64, bool) { return n.Total, n.Entries > 0 })
}

// byOwn are the names with own counts by these, descending.
func (p *Profile) byOwn(ctx context.Context, x *index) ([]uint32, error) {
	return p.sorted(ctx, x, "sample by own", func(n *Name) (uint64, bool) { return n.Own(), n.Own() > 0 })
}

func (p *Profile) sorted(ctx context.Context, x *index, what string,
	by func(n *Name) (value uint64, has bool)) ([]uint32, error) {
	return stored.Cached(ctx, p.Profile, what, func() ([]uint32, int64, error) {
		var ids []uint32
		for i := range x.names {
			if _, has := by(&x.names[i]); has {
				ids = append(ids, uint32(i))
			}
		}
		query.SortBy(ids, func(i uint32) uint64 { v, _ := by(&x.names[i]); return ^v })
		return ids, int64(len(ids)) * 4, ctx.Err()
	})
}
