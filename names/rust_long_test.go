//go:build long

package names

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRustAsLLVMAtLength compares with llvm-cxxfilt on every v0 name in the libraries of
// the toolchain that is installed.
func TestRustAsLLVMAtLength(t *testing.T) {
	tool := cxxfilt(t)
	root, err := exec.Command("rustc", "--print", "sysroot").Output()
	if err != nil {
		t.Skip("there is no rustc here")
	}
	symbol := regexp.MustCompile(`\x00_R[A-Za-z0-9_.]+\x00`)
	seen := map[string]bool{}
	var all []string
	err = filepath.WalkDir(strings.TrimSpace(string(root)), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".so") && !strings.HasSuffix(path, ".rlib") {
			return err
		}
		data, err := os.ReadFile(path)
		for at := 0; ; { // each NUL ends a name and begins the next
			found := symbol.FindIndex(data[at:])
			if found == nil {
				return err
			}
			name := string(bytes.Trim(data[at+found[0]:at+found[1]], "\x00"))
			if at += found[1] - 1; !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range filtered(t, tool, all) {
		if got := Demangle(all[i], Full); got != want {
			t.Errorf("%s\n got %s\nwant %s", all[i], got, want)
		}
	}
	t.Logf("%d names", len(all))
}
