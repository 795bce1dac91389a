package store

import (
	"cmp"
	"context"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/names"
)

// DiffQuery compares procedures over epochs or hosts: two of them, or all that
// the selection has.
type DiffQuery struct {
	DCPISelection        // By is ByEpoch or ByPlatform
	A, B          string // before and after; both empty: the first and the last of all
	Normalise     bool   // every set is scaled to the total of the first
	Text, Regexp  string // over the name
	Range         uint64 // as in ProcedureQuery
	Sort          []DCPISortKey
	Offset, Limit int
}

// DiffSorts are what differences can be sorted by; without a sort it is by how
// far the sets are apart, descending: range, which of two sets is |delta|.
var DiffSorts = []string{"range", "delta", "before", "after", "sum", "range_share", "name"}

// DiffPage is one page of differences.
type DiffPage struct {
	Sets     []DCPIColumn // before first, after last
	Unit     DCPIUnit     // of all figures
	Scale    []float64    // what each set was multiplied by
	Totals   []float64    // of the sets, scaled
	Rows     []DiffRow
	All      int // procedures with samples in any set
	Matching int
	Hidden   int // sets that are left out, being too many
}

// DiffRow is a procedure in every set.
type DiffRow struct {
	DCPIRow
	Values        []float64 // by set, scaled
	Before, After float64   // the first and the last of them
	Delta         float64
	analyze.Spread
	OfTotal float64 // the sum's share of that of all procedures
}

// DCPISetError is returned for an epoch or host that a selection has no profile
// of.
type DCPISetError struct {
	Name  string
	Known []string
}

// Error names the set.
func (e *DCPISetError) Error() string { return "there is no profile of " + e.Name }

// Diff compares procedures. Images are matched by their label, since a program
// that was built again has another id, and procedures by their name.
//
// Errors are ErrNotFound for a profile of another family, a DCPISetError, a
// DCPIColumnError, that of names.NewMatcher for a pattern, the context's, or
// about the file.
func (p *Profile) Diff(ctx context.Context, q DiffQuery) (*DiffPage, error) {
	plan, order, err := p.diffPlan(ctx, &q)
	if err != nil {
		return nil, err
	}
	key := cacheWords("dcpi diff", plan.key, order, q.Unit, q.Normalise, q.Text, q.Regexp, q.Range, q.Sort)
	v, err := p.cached(ctx, key, func() (any, int64, error) {
		page, err := p.wholeDiff(ctx, plan, order, &q)
		if err != nil {
			return nil, 0, err
		}
		return page, int64(len(page.Rows)) * int64(240+32*len(order)), nil
	})
	if err != nil {
		return nil, err
	}
	page := *v.(*DiffPage)
	from, to := clamp(q.Offset, q.Limit, len(page.Rows))
	page.Rows = page.Rows[from:to]
	return &page, nil
}

// wholeDiff is all rows of a difference in their order.
func (p *Profile) wholeDiff(ctx context.Context, plan *dcpiPlan, order []int, q *DiffQuery) (*DiffPage, error) {
	rows, err := p.procedureRows(ctx, plan, q.Range, q.Shift)
	if err != nil {
		return nil, err
	}
	matcher, err := names.NewMatcher(q.Text, q.Regexp)
	if err != nil {
		return nil, err
	}
	d := newDiffer(plan, order, q)
	page := &DiffPage{Unit: d.unit, Scale: d.scale, Totals: d.totals, Hidden: plan.hidden}
	for _, i := range order {
		page.Sets = append(page.Sets, plan.columns[i])
	}
	rows = byLabel(plan.o, rows)
	page.All = len(rows)
	page.Rows = make([]DiffRow, 0, len(rows))
	for n, row := range rows {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if (q.Text == "" && q.Regexp == "") || row.Kind == RowProcedure && matcher.Match([]byte(row.Name)) {
			page.Rows = append(page.Rows, d.row(row))
		}
	}
	page.Matching = len(page.Rows)
	return page, sortDiff(page.Rows, q.Sort)
}

// diffPlan resolves the sets, and gives the columns of the plan in their order:
// before first, after last.
func (p *Profile) diffPlan(ctx context.Context, q *DiffQuery) (*dcpiPlan, []int, error) {
	if q.By != ByPlatform {
		q.By = ByEpoch
	}
	s := q.DCPISelection
	if q.A != "" || q.B != "" {
		sets := []string{q.A, q.B}
		if q.By == ByEpoch {
			s.Epochs = sets
		} else {
			s.Platforms = sets
		}
	}
	plan, err := p.plan(ctx, &s)
	if err != nil {
		return nil, nil, err
	}
	order := make([]int, len(plan.columns))
	for i := range order {
		order[i] = i
	}
	if q.A == "" && q.B == "" {
		return plan, order, nil
	}
	order = order[:0]
	for _, name := range []string{q.A, q.B} {
		i := slices.IndexFunc(plan.columns, func(c DCPIColumn) bool { return c.Name == name })
		if i < 0 {
			known, _, err := p.DCPIColumnsOf(ctx, q.DCPISelection)
			if err != nil {
				return nil, nil, err
			}
			fault := &DCPISetError{Name: name}
			for _, c := range known {
				fault.Known = append(fault.Known, c.Name)
			}
			return nil, nil, fault
		}
		order = append(order, i)
	}
	return plan, order, nil
}

// differ makes rows of differences.
type differ struct {
	order         []int
	unit          DCPIUnit
	scale, totals []float64
	total         float64
}

// newDiffer finds the unit in which all sets can be compared, and what each is
// scaled by.
func newDiffer(plan *dcpiPlan, order []int, q *DiffQuery) *differ {
	d := &differ{order: order, unit: UnitSamples}
	for n, i := range order {
		c := &plan.columns[i]
		switch {
		case q.Unit == UnitSeconds && !c.NoTime:
			d.unit = UnitSeconds
		case q.Unit == UnitEvents, c.Unit == UnitEvents, n > 0 && !c.Rate.SameEvents(plan.columns[order[0]].Rate):
			d.unit = UnitEvents
		}
	}
	for n, i := range order {
		total, scale := plan.columns[i].Total.Value(d.unit), 1.0
		if q.Normalise && total > 0 && n > 0 && d.totals[0] > 0 {
			scale = d.totals[0] / total
		}
		d.scale, d.totals = append(d.scale, scale), append(d.totals, total*scale)
		d.total += total * scale
	}
	return d
}

func (d *differ) row(row *DCPIRow) DiffRow {
	r := DiffRow{DCPIRow: *row, Values: make([]float64, len(d.order))}
	for n, i := range d.order {
		r.Values[n] = row.Cells[i].Value(d.unit) * d.scale[n]
	}
	if len(r.Values) > 0 {
		r.Before, r.After = r.Values[0], r.Values[len(r.Values)-1]
	}
	r.Delta = r.After - r.Before
	r.Spread = analyze.SpreadOf(r.Values)
	if d.total > 0 {
		r.OfTotal = r.Sum / d.total
	}
	return r
}

// byLabel combines the rows of images that are called alike.
func byLabel(o *DCPIOverview, rows []*DCPIRow) []*DCPIRow {
	type labelled struct {
		label string
		rowKey
	}
	known := map[labelled]*DCPIRow{}
	var list []*DCPIRow
	for _, row := range rows {
		k := labelled{o.Images[row.Image].Label, row.key}
		same := known[k]
		if same == nil {
			copied := *row
			copied.Cells = slices.Clone(row.Cells)
			known[k] = &copied
			list = append(list, &copied)
			continue
		}
		for i := range row.Cells {
			same.Cells[i].Add(&row.Cells[i])
		}
	}
	return list
}

func sortDiff(rows []DiffRow, keys []DCPISortKey) error {
	if len(keys) == 0 {
		keys = []DCPISortKey{{"range", true}}
	}
	for _, key := range keys {
		if !slices.Contains(DiffSorts, key.Column) {
			return &DCPIColumnError{key.Column, DiffSorts}
		}
	}
	slices.SortStableFunc(rows, func(a, b DiffRow) int {
		for _, key := range keys {
			order := a.compare(&b, key.Column)
			if key.Desc {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Image, b.Image), cmp.Compare(a.Address, b.Address))
	})
	return nil
}

// compare orders two rows by one column.
func (r *DiffRow) compare(o *DiffRow, column string) int {
	value := map[string]func(*DiffRow) float64{
		"range": func(r *DiffRow) float64 { return r.Range }, "delta": func(r *DiffRow) float64 { return r.Delta },
		"before": func(r *DiffRow) float64 { return r.Before }, "after": func(r *DiffRow) float64 { return r.After },
		"sum": func(r *DiffRow) float64 { return r.Sum }, "range_share": func(r *DiffRow) float64 { return r.Share },
	}[column]
	if value == nil {
		return cmp.Compare(r.Name, o.Name)
	}
	a, b := value(r), value(o)
	if math.IsNaN(a) || math.IsNaN(b) {
		return 0
	}
	return cmp.Compare(a, b)
}
