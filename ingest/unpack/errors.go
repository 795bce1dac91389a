package unpack

import (
	"archive/tar"
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Kind is the word for what is wrong with an archive.
type Kind string

// The kinds of fault.
const (
	TooLarge    Kind = "too_large"           // it passes the budget
	Truncated   Kind = "truncated"           // it ends too early
	Malformed   Kind = "malformed"           // its bytes contradict each other
	Unsupported Kind = "unsupported_archive" // well formed, but encrypted or packed by a method we do not read
)

// Error is a fault of an archive.
type Error struct {
	Kind    Kind
	Archive string // the name given to Expand
	Member  string // the file, of those inside, where it showed; may be the archive itself
	Limit   int64  // what the budget was, for TooLarge; in Unit
	Unit    string // "bytes", "files", "entries" or "layers"
	Ratio   int64  // the budget's, when Limit comes of it
	Budget  bool   // Limit comes of the budget's bytes or ratio, which can be set; others are fixed
	At      int64  // bytes that came out of the member before
	Msg     string
	Err     error
}

// Error says what is wrong, where, and what would have been right.
func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message() }

// Message is the sentence without the kind.
func (e *Error) Message() string {
	s := e.Msg
	if e.Member != "" && e.Member != e.Archive {
		s = e.Member + ": " + s
	}
	if e.Unit != "" {
		s += fmt.Sprintf("; expected at most %d %s", e.Limit, e.Unit)
	}
	if e.Ratio > 0 {
		s += fmt.Sprintf(", %d for each of its own beyond the first %d", e.Ratio, Free)
	}
	if e.At > 0 {
		s += fmt.Sprintf(", after %d bytes had come out", e.At)
	}
	return s
}

// Unwrap returns what the library said.
func (e *Error) Unwrap() error { return e.Err }

// fault turns what a library says about an archive into an *Error. Errors that
// have a place already, and those of the disk and of the context, pass.
func fault(f format, name string, err error) error { return faultAt(f, name, 0, err) }

func faultAt(f format, name string, at int64, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[readError](err); ok {
		return e // marked, for the layers around it
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := &Error{Kind: Malformed, Member: name, At: at, Err: err}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		e.Kind, e.Msg = Truncated, "the "+f.String()+" data ends too early"
	case errors.Is(err, zip.ErrAlgorithm):
		e.Kind, e.Msg = Unsupported, "compressed with an unsupported method"
	case errors.Is(err, zip.ErrChecksum):
		e.Msg = "the checksum of the zip member is wrong"
	case errors.Is(err, tar.ErrHeader):
		e.Msg = "a tar header is not valid"
	default:
		e.Msg = "the " + f.String() + " data is not valid: " + err.Error()
	}
	return e
}
