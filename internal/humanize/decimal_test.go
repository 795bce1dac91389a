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
	check(math.MaxUint64)
}
