package humanize

import (
	"math"
	"strconv"
	"testing"
)

// The digits are those of the standard library.
func TestAppendUint(t *testing.T) {
	check := func(v uint64) {
		if got := string(AppendUint([]byte("x"), v)); got != "x"+strconv.FormatUint(v, 10) {
			t.Errorf("%d is %s", v, got)
		}
	}
	for v := range uint64(12_000) {
		check(v)
	}
	for v := uint64(12_345); v < 1<<63; v += v / 3 {
		check(v)
	}
	for v := uint64(10_000); v < 1e18; v *= 10 {
		check(v - 1)
		check(v)
		check(v + 7)
	}
	check(math.MaxUint64)
}
