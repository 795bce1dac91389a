package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"proflens/profile/stored"
)

// counted are handles that count what they open.
type counted struct {
	*handles
	opened atomic.Int64
}

func (c *counted) get(path string) (*stored.Profile, error) {
	return c.acquire(path, func() (*stored.Profile, error) {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		c.opened.Add(1)
		return stored.Open(path)
	})
}

func countedHandles(t *testing.T, max int) (h *counted, paths []string) {
	t.Helper()
	dir := t.TempDir()
	s := openStore(t, filepath.Join(dir, "store"))
	take(t, s, "app", "x")
	job := nextJob(t, s)
	build(t, s, job)
	built, _ := s.BuildPath(job)
	data, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		path := filepath.Join(dir, fmt.Sprint(i, ".db"))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return &counted{handles: newHandles(max)}, paths
}

func mustAcquire(t *testing.T, h *counted, path string) *stored.Profile {
	t.Helper()
	p, err := h.get(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestHandlesAreSharedAndKept(t *testing.T) {
	h, paths := countedHandles(t, 2)
	a, b := mustAcquire(t, h, paths[0]), mustAcquire(t, h, paths[0])
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a.Close() // twice does no harm
	if err := read(b); err != nil {
		t.Errorf("one user's Close closed the other's: %v", err)
	}
	b.Close()
	mustAcquire(t, h, paths[0]).Close()
	if n := h.opened.Load(); n != 1 {
		t.Errorf("opened %d times, want once", n)
	}
}

func TestLeastRecentlyUsedHandleGoes(t *testing.T) {
	h, paths := countedHandles(t, 2)
	for _, i := range []int{0, 1, 0, 2} { // 1 is the one not used for longest
		mustAcquire(t, h, paths[i]).Close()
	}
	if len(h.byName) != 2 || h.byName[paths[1]] != nil {
		t.Errorf("open: %v", h.byName)
	}
	// More in use than may be open are open nevertheless, and go after.
	var users []*stored.Profile
	for _, path := range paths {
		users = append(users, mustAcquire(t, h, path))
	}
	for _, p := range users {
		if err := read(p); err != nil {
			t.Error(err)
		}
	}
	for _, p := range users {
		p.Close()
	}
	if len(h.byName) != 2 || h.idle.Len() != 2 {
		t.Errorf("%d open, %d idle; want 2", len(h.byName), h.idle.Len())
	}
	if n := h.opened.Load(); n != 7 {
		t.Errorf("opened %d times, want 7", n)
	}
}

func TestHandleOfAMissingFile(t *testing.T) {
	h, paths := countedHandles(t, 2)
	missing := paths[0] + ".missing"
	if _, err := h.get(missing); !os.IsNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
	data, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(missing, data, 0o600); err != nil {
		t.Fatal(err)
	}
	mustAcquire(t, h, missing).Close() // the failure is not remembered
}

func TestHandlesUnderRace(t *testing.T) {
	h, paths := countedHandles(t, 2)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 40 {
				path := paths[(worker*7+i)%len(paths)]
				p, err := h.get(path)
				if errors.Is(err, fs.ErrNotExist) {
					continue // retired by now
				} else if err != nil {
					t.Error(err)
					return
				}
				if err := read(p); err != nil {
					t.Error(err)
				}
				if worker == 0 && i == 20 {
					h.retireFile(paths[0])
				}
				p.Close()
			}
		})
	}
	wg.Wait()
	if _, err := os.Stat(paths[0]); err == nil {
		t.Error("the retired file is still there")
	}
	if err := h.close(); err != nil {
		t.Error(err)
	}
	if len(h.byName) != 0 {
		t.Errorf("%d handles are open after close", len(h.byName))
	}
}
