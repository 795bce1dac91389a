package llvmcov

import (
	"strings"
	"testing"

	"proflens/analyze/coverage"
)

// The share of changed lines is rounded as that of a project's gate and of pages is.
func TestChangedShareIsRounded(t *testing.T) {
	for want, sum := range map[string]coverage.ChangedSum{
		"20 of 27 changed lines covered, 74.1 %; 7 not, 0 in part.":       {Covered: 20, NotCovered: 7},
		"1999 of 2000 changed lines covered, > 99.9 %; 1 not, 0 in part.": {Covered: 1999, NotCovered: 1},
	} {
		if got := strings.ReplaceAll(ChangedSays(sum), "\u00a0", "?"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
