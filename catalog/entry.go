package catalog

import (
	"errors"
	"time"

	"proflens/decode/model"
)

// State is where a profile stands.
type State string

// The states, in the order of a life. A failed profile keeps its files and its
// finding.
const (
	Received State = "received"
	Decoding State = "decoding"
	Ready    State = "ready"
	Failed   State = "failed"
	Expired  State = "expired"
	Deleted  State = "deleted"
)

// Visibility says who finds a profile.
type Visibility string

// Listed profiles stand on the home page; unlisted ones in no list, metric or log.
const (
	Listed   Visibility = "listed"
	Unlisted Visibility = "unlisted"
)

// ErrNotFound is returned for an id that never was.
var ErrNotFound = errors.New("no such profile")

// GoneError is returned for a profile that was deleted or has expired.
type GoneError struct {
	State State
	At    time.Time
}

// Error says what happened and when.
func (e *GoneError) Error() string {
	return "the profile was " + string(e.State) + " on " + e.At.UTC().Format(time.RFC3339)
}

// Entry is a profile as the catalog knows it, whatever its state.
type Entry struct {
	ID         string // 128 random bits, base32, lower case, no padding
	Name       string
	Project    string
	Labels     map[string]string
	State      State
	Visibility Visibility
	Created    time.Time
	Expires    time.Time // zero: kept
	Updated    time.Time // of the state

	Files  []FileEntry
	Merged *Merged // nil for an upload
	Digest string  // hex SHA-256 over the files' digests: the ETag's first part

	// Known once recognised or ready; zero before.
	Families  []model.Family
	Describe  string // "LLVM raw v8, 64-bit, little-endian, IR, entry first"
	Format    model.Format
	Version   uint64
	Functions int    // see Figures, as of the next two
	Total     string // decimal
	HeadPart  int64  // of HeadWhole; 0 of 0: there is none
	HeadWhole int64
	Size      int64  // bytes of all files
	Spark     []byte // distribution by magnitude, 0..255 a bar, at most 24

	Finding *model.Finding // what stopped a failed one, or the worst warning
	// Refused says that Finding is why files were refused that were given to a
	// profile which is ready.
	Refused bool

	// Pending says that a job to decode the profile waits or runs; a ready one
	// meanwhile answers from its present tables.
	Pending bool
	// Schema and Decoder are the versions its tables, or its failure, came from.
	Schema, Decoder int

	tables string  // name of the file with its tables; empty: none
	crc    *uint32 // of that file; nil for one that is older than checksums
	job    int64   // that is pending; 0 for none
	taken  int     // of that job
}

// FileEntry is one original of a profile.
type FileEntry struct {
	Name   string
	SHA256 string // hex; names the object
	Size   int64
	// Pending says that the file was added and waits to be decoded with the others:
	// should that fail, it is dropped again.
	Pending bool
	// Finding says why an archive could not be unpacked; it is kept as it came.
	Finding *model.Finding
	// Salvage says that the readable beginning of the file is wanted, should it
	// end too soon; Partial what of it was read then, nil for a whole file.
	Salvage bool
	Partial *model.Partial
}
