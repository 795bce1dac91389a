package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"sync"

	"proflens/profiledb/stored"
)

// OriginalError is returned for an original that is lost or is no longer what was
// uploaded. Uploading the same content again mends it.
type OriginalError struct {
	SHA256 string // as the catalog has it, hex
	Found  string // of what is there; empty: there is no file
}

func (e *OriginalError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("the original with SHA-256 %s is not on the server's disk; uploading the file again repairs it", e.SHA256)
	}
	return fmt.Sprintf("the original on the server's disk was damaged: its SHA-256 is %s, and %s was stored; uploading the file again repairs it", e.Found, e.SHA256)
}

// stamp tells a file that was found whole from one that was written to since.
type stamp struct {
	size, modified int64
}

// verified remembers the originals that were found whole, so that each is read
// through once a process for all who open it. It is safe for concurrent use.
type verified struct{ sums sync.Map } // from SHA-256 to stamp

// check reads an open original through unless it was found whole before, and
// leaves it at its first byte.
func (v *verified) check(f *os.File, sum string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	now := stamp{info.Size(), info.ModTime().UnixNano()}
	if before, ok := v.sums.Load(sum); ok && before == now {
		return nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("reading an original: %w", err)
	}
	if found := hex.EncodeToString(h.Sum(nil)); found != sum {
		return &OriginalError{sum, found}
	}
	v.sums.Store(sum, now)
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// passed notes an original that is whole, since it was hashed while it was written.
func (v *verified) passed(path, sum string) {
	if info, err := os.Stat(path); err == nil {
		v.sums.Store(sum, stamp{info.Size(), info.ModTime().UnixNano()})
	}
}

// VerifyObject reads an original through, whenever that was done last. It returns
// *OriginalError as OpenObject does.
func (s *Catalog) VerifyObject(sum string) error {
	s.verified.sums.Delete(sum)
	f, err := s.OpenObject(sum)
	if err != nil {
		return err
	}
	return f.Close()
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// tablesCRC is the checksum of a profile's own file.
func tablesCRC(path string) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	h := crc32.New(castagnoli)
	_, err = io.CopyBuffer(h, f, make([]byte, 1<<20))
	return h.Sum32(), err
}

// checkTables compares a profile's file with its checksum, where it has one. Its
// error wraps stored.ErrDamaged.
func checkTables(path string, want *uint32) error {
	if want == nil {
		return nil
	}
	found, err := tablesCRC(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return stored.Damaged("reading it: %v", err)
	}
	if err == nil && found != *want {
		return stored.Damaged("its CRC-32C is %08x, expected %08x", found, *want)
	}
	return err
}
