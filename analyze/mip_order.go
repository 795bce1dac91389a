package analyze

import (
	"cmp"
	"math/bits"
	"slices"

	"proflens/decode/mip"
)

// MIPOrder lists the functions that ran, as indices, by the average of the
// places in which they first ran; ties in the order given (mip.md §6).
func MIPOrder(functions []mip.Function) []int {
	var order []int
	for i := range functions {
		if functions[i].MergeCount > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &functions[a], &functions[b]
		return CompareAverages(x.TimestampSum, x.MergeCount, y.TimestampSum, y.MergeCount)
	})
	return order
}

// CompareAverages compares a/n with b/m, exactly: the products can pass 64 bits.
func CompareAverages(a, n, b, m uint64) int {
	aHi, aLo := bits.Mul64(a, m)
	bHi, bLo := bits.Mul64(b, n)
	return cmp.Or(cmp.Compare(aHi, bHi), cmp.Compare(aLo, bLo))
}

// MIPRunOrder lists the functions that ran in one run, as indices, in the order
// in which they first did; ties in the order of the functions.
func MIPRunOrder(run *mip.Run) []int {
	var order []int
	for i := range run.First {
		if run.Executed.Has(i) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(run.First[a], run.First[b]) })
	return order
}
