package analyze

import "math/bits"

// Histogram counts counters by magnitude: [0] those that are 0, [i] those in
// 2^(i-1) .. 2^i-1.
type Histogram [65]uint64

// Add counts the counters of a record.
func (h *Histogram) Add(counters []uint64) {
	for _, c := range counters {
		h[bits.Len64(c)]++
	}
}

// AddAll counts what another has counted.
func (h *Histogram) AddAll(o *Histogram) {
	for magnitude, n := range o {
		h[magnitude] += n
	}
}

// ShapeBuckets is the most buckets a [Shape] has.
const ShapeBuckets = 24

// Shape squeezes the counters of a record, in their order, into at most
// [ShapeBuckets] numbers, each the largest of its share of the counters. It
// appends them to dst[:0].
func Shape(counters []uint64, dst []uint64) []uint64 {
	dst = dst[:0]
	if len(counters) <= ShapeBuckets {
		return append(dst, counters...)
	}
	from := 0
	for b := 1; b <= ShapeBuckets; b++ {
		to := b * len(counters) / ShapeBuckets
		largest := uint64(0)
		for _, c := range counters[from:to] {
			largest = max(largest, c)
		}
		dst = append(dst, largest)
		from = to
	}
	return dst
}
