package names

import "testing"

// TestRustAsLLVM compares with llvm-cxxfilt on names of rustc's own libraries.
func TestRustAsLLVM(t *testing.T) {
	linkage, llvm := filteredNames(t, "rust.tsv.gz")
	if len(linkage) < 1_700 {
		t.Fatalf("%d names", len(linkage))
	}
	for i, name := range linkage {
		if got := Demangle(name, Full); got != llvm[i] {
			t.Errorf("%s\n got %s\nwant %s", name, got, llvm[i])
		}
	}
}

// TestRustIsStrict refuses what LLVM refuses.
func TestRustIsStrict(t *testing.T) {
	for _, name := range []string{
		"_R", "_RC", "_RNvC1a", "_RNvC1a04leaf", "_RNvC1a1bx", "_RNvC1a1b_", "_RNvC1a2b", "_RN1C1a1b", "_RNvB9_1b",
		"_RNvBZZZZZZZZZZZZZZZZ_1b",
		"_RINvC1a1bL0_E", "_RINvC1a1bKj00_E", "_RINvC1a1bKb2_E", "_RINvC1a1bKj_E", "_RINvC1a1bDNtC1a1bE", "_RNvC1a1\xff",
		"_RNvC1a99999999999999999999b",
	} {
		if got := Demangle(name, Full); got != name {
			t.Errorf("%q is %q", name, got)
		}
	}
}
