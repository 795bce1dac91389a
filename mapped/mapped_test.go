package mapped

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "short": "a", "long": strings.Repeat("0123456789abcdef", 10_000)} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		data, err := ReadFile(path)
		if err != nil || string(data) != content {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
		Release(data)
	}
}

// A pipe has no size and cannot be mapped; it is read to its end.
func TestReadOfAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		w.Write(bytes.Repeat([]byte("x"), 100_000))
		w.Close()
	}()
	data, err := Read(r)
	if err != nil || len(data) != 100_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	Release(data)
}

func TestReadFileErrors(t *testing.T) {
	if _, err := ReadFile(filepath.Join(t.TempDir(), "missing")); !os.IsNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := ReadFile(t.TempDir()); err == nil {
		t.Error("a directory was read")
	}
}
