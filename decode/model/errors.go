package model

import (
	"errors"
	"fmt"
)

// Kind is the field's own word for what is wrong with a file, spelled as in
// instrprof.md §7 without "instrprof_error::". It is what the command line
// prints, what the API returns as "kind" and what tests compare.
type Kind string

// The kinds. Each says when it is returned.
const (
	KindTruncated Kind = "truncated" // the file ends inside something
	KindMalformed Kind = "malformed" // an inconsistency that has no kind of its own
	// another magic where one is required, as in a second concatenated header
	KindBadMagic Kind = "bad_magic"
	// header too short, or its sizes pass the end of the file
	KindBadHeader          Kind = "bad_header"
	KindUnrecognizedFormat Kind = "unrecognized_format" // no decoder knows the first bytes
	// a version newer than the newest known, or kinds that cannot be merged
	KindUnsupportedVersion  Kind = "unsupported_version"
	KindRawVersionMismatch  Kind = "raw_profile_version_mismatch" // a raw version newer than the newest known
	KindUnsupportedHashType Kind = "unsupported_hash_type"        // an indexed file with a hash other than MD5
	KindTooLarge            Kind = "too_large"                    // a size passes what holds it, or a limit of ours
	KindEOF                 Kind = "eof"                          // a text file ends inside its header
	// a compressed section does not inflate to what it promises
	KindUncompressFailed Kind = "uncompress_failed"
	KindEmpty            Kind = "empty_raw_profile" // a file of no bytes
	// counters without data records: the executable has them
	KindMissingCorrelation Kind = "missing_correlation_info"
	// a profile that has its own addresses, though records and names are elsewhere
	KindUnexpectedCorrelate Kind = "unexpected_correlation_info"
	KindUnableToCorrelate   Kind = "unable_to_correlate_profile" // the executable has not what the profile left out
	// a program without debug info, or without the part of it that was split off
	KindUnableToSymbolize Kind = "unable_to_symbolize"
	KindIncompatible      Kind = "incompatible" // files that cannot form one profile
	// the encoding asked for cannot hold all of the profile
	KindLossy Kind = "lossy"
	// an order was asked of a profile without temporal traces
	KindNoTraces Kind = "no_temporal_traces"
	// a count or length passes the bytes that could hold it (mip.md §9)
	KindCountTooLarge      Kind = "count_too_large"
	KindUnsupportedFeature Kind = "unsupported_feature" // a part of a format that was never published
	KindCorrupt            Kind = "corrupt"             // numbers of a file that contradict each other
	KindMismatch           Kind = "mismatch"            // a map and a run that are not of one program
	KindSecondHeader       Kind = "second_header"       // maps of several link units in one file
	// functions were asked of a heap profile that has only addresses
	KindUnsymbolized Kind = "unsymbolized"
	KindTrailingData Kind = "trailing_data" // bytes after what should be the end
	KindNoCoverage   Kind = "no_data_found" // an object without a coverage mapping
	// no architecture was named for a universal file, or one that it has not got
	KindArchitecture Kind = "invalid_or_missing_arch_specifier"
	KindTimeout      Kind = "timeout"  // decoding passed its time budget
	KindInternal     Kind = "internal" // a fault of ours, not of the file
)

// FormatError is a fault in a file: what was being read, where, what was
// expected and what was found. Decoders return no other error for bad input.
type FormatError struct {
	Kind     Kind
	File     string // name of the input, when there are several
	Section  string // the part of the file, such as "header" or "names"
	Field    string // the field being read, spelled as in the format reference; may be empty
	Offset   uint64 // bytes from the start of the file as given; 0 when it concerns the whole file
	Expected string // what would have been right; may be empty
	Found    string // what is there; may be empty
	Msg      string // one sentence, without kind and offset
	Err      error  // the cause, when another package found it
	// LLVM is what LLVM's tools say of it: from ": " on behind the words of its kind, from a line
	// end on behind the name of the file, or the whole.
	LLVM string
}

// Faultf is a fault that concerns a whole profile, whose message is written as by fmt.Sprintf.
func Faultf(kind Kind, format string, args ...any) *FormatError {
	return &FormatError{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

// Error gives "KIND: message (at offset 0x…)", the form the command line prints.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s: %s (at offset 0x%x)", e.Kind, e.Message(), e.Offset)
}

// Message is the sentence for a person: the section, the message, what was
// expected and what was found, without kind and offset.
func (e *FormatError) Message() string {
	s := e.Msg
	if e.Section != "" {
		s = e.Section + ": " + s
	}
	switch {
	case e.Expected != "" && e.Found != "":
		s += "; expected " + e.Expected + ", found " + e.Found
	case e.Expected != "":
		s += "; expected " + e.Expected
	case e.Found != "":
		s += "; found " + e.Found
	}
	return s
}

// FaultIn is the first fault of a file in err's chain.
func FaultIn(err error) (fault *FormatError, ok bool) { return errors.AsType[*FormatError](err) }

// InLLVM gives an error that is a fault what LLVM's tools say of it.
func InLLVM(err error, says string) error {
	if f, ok := FaultIn(err); ok {
		f.LLVM = says
	}
	return err
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// KindOf returns the kind of the first FormatError in err's chain, or
// [KindInternal] when there is none.
func KindOf(err error) Kind {
	if fe, ok := FaultIn(err); ok {
		return fe.Kind
	}
	return KindInternal
}
