package catalog

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk is a folder on a disk of its own, of 16 MiB; empty where this process may
// not mount one.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=16m"); err != nil {
		t.Log("no disk may be mounted here:", err)
		return ""
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// On a disk that has no byte left, profiles are read and deleted, and the server
// starts.
func TestAFullDisk(t *testing.T) {
	dir := smallDisk(t)
	if dir == "" {
		return
	}
	s := openStore(t, dir)
	c := take(t, s, "a", "content of a")
	makeReady(t, s)
	waiting := take(t, s, "b", "content of b")
	filler := fill(t, dir)

	g, err := s.Stage()
	if err == nil {
		_, err = io.WriteString(g, strings.Repeat("x", 1<<20))
		g.Discard()
	}
	if !IsFull(err) {
		t.Fatalf("staging on a full disk: %v", err)
	}
	s.Close()
	s, err = Open(t.Context(), at(t, dir))
	if err != nil {
		t.Fatalf("starting on a full disk: %v", err)
	}
	defer s.Close()
	p, err := s.Open(t.Context(), entryOf(t, s, c.Entry.ID))
	if err != nil {
		t.Fatalf("reading on a full disk: %v", err)
	}
	p.Close()
	for _, id := range []string{c.Entry.ID, waiting.Entry.ID} {
		if err := s.Delete(t.Context(), id); err != nil {
			t.Errorf("deleting on a full disk: %v", err)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	take(t, s, "c", "content of c")
}

// fill leaves no byte on the disk.
func fill(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return path
}
