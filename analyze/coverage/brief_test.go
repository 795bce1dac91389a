package coverage_test

import (
	"slices"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/coverage/coveragetest"
)

// The numbers are the same without regions, also where dummies and instances share a place.
func TestBrief(t *testing.T) {
	dir, _ := coveragetest.Unpack(t)
	for profile, programs := range map[string][]string{
		"clang-22/rules/rules.profdata": {"clang-22/rules/rules.exe"},
		"clang-22/xmac/xmac.profdata":   {"clang-22/xmac/xmac.exe"},
		"clang-19/order/order.profdata": {"clang-19/order/libbar.so", "clang-19/order/order.exe"},
	} {
		for _, asLLVM := range []bool{false, true} {
			whole := coveragetest.Join(t, dir, profile, coverage.Options{AsLLVM: asLLVM}, programs...)
			brief := coveragetest.Join(t, dir, profile, coverage.Options{AsLLVM: asLLVM, Brief: true}, programs...)
			if got, want := brief.Summaries(nil), whole.Summaries(nil); !slices.Equal(got, want) {
				t.Errorf("%s: files have %+v, want %+v", profile, got, want)
			}
			for i := range whole.Functions {
				want, got := &whole.Functions[i], &brief.Functions[i]
				if brief.Summary(got) != whole.Summary(want) || got.Name != want.Name || got.Count() != want.Count() ||
					got.Start() != want.Start() || len(got.Regions) > 0 {
					t.Errorf("%s: %+v, want %+v", profile, got, want)
				}
			}
		}
	}
}
