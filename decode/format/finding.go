package format

import (
	"context"
	"errors"

	"proflens/decode/model"
)

// Advice is what a finding says to a person about a kind of fault.
type Advice struct{ Cause, Remedy string }

// Advised is an error that knows better advice than its kind does.
type Advised interface {
	error
	Advice() Advice
}

// Hint is what to do about an error, carried as its cause.
type Hint string

// Error is the hint.
func (h Hint) Error() string { return string(h) }

// Advice implements [Advised].
func (h Hint) Advice() Advice { return Advice{Remedy: string(h)} }

// fileError says of which format the file was whose fault it wraps.
type fileError struct {
	format *Format
	err    *model.FormatError
}

func (e *fileError) Error() string { return e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// InFile names file and format of a fault that err holds. The fault itself is
// copied, since it belongs to the reader that found it.
func (f *Format) InFile(name string, err error) error {
	fault, ok := model.FaultIn(err)
	if !ok {
		return err
	}
	named := *fault
	if named.File == "" {
		named.File = name
	}
	return &fileError{f, &named}
}

// Refuse is the error for a file that cannot be part of a profile.
func (f *Format) Refuse(name, msg string, cause error) error {
	return &fileError{
		f, &model.FormatError{Kind: model.KindIncompatible, File: name, Section: "header", Msg: msg, Err: cause},
	}
}

// FindingOf makes a finding of an error that opening or reading a file returned:
// with a stable code, "raw.truncated", the likely cause and what to do about it.
// file is used when the error does not name one. An error that is no FormatError
// is timeout or internal, whatever its text.
func FindingOf(file string, err error) model.Finding {
	fault, ok := model.FaultIn(err)
	if !ok {
		fault = faultOf(err)
	}
	prefix, own := "input", map[model.Kind]Advice(nil)
	if in, ok := errors.AsType[*fileError](err); ok && in.format != nil {
		prefix, own = in.format.Prefix, in.format.Advice
	}
	f := model.Finding{
		Severity: model.Error, Code: prefix + "." + string(fault.Kind), Kind: fault.Kind,
		File: fault.File, Section: fault.Section, Field: fault.Field, Offset: fault.Offset,
		Expected: fault.Expected, Found: fault.Found, Message: fault.Msg,
	}
	if f.File == "" {
		f.File = file
	}
	advice, ok := own[fault.Kind]
	if !ok {
		advice = advices[fault.Kind]
	}
	if better, ok := errors.AsType[Advised](err); ok {
		advice = better.Advice()
	}
	f.Cause, f.Remedy = advice.Cause, advice.Remedy
	return f
}

// faultOf stands for an error that is not about a file's bytes.
func faultOf(err error) *model.FormatError {
	if errors.Is(err, context.DeadlineExceeded) {
		return model.Faultf(model.KindTimeout, "decoding exceeded its time limit")
	}
	if errors.Is(err, context.Canceled) {
		return model.Faultf(model.KindTimeout, "decoding was cancelled")
	}
	return &model.FormatError{
		Kind: model.KindInternal, Msg: "decoding failed for a reason that is not in the file", Err: err,
	}
}

// The remedies that several kinds and formats share.
const (
	CopyAgain = "copy or download the file again and compare sizes; if it is the same, record the profile again"
	UseNewer  = "open it with a newer release of Proflens, or merge it with the llvm-profdata of the compiler that " +
		"wrote it and open the .profdata"
	UseProfdata  = "run llvm-profdata merge from the compiler that wrote it: if that fails too, the file is damaged"
	CopyAsBinary = "copy the file again, in binary mode"
)
