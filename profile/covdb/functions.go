package covdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// State is how much of a function ran.
type State string

// The states. Ran is Partly or Whole.
const (
	Never  State = "never"
	Partly State = "partly"
	Whole  State = "whole"
	Ran    State = "ran"
)

// States are all of them.
var States = []State{Never, Partly, Whole, Ran}

// FunctionQuery selects, orders and pages functions.
type FunctionQuery struct {
	// RowQuery has words of the name, mangled or demangled; see query.Names. Ties end in the
	// order of the objects.
	query.RowQuery
	Files      []int // that it stands in; nil for all
	State      State // empty for all
	Thresholds []Threshold
	Instances  bool // a template's instances one by one
	OwnFirst   bool // one's own code before all other
}

// FunctionPage is one page of functions.
type FunctionPage struct {
	Rows     []Function
	All      int
	Matching int              // of those Scanned so far when not Complete
	LeftOut  int              // functions that would match; see [Profile.Without]
	Totals   coverage.Summary // of those that match; Functions are they themselves
	Scanned  int              // functions that a text filter has looked at
	Complete bool             // false when a text filter used up its time; ask again to go on
}

// FunctionSums are what the functions that match come to; Functions are they themselves.
type FunctionSums struct {
	Sums    coverage.Summary
	LeftOut int // functions that would match; see [Profile.Without]
}

// FindFunctions finds those that a query selects; its RowQuery does not count, nor do
// thresholds among the words.
func (p *Profile) FindFunctions(q FunctionQuery) table.Find {
	return func(ctx context.Context, t table.Query) (table.Page, error) {
		q.RowQuery = t.RowQuery
		q.Text = WordsOf(t.Text)
		found, err := p.Functions(ctx, q)
		if err != nil {
			return table.Page{}, err
		}
		page := table.Page{All: found.All, Matching: found.Matching, Set: table.Set{
			Rows: found.Rows, Around: &FunctionSums{found.Totals, found.LeftOut},
		}}
		if !found.Complete {
			page.Searched = &table.Progress{Done: found.Scanned, Of: p.Overview.Instances}
		}
		return page, nil
	}
}

// functionOrder is the rows of a query in order.
type functionOrder struct {
	ids     []uint32
	leftOut int
	totals  coverage.Summary
}

// Functions returns one page of functions. Errors are a *query.ColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the profile.
func (p *Profile) Functions(ctx context.Context, q FunctionQuery) (*FunctionPage, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	if len(q.Sort) == 0 {
		q.Sort = []query.Key{Functions.Key()}
	}
	var search func() (*query.Found, error)
	if named := (query.Names{Text: q.Text, Regexp: q.Regexp}); named.Any() {
		search = func() (*query.Found, error) {
			table, err := p.Table("coverage_function")
			if err != nil {
				return nil, err
			}
			return named.Match(ctx, p.Profile, table, p.Overview.Instances, functionName, nil)
		}
	}
	key := query.CacheKey("coverage order", q.Text, q.Regexp, q.Files, q.State, q.Thresholds, q.Instances,
		q.OwnFirst, q.Ranges, q.Sort, p.without)
	o, scanned, err := query.Resumed(ctx, p.Profile, key, p.Overview.Instances, search,
		func(named query.Bitset) (*functionOrder, int64, error) {
			o, err := p.functionOrder(ctx, x, &q, named)
			if err != nil {
				return nil, 0, err
			}
			return o, int64(len(o.ids)) * 4, nil
		})
	if err != nil {
		return nil, err
	}
	page := &FunctionPage{
		All: len(x.rows(q.Instances)), Matching: len(o.ids), LeftOut: o.leftOut, Totals: o.totals, Scanned: scanned,
		Complete: scanned == p.Overview.Instances,
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(o.ids))
	ids := slices.Clone(o.ids[from:to])
	if !q.Instances {
		for i, g := range ids {
			ids[i] = x.first[g]
		}
	}
	if page.Rows, err = p.rows(ctx, ids); err != nil || q.Instances {
		return page, err
	}
	for i, g := range o.ids[from:to] {
		f, all := &page.Rows[i], &x.groups[g]
		f.Count, f.Instances, f.Ran, f.Summary = all.count, int(all.instances), int(all.ran), all.summary()
	}
	return page, nil
}

// rows are functions one by one, or by place.
func (x *index) rows(instances bool) []brief {
	if instances {
		return x.functions
	}
	return x.groups
}

// functionOrder selects and sorts.
func (p *Profile) functionOrder(ctx context.Context, x *index, q *FunctionQuery,
	named query.Bitset) (*functionOrder, error) {
	rows := x.rows(q.Instances)
	among := named
	if named != nil && !q.Instances { // a group has the names of all
		among = x.byGroup(named)
	}
	var tests []query.Test
	if wanted := p.fileSet(q.Files); wanted != nil {
		tests = append(tests, func(i uint32) bool { return rows[i].file >= 0 && wanted.Has(uint32(rows[i].file)) })
	}
	if q.State != "" {
		tests = append(tests, func(i uint32) bool {
			state := rows[i].state()
			return state == q.State || q.State == Ran && state != Never
		})
	}
	for _, t := range q.Thresholds {
		tests = append(tests, func(i uint32) bool { m, _ := rows[i].metric(t.Column); return t.passes(m) })
	}
	for _, r := range q.Ranges {
		v, err := p.functionValue(ctx, x, q.Instances, r.Column)
		if err != nil {
			return nil, err
		}
		tests = append(tests, v.In(r.Min, r.Max))
	}
	o := &functionOrder{ids: query.Select(len(rows), among, tests)}
	if p.functions != nil {
		kept := p.functions
		if !q.Instances {
			kept = x.byGroup(kept)
		}
		all := len(o.ids)
		o.ids = slices.DeleteFunc(o.ids, func(i uint32) bool { return !kept.Has(i) })
		o.leftOut = all - len(o.ids)
	}
	for _, i := range o.ids {
		o.totals.Add(rows[i].summary())
		o.totals.Functions.Total++
		if rows[i].state() != Never {
			o.totals.Functions.Covered++
		}
	}
	err := query.Sort(ctx, o.ids, q.Sort, func(c query.Column) (query.Value, error) {
		return p.functionValue(ctx, x, q.Instances, c)
	})
	if q.OwnFirst {
		other := func(i uint32) int {
			if file := rows[i].file; file >= 0 && p.files[file].Kind != sources.Own {
				return 1
			}
			return 0
		}
		slices.SortStableFunc(o.ids, func(a, b uint32) int { return other(a) - other(b) })
	}
	return o, err
}

// Idle counts the functions that never ran and that the profile has a record of, a template's instances
// one by one.
func (p *Profile) Idle(ctx context.Context) (n int, err error) {
	x, err := p.index(ctx)
	if err != nil {
		return 0, err
	}
	for i := range x.functions {
		if f := &x.functions[i]; f.count == 0 && f.profiled {
			n++
		}
	}
	return n, nil
}

// functionValue is a column of functions.
func (p *Profile) functionValue(ctx context.Context, x *index, instances bool, c query.Column) (query.Value, error) {
	rows := x.rows(instances)
	var v query.Value
	switch c {
	case "count":
		v.At = func(i uint32) uint64 { return rows[i].count }
	case "index":
		v.At = func(i uint32) uint64 { return uint64(i) }
	case "instances":
		v.At = func(i uint32) uint64 { return uint64(max(rows[i].instances, 1)) }
	case "missing":
		v.At = func(i uint32) uint64 { return uint64(rows[i].lines.metric().Missed()) }
	case "total":
		v.At = func(i uint32) uint64 { return uint64(rows[i].lines.total) }
	case "file":
		v.At = func(i uint32) uint64 { return uint64(rows[i].file)<<32 | uint64(rows[i].line) }
		v.Known = func(i uint32) bool { return rows[i].file >= 0 }
	case "name":
		ranks, err := p.nameRanks(ctx)
		if err != nil {
			return query.Value{}, err
		}
		v.At = func(i uint32) uint64 {
			if !instances {
				i = x.first[i]
			}
			return uint64(ranks[i])
		}
	default:
		if _, ok := new(brief).metric(c); !ok {
			return query.Value{}, &query.ColumnError{Column: c, Known: Functions.Sorts()}
		}
		v = query.Real(func(i uint32) float64 { m, _ := rows[i].metric(c); return m.Percent() })
		v.Known = func(i uint32) bool { m, _ := rows[i].metric(c); return m.Total > 0 }
	}
	return v, nil
}

// nameRanks gives each function its place in the order by name.
func (p *Profile) nameRanks(ctx context.Context) ([]uint32, error) {
	return stored.Cached(ctx, p.Profile, "coverage names", func() ([]uint32, int64, error) {
		n := p.Overview.Instances
		order, err := p.Permutation("coverage_by_name", n)
		if err != nil {
			return nil, 0, err
		}
		ranks := make([]uint32, n)
		for at, id := range order {
			if id == 0 || int(id) > n {
				return nil, 0, stored.Damaged("function %d of %d in the order by name", id, n)
			}
			ranks[id-1] = uint32(at)
		}
		return ranks, int64(n) * 4, nil
	})
}

// compareNames orders functions by shown name, then by id.
func compareNames(list []coverage.Function) func(a, b uint32) int {
	return func(a, b uint32) int { return cmp.Or(cmp.Compare(list[a].Name, list[b].Name), cmp.Compare(a, b)) }
}
