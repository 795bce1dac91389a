package analyze

// Never is how many functions have no counter above 0.
func (t *Totals) Never() uint64 { return t.Functions - t.Executed }

// ExecutedShare is the part of the functions that ran, 0 of none.
func (t *Totals) ExecutedShare() float64 { return ratio(t.Executed, t.Functions) }

// CountersShare is the part of the counters that are above 0, 0 of none.
func (t *Totals) CountersShare() float64 { return ratio(t.Counters-t.Zero, t.Counters) }

func ratio(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
