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
	for _, i := range order {
		c := &plan.columns[i]
		switch {
		case q.Unit == UnitSeconds && !c.NoTime:
			d.unit = UnitSeconds
		case q.Unit == UnitEvents, c.Unit == UnitEvents, !c.Rate.SameEvents(plan.columns[order[0]].Rate):
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

// amounts are figures in the unit of all.
func (d *differ) amounts(list []float64) Amounts {
	amounts := make(Amounts, len(list))
	for i, v := range list {
		amounts[i] = d.amount(v)
	}
	return amounts
}

func (d *differ) amount(v float64) Amount { return Amount{v, d.unit} }

func (d *differ) row(row *Row) DiffRow {
	values := make([]float64, len(d.order))
	for n, i := range d.order {
		values[n] = row.Cells[i].Value(d.unit) * d.scale[n]
	}
	before, after := values[0], values[len(values)-1]
	s := analyze.SpreadOf(values)
	r := DiffRow{
		Row: row, Values: d.amounts(values), Before: d.amount(before), After: d.amount(after),
		Delta:  d.amount(after - before),
		Spread: d.amount(s.Range), Share: s.Share, Sum: d.amount(s.Sum), Sets: s.Sets, Mean: s.Mean, Deviation: s.Deviation,
		Min: d.amount(s.Min), Max: d.amount(s.Max),
	}
	if d.total > 0 {
		r.OfTotal = s.Sum / d.total
	}
	return r
}
