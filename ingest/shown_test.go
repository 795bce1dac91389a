package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"proflens/catalog"
	"proflens/ingest/tasks"
)

// held goes on once its first pages can be seen when it is let.
type held struct{ on chan struct{} }

func (r held) Run(ctx context.Context, t tasks.Task, answer any, out tasks.Out) error {
	tell := out.Progress
	out.Progress = func(p tasks.Progress) {
		if tell(p); p.Shown {
			<-r.on
		}
	}
	return tasks.Here{}.Run(ctx, t, answer, out)
}

// Who waits for the first pages is answered while the rest is being stored; who waits for
// all is not.
func TestWaitShown(t *testing.T) {
	const functions = 50_000 // from here on there is a preview
	var b strings.Builder
	for i := range functions {
		fmt.Fprintf(&b, "f%d\n7\n1\n%d\n\n", i, i)
	}
	runner := held{make(chan struct{})}
	s, st := serveAt(t, catalog.Place{Dir: t.TempDir()}, Config{Workers: 1, Runner: runner})
	id := send(t, s, Request{}, upload{"many.proftext", []byte(b.String())})[0].Entry.ID

	e, err := s.WaitShown(t.Context(), id)
	if err != nil || e.State != catalog.Decoding || !e.Pending || !s.Progress(id).Shown {
		t.Fatalf("shown: %+v, %v, %+v", e, err, s.Progress(id))
	}
	p, err := st.Open(t.Context(), e)
	if err != nil || !p.Storing() {
		t.Fatalf("the preview: %v", err)
	}
	p.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Wait(ctx, id); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for all: %v", err)
	}
	close(runner.on)
	if e := wait(t, s, id); e.State != catalog.Ready || e.Functions != functions {
		t.Errorf("%+v", e)
	}
}
