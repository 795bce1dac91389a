package catalog

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"proflens/catalog/engine/pgtest"
)

// While PostgreSQL restarts, whatever is asked is answered, or is told that the catalog
// is away; what was acknowledged is there after.
func TestARestartUnderLoad(t *testing.T) {
	if !onPostgres {
		t.Skip("about a server")
	}
	s, err := Open(t.Context(), at(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	first := take(t, s, "first", "first").Entry.ID
	var wg sync.WaitGroup
	var ended atomic.Bool
	var reads, writes atomic.Int64
	var mu sync.Mutex
	var kept []string
	answered := func(what string, count *atomic.Int64, err error) bool {
		if err == nil {
			count.Add(1)
		} else if !IsAway(err) {
			t.Errorf("%s: %T %v", what, err, err)
		}
		return err == nil
	}
	for range 4 {
		wg.Go(func() {
			for !ended.Load() {
				_, err := s.Entry(t.Context(), first)
				answered("an entry", &reads, err)
				_, err = s.Usage(t.Context())
				answered("usage", &reads, err)
			}
		})
		wg.Go(func() {
			for !ended.Load() {
				f := stage(t, s, "f", "content")
				c, err := s.Create(context.Background(), []NewProfile{{Name: "app", Visibility: Unlisted, Files: []NewFile{f}}})
				if answered("an upload", &writes, err) {
					mu.Lock()
					kept = append(kept, c[0].Entry.ID)
					mu.Unlock()
				}
			}
		})
	}
	for range 2 {
		pgtest.Restart(t)
		before := writes.Load()
		for end := time.Now().Add(10 * time.Minute); writes.Load() < before+5; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("nothing is stored after the restart")
			}
		}
	}
	ended.Store(true)
	wg.Wait()
	for _, id := range kept {
		entryOf(t, s, id)
	}
	if reads.Load() == 0 || s.Away() == 0 {
		t.Errorf("%d reads, away %d times", reads.Load(), s.Away())
	}
}

// After a failover all connections lead to a server that takes no changes. The first that
// finds out lets all of them go.
func TestAServerThatIsNoPrimaryAnyMore(t *testing.T) {
	if !onPostgres {
		t.Skip("about a server")
	}
	place := at(t, t.TempDir())
	place.Connections = 16
	s, err := Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	name, _, _ := strings.Cut(strings.TrimPrefix(place.Database, "postgres:///"), "?")
	only := func(read string) {
		pgtest.Exec(t, place.Database,
			`BEGIN READ WRITE; ALTER DATABASE `+name+` SET default_transaction_read_only = `+read+`; COMMIT`)
	}
	only("on") // for sessions that begin now
	pgtest.Exec(t, place.Database,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for end := time.Now().Add(10 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
				_, err := s.db.Read.ExecContext(t.Context(), `SELECT pg_sleep(0.3)`)
				if err == nil || time.Now().After(end) {
					return
				}
			}
		})
	}
	wg.Wait()
	only("off")
	take(t, s, "app", "first")
	for range 16 { // at once, so that each has a connection of its own
		wg.Go(func() {
			var takesNone string
			err := s.db.Read.QueryRowContext(t.Context(),
				`SELECT current_setting('default_transaction_read_only') FROM pg_sleep(0.3)`).Scan(&takesNone)
			if err != nil || takesNone != "off" {
				t.Errorf("a connection that takes no changes is still there: %q, %v", takesNone, err)
			}
		})
	}
	wg.Wait()
}
