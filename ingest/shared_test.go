package ingest

import (
	"context"
	"strings"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/ingest/tasks"
)

// slow decodes when it is let.
type slow struct {
	begun chan string   // gets the stage that was told
	go_   chan struct{} // closed: go on
}

func (r slow) Run(ctx context.Context, t tasks.Task, answer any, out tasks.Out) error {
	if _, writes := t.(*tasks.Write); writes {
		out.Progress(tasks.Progress{Stage: "reading", Describe: "slowly", Done: 1, Total: 4})
		r.begun <- "reading"
		select {
		case <-r.go_:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return tasks.Here{}.Run(ctx, t, answer, out)
}

// Whichever process one asks, it says how far a profile has come, waits for it, and
// ends what has become useless.
func TestProcessesAreEqual(t *testing.T) {
	if !onPostgres {
		t.Skip("about several processes")
	}
	dir := t.TempDir()
	runner := slow{make(chan string, 10), make(chan struct{})}
	decoder := New(openStore(t, dir), Config{Workers: 1, Runner: runner}, nil)
	server := New(openStore(t, dir), Config{Workers: -1}, nil)
	start(t, decoder)
	start(t, server)

	id := send(t, server, Request{}, upload{"a.proftext", []byte("main\n7\n1\n5\n")})[0].Entry.ID
	<-runner.begun
	until(t, "the progress of another process", func() bool {
		p := server.Progress(id)
		return p.Stage == StageReading && p.Percent == 25 && p.Describe == "slowly"
	})
	gone := send(t, server, Request{}, upload{"b.proftext", []byte("main\n7\n1\n6\n")})[0].Entry.ID
	if p := server.Progress(gone); p.Queued != 1 {
		t.Errorf("waiting: %+v", p)
	}
	close(runner.go_)
	if e := wait(t, server, id); e.State != catalog.Ready || e.Total != "5" {
		t.Errorf("%+v", e)
	}
	if e := wait(t, server, gone); e.State != catalog.Ready {
		t.Errorf("%+v", e)
	}
}

func TestWorkElsewhereIsEnded(t *testing.T) {
	if !onPostgres {
		t.Skip("about several processes")
	}
	dir := t.TempDir()
	runner := slow{make(chan string, 10), make(chan struct{})}
	decoder := New(openStore(t, dir), Config{Workers: 1, Runner: runner}, nil)
	server := New(openStore(t, dir), Config{Workers: -1}, nil)
	start(t, decoder)
	start(t, server)
	id := send(t, server, Request{}, upload{"a.proftext", []byte("main\n7\n1\n5\n")})[0].Entry.ID
	<-runner.begun
	b, err := server.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add(t.Context(), "b.proftext", strings.NewReader("main\n7\n1\n6\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddTo(t.Context(), id, false); err != nil {
		t.Fatal(err)
	}
	select { // it begins anew, with both files
	case <-runner.begun:
	case <-time.After(10 * time.Minute):
		t.Fatal("the first job goes on")
	}
	close(runner.go_)
	if e := wait(t, server, id); e.State != catalog.Ready || e.Total != "11" {
		t.Errorf("%+v", e)
	}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}
