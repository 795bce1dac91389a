package sampledb

import (
	"context"
	"slices"

	"proflens/decode/sampleprof"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Functions is the table of functions, by total.
var Functions = table.Declare[Name](table.Declaration{
	Around: (*FunctionSums)(nil),
	About:  "A function of a sample profile, with all its contexts. With cols, only the columns asked for.",
	Noun:   "function", All: true, Usual: "-total",
	Least: "total",
	Show:  "rank name total head body max inlinees", Text: "total share head body max heat demangled",
})

// Shown is the table as pages show it: with own samples in place of totals, and what is lost
// where anything is.
func (o *Overview) Shown(own bool) *table.Declaration {
	d := *Functions
	if own {
		d.Usual, d.Least, d.Show = "-own", "own", "rank name own inlined inlinees"
	}
	if lost := &o.Program.Fits; lost[sampleprof.FitStale].Functions+lost[sampleprof.FitGone].Functions > 0 {
		d.Show += " lost fit"
	}
	return &d
}

// What functions are compared by.
const (
	ColTotal query.Column = "total" // with all that they inlined
	ColOwn   query.Column = "own"   // own counts, wherever the code is
	ColHead  query.Column = "head"
)

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
	FunctionSums
}

// FunctionSums is what the functions that match come to.
type FunctionSums struct {
	Total uint64 `col:"matching_total"` // with all that they inlined: of Sampled, own counts
}

// Find returns one page of names. Errors are a *query.ColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) Find(ctx context.Context, q Query) (*Page, error) {
	find, err := p.FindFunctions(ctx, q)
	if err != nil {
		return nil, err
	}
	page, err := find(ctx, table.Query{RowQuery: q.RowQuery})
	if err != nil {
		return nil, err
	}
	return &Page{table.RowsOf[Name](&page), page.All, page.Matching, *page.Around.(*FunctionSums)}, nil
}

// FindFunctions finds those that a query filters; the rest of it does not count. The error
// is the context's, or about the file.
func (p *Profile) FindFunctions(ctx context.Context, q Query) (table.Find, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	list := x.order
	if q.Among == Sampled {
		if list, err = p.byOwn(ctx, x); err != nil {
			return nil, err
		}
	}
	set := table.Set{
		Rows: list, Sorted: true, Whole: map[string]float64{"total": float64(x.totals),
			"own": float64(p.Overview.Summary.Total)},
	}
	if q.Heat != "" || len(q.Fits) > 0 || q.Unlisted || q.Unnamed {
		set.Tests = append(set.Tests, func(i uint32) bool {
			n := list[i]
			return (q.Heat == "" || p.Overview.HeatOf(n.Max) == q.Heat) &&
				(len(q.Fits) == 0 || slices.Contains(q.Fits, n.Fit)) &&
				!(q.Unlisted && n.Listed) && !(q.Unnamed && len(n.Linkage) > 0)
		})
	}
	set.Matched = func(ids []uint32) any {
		var s FunctionSums
		for _, i := range ids {
			figure := list[i].Total
			if q.Among == Sampled {
				figure = list[i].Own()
			}
			s.Total = sampleprof.Add(s.Total, figure)
		}
		return &s
	}
	return Functions.Within(set), nil
}

// byOwn are the names with own counts by these, descending.
func (p *Profile) byOwn(ctx context.Context, x *index) ([]*Name, error) {
	return stored.Cached(ctx, p.Profile, "sample by own", func() ([]*Name, int64, error) {
		list := x.sorted(func(n *Name) (uint64, bool) { return n.Own(), n.Own() > 0 })
		return list, int64(len(list)) * 8, ctx.Err()
	})
}

// sorted are the names that have a value, descending by it.
func (x *index) sorted(by func(n *Name) (value uint64, has bool)) []*Name {
	var ids []uint32
	for i := range x.names {
		if _, has := by(&x.names[i]); has {
			ids = append(ids, uint32(i))
		}
	}
	query.SortBy(ids, func(i uint32) uint64 { v, _ := by(&x.names[i]); return ^v })
	list := make([]*Name, len(ids))
	for at, i := range ids {
		list[at] = &x.names[i]
	}
	return list
}
