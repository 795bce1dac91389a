package names

import (
	"os"
	"strings"
	"testing"
)

// lines reads a file of testdata.
func lines(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// TestDemangleAsLLVM compares with llvm-cxxfilt.
func TestDemangleAsLLVM(t *testing.T) {
	linkage, llvm := lines(t, "names.txt"), lines(t, "demangled.txt")
	if len(linkage) != len(llvm) {
		t.Fatalf("%d names, but %d demangled", len(linkage), len(llvm))
	}
	for i, name := range linkage {
		got := Demangle(name, Full)
		checkParts(t, got)
		if legacyRustEnd(name) > 0 {
			// llvm-cxxfilt takes these for C++, so it is no oracle.
			if strings.Contains(got, "$") || strings.Contains(got, "17h") || !strings.Contains(got, "::") {
				t.Errorf("Demangle(%q) = %q", name, got)
			}
		} else if got != llvm[i] {
			t.Errorf("Demangle(%q)\n got %q\nwant %q", name, got, llvm[i])
		}
	}
}
