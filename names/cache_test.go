package names

import (
	"fmt"
	"sync"
	"testing"
)

func TestCacheAnswersAsDemangle(t *testing.T) {
	c := NewCache(1 << 20)
	for range 2 {
		for _, name := range append(lines(t, "names.txt"), "main", "$s4main3fooyyF", "-[Foo bar]", "") {
			for _, mode := range []Mode{Full, Short, NoTemplates, Mangled} {
				if got, want := c.Demangle(name, mode), Demangle(name, mode); got != want {
					t.Errorf("Demangle(%q, %s) = %q, want %q", name, mode, got, want)
				}
			}
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	const budget = 64 << 10
	c := NewCache(budget)
	for i := range 5000 {
		c.Demangle(fmt.Sprintf("_Z7func%03dv", i), Full)
		if got := c.Bytes(); got > budget {
			t.Fatalf("after %d names the cache holds %d bytes, more than %d", i+1, got, budget)
		}
	}
	if got := c.Bytes(); got < budget/2 {
		t.Errorf("the cache holds only %d of %d bytes", got, budget)
	}
	if c := NewCache(0); c.Demangle("_Z3foov", Full) != "foo()" || c.Bytes() != 0 {
		t.Errorf("a cache of 0 bytes holds %d", c.Bytes())
	}
}

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	s := shard{budget: 10 * (entryOverhead + 4), entries: make(map[cacheKey]*cacheEntry)}
	key := func(i int) cacheKey { return cacheKey{fmt.Sprintf("k%d", i), Full} }
	for i := range 10 {
		s.put(key(i), "v")
	}
	s.get(key(0))
	s.put(key(10), "v")
	if _, ok := s.get(key(0)); !ok {
		t.Error("the entry used last was dropped")
	}
	if _, ok := s.get(key(1)); ok {
		t.Error("the entry used least recently is still there")
	}
}

// TestCacheConcurrently is for the race detector.
func TestCacheConcurrently(t *testing.T) {
	c := NewCache(32 << 10)
	names := lines(t, "names.txt")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, name := range names[:64] {
				if got, want := c.Demangle(name, Short), Demangle(name, Short); got != want {
					t.Errorf("Demangle(%q) = %q, want %q", name, got, want)
				}
			}
		})
	}
	wg.Wait()
}
