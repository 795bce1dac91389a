package catalog

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"proflens/profile/stored"
)

// OriginalError is returned for an original that is lost or is no longer what was
// uploaded. Uploading the same content again mends it.
type OriginalError struct {
	SHA256 string // as the catalog has it, hex
	Found  string // of what is there; empty: there is no file
}

func (e *OriginalError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("the original with SHA-256 %s is not on the server's disk; uploading the file again repairs it",
			e.SHA256)
	}
	return fmt.Sprintf("the original on the server's disk was damaged: its SHA-256 is %s, and %s was stored; uploading "+
		"the file again repairs it", e.Found, e.SHA256)
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
