package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/catalog/objects"
)

// inBucket gives a place a folder that stands for a bucket.
func inBucket(t *testing.T, place catalog.Place) catalog.Place {
	t.Helper()
	place.Objects = "file://" + filepath.ToSlash(filepath.Join(t.TempDir(), "bucket")) +
		"?no_tmp_dir=true&metadata=skip&create_dir=true"
	return place
}

func bucketDir(place catalog.Place) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(place.Objects, "file://"), "?")
	return filepath.FromSlash(path)
}

func serveAt(t *testing.T, place catalog.Place, c Config) (*Service, *catalog.Catalog) {
	t.Helper()
	st, err := catalog.Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	s := New(st, c, nil)
	start(t, s)
	return s, st
}

// A job whose tables cannot be stored waits, is no failure, and counts as no attempt; it
// is done when the store is back.
func TestAJobWaitsForTheStore(t *testing.T) {
	t.Cleanup(objects.Hasty())
	pause := awayPause
	awayPause = 10 * time.Millisecond
	t.Cleanup(func() { awayPause = pause })
	place := inBucket(t, at(t, t.TempDir()))
	runner := slow{make(chan string, 10), make(chan struct{})}
	s, st := serveAt(t, place, Config{Workers: 1, Runner: runner})
	id := send(t, s, Request{}, upload{"a.proftext", []byte("main\n7\n1\n5\n")})[0].Entry.ID
	<-runner.begun
	dir := bucketDir(place)
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // all that is asked of it fails, and nothing is "not there"
		t.Fatal(err)
	}
	close(runner.go_)
	select {
	case <-runner.begun: // again
	case <-time.After(10 * time.Minute):
		t.Fatal("it was not tried again")
	}
	if e, err := st.Entry(t.Context(), id); err != nil || e.State == catalog.Failed {
		t.Errorf("while the store is away: %+v, %v", e, err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	if e := wait(t, s, id); e.State != catalog.Ready || e.Total != "5" {
		t.Errorf("%+v", e)
	}
	if done, err := catalog.Check(t.Context(), place, func(f catalog.Fault) { t.Error(f) }); err != nil ||
		done.Tables != 1 {
		t.Errorf("%+v, %v", done, err)
	}
}

// Two instances take in the same bytes at once, with a folder each and one bucket.
func TestTwoInstancesTakeInTheSameBytes(t *testing.T) {
	if !onPostgres {
		t.Skip("about several processes")
	}
	one := inBucket(t, at(t, t.TempDir()))
	two := one
	two.Dir = t.TempDir()
	a, storeA := serveAt(t, one, Config{Workers: 1})
	b, storeB := serveAt(t, two, Config{Workers: 1})
	var mu sync.Mutex
	var ids []string
	var wg sync.WaitGroup
	for _, s := range []*Service{a, b} {
		wg.Go(func() {
			for range 5 {
				id := send(t, s, Request{}, upload{"a.proftext", []byte("main\n7\n1\n5\n")})[0].Entry.ID
				mu.Lock()
				ids = append(ids, id)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for i, id := range ids {
		if e := wait(t, b, id); e.State != catalog.Ready {
			t.Errorf("%+v", e)
		}
		if i > 0 { // the last to go is the first to have come
			if err := storeA.Delete(t.Context(), id); err != nil {
				t.Error(err)
			}
		}
	}
	for _, st := range []*catalog.Catalog{storeA, storeB} {
		p, err := openTables(t, st, ids[0])
		if err != nil {
			t.Fatal(err)
		}
		p.Close()
	}
	if done, err := catalog.Check(t.Context(), one, func(f catalog.Fault) { t.Error(f) }); err != nil ||
		done.Profiles != 1 {
		t.Errorf("%+v, %v", done, err)
	}
}
