package dcpidb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// DiffQuery compares procedures over epochs or hosts: two of them, or all that
// the selection has.
type DiffQuery struct {
	Selection            // By is ByEpoch or ByPlatform
	A, B          string // before and after; both empty: the first and the last of all
	Normalise     bool   // every set is scaled to the total of the first
	Text, Regexp  string // over the name
	Range         uint64 // as in ProcedureQuery
	Sort          []query.Key
	Offset, Limit int
}

// DiffSorts are what differences can be sorted by; without a sort it is by how
// far the sets are apart, descending: range, which of two sets is |delta|.
var DiffSorts = []query.Column{
	"range", "delta", "before", "after", "sum", "range_share", "sets", "mean", "deviation", ColName, ColImage,
}

// DiffPage is one page of differences.
type DiffPage struct {
	Sets     []Column  // before first, after last
	Unit     Unit      // of all figures
	Scale    []float64 // what each set was multiplied by
	Totals   []float64 // of the sets, scaled
	Rows     []DiffRow
	All      int // procedures with samples in any set
	Matching int
	Hidden   int // sets that are left out, being too many
}

// DiffRow is a procedure in every set.
type DiffRow struct {
	Row
	Values        []float64 // by set, scaled
	Before, After float64   // the first and the last of them
	Delta         float64
	analyze.Spread
	OfTotal float64 // the sum's share of that of all procedures
}

// SetError is returned for an epoch or host that a selection has no profile of.
type SetError struct {
	Name  string
	Known []string
}

// Error names the set.
func (e *SetError) Error() string { return "there is no profile of " + e.Name }

// Diff compares procedures. Images are matched by their label, since a program
// that was built again has another id, and procedures by their name.
//
// Errors are a *SetError, a *query.ColumnError, that of names.NewMatcher for a
// pattern, the context's, or about the file.
func (p *Profile) Diff(ctx context.Context, q DiffQuery) (*DiffPage, error) {
	plan, order, err := p.Overview.diffPlan(&q)
	if err != nil {
		return nil, err
	}
	key := query.CacheKey("dcpi diff", plan.key, order, q.Unit, q.Normalise, q.Text, q.Regexp, q.Range, q.Sort)
	whole, err := stored.Cached(ctx, p.Profile, key, func() (*DiffPage, int64, error) {
		page, err := p.wholeDiff(ctx, plan, order, &q)
		if err != nil {
			return nil, 0, err
		}
		return page, int64(len(page.Rows)) * int64(240+32*len(order)), nil
	})
	if err != nil {
		return nil, err
	}
	page := *whole
	from, to := query.Clamp(q.Offset, q.Limit, len(page.Rows))
	page.Rows = page.Rows[from:to]
	return &page, nil
}

// wholeDiff is all rows of a difference in their order.
func (p *Profile) wholeDiff(ctx context.Context, plan *plan, order []int, q *DiffQuery) (*DiffPage, error) {
	all, err := p.procedureRows(ctx, plan, q.Range)
	if err != nil {
		return nil, err
	}
	all = p.Overview.byLabel(all)
	found, err := named(all, q.Text, q.Regexp)
	if err != nil {
		return nil, err
	}
	d := newDiffer(plan, order, q)
	rows := make([]DiffRow, len(found))
	for i, row := range found {
		rows[i] = d.row(row)
	}
	page := &DiffPage{
		Unit: d.unit, Scale: d.scale, Totals: d.totals, All: len(all), Matching: len(rows), Hidden: plan.hidden,
	}
	for _, i := range order {
		page.Sets = append(page.Sets, plan.columns[i])
	}
	page.Rows, err = sortedDiff(ctx, rows, q.Sort)
	return page, err
}

// diffPlan resolves the sets, and gives the columns of the plan in their order:
// before first, after last.
func (o *Overview) diffPlan(q *DiffQuery) (*plan, []int, error) {
	if q.By != ByPlatform {
		q.By = ByEpoch
	}
	s, sets := q.Selection, []string{q.A, q.B}
	if q.A == "" && q.B == "" {
		sets = nil
	} else if q.By == ByEpoch {
		s.Epochs = sets
	} else {
		s.Platforms = sets
	}
	plan := o.plan(&s)
	order := []int{}
	for i := range plan.columns {
		order = append(order, i)
	}
	for n, name := range sets {
		i := slices.IndexFunc(plan.columns, func(c Column) bool { return c.Name == name })
		if i < 0 {
			fault := &SetError{Name: name}
			for _, c := range o.plan(&q.Selection).columns {
				fault.Known = append(fault.Known, c.Name)
			}
			return nil, nil, fault
		}
		order = append(order[:n], i)
	}
	return plan, order, nil
}

// byLabel combines the rows of images that are called alike.
func (o *Overview) byLabel(rows []*Row) []*Row {
	type labelled struct {
		label string
		rowKey
	}
	known := map[labelled]*Row{}
	var list []*Row
	for _, row := range rows {
		k := labelled{o.Images[row.Image].Label, row.key}
		if same := known[k]; same != nil {
			row.addTo(same.Cells)
			continue
		}
		copied := *row
		copied.Cells = slices.Clone(row.Cells)
		known[k] = &copied
		list = append(list, &copied)
	}
	return list
}

func sortedDiff(ctx context.Context, rows []DiffRow, keys []query.Key) ([]DiffRow, error) {
	if len(keys) == 0 {
		keys = []query.Key{{Column: "range", Desc: true}}
	}
	for _, key := range keys {
		if !slices.Contains(DiffSorts, key.Column) {
			return nil, &query.ColumnError{Column: key.Column, Known: DiffSorts}
		}
	}
	return sorted(ctx, rows, slices.Concat(keys, ties), func(by query.Column) (query.Value, error) {
		switch figure := diffFigures[by]; {
		case figure != nil:
			return query.Real(func(i uint32) float64 { return figure(&rows[i]) }), nil
		case by == ColImage:
			return query.Value{At: func(i uint32) uint64 { return uint64(rows[i].Image) }}, nil
		case by == ColAddress:
			return query.Value{At: func(i uint32) uint64 { return rows[i].Address }}, nil
		}
		return query.Words(len(rows), func(i uint32) string { return rows[i].Name }), nil
	})
}

// diffFigures are the columns of differences that are numbers.
var diffFigures = map[query.Column]func(r *DiffRow) float64{
	"range":       func(r *DiffRow) float64 { return r.Range },
	"delta":       func(r *DiffRow) float64 { return r.Delta },
	"before":      func(r *DiffRow) float64 { return r.Before },
	"after":       func(r *DiffRow) float64 { return r.After },
	"sum":         func(r *DiffRow) float64 { return r.Sum },
	"range_share": func(r *DiffRow) float64 { return r.Share },
	"sets":        func(r *DiffRow) float64 { return float64(r.Sets) },
	"mean":        func(r *DiffRow) float64 { return r.Mean },
	"deviation":   func(r *DiffRow) float64 { return r.Deviation },
}
