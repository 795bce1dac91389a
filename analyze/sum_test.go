package analyze_test

import (
	"math"
	"testing"

	"proflens/analyze"
)

func TestSumAsText(t *testing.T) {
	for want, s := range map[string]analyze.Sum{
		"0": {}, "18446744073709551615": {Lo: math.MaxUint64}, "18446744073709551616": {Hi: 1},
		"340282366920938463463374607431768211455": {Hi: math.MaxUint64, Lo: math.MaxUint64},
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v is %s, want %s", s, got, want)
		}
	}
}
