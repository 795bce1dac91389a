package cov_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProgramsByBuildID: what is not given is found by the build IDs of the profile, and
// what has been given is not read again.
func TestProgramsByBuildID(t *testing.T) {
	const profile = "-instr-profile=testdata/half.profdata"
	folder := t.TempDir()
	program := filepath.Join(folder, ".build-id", "01", "23456789abcdef.debug")
	f, err := os.Open("testdata/half.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, data, 0o644); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/half.json")
	if err != nil {
		t.Fatal(err)
	}
	in := "-debug-file-directory=" + folder
	for _, args := range [][]string{
		{in}, {"-debug-file-directory=" + t.TempDir(), in, "-check-binary-ids"}, {program}, {program, in},
		{program, "-check-binary-ids"},
		{os.Args[0], in}, // this test, which has no mapping
	} {
		if status, out, faults := ask(t, "", append([]string{"export", profile}, args...)...); status != 0 ||
			out != string(want) {
			t.Errorf("%q: %d, %s, %s", args, status, faults, difference(out, string(want)))
		}
	}
	for says, args := range map[string][]string{
		"missing binary ID: 0123456789abcdef": {"-debug-file-directory=" + t.TempDir(), "-check-binary-ids"},
		"no coverage data found":              {"-debug-file-directory=" + t.TempDir()},
	} {
		if status, _, faults := ask(t, "", append([]string{"export", profile}, args...)...); status != 1 ||
			!strings.Contains(faults, says) {
			t.Errorf("%q: %d, %s", args, status, faults)
		}
	}
}
