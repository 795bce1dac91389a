package command

import (
	"slices"
	"testing"
)

// Packagers put the version of LLVM behind the names of its tools, each in their own way.
func TestCalledAs(t *testing.T) {
	for name, want := range map[string][]string{
		"/usr/bin/llvm-profdata": {"profdata", "show"}, "llvm-cov.exe": {"cov", "show"}, "llvm-cov-22": {"cov", "show"},
		"llvm-profdata-22.1.exe": {"profdata", "show"}, "llvm-cov22": {"cov", "show"}, "proflens": {"show"},
		"proflens-1.0": {"show"}, "llvm-cov-of": {"show"}, "": {"show"},
	} {
		if got := calledAs([]string{name, "show"}); !slices.Equal(got, want) {
			t.Errorf("%q: %q", name, got)
		}
	}
}
