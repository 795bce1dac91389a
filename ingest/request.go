// Package ingest takes uploads in and turns them into profiles: it streams
// files to the data folder, unpacks archives, has what was received decoded by a
// fixed number of workers, and sweeps what has expired.
//
// What Commit has returned is on the disk; everything after it happens again
// after a crash, as often as needed.
package ingest

import (
	"fmt"
	"time"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/ingest/tasks"
)

// Config holds the limits. The zero value of each field takes a default.
type Config struct {
	MaxUpload   int64 // bytes of one request; default 2 GiB
	MaxExpanded int64 // bytes of one request's archives once unpacked; default 8 GiB
	// bytes that may come out for each byte of an archive, beyond unpack.Free; default 1000
	MaxRatio      int64
	Workers       int                // profiles decoded at once; default half the CPUs; -1 decodes none
	DecodeTimeout time.Duration      // for one profile; default 10 minutes
	TTL           time.Duration      // how long profiles are kept; 0 keeps them
	Visibility    catalog.Visibility // of profiles that do not ask for one; default unlisted
	Runner        tasks.Runner       // decodes; default this process
}

// Request says what is to become of the files of a batch.
type Request struct {
	Name       string // default: the first file's name
	Project    string
	Labels     map[string]string
	Expires    time.Duration      // from now; 0 means the server's TTL, which also is the most
	Visibility catalog.Visibility // empty: the server's default
	Salvage    bool               // decode the readable beginning of raw files that end too soon
	Group      string             // "one" profile of all files, the default, or "auto": by content
	Merged     *catalog.Merged    // what the batch's file was merged from; nil for an upload
}

// Accepted is a profile that was taken in.
type Accepted struct {
	Entry       catalog.Entry
	DeleteToken string // given out this once; empty when files were added to a profile
}

// Stage names how far a profile has come.
type Stage string

// The stages, in order. A profile ends ready or failed.
const (
	StageReceived   Stage = "received"   // it waits for a worker
	StageRecognised Stage = "recognised" // its first bytes were read
	StageDecoding   Stage = "decoding"
	StageReading    Stage = "reading"  // its records
	StageIndexing   Stage = "indexing" // orders and sums over all records
	StageWriting    Stage = "writing"  // its tables
	StageReady      Stage = "ready"
	StageFailed     Stage = "failed"
)

// Progress is where a profile stands just now.
type Progress struct {
	Stage    Stage  `json:"stage" is:"received|recognised|decoding|reading|indexing|writing|ready|failed"`
	Percent  int    `json:"percent" is:"0..100" doc:"Percentage of the stage done; 0 if unknown."`
	Queued   int    `json:"queued" doc:"Place in the queue; 1 is next, 0 is not waiting."`
	Describe string `json:"describe,omitempty" doc:"What the file was recognised as."`
	Shown    bool   `json:"shown,omitempty" doc:"True once the first pages can be seen, before all is stored."`
}

// LimitError is returned when an upload passes a limit of the server.
type LimitError struct {
	Limit string // the flag's name, such as "max-upload"
	Max   int64  // bytes, or how many
	Found int64  // what was found by the time it was noticed
	Unit  string // "bytes", "files"
}

// Error names the limit, what it is and what was found.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the upload passes -%s: at most %d %s, found %d or more", e.Limit, e.Max, e.Unit, e.Found)
}

// Kind is the field's word for it.
func (e *LimitError) Kind() model.Kind { return model.KindTooLarge }

// RequestError is returned for a field of a Request that is not right.
type RequestError struct {
	Field string // as in the interface: "name", "label", "group", …
	Msg   string
}

// Error names the field.
func (e *RequestError) Error() string { return e.Field + ": " + e.Msg }
