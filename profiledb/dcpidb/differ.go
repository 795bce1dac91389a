package dcpidb

import "proflens/analyze"

// differ makes rows of differences.
type differ struct {
	order         []int
	unit          Unit
	scale, totals []float64
	total         float64
}

// newDiffer finds the unit in which all sets can be compared, and what each is
// scaled by.
func newDiffer(plan *plan, order []int, q *DiffQuery) *differ {
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

func (d *differ) row(row *Row) DiffRow {
	r := DiffRow{Row: *row, Values: make([]float64, len(d.order))}
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
