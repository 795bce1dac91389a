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

// TestDemangleAsLLVM compares with llvm-cxxfilt. Where we differ is listed by
// name, and a name that no longer differs has to leave the list.
func TestDemangleAsLLVM(t *testing.T) {
	differs := make(map[string]string)
	for _, line := range lines(t, "differences.txt") {
		reason, name, _ := strings.Cut(line, "\t")
		differs[name] = reason
	}
	linkage, llvm := lines(t, "names.txt"), lines(t, "demangled.txt")
	if len(linkage) != len(llvm) {
		t.Fatalf("%d names, but %d demangled", len(linkage), len(llvm))
	}
	for i, name := range linkage {
		got := Demangle(name, Full)
		checkParts(t, got)
		reason, listed := differs[name]
		delete(differs, name)
		switch {
		case legacyRustEnd(name) > 0:
			// llvm-cxxfilt takes these for C++, so it is no oracle.
			if strings.Contains(got, "$") || strings.Contains(got, "17h") || !strings.Contains(got, "::") {
				t.Errorf("Demangle(%q) = %q", name, got)
			}
		case listed && got == llvm[i]:
			t.Errorf("%s is as llvm-cxxfilt writes it: remove it from differences.txt (%s)", name, reason)
		case !listed && got != llvm[i]:
			t.Errorf("Demangle(%q)\n got %q\nwant %q", name, got, llvm[i])
		}
	}
	for name := range differs {
		t.Errorf("%s is in differences.txt but not in names.txt", name)
	}
}
