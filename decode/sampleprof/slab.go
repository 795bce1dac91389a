package sampleprof

// slab hands out parts of large pieces of memory, since a profile has very many short
// lists. What it hands out grows into memory of its own.
type slab[T any] struct{ free []T }

// most is how many a piece has; a profile's first pieces are smaller.
const (
	slabFirst = 64
	slabMost  = 4096
)

func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > cap(s.free)-len(s.free) {
		s.free = make([]T, 0, max(n, min(slabMost, max(slabFirst, 2*cap(s.free)))))
	}
	at := len(s.free)
	s.free = s.free[:at+n]
	return s.free[at : at : at+n]
}

func (s *slab[T]) one() *T { return &s.take(1)[:1][0] }
