package instrdb

import (
	"math/bits"
	"slices"
)

// sizeCounts adds up sizes of memory operations by the ranges of the runtime.
type sizeCounts struct {
	counts map[uint64]*SizeCount
	seen   []uint64 // ranges of the site in hand
}

// add takes in a site: value, count, value, count, ….
func (s *sizeCounts) add(numbers []uint64) {
	if s.counts == nil {
		s.counts = map[uint64]*SizeCount{}
	}
	s.seen = s.seen[:0]
	for i := 0; i+1 < len(numbers); i += 2 {
		size := sizeRange(numbers[i])
		c := s.counts[size]
		if c == nil {
			c = &SizeCount{Value: size}
			s.counts[size] = c
		}
		c.Count.Add(numbers[i+1])
		if !slices.Contains(s.seen, size) {
			s.seen = append(s.seen, size)
			c.Sites++
		}
	}
}

// list is the ranges that were seen, smallest first.
func (s *sizeCounts) list() []SizeCount {
	list := make([]SizeCount, 0, len(s.counts))
	for _, c := range s.counts {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b SizeCount) int {
		if a.Value < b.Value {
			return -1
		}
		return 1 // they differ
	})
	return list
}

// sizeRange is the value that stands for a size since LLVM 12, as
// InstrProfGetRangeRepValue gives it: sizes up to 8 and powers of two up to 512
// for themselves, one more than a power of two for those up to the next, 513
// for all above 512. Older files have other sizes too.
func sizeRange(size uint64) uint64 {
	switch {
	case size <= 8, size&(size-1) == 0 && size <= 512:
		return size
	case size >= 513:
		return 513
	}
	return 1<<(bits.Len64(size)-1) + 1
}
