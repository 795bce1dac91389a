package stored

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"proflens/profile/budget"
)

// Cache holds what queries compute from profile files: columns, orders and
// filters, of all profiles together, the least recently used making room. Beside
// these it holds the one value that is larger than all of its room and was computed last:
// a list that is read step by step would compute it for each. What is wanted by several at
// once is computed once. What is held counts in the budget of requests, and makes room
// there unless a request uses it. It is safe for concurrent use.
type Cache struct {
	budget  *budget.Budget // nil for a cache of its own
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
	users int // accounts that use it
}

type pendingEntry struct {
	done  chan struct{}
	value any
	err   error
}

// tried is a computation that did not come to its end: whoever asks for it next does not
// begin it again, until a time.
type tried struct {
	spent  time.Duration // by all who tried
	refuse *budget.Refusal
	until  time.Time
}

// triedSize is what a cache counts for one, and refusedFor how long it is refused.
const (
	triedSize  = 256
	refusedFor = time.Minute
)

// maxLarge is how many times a cache's room a value may take to be held beside it.
const maxLarge = 4

// unkept is the size of what is not worth keeping.
const unkept = -1

// errPanicked is what those who wait see when a computation panicked.
var errPanicked = errors.New("the computation did not end")

// sharedCache has room for the columns of some eight profiles of a million functions.
var sharedCache = NewCache(budget.DefaultLimit)

func init() {
	sharedCache.budget = budget.Process
	budget.Process.Evicts(sharedCache.evict)
}

// SetCacheLimit sets how many bytes the cache of all profiles opened by Open holds.
func SetCacheLimit(limit int64) {
	sharedCache.mu.Lock()
	defer sharedCache.mu.Unlock()
	sharedCache.limit = limit
}

// NewCache returns a cache of its own of at most limit bytes, and one value of up to four times as
// many. A larger one is computed each time.
func NewCache(limit int64) *Cache {
	return &Cache{
		limit: limit, entries: map[cacheKey]*list.Element{}, recent: list.New(), pending: map[cacheKey]*pendingEntry{},
	}
}

// get returns the value of a key, computing it when it is not there. Those who
// wait for another's computation can leave; the computation goes on under the
// context of the one who began it, and when that one leaves, another begins, as long as all
// together have not taken the time that one request has.
func (c *Cache) get(ctx context.Context, key cacheKey, compute func() (value any, size int64, err error)) (any, error) {
	for {
		c.mu.Lock()
		if value, ok := c.find(key, budget.Of(ctx)); ok {
			c.hits++
			c.mu.Unlock()
			return value, nil
		}
		t := c.tried(key)
		if t.refuse != nil {
			c.mu.Unlock()
			return nil, t.refuse
		}
		p, waiting := c.pending[key]
		if !waiting {
			c.misses++
			p = &pendingEntry{done: make(chan struct{})}
			c.pending[key] = p
		}
		c.mu.Unlock()
		if !waiting {
			return c.compute(ctx, key, p, t.spent, compute)
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

func (c *Cache) compute(ctx context.Context, key cacheKey, p *pendingEntry, spent time.Duration,
	compute func() (any, int64, error)) (value any, err error) {
	var size int64
	account := budget.Of(ctx)
	before := account.Taken()
	built := budget.Build(ctx)
	p.err = errPanicked // unless it returns
	defer func() {
		spent += built()
		account.GiveTo(before) // from here on the cache counts it
		c.mu.Lock()
		delete(c.pending, key)
		if p.err == nil {
			c.remove(triedKey(key))
			c.add(key, p.value, size)
			c.find(key, account)
		} else {
			p.err = c.gaveUp(ctx, key, p.err, spent)
			err = p.err
		}
		c.mu.Unlock()
		close(p.done)
	}()
	p.value, size, p.err = compute()
	return p.value, p.err
}

// gaveUp notes that a computation ended with an error, if the next should know; mu is
// held.
func (c *Cache) gaveUp(ctx context.Context, key cacheKey, err error, spent time.Duration) error {
	if refused := budget.RefusalOf(ctx); refused != nil {
		err = refused
	}
	t := tried{spent: spent}
	if refusal, ok := errors.AsType[*budget.Refusal](err); ok && refusal.Why != budget.Busy {
		t.refuse = refusal
	} else if limit := c.budget.Time(); limit > 0 && spent >= limit { // of one who left after the other
		t.refuse = &budget.Refusal{Why: budget.TooLong, Limit: int64(limit)}
	} else if ctx.Err() == nil || spent == 0 {
		return err
	}
	t.until = time.Now().Add(refusedFor)
	c.remove(triedKey(key))
	c.add(triedKey(key), t, triedSize)
	return err
}

func triedKey(key cacheKey) cacheKey { return cacheKey{key.file, key.what + " tried"} }

// tried is what is known of those who tried before; mu is held.
func (c *Cache) tried(key cacheKey) (t tried) {
	if value, ok := c.find(triedKey(key), nil); ok {
		if t = value.(tried); time.Now().After(t.until) {
			return tried{}
		}
	}
	return t
}

// add puts a value in and pushes old ones out; mu is held.
func (c *Cache) add(key cacheKey, value any, size int64) {
	if _, ok := c.find(key, nil); ok || size == unkept {
		return
	}
	if size += 128; size > c.limit { // for the entry itself
		if size/maxLarge <= c.limit {
			c.budget.Give(c.large.size)
			c.budget.Hold(size)
			c.large = cacheEntry{key: key, value: value, size: size}
		}
		return
	}
	c.entries[key] = c.recent.PushFront(&cacheEntry{key: key, value: value, size: size})
	c.used += size
	c.budget.Hold(size)
	c.trim(max(c.used-c.limit, c.budget.Over()))
}

// trim lets go of values that nobody uses, the least recently used first, until so many
// bytes are free; mu is held.
func (c *Cache) trim(need int64) (freed int64) {
	for e := c.recent.Back(); e != nil && freed < need; {
		old := e.Value.(*cacheEntry)
		e = e.Prev()
		if old.users == 0 {
			freed += old.size
			c.remove(old.key)
		}
	}
	return freed
}

// evict lets go of values that nobody uses, the one that is larger than the cache first.
func (c *Cache) evict(need int64) (freed int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	freed = c.large.size
	c.budget.Give(freed)
	c.large = cacheEntry{}
	return freed + c.trim(need-freed)
}

// remove takes a value out; mu is held.
func (c *Cache) remove(key cacheKey) {
	if e, ok := c.entries[key]; ok {
		size := c.recent.Remove(e).(*cacheEntry).size
		c.used -= size
		c.budget.Give(size)
		delete(c.entries, key)
	}
}

// find returns a value that is there, and notes that an account uses it; mu is held.
func (c *Cache) find(key cacheKey, by *budget.Account) (any, bool) {
	if e, ok := c.entries[key]; ok {
		c.recent.MoveToFront(e)
		entry := e.Value.(*cacheEntry)
		if c.budget != nil && by.Use(entry, entry.size, func() { c.unused(entry) }) {
			entry.users++
		}
		return entry.value, true
	}
	if c.large.key == key {
		return c.large.value, true
	}
	return nil, false
}

// unused is called when an account no longer uses a value.
func (c *Cache) unused(entry *cacheEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry.users--; entry.users == 0 && c.budget.Over() > 0 {
		c.trim(c.budget.Over())
	}
}

// peek returns a value that is there.
func (c *Cache) peek(key cacheKey) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(key, nil)
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
	c.remove(key)
	if c.large.key == key {
		c.budget.Give(c.large.size)
		c.large = cacheEntry{}
	}
}

// Cached is the value of a computation on a profile, from the cache when it was
// asked for before. size is what keeping it takes, in bytes.
func Cached[T any](ctx context.Context, p *Profile, what string,
	compute func() (value T, size int64, err error)) (T, error) {
	v, err := p.cache.get(ctx, cacheKey{p.id, what}, func() (any, int64, error) { return compute() })
	if err != nil {
		var none T
		return none, err
	}
	return v.(T), nil
}

// CachedVersion is the value of a computation on what has a version, and is no profile: the cache
// keeps that of the last one.
func CachedVersion[T any](ctx context.Context, of, version string,
	compute func() (value T, size int64, err error)) (T, error) {
	c, kept := sharedCache, cacheKey{of, "version"}
	if last, ok := c.peek(kept); ok && last != version {
		c.drop(cacheKey{of, "of " + last.(string)})
		c.drop(kept)
	}
	c.put(kept, version, int64(len(version)))
	v, err := c.get(ctx, cacheKey{of, "of " + version}, func() (any, int64, error) { return compute() })
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
