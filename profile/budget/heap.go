package budget

import "runtime/metrics"

// heap is what the process held when its garbage was collected last, and how often that was.
func heap() (live int64, cycle uint64) {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64()), s[1].Value.Uint64()
}

// slack is the part of the limit by which the process may hold more than the limit: what it
// needs for itself, and what is too small to be taken.
const slack = 4

// overweight is true once for each time that the process is found to hold too much, with
// nothing in caches to let go of: whoever builds then is building without taking its bytes.
func (b *Budget) overweight() bool {
	if b.weigh == nil {
		return false
	}
	live, cycle := b.weigh()
	limit := b.limit.Load()
	over := live - limit - limit/slack
	return over > 0 && b.weighed.Swap(cycle) != cycle && b.evict(over) == 0
}
