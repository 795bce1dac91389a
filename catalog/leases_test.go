package catalog

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"proflens/decode/model"
	"proflens/profile/stored"
)

// two are catalogs of two processes on one database and one folder.
func two(t *testing.T) (a, b *Catalog) {
	t.Helper()
	if !onPostgres {
		t.Skip("about several processes")
	}
	dir := t.TempDir()
	return openStore(t, dir), openStore(t, dir)
}

// Both know at once what either does, and each job is done by one.
func TestTwoProcesses(t *testing.T) {
	a, b := two(t)
	var ids []string
	for i, s := range []*Catalog{a, b, a, b} {
		ids = append(ids, take(t, s, fmt.Sprint(i), fmt.Sprint("content ", i)).Entry.ID)
	}
	done := map[string]int{}
	for _, s := range []*Catalog{a, b, b, a} {
		done[makeReady(t, s).Entry.ID]++
	}
	for _, id := range ids {
		if done[id] != 1 {
			t.Errorf("%s was decoded %d times", id, done[id])
		}
		for _, s := range []*Catalog{a, b} {
			p, err := openTables(t, s, id)
			if err != nil {
				t.Fatal(err)
			}
			if err := read(p); err != nil {
				t.Error(err)
			}
			p.Close()
		}
	}
	if job, err := b.NextJob(t.Context()); job != nil || err != nil {
		t.Errorf("one more job: %v, %v", job, err)
	}
	if err := b.Delete(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Entry(t.Context(), ids[0]); !errors.As(err, new(*GoneError)) {
		t.Errorf("deleted elsewhere: %v", err)
	}
}

// A process that ends leaves its job to the other; when it was only slow, what it has
// done changes nothing.
func TestALeaseIsTakenOver(t *testing.T) {
	a, b := two(t)
	id := take(t, a, "app", "content").Entry.ID
	slow := nextJob(t, a)
	build(t, a, slow)
	if n, err := b.TakeOver(t.Context()); n != 0 || err != nil {
		t.Fatalf("taken over while it holds: %d, %v", n, err)
	}
	if _, err := b.Recover(t.Context(), 0); err != nil { // as it starts
		t.Fatal(err)
	}
	if job, err := b.NextJob(t.Context()); job != nil || err != nil {
		t.Fatalf("given out twice: %v, %v", job, err)
	}

	later := time.Now().Add(2 * leaseFor)
	b.now = func() time.Time { return later }
	if n, err := b.TakeOver(t.Context()); n != 1 || err != nil {
		t.Fatalf("taken over: %d, %v", n, err)
	}
	if e := entryOf(t, a, id); e.State != Received {
		t.Errorf("waiting again: %s", e.State)
	}
	second := nextJob(t, b)
	if second.ID != slow.ID || second.Taken != slow.Taken+1 || second.Attempts != 1 {
		t.Errorf("the job taken over: %+v", second)
	}
	build(t, b, second)
	lost, err := a.Renew(t.Context(), []Renewal{{Job: slow}})
	if err != nil || len(lost) != 1 || lost[0] != slow {
		t.Errorf("renewing: %v, %v", lost, err)
	}
	for what, err := range map[string]error{
		"Finish":  a.Finish(t.Context(), slow, stored.Figures{Functions: 1}, 1),
		"Fail":    a.Fail(t.Context(), slow, model.Finding{Code: "x"}, 1),
		"Requeue": a.Requeue(t.Context(), slow),
	} {
		if !errors.Is(err, ErrSuperseded) {
			t.Errorf("%s of a job that was taken over: %v", what, err)
		}
	}
	if err := b.Finish(t.Context(), second, stored.Figures{Functions: 2, Total: "1"}, 1); err != nil {
		t.Fatal(err)
	}
	if e := entryOf(t, a, id); e.State != Ready || e.Functions != 2 {
		t.Errorf("ready: %+v", e)
	}
	if tables := onDisk(t, a, "profiles"); len(tables) != 1 {
		t.Errorf("tables: %v", tables)
	}
}

// A lease that is renewed holds, and says to all how far its job has come.
func TestALeaseIsRenewed(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := take(t, s, "app", "content").Entry.ID
	job := nextJob(t, s)
	later := time.Now().Add(leaseFor * 3 / 4)
	s.now = func() time.Time { return later }
	if lost, err := s.Renew(t.Context(), []Renewal{{job, "half"}}); len(lost) > 0 || err != nil {
		t.Fatalf("lost %v, %v", lost, err)
	}
	if progress, err := s.ProgressOf(t.Context(), id); progress != "half" || err != nil {
		t.Errorf("progress %q, %v", progress, err)
	}
	later = later.Add(leaseFor / 2)
	if s.Shared() {
		if n, err := s.TakeOver(t.Context()); n != 0 || err != nil {
			t.Errorf("taken over: %d, %v", n, err)
		}
	}
	if err := s.Requeue(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if progress, err := s.ProgressOf(t.Context(), id); progress != "" || err != nil {
		t.Errorf("progress of what waits: %q, %v", progress, err)
	}
}

// What a newer Proflens asked for, or has made, an older one leaves alone.
func TestNewerTablesAreLeftAlone(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := take(t, s, "app", "content").Entry.ID
	makeReady(t, s)
	if _, err := s.db.Write.Exec(`UPDATE profile SET schema_version = 1000, decoder_version = 1000`); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Recover(t.Context(), 1); n != 0 || err != nil {
		t.Errorf("Recover: %d, %v", n, err)
	}
	if _, err := openTables(t, s, id); !errors.Is(err, ErrNewer) {
		t.Errorf("opened: %v", err)
	}
	if e := entryOf(t, s, id); e.State != Ready || e.Pending {
		t.Errorf("it is %s, pending %v", e.State, e.Pending)
	}
	take(t, s, "waits", "for the newer one")
	if _, err := s.db.Write.Exec(`UPDATE job SET decoder_version = 2`); err != nil {
		t.Fatal(err)
	}
	if job, err := s.NextJob(t.Context()); job != nil || err != nil {
		t.Errorf("an older one took the job: %v, %v", job, err)
	}
	if _, err := s.Recover(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	nextJob(t, s)
}

// Two processes work through a queue side by side, while it is filled and profiles are
// deleted.
func TestProcessesSideBySide(t *testing.T) {
	a, b := two(t)
	const each = 12
	var wg sync.WaitGroup
	var mu sync.Mutex
	var kept []string
	for _, s := range []*Catalog{a, b} {
		wg.Go(func() {
			for i := range each {
				c := take(t, s, "app", fmt.Sprint("content ", i/2)) // of the same bytes, from both
				if i%3 == 0 {
					if err := s.Delete(t.Context(), c.Entry.ID); err != nil {
						t.Error(err)
					}
					continue
				}
				mu.Lock()
				kept = append(kept, c.Entry.ID)
				mu.Unlock()
			}
		})
		wg.Go(func() {
			for range 2 * each {
				job, err := s.NextJob(t.Context())
				if err != nil {
					t.Error(err)
				}
				if job == nil {
					time.Sleep(time.Millisecond)
					continue
				}
				build(t, s, job)
				if err := s.Finish(t.Context(), job, stored.Figures{Total: "1"}, 1); err != nil && !errors.Is(err, ErrSuperseded) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for {
		job, err := b.NextJob(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		build(t, b, job)
		if err := b.Finish(t.Context(), job, stored.Figures{Total: "1"}, 1); err != nil {
			t.Fatal(err)
		}
	}
	for i, id := range kept {
		e := entryOf(t, []*Catalog{a, b}[i%2], id)
		if e.State != Ready {
			t.Errorf("%s is %s", id, e.State)
		}
		f, err := a.OpenObject(t.Context(), e.Files[0].SHA256)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if tables := onDisk(t, a, "profiles"); len(tables) != len(kept) {
		t.Errorf("%d tables of %d profiles", len(tables), len(kept))
	}
}

// What one process does, the others hear.
func TestProcessesHearEachOther(t *testing.T) {
	a, b := two(t)
	var mu sync.Mutex
	var heard []string
	said := make(chan struct{}, 100)
	note := func(what string) {
		mu.Lock()
		heard = append(heard, what)
		mu.Unlock()
		said <- struct{}{}
	}
	b.OnWork(func() { note("work") })
	b.OnChange(func(id string) { note(id) })
	go b.Watch(t.Context())
	<-said // what was missed
	<-said
	id := take(t, a, "app", "content").Entry.ID
	if err := a.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		select {
		case <-said:
		case <-time.After(10 * time.Minute):
			t.Fatal("nothing is heard")
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(heard, []string{"work", "", "work", id}) {
		t.Errorf("heard %q", heard)
	}
}
