package recovery_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"proflens/internal/recovery"
)

func TestAPanicOfAGoroutineIsAnErrorOfTheGroup(t *testing.T) {
	g, ctx := recovery.WithContext(t.Context())
	g.SetLimit(2)
	g.Go(func() error {
		var none []int
		none[len(none)]++
		return nil
	})
	g.Go(func() error {
		<-ctx.Done() // the panic ends the others
		return nil
	})
	err := g.Wait()
	caught, ok := errors.AsType[*recovery.Error](err)
	if !ok || !strings.Contains(err.Error(), "index out of range") ||
		!strings.Contains(string(caught.Stack), "panics_test.go") {
		t.Fatalf("%v", err)
	}
	if cause := context.Cause(ctx); cause != err {
		t.Errorf("the context ended with %v", cause)
	}
}

func TestErrorsPass(t *testing.T) {
	if err := recovery.Do(func() error { return io.EOF }); err != io.EOF {
		t.Error(err)
	}
	if err := recovery.Do(func() error { panic(io.ErrUnexpectedEOF) }); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an error that was thrown became %v", err)
	}
}

func TestTheLogHasTheStack(t *testing.T) {
	var b strings.Builder
	slog.New(slog.NewTextHandler(&b, nil)).Error("x", "error", recovery.Do(func() error { panic("a fault of ours") }))
	if !strings.Contains(b.String(), "a fault of ours") || !strings.Contains(b.String(), "panics_test.go") {
		t.Error(b.String())
	}
}
