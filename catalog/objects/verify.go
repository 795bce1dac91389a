package objects

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"sync"
)

// stamp tells a file that was found whole from one that was written to since.
type stamp struct {
	size, modified int64
}

func stampOf(info os.FileInfo) stamp { return stamp{info.Size(), info.ModTime().UnixNano()} }

// verified remembers the files that were found whole, so that each is read through
// once a process for all who open it. It is safe for concurrent use.
type verified struct{ keys sync.Map } // to stamp

// check reads an open file through unless it was found whole before, and leaves it at
// its first byte.
func (v *verified) check(f *os.File, key string, want Content) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	now := stampOf(info)
	if before, ok := v.keys.Load(key); ok && before == now {
		return nil
	}
	if err := compare(f, key, want); err != nil {
		return err
	}
	v.keys.Store(key, now)
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// passed notes a file that is whole, since it was hashed while it was written.
func (v *verified) passed(path, key string) {
	if info, err := os.Stat(path); err == nil {
		v.keys.Store(key, stampOf(info))
	}
}

func (v *verified) forget(key string) { v.keys.Delete(key) }

// compare reads a file through. It returns *DamagedError.
func compare(r io.Reader, key string, want Content) error {
	if want.SHA256 != "" {
		h := sha256.New()
		if _, err := io.Copy(h, r); err != nil {
			return fmt.Errorf("reading %s: %w", key, err)
		}
		if found := hex.EncodeToString(h.Sum(nil)); found != want.SHA256 {
			return &DamagedError{key, want.SHA256, found}
		}
		return nil
	}
	found, err := Sum(r)
	if err != nil {
		return fmt.Errorf("reading %s: %w", key, err)
	}
	if found.Size != want.Size {
		return &DamagedError{key, fmt.Sprintf("%d bytes", want.Size), fmt.Sprintf("%d bytes", found.Size)}
	}
	for i, sum := range want.Blocks {
		if found.Blocks[i] != sum {
			return damagedBlock(key, i, sum, found.Blocks[i])
		}
	}
	return nil
}

func damagedBlock(key string, block int, want, found uint32) error {
	return &DamagedError{
		key, fmt.Sprintf("CRC-32C %08x", want), fmt.Sprintf("from offset %d CRC-32C %08x", int64(block)*BlockSize, found),
	}
}
