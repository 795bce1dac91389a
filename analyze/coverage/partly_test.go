package coverage_test

import (
	"fmt"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/coverage/coveragetest"
)

// TestPartlyLines: the numbers of a file count as many lines that ran in part as its
// page has, whatever of a condition the compiler knows.
func TestPartlyLines(t *testing.T) {
	const dir = "../../decode/covmap/testdata/"
	for _, c := range []struct{ profile, program string }{
		{"joined/xmac.profdata", "clang-15/xmac/xmac.exe"}, {"clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"},
		{"clang-22/lto/lto.profdata", "clang-22/lto/lto.exe"},
		{"joined/calc.profdata", "clang-16/calc/calc.exe"},
		{"clang-22/single_byte/single_byte.profdata", "clang-22/single_byte/single_byte.exe"},
		{"rustc-stable/shop/shop.profdata", "rustc-stable/shop/shop.exe"},
	} {
		joined := coveragetest.Join(t, dir, c.profile, coverage.Options{}, c.program)
		_, unions := joined.Totals()
		for i, u := range unions {
			n := 0
			rows := joined.UnionView(i).Rows()
			for at := range rows {
				if rows[at].State == coverage.Partly {
					n += int(rows[at].Last-rows[at].First) + 1
				}
			}
			if n != u.Partly {
				t.Errorf("%s, %s: %d lines ran in part, counted are %d", c.program, joined.Files[i].Name, n, u.Partly)
			}
		}
	}
}

// TestKnownConditions: of "while (1)" the side that is taken counts, as in llvm-cov 22.
func TestKnownConditions(t *testing.T) {
	for _, c := range []struct {
		sides      coverage.Sides
		missed, of int
	}{
		{coverage.Sides{True: 5, FalseFolded: true, Constant: true}, 0, 1},
		{coverage.Sides{FalseFolded: true, Constant: true}, 1, 1},
		{coverage.Sides{TrueFolded: true, FalseFolded: true, Constant: true}, 0, 0},
		{coverage.Sides{True: 5, Constant: true}, 1, 2}, // known in each function, on other sides
		{coverage.Sides{True: 5}, 1, 2},
	} {
		if missed, of := c.sides.Missed(); missed != c.missed || of != c.of {
			t.Errorf("%s misses %d of %d, want %d of %d", fmt.Sprintf("%+v", c.sides), missed, of, c.missed, c.of)
		}
	}
}
