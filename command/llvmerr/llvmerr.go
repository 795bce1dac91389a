// Package llvmerr says what is wrong with files in the words of LLVM's tools, since scripts look for
// them, and keeps what Proflens knows beside that.
package llvmerr

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"proflens/decode/model"
	"proflens/decode/sampleprof"
)

// Fault is what LLVM's tools say of a file: "error: FILE: MESSAGE", and what to do.
type Fault struct {
	Where, Msg, Hint string
	More             string // what Proflens knows beside that: where, what was expected and found
	Ends             bool   // LLVM's tools end here, even where they were told to pass over faults
}

// Error is the message with its file.
func (f *Fault) Error() string {
	if f.Where == "" {
		return f.Msg
	}
	return f.Where + ": " + f.Msg
}

// Print writes it as an error or a warning: "error", "warning".
func (f *Fault) Print(w io.Writer, how string) {
	fmt.Fprintf(w, "%s: %s\n", how, f.Error())
	if f.Hint != "" {
		fmt.Fprintf(w, "note: %s\n", f.Hint)
	}
}

// System is an error of the system, as LLVM's tools write it: without the file's name, the
// first letter large.
func System(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		err = number
	} else if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:]
}

// Instr are LLVM's for kinds of faults in instrumentation profiles.
var Instr = map[model.Kind]string{
	model.KindEOF:                 "end of File",
	model.KindUnrecognizedFormat:  "unrecognized instrumentation profile encoding format",
	model.KindBadMagic:            "invalid instrumentation profile data (bad magic)",
	model.KindBadHeader:           "invalid instrumentation profile data (file header is corrupt)",
	model.KindUnsupportedVersion:  "unsupported instrumentation profile format version",
	model.KindRawVersionMismatch:  "raw profile version mismatch",
	model.KindUnsupportedHashType: "unsupported instrumentation profile hash type",
	model.KindTooLarge:            "too much profile data",
	model.KindTruncated:           "truncated profile data",
	model.KindMalformed:           "malformed instrumentation profile data",
	model.KindUncompressFailed:    "failed to uncompress data (zlib)",
	model.KindEmpty:               "empty raw profile file",
	model.KindMissingCorrelation:  "debug info/binary for correlation is required",
	model.KindUnexpectedCorrelate: "debug info/binary for correlation is not necessary",
	model.KindUnableToCorrelate:   "unable to correlate profile",
	"count_mismatch":              "function basic block count change detected (counter mismatch)",
	"bitmap_mismatch":             "function bitmap size change detected (bitmap size mismatch)",
	"value_site_count_mismatch":   "function value site count change detected (counter mismatch)",
	"hash_mismatch":               "function control flow change detected (hash mismatch)",
	"counter_overflow":            "counter overflow",
}

// Sample are LLVM's for kinds of faults in sample profiles.
var Sample = map[model.Kind]string{
	model.KindBadMagic:                "Invalid sample profile data (bad magic)",
	model.KindUnsupportedVersion:      "Unsupported sample profile format version",
	model.KindTooLarge:                "Truncated profile data",
	model.KindTruncated:               "Truncated profile data",
	model.KindEOF:                     "Truncated profile data",
	model.KindMalformed:               "Malformed sample profile data",
	model.KindUnrecognizedFormat:      "Unrecognized sample profile encoding format",
	model.KindUncompressFailed:        "Uncompress failure",
	sampleprof.KindTruncatedNameTable: "Truncated function name table",
	sampleprof.KindCounterOverflow:    "Counter overflow",
	sampleprof.KindHashMismatch:       "Function hash mismatch",
	sampleprof.KindIllegalLineOffset:  "Illegal line offset in sample profile data",
}

// Coverage are LLVM's for kinds of faults in coverage mappings and what holds them.
var Coverage = map[model.Kind]string{
	model.KindEOF:                "end of File",
	model.KindNoCoverage:         "no coverage data found",
	model.KindUnsupportedVersion: "unsupported coverage format version",
	model.KindTruncated:          "truncated coverage data",
	model.KindMalformed:          "malformed coverage data",
	model.KindUncompressFailed:   "failed to decompress coverage data (zlib)",
	model.KindArchitecture:       "`-arch` specifier is invalid or missing for universal binary",
	model.KindUnrecognizedFormat: "The file was not recognized as a valid object file",
}

// Of is an error about a file in LLVM's words, with our own behind.
func Of(file string, err error, words map[model.Kind]string) *Fault {
	if told, ok := errors.AsType[*Fault](err); ok {
		return told
	}
	said, ok := model.FaultIn(err)
	if !ok {
		return &Fault{Where: file, Msg: System(err)}
	}
	if number, isLine := strings.CutPrefix(said.Section, "line "); isLine && said.LLVM != "" {
		return &Fault{Msg: fmt.Sprintf("%s:%s: %s", file, number, said.LLVM), More: said.Error()} // it reads no other file
	}
	msg, ok := words[said.Kind]
	switch {
	case strings.HasPrefix(said.LLVM, "\n"):
		msg = file
	case said.LLVM != "" && said.LLVM[0] != ':':
		msg = ""
	case KindsDiffer(err):
		msg = "Merge IR generated profile with Clang generated profile."
	case said.Kind == model.KindArchitecture && said.Section == "":
		msg = "No object file for requested architecture"
	case !ok:
		msg = words[model.KindMalformed]
	}
	f := &Fault{Where: file, Msg: msg + said.LLVM, More: said.Error()}
	if said.Kind == model.KindUnrecognizedFormat && words[said.Kind] == Instr[said.Kind] {
		f.Hint = "Perhaps you forgot to use the --sample or --memory option?"
	}
	return f
}

// KindsDiffer reports whether a file was refused since its kind is not that of the files
// before.
func KindsDiffer(err error) bool {
	said, ok := model.FaultIn(err)
	return ok && said.Section == "header" && (said.Kind == model.KindIncompatible ||
		said.Kind == model.KindUnsupportedVersion && strings.Contains(said.Msg, "cannot be merged with"))
}

// OfRecords is [Of] in the words of [Instr], for an error that may not be about the file at all.
func OfRecords(file string, err error) error {
	if _, ok := model.FaultIn(err); ok {
		return Of(file, err, Instr)
	}
	return err
}
