package ingest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/catalog/engine/pgtest"
	"proflens/decode"
	"proflens/decode/model"
	"proflens/ingest/tasks"
)

// fakeRunner does before it writes tables what its function says.
type fakeRunner struct {
	tasks.Here
	open func(ctx context.Context) error
}

func (f fakeRunner) Run(ctx context.Context, t tasks.Task, answer any, out tasks.Out) error {
	if _, ok := t.(*tasks.Write); ok {
		out.Progress(tasks.Progress{Stage: tasks.Recognised, Describe: "LLVM text"})
		if err := f.open(ctx); err != nil {
			return err
		}
	}
	return f.Here.Run(ctx, t, answer, out)
}

// serveFake is serve with another decoder.
func serveFake(t testing.TB, c Config, open func(ctx context.Context) error) (*Service, *catalog.Catalog, func()) {
	t.Helper()
	st := openStore(t, t.TempDir())
	s := New(st, c, nil)
	s.runner = fakeRunner{open: open}
	return s, st, start(t, s)
}

var text = upload{"a.proftext", []byte("main\n7\n1\n5\n")}

func TestPanicInADecoderFailsOneProfile(t *testing.T) {
	panics := true
	s, _, _ := serveFake(t, Config{Workers: 1}, func(context.Context) error {
		if panics {
			panics = false
			panic("index out of range")
		}
		return nil
	})
	bad := send(t, s, Request{}, text)[0].Entry.ID
	good := send(t, s, Request{}, text)[0].Entry.ID
	e := wait(t, s, bad)
	if e.State != catalog.Failed || e.Finding.Kind != model.KindInternal ||
		!strings.Contains(e.Finding.Message, "index out of range") {
		t.Errorf("%s: %+v", e.State, e.Finding)
	}
	if e := wait(t, s, good); e.State != catalog.Ready {
		t.Errorf("the next one: %s: %+v", e.State, e.Finding)
	}
}

func TestDecodeTimeout(t *testing.T) {
	s, _, _ := serveFake(t, Config{DecodeTimeout: 10 * time.Millisecond}, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	e := wait(t, s, send(t, s, Request{}, text)[0].Entry.ID)
	if e.State != catalog.Failed || e.Finding.Kind != model.KindTimeout ||
		!strings.Contains(e.Finding.Remedy, "-decode-timeout") {
		t.Errorf("%s: %+v", e.State, e.Finding)
	}
}

func TestDeleteStopsDecoding(t *testing.T) {
	begun, ended := make(chan bool), make(chan error, 1)
	s, st, _ := serveFake(t, Config{Workers: 1}, func(ctx context.Context) error {
		begun <- true
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return ctx.Err()
	})
	id := send(t, s, Request{}, text)[0].Entry.ID
	<-begun
	if p := s.Progress(id); p.Stage != StageRecognised || p.Describe == "" {
		t.Errorf("progress: %+v", p)
	}
	waiting := make(chan error, 1)
	go func() { _, err := s.Wait(context.Background(), id); waiting <- err }()
	if err := st.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if cause := <-ended; cause != errStopped {
		t.Errorf("decoding ended by %v", cause)
	}
	if _, ok := errors.AsType[*catalog.GoneError](<-waiting); !ok {
		t.Error("Wait did not say that the profile is gone")
	}
}

func TestAddToStopsDecodingWithoutTheFile(t *testing.T) {
	begun := make(chan bool, 9)
	first := true
	s, _, _ := serveFake(t, Config{Workers: 1}, func(ctx context.Context) error {
		begun <- true
		if first {
			first = false
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	})
	id := send(t, s, Request{}, text)[0].Entry.ID
	<-begun
	b, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add(t.Context(), "b.proftext", strings.NewReader("main\n7\n1\n6\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddTo(t.Context(), id, false); err != nil {
		t.Fatal(err)
	}
	if e := wait(t, s, id); e.State != catalog.Ready || e.Total != "11" || len(e.Files) != 2 {
		t.Errorf("%s, total %s: %+v", e.State, e.Total, e.Finding)
	}
}

func TestQueueIsVisibleAndSurvivesShutdown(t *testing.T) {
	begun := make(chan bool)
	s, st, stop := serveFake(t, Config{Workers: 1}, func(ctx context.Context) error {
		begun <- true
		<-ctx.Done()
		return ctx.Err()
	})
	var ids []string
	for range 3 {
		ids = append(ids, send(t, s, Request{}, text)[0].Entry.ID)
	}
	<-begun
	for i, want := range []int{0, 1, 2} {
		if p := s.Progress(ids[i]); p.Queued != want {
			t.Errorf("%d: %+v, want place %d", i, p, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if e, err := s.Wait(ctx, ids[2]); !errors.Is(err, context.DeadlineExceeded) || e == nil ||
		e.State != catalog.Received {
		t.Errorf("Wait beyond its time: %+v, %v", e, err)
	}
	stop()
	for _, id := range ids {
		if e, err := st.Entry(t.Context(), id); err != nil || e.State != catalog.Received || !e.Pending {
			t.Errorf("after shutdown: %+v, %v", e, err)
		}
	}
	next := New(st, Config{}, nil)
	start(t, next)
	for _, id := range ids {
		if e := wait(t, next, id); e.State != catalog.Ready {
			t.Errorf("%s: %+v", e.State, e.Finding)
		}
	}
}

func TestFaultsOfTheDiskAreTriedAgain(t *testing.T) {
	s, st, stop := serveFake(t, Config{}, func(context.Context) error { return errors.New("no space left on device") })
	id := send(t, s, Request{}, text)[0].Entry.ID
	if e := wait(t, s, id); e.State != catalog.Failed || e.Finding.Kind != model.KindInternal {
		t.Errorf("%s: %+v", e.State, e.Finding)
	}
	stop()
	next := New(st, Config{}, nil)
	start(t, next)
	deadline := time.Now().Add(10 * time.Minute)
	for {
		if e := wait(t, next, id); e.State == catalog.Ready {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("it was not tried again")
		}
		time.Sleep(time.Millisecond) // until Run has begun
	}
}

func TestAJobThatKeepsEndingTheProcessIsGivenUp(t *testing.T) {
	dir := t.TempDir()
	st := openStore(t, dir)
	id := send(t, New(st, Config{}, nil), Request{}, text)[0].Entry.ID
	for range maxAttempts {
		if job, err := st.NextJob(t.Context()); job == nil || err != nil {
			t.Fatalf("NextJob: %v, %v", job, err)
		}
		if onPostgres { // nobody renews its lease
			pgtest.Exec(t, at(t, dir).Database, `UPDATE job SET lease_us = 0`)
		}
		if _, err := st.Recover(t.Context(), decode.Version); err != nil { // as the next process would
			t.Fatal(err)
		}
	}
	s := New(st, Config{}, nil)
	start(t, s)
	if e := wait(t, s, id); e.State != catalog.Failed || e.Finding.Code != "internal.attempts" {
		t.Errorf("%s: %+v", e.State, e.Finding)
	}
}
