package exports_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"
)

// Without debug info, functions begin where the coverage mapping says, as llvm-cov export
// has it.
func TestFunctionsBeginByTheMapping(t *testing.T) {
	const rules = "covmap/testdata/clang-22/rules/rules."
	data, _, err := export(t, profile(t, rules+"profraw", rules+"exe"), "pprof", nil)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := pprof.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got, want := map[string]int64{}, map[string]int64{
		"main": 69, "two": 7, "four": 13, "constants": 19, "nested": 27, "macros": 31, "single": 57, "six": 51,
		"valid": 3, "loops": 39,
	}
	for _, f := range parsed.Function {
		if _, ok := want[f.SystemName]; ok {
			got[f.SystemName] = f.StartLine
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
