package tasks

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/internal/recovery"
	"proflens/profile/exports"
)

// Cause is why a task brought its process down.
type Cause string

// The causes.
const (
	Crashed  Cause = "crashed" // a panic: a fault of ours
	NoMemory Cause = "memory"  // it passed the limit of memory
	NoTime   Cause = "time"    // it passed the limit of time
	Killed   Cause = "killed"  // somebody else ended it: the system, short of memory
)

// Death is the end of a task that took its process with it, or would have.
type Death struct {
	Cause Cause
	Says  string // its last words: what a panic said
	Stack string // for the log
}

func (e *Death) Error() string {
	s := "the decoder was ended: " + string(e.Cause)
	if e.Says != "" {
		s += ": " + e.Says
	}
	return s
}

// Refused is a fault in a file with what a person is told about it.
type Refused struct {
	Finding model.Finding
	Fault   *model.FormatError
}

// Error is the fault's.
func (e *Refused) Error() string { return e.Fault.Error() }

// Unwrap returns the fault.
func (e *Refused) Unwrap() error { return e.Fault }

// Fault is an error on its way between processes.
type Fault struct {
	Refused *Refused             `json:",omitempty"`
	Lack    *model.FormatError   `json:",omitempty"` // of an exports.LackError
	Loss    *encode.LossError    `json:",omitempty"`
	Option  *exports.OptionError `json:",omitempty"`
	Death   *Death               `json:",omitempty"`
	Errno   syscall.Errno        `json:",omitempty"`
	Ended   bool                 `json:",omitempty"` // by its context
	Says    string               `json:",omitempty"`
}

// FaultOf takes an error apart.
func FaultOf(err error) Fault {
	f := Fault{Says: err.Error()}
	errors.As(err, &f.Errno)
	f.Ended = errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if caught, ok := errors.AsType[*recovery.Error](err); ok { // of a goroutine that the task started
		f.Death = &Death{Cause: Crashed, Says: fmt.Sprint(caught.Value), Stack: string(caught.Stack)}
	} else if lack, ok := errors.AsType[*exports.LackError](err); ok {
		f.Lack = lack.Fault
	} else if errors.As(err, &f.Loss) || errors.As(err, &f.Option) || errors.As(err, &f.Death) ||
		errors.As(err, &f.Refused) {
		return f
	} else if fe, ok := model.FaultIn(err); ok {
		fault := *fe
		fault.Err = nil // what it was good for stands in the finding
		f.Refused = &Refused{format.FindingOf(fe.File, err), &fault}
	}
	return f
}

// Err puts the error together again.
func (f *Fault) Err() error {
	switch {
	case f.Refused != nil:
		return f.Refused
	case f.Lack != nil:
		return &exports.LackError{Fault: f.Lack}
	case f.Loss != nil:
		return f.Loss
	case f.Option != nil:
		return f.Option
	case f.Death != nil:
		return f.Death
	case f.Ended:
		return context.Canceled
	case f.Errno != 0:
		return fmt.Errorf("%s: %w", f.Says, f.Errno)
	}
	return errors.New(f.Says)
}
