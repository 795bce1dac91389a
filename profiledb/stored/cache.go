package stored

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// Cache holds what queries compute from profile files: columns, orders and
// filters, of all profiles together, the least recently used making room. Beside
// these it holds the one value that is larger than all of its room and was computed last:
// a list that is read step by step would compute it for each. What is wanted by several at
// once is computed once. It is safe for concurrent use.
type Cache struct {
	mu      sync.Mutex
	limit   int64
	used    int64
	entries map[cacheKey]*list.Element
	recent  *list.List // of *cacheEntry, the newest first
	large   cacheEntry // larger than limit; no key while there is none
	pending map[cacheKey]*pendingEntry

	hits, misses int64
}

// CacheStats is what a cache holds, and how often it had what was asked for.
type CacheStats struct{ Used, Limit, Hits, Misses int64 }

// SharedCacheStats is of the cache that all profiles opened by Open have.
func SharedCacheStats() CacheStats {
	c := sharedCache
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheStats{c.used, c.limit, c.hits, c.misses}
}

type cacheKey struct{ file, what string }

type cacheEntry struct {
	key   cacheKey
	value any
	size  int64
}

type pendingEntry struct {
	done  chan struct{}
	value any
	err   error
}

// defaultCacheBytes is room for the columns of some eight profiles of a
// million functions.
const defaultCacheBytes = 256 << 20

// maxLarge is how many times a cache's room a value may take to be held beside it.
const maxLarge = 4

// unkept is the size of what is not worth keeping.
const unkept = -1

// errPanicked is what those who wait see when a computation panicked.
var errPanicked = errors.New("the computation did not end")

var sharedCache = NewCache(defaultCacheBytes)

// NewCache returns a cache of at most limit bytes, and one value of up to four times as
// many. A larger one is computed each time.
func NewCache(limit int64) *Cache {
	return &Cache{limit: limit, entries: map[cacheKey]*list.Element{}, recent: list.New(), pending: map[cacheKey]*pendingEntry{}}
}

// get returns the value of a key, computing it when it is not there. Those who
// wait for another's computation can leave; the computation goes on under the
// context of the one who began it, and when that one leaves, another begins.
func (c *Cache) get(ctx context.Context, key cacheKey, compute func() (value any, size int64, err error)) (any, error) {
	for {
		c.mu.Lock()
		if value, ok := c.find(key); ok {
			c.hits++
			c.mu.Unlock()
			return value, nil
		}
		p, waiting := c.pending[key]
		if !waiting {
			c.misses++
			p = &pendingEntry{done: make(chan struct{})}
			c.pending[key] = p
		}
		c.mu.Unlock()
		if !waiting {
			return c.compute(key, p, compute)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.done:
		}
		if p.err == nil {
			return p.value, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// The error may be the other's own cancellation: try for ourselves.
	}
}

func (c *Cache) compute(key cacheKey, p *pendingEntry, compute func() (any, int64, error)) (any, error) {
	var size int64
	p.err = errPanicked // unless it returns
	defer func() {
		c.mu.Lock()
		delete(c.pending, key)
		if p.err == nil {
			c.add(key, p.value, size)
		}
		c.mu.Unlock()
		close(p.done)
	}()
	p.value, size, p.err = compute()
	return p.value, p.err
}

// add puts a value in and pushes old ones out; mu is held.
func (c *Cache) add(key cacheKey, value any, size int64) {
	if _, ok := c.find(key); ok || size == unkept {
		return
	}
	if size += 128; size > c.limit { // for the entry itself
		if size/maxLarge <= c.limit {
			c.large = cacheEntry{key, value, size}
		}
		return
	}
	c.entries[key] = c.recent.PushFront(&cacheEntry{key, value, size})
	for c.used += size; c.used > c.limit; {
		old := c.recent.Remove(c.recent.Back()).(*cacheEntry)
		delete(c.entries, old.key)
		c.used -= old.size
	}
}

// find returns a value that is there; mu is held.
func (c *Cache) find(key cacheKey) (any, bool) {
	if e, ok := c.entries[key]; ok {
		c.recent.MoveToFront(e)
		return e.Value.(*cacheEntry).value, true
	}
	if c.large.key == key {
		return c.large.value, true
	}
	return nil, false
}

// peek returns a value that is there.
func (c *Cache) peek(key cacheKey) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(key)
}

// put stores a value that was computed beside another.
func (c *Cache) put(key cacheKey, value any, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, value, size)
}

// drop takes a value out.
func (c *Cache) drop(key cacheKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		c.used -= c.recent.Remove(e).(*cacheEntry).size
		delete(c.entries, key)
	}
	if c.large.key == key {
		c.large = cacheEntry{}
	}
}

// Cached is the value of a computation on a profile, from the cache when it was
// asked for before. size is what keeping it takes, in bytes.
func Cached[T any](ctx context.Context, p *Profile, what string, compute func() (value T, size int64, err error)) (T, error) {
	v, err := p.cache.get(ctx, cacheKey{p.id, what}, func() (any, int64, error) { return compute() })
	if err != nil {
		var none T
		return none, err
	}
	return v.(T), nil
}

// Shared is the value of a computation that is not worth keeping, but not worth
// doing twice at once either.
func Shared[T any](ctx context.Context, p *Profile, what string, compute func() (T, error)) (T, error) {
	return Cached(ctx, p, what, func() (T, int64, error) {
		v, err := compute()
		return v, unkept, err
	})
}

// Kept is the value of a computation on a profile if it is in the cache.
func Kept[T any](p *Profile, what string) (T, bool) {
	v, ok := p.cache.peek(cacheKey{p.id, what})
	if !ok {
		var none T
		return none, false
	}
	return v.(T), true
}

// Keep puts a value into the cache that was computed beside another.
func Keep(p *Profile, what string, value any, size int64) {
	p.cache.put(cacheKey{p.id, what}, value, size)
}

// Drop takes a value out of the cache.
func Drop(p *Profile, what string) { p.cache.drop(cacheKey{p.id, what}) }
