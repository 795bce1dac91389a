package mmap

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "short": "a", "long": strings.Repeat("0123456789abcdef", 10_000),
	} {
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

// What was passed can be used again, mapped or not, and whatever part of pages it is.
func TestPassed(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 5_000)
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	data, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer Release(data)
	read := bytes.Clone(data) // as of a pipe
	for _, b := range [][]byte{data, read, nil} {
		size := uint64(len(b))
		for _, r := range [][2]uint64{
			{0, size}, {1, size}, {4095, 8193}, {5000, 5001}, {7, 3}, {0, size + 1}, {1 << 63, 1<<64 - 1},
		} {
			Passed(b, r[0], r[1])
		}
		if b != nil && !bytes.Equal(b, content) {
			t.Error("what was passed is lost")
		}
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
