package analyze

import (
	"math/bits"

	"proflens/decode/instrprof"
)

// detailed walks the counters in descending order, once, and notes where each
// cutoff is reached (instrprof.md §6.3).
//
// The large counters are not sorted for that. They are counted by bucket, a
// bucket being numbers that agree in their first bits; only in those buckets in
// which a cutoff is reached does the order within matter.
func (s *Summarizer) detailed(cutoffs []uint64) []instrprof.SummaryEntry {
	w := walk{cutoffs: cutoffs, total: s.exact.Lo, entries: make([]instrprof.SummaryEntry, 0, len(cutoffs))}
	buckets := s.buckets()
	inner := s.fill(buckets, w.stops(buckets, s.exact.Hi > 0))
	for b := len(buckets) - 1; b >= 0; b-- {
		values, sorted := inner[b]
		if !sorted {
			w.skip(&buckets[b])
			continue
		}
		sortUint64(values)
		for i := len(values); i > 0; {
			run := i
			for i > 0 && values[i-1] == values[run-1] {
				i--
			}
			w.step(values[run-1], uint64(run-i))
		}
	}
	if s.small != nil {
		for v := smallCounts - 1; v >= 0; v-- {
			if n := s.small[v]; n > 0 {
				w.step(uint64(v), n)
			}
		}
	}
	return w.finish()
}

// bucket is what is known of the large counters that agree in their first bits.
type bucket struct {
	count uint64
	sum   uint64 // wraps only where the total does
}

// bucketBits is how many bits after the first tell buckets apart.
const bucketBits = 8

// bucketOf numbers the buckets in ascending order of their counters.
func bucketOf(v uint64) int {
	exp := bits.Len64(v) - 1
	return exp<<bucketBits | int(v>>(exp-bucketBits)&(1<<bucketBits-1))
}

// buckets counts the large counters by bucket.
func (s *Summarizer) buckets() []bucket {
	buckets := make([]bucket, 64<<bucketBits)
	for _, chunk := range s.chunks() {
		for _, v := range chunk {
			b := &buckets[bucketOf(v)]
			b.count++
			b.sum += v
		}
	}
	return buckets
}

// fill collects the counters of some buckets.
func (s *Summarizer) fill(buckets []bucket, wanted []bool) map[int][]uint64 {
	values := make([][]uint64, len(buckets))
	for b := range buckets {
		if wanted[b] {
			values[b] = make([]uint64, 0, buckets[b].count)
		}
	}
	for _, chunk := range s.chunks() {
		for _, v := range chunk {
			if b := bucketOf(v); wanted[b] {
				values[b] = append(values[b], v)
			}
		}
	}
	filled := make(map[int][]uint64)
	for b := range values {
		if wanted[b] {
			filled[b] = values[b]
		}
	}
	return filled
}

// walk goes through counters in descending order.
type walk struct {
	cutoffs []uint64 // not reached yet
	total   uint64
	entries []instrprof.SummaryEntry

	sum, seen, cur uint64
}

// desired is the sum at which the next cutoff is reached: a share of the total,
// in 128 bits.
func (w *walk) desired() uint64 {
	const million = 1000000
	hi, lo := bits.Mul64(w.total, min(w.cutoffs[0], million))
	q, _ := bits.Div64(hi, lo, million)
	return q
}

// step takes n counters of value v, and before them notes the cutoffs already
// reached.
func (w *walk) step(v, n uint64) {
	w.emit()
	w.cur = v
	w.sum += v * n // wraps, as LLVM's does
	w.seen += n
}

// skip takes all counters of a bucket in which no cutoff is reached.
func (w *walk) skip(b *bucket) {
	w.emit()
	w.sum += b.sum
	w.seen += b.count
}

// emit notes the cutoffs that have been reached.
func (w *walk) emit() {
	for len(w.cutoffs) > 0 && w.sum >= w.desired() {
		w.note()
	}
}

// finish notes the cutoffs that are left: all counters together reach them.
func (w *walk) finish() []instrprof.SummaryEntry {
	for len(w.cutoffs) > 0 {
		w.note()
	}
	return w.entries
}

func (w *walk) note() {
	w.entries = append(w.entries, instrprof.SummaryEntry{Cutoff: w.cutoffs[0], MinCount: w.cur, NumCounts: w.seen})
	w.cutoffs = w.cutoffs[1:]
}

// stops tells in which buckets a cutoff is reached. When the total has wrapped,
// that is any of them.
func (w *walk) stops(buckets []bucket, wrapped bool) []bool {
	stops := make([]bool, len(buckets))
	sum, left := uint64(0), *w
	for b := len(buckets) - 1; b >= 0; b-- {
		if buckets[b].count == 0 {
			continue
		}
		sum += buckets[b].sum
		stops[b] = wrapped
		for len(left.cutoffs) > 0 && sum >= left.desired() {
			left.cutoffs = left.cutoffs[1:]
			stops[b] = true
		}
	}
	return stops
}
