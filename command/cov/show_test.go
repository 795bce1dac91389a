package cov_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestExpansionsInInstances: macros are shown in every instance of a function, and what is dumped
// is what llvm-cov dumps.
func TestExpansionsInInstances(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"nested.covmapping", "nested.profdata"} { // a profile is newer than its program
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err = errors.Join(err, os.WriteFile(name, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	status, out, faults := ask(t, "", "show", "nested.covmapping", "-instr-profile=nested.profdata", "-show-expansions",
		"-dump", "-path-equivalence=/tmp/nested,"+dir)
	for name, got := range map[string]string{"nested.txt": out, "nested.dump": faults} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || status != 0 || got != string(want) {
			t.Errorf("%s: %v, status %d: %s", name, err, status, difference(got, string(want)))
		}
	}
}
