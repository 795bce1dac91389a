//go:build long

package stacks

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTop has go tool pprof itself read what its parser has read in TestPprof: the tool is
// compiled for it.
func TestTop(t *testing.T) {
	var b bytes.Buffer
	if _, err := Pprof(&b, allocations()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "p.pb.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "pprof", "-top", "-sample_index=space", path).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "app::grow") {
		t.Errorf("go tool pprof says\n%s%v", out, err)
	}
}
