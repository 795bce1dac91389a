package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// clients are those with a script in testdata/clients.
var clients = []string{"bazel", "cargo-llvm-cov", "cargo-pgo", "chromium", "gcovr", "grcov", "rustc"}

// TestClients runs what clients of LLVM's tools run, as testdata/clients has it, with this
// program by their names: on raw profiles of several releases, most of which LLVM 22 refuses,
// it prints what LLVM prints.
func TestClients(t *testing.T) {
	dir, err := filepath.Abs("testdata/clients")
	if err != nil {
		t.Fatal(err)
	}
	lookAt(t, dir)
	golden, err := filepath.Glob(filepath.Join(dir, "golden", "*.txt"))
	if err != nil || len(golden) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, name := range golden {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			t.Parallel()
			client, compiler := "", ""
			for _, client = range clients {
				if rest, ok := strings.CutPrefix(filepath.Base(name), client+"-"); ok {
					compiler = strings.TrimSuffix(rest, ".txt")
					break
				}
			}
			files := glob(t, dir, "programs", compiler, "*.exe")
			files = append(files, glob(t, dir, "programs", compiler, "*.profraw")...)
			sh := exec.Command("sh", append([]string{filepath.Join(dir, client+".sh")}, files...)...)
			sh.Dir = filepath.Join(dir, "programs", "src")
			var faults strings.Builder
			sh.Stderr = &faults
			got, err := sh.Output()
			want, missing := os.ReadFile(name)
			if err != nil || missing != nil {
				t.Fatalf("%v, %v\n%s", err, missing, &faults)
			}
			g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
			for i := range min(len(g), len(w)) {
				if g[i] != w[i] {
					t.Fatalf("line %d is\n%.300s\nwant\n%.300s", i+1, g[i], w[i])
				}
			}
			if len(g) != len(w) {
				t.Errorf("%d lines, want %d", len(g), len(w))
			}
		})
	}
}

func glob(t *testing.T, parts ...string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(parts...))
	if err != nil || len(list) == 0 {
		t.Fatalf("nothing is %v: %v", parts, err)
	}
	return list
}
