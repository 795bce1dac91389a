package analyze

import "slices"

// RecordTotals are those of records, in any order: eight bytes each, sixteen where a total
// passes 64 bits. The zero value has none.
type RecordTotals struct {
	small []uint64
	large []Sum
}

// Grow makes room for n more.
func (t *RecordTotals) Grow(n int) { t.small = slices.Grow(t.small, n) }

// Add adds the total of a record.
func (t *RecordTotals) Add(s Sum) {
	if s.Hi > 0 {
		t.large = append(t.large, s)
	} else {
		t.small = append(t.small, s.Lo)
	}
}

// Curve sorts the totals and accumulates them.
func (t *RecordTotals) Curve() Curve {
	slices.SortFunc(t.large, func(a, b Sum) int { return b.Compare(a) })
	sortUint64(t.small)
	return curveOf(len(t.large)+len(t.small), func(i int) Sum {
		if i < len(t.large) {
			return t.large[i]
		}
		return Sum{Lo: t.small[len(t.small)-1-(i-len(t.large))]}
	})
}
