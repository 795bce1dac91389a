// Package recovery turns a panic of a goroutine into an error of who waits for it. Go
// ends the whole process otherwise, and the server has one process for everyone.
package recovery

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Error is a panic that was caught.
type Error struct {
	Value any
	Stack []byte // of the goroutine, for the log
}

// Error says what the panic said.
func (e *Error) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value when that is an error.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// LogValue has the stack beside the words.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(slog.String("panic", fmt.Sprint(e.Value)), slog.String("stack", string(e.Stack)))
}

// catch is deferred: it makes a panic of the function an error in err. One that was
// caught in another goroutine, and goes on here, keeps its stack.
func catch(err *error) {
	switch v := recover().(type) {
	case nil:
	case *Error:
		*err = v
	default:
		*err = &Error{Value: v, Stack: debug.Stack()}
	}
}

// Do calls f; its panic is an error, and so is a page of a mapped file that cannot
// be read.
func Do(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer catch(&err)
	return f()
}

// Group is an [errgroup.Group] whose goroutines may panic.
type Group struct{ g *errgroup.Group }

// WithContext returns a group and a context that ends with its first error.
func WithContext(ctx context.Context) (*Group, context.Context) {
	g, ctx := errgroup.WithContext(ctx)
	return &Group{g}, ctx
}

// SetLimit is how many goroutines run at once.
func (g *Group) SetLimit(n int) { g.g.SetLimit(n) }

// Go calls f in a goroutine, as [Do] does.
func (g *Group) Go(f func() error) { g.g.Go(func() error { return Do(f) }) }

// Wait waits for all of them and returns the first error.
func (g *Group) Wait() error { return g.g.Wait() }
