package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// signalError is why a command's context ended: somebody asked for it.
type signalError struct{ os.Signal }

func (e signalError) Error() string { return e.String() }

// untilSignal ends its context at the first interrupt or SIGTERM and the process at the
// second, with the status that a shell gives to a process that a signal ended.
func untilSignal(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	asked := make(chan os.Signal, 2)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
	go func() {
		cancel(signalError{<-asked})
		second := <-asked
		if number, ok := second.(syscall.Signal); ok {
			os.Exit(128 + int(number))
		}
		os.Exit(exitIO)
	}()
	return ctx
}

// terminated reports whether a service manager ended a context, and not a person
// at a terminal.
func terminated(ctx context.Context) bool {
	asked, ok := errors.AsType[signalError](context.Cause(ctx))
	return ok && asked.Signal == syscall.SIGTERM
}
