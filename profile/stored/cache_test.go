package stored

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"proflens/profile/budget"
)

// cached is a profile without a file that keeps what is computed in a cache.
func cached(c *Cache, id string) *Profile { return &Profile{cache: c, id: id, shared: &shared{}} }

// entryBytes is what the cache counts for an entry beside its value.
const entryBytes = 128

// check fails when the cache's books are wrong, or it holds more than it may.
func (c *Cache) check(t testing.TB) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := int64(0)
	for e := c.recent.Front(); e != nil; e = e.Next() {
		entry := e.Value.(*cacheEntry)
		sum += entry.size
		if c.entries[entry.key] != e {
			t.Errorf("%v is in the list and not in the map", entry.key)
		}
	}
	if sum != c.used || c.used > c.limit || len(c.entries) != c.recent.Len() {
		t.Errorf("%d entries in the map, %d in the list with %d bytes; %d are counted of %d", len(c.entries), c.recent.Len(),
			sum, c.used, c.limit)
	}
}

// Many goroutines ask for values of many sizes of several profiles: each gets its
// own, and together those kept never pass the limit.
func TestCacheKeepsItsLimitUnderConcurrency(t *testing.T) {
	const limit, workers, rounds, keys = 20_000, 16, 300, 40
	c := NewCache(limit)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				n := (w*7 + i*13) % keys
				p, what := cached(c, fmt.Sprint("file", n%3)), fmt.Sprint("key", n)
				want := p.id + what
				size := int64(n) * 100
				got, err := Cached(t.Context(), p, what, func() (string, int64, error) { return want, size, nil })
				if err != nil || got != want {
					t.Errorf("%q, %v where %q was computed", got, err, want)
				}
				switch i % 5 {
				case 0:
					Keep(p, what+" beside", want, size/2)
				case 1:
					if kept, ok := Kept[string](p, what+" beside"); ok && kept != want {
						t.Errorf("kept %q, expected %q", kept, want)
					}
				case 2:
					Drop(p, what)
				case 3:
					c.check(t)
				}
			}
		})
	}
	wg.Wait()
	c.check(t)
	if len(c.pending) != 0 {
		t.Errorf("%d computations are pending when all have ended", len(c.pending))
	}
}

// A value larger than the cache is computed once as long as no other such value is: what is
// smaller does not push it out. One that is too large, or not worth it, is never kept.
func TestCacheKeepsOneLargeValue(t *testing.T) {
	const limit = 1000
	c := NewCache(limit)
	p := cached(c, "file")
	computed := 0
	ask := func(what string, size int64) int {
		before := computed
		if v, err := Cached(t.Context(), p, what,
			func() (string, int64, error) { computed++; return what, size, nil }); v != what || err != nil {
			t.Errorf("%s: %q, %v", what, v, err)
		}
		return computed - before
	}
	for _, step := range []struct {
		what  string
		size  int64
		times int
	}{
		{"large", 3 * limit, 1}, {"small", 600, 1}, {"other", 600, 1}, {"large", 3 * limit, 0},
		{"larger", 3*limit + 1, 1}, {"large", 3 * limit, 1}, {"large", 3 * limit, 0},
		{"huge", 9 * limit, 1}, {"huge", 9 * limit, 1}, {"large", 3 * limit, 0}, {"other", 600, 0},
	} {
		if got := ask(step.what, step.size); got != step.times {
			t.Errorf("%s was computed %d times, expected %d", step.what, got, step.times)
		}
		c.check(t)
	}
	Drop(p, "large")
	if ask("large", 3*limit) != 1 {
		t.Error("a large value is there after it was dropped")
	}
	for range 2 {
		if _, err := Shared(t.Context(), p, "shared", func() (int, error) { computed++; return 1, nil }); err != nil {
			t.Error(err)
		}
	}
	if ask("large", 3*limit) != 0 {
		t.Error("what is only shared pushed out the large value")
	}
}

func TestCachePushesOutTheLeastRecentlyUsed(t *testing.T) {
	c := NewCache(3 * (100 + entryBytes))
	p := cached(c, "file")
	for _, what := range []string{"a", "b", "c"} {
		Keep(p, what, what, 100)
	}
	if _, ok := Kept[string](p, "a"); !ok { // and so used again
		t.Fatal("a is gone while there is room")
	}
	Keep(p, "d", "d", 100)
	for what, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if _, ok := c.peek(cacheKey{"file", what}); ok != want {
			t.Errorf("%s is kept: %v", what, ok)
		}
	}
	Keep(p, "large", "large", 3*100+2*entryBytes) // all the room there is
	if c.recent.Len() != 1 {
		t.Errorf("%d values beside one that takes all the room", c.recent.Len()-1)
	}
	c.check(t)
}

func TestCacheTellsFilesAndComputationsApart(t *testing.T) {
	c := NewCache(10_000)
	a, b := cached(c, "a"), cached(c, "b")
	Keep(a, "x", "a's", 1)
	Keep(a, "x", "another", 1000) // the first stays, and so does what is counted for it
	Keep(b, "x", "b's", 1)
	if v, _ := Kept[string](a, "x"); v != "a's" {
		t.Errorf("a has %q", v)
	}
	if v, _ := Kept[string](b, "x"); v != "b's" {
		t.Errorf("b has %q", v)
	}
	for range 3 {
		if v, err := Cached(t.Context(), a, "y", func() (int, int64, error) { return 7, 1, nil }); v != 7 || err != nil {
			t.Errorf("%d, %v", v, err)
		}
	}
	if c.hits != 2 || c.misses != 1 {
		t.Errorf("%d hits and %d misses", c.hits, c.misses)
	}
	Drop(a, "x")
	Drop(a, "never kept")
	if _, ok := Kept[string](a, "x"); ok {
		t.Error("a still has what was dropped")
	}
	if _, ok := Kept[string](b, "x"); !ok {
		t.Error("b lost what a dropped")
	}
	c.check(t)
}

// waiting returns when n have asked, and are likely to wait.
func waiting(started *atomic.Int32, n int32) {
	for started.Load() < n {
		runtime.Gosched()
	}
	time.Sleep(5 * time.Millisecond) // from there to the lock and back
}

// What is wanted by several at once is computed once.
func TestCacheComputesOnceForAll(t *testing.T) {
	const askers = 20
	p := cached(NewCache(1000), "file")
	var computed, started atomic.Int32
	var wg sync.WaitGroup
	for range askers {
		wg.Go(func() {
			started.Add(1)
			v, err := Cached(t.Context(), p, "x", func() (int, int64, error) {
				waiting(&started, askers)
				return int(computed.Add(1)), 1, nil
			})
			if v != 1 || err != nil {
				t.Errorf("%d, %v", v, err)
			}
		})
	}
	wg.Wait()
	if computed.Load() != 1 {
		t.Errorf("computed %d times", computed.Load())
	}
}

// One who waits can leave; when the one who computes leaves, another begins.
func TestCacheWaitersOutliveTheirComputation(t *testing.T) {
	p := cached(NewCache(1000), "file")
	computing, leave := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := Cached(t.Context(), p, "x", func() (int, int64, error) {
			close(computing)
			<-leave
			return 0, 0, context.Canceled // as a computation ends whose asker has left
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the one who left has %v", err)
		}
	})
	<-computing
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Cached(gone, p, "x",
		func() (int, int64, error) {
			t.Error("computed twice at once")
			return 0, 0,
				nil
		}); !errors.Is(err, context.Canceled) {
		t.Errorf("the waiter who left has %v", err)
	}
	wg.Go(func() {
		if v, err := Cached(t.Context(), p, "x", func() (int, int64, error) { return 2, 1, nil }); v != 2 || err != nil {
			t.Errorf("the waiter who stayed has %d, %v", v, err)
		}
	})
	close(leave)
	wg.Wait()
	if v, ok := Kept[int](p, "x"); !ok || v != 2 {
		t.Errorf("%d is kept, %v", v, ok)
	}
}

// A computation that panics is not waited for, and nothing is kept of it.
func TestCacheOutlivesAPanic(t *testing.T) {
	p := cached(NewCache(1000), "file")
	func() {
		defer func() { _ = recover() }()
		_, _ = Cached(t.Context(), p, "x", func() (int, int64, error) { panic("a fault of ours") })
	}()
	if _, ok := Kept[int](p, "x"); ok || len(p.cache.pending) != 0 {
		t.Errorf("kept: %v, %d pending", ok, len(p.cache.pending))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if v, err := Cached(ctx, p, "x", func() (int, int64, error) { return 3, 1, nil }); v != 3 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
}

// accounted is a cache that counts in a budget.
func accounted(limit int64) (*Cache, *budget.Budget) {
	c, b := NewCache(limit), budget.New(limit)
	c.budget = b
	b.Evicts(c.evict)
	return c, b
}

// What a request builds and what caches keep are one budget: caches let go of what nobody
// uses, and what a request uses stays.
func TestCacheCountsInTheBudget(t *testing.T) {
	c, b := accounted(10_000)
	p := cached(c, "file")
	ctx, account := b.Open(t.Context())
	ask := func(what string, size int64) error {
		_, err := Cached(ctx, p, what, func() (string, int64, error) {
			err := budget.Take(ctx, size)
			return what, size, err
		})
		return err
	}
	Keep(p, "unused", 1, 4000)
	if err := ask("used", 5000); err != nil {
		t.Fatal(err)
	}
	if err := ask("more", 2000); err != nil {
		t.Fatal(err)
	}
	if _, ok := Kept[int](p, "unused"); ok {
		t.Error("what nobody uses is kept where another is built")
	}
	if _, ok := Kept[string](p, "used"); !ok {
		t.Error("what a request uses made room")
	}
	if err := ask("large", 4000); !errors.As(err, new(*budget.Refusal)) {
		t.Errorf("beyond the budget: %v", err)
	}
	if held := b.Held(); held != c.used || held < 7000 || held > 10_000 {
		t.Errorf("%d held, %d in the cache", held, c.used)
	}
	account.Close()
	if held := b.Held(); held != c.used {
		t.Errorf("%d held, %d in the cache, after the request", held, c.used)
	}
	if err := ask("large", 4000); err == nil { // of who comes next
		t.Error("what was refused is begun again at once")
	}
	c.check(t)
}

// What clients gave up is not begun again and again.
func TestGivenUpIsNotBegunAgain(t *testing.T) {
	c, b := accounted(10_000)
	b.Set(10_000, time.Nanosecond)
	p := cached(c, "file")
	begun := 0
	for range 3 {
		ctx, account := b.Open(t.Context())
		_, err := Cached(ctx, p, "slow", func() (int, int64, error) {
			begun++
			<-ctx.Done() // as one who takes too long
			return 0, 0, ctx.Err()
		})
		if refusal, ok := errors.AsType[*budget.Refusal](err); !ok || refusal.Why != budget.TooLong {
			t.Errorf("%v", err)
		}
		account.Close()
	}
	if begun != 1 {
		t.Errorf("begun %d times", begun)
	}
}

// What is let go of to make room is what the caller is told: the value that is larger than the
// cache first, then as many others as are needed, the least recently used first.
func TestEvictSaysWhatItFreed(t *testing.T) {
	c := NewCache(1000)
	for i, name := range []string{"a", "b", "c"} {
		c.put(cacheKey{"f", name}, i, 200)
	}
	c.put(cacheKey{"f", "large"}, 9, 4*1000-entryBytes)
	c.put(cacheKey{"f", "too large"}, 9, 5*1000)
	c.check(t)
	kept := func() (names string) {
		for _, name := range []string{"a", "b", "c", "large", "too large"} {
			if _, ok := c.entries[cacheKey{"f", name}]; ok || c.large.key.what == name {
				names += name + " "
			}
		}
		return names
	}
	for _, step := range []struct {
		need, freed int64
		kept        string
	}{
		{0, 4000, "a b c "}, {1, 328, "b c "}, {2000, 656, ""}, {1, 0, ""},
	} {
		if freed := c.evict(step.need); freed != step.freed || kept() != step.kept {
			t.Errorf("of %d %d freed, %q kept; want %d, %q", step.need, freed, kept(), step.freed, step.kept)
		}
		c.check(t)
	}
}
