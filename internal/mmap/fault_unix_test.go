//go:build unix

package mmap_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"proflens/internal/mmap"
	"proflens/internal/recovery"
)

// A mapped file that is cut short while it is read ends what reads it, by an error, and
// not the process.
func TestAFileThatIsCutWhileItIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "original")
	if err := os.WriteFile(path, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	data, err := mmap.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer mmap.Release(data)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	sum := byte(0)
	err = recovery.Do(func() error {
		for _, b := range data {
			sum += b
		}
		return nil
	})
	if _, ok := errors.AsType[*recovery.Error](err); !ok {
		t.Errorf("%v, sum %d", err, sum)
	}
}
