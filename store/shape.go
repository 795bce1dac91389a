package store

// shapeBuckets is how many buckets a row's shape has at most.
const shapeBuckets = 24

// shape squeezes counters into buckets, each the largest counter of its part.
func shape(counters []uint64) []uint64 {
	n := min(len(counters), shapeBuckets)
	s := make([]uint64, n)
	for i, c := range counters {
		b := i * n / len(counters)
		s[b] = max(s[b], c)
	}
	return s
}
