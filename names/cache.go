package names

import (
	"hash/maphash"
	"sync"
)

// Cache remembers demangled names, up to a bound in bytes; the least recently
// used go first. It is safe for concurrent use.
type Cache struct {
	seed   maphash.Seed
	shards [cacheShards]shard
}

const (
	cacheShards = 16
	// entryOverhead is what an entry costs besides its two strings: the entry
	// itself and its place in the map.
	entryOverhead = 160
)

// NewCache returns a cache that holds at most the given number of bytes. A
// cache of 0 bytes remembers nothing.
func NewCache(bytes int) *Cache {
	c := &Cache{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i] = shard{budget: bytes / cacheShards, entries: make(map[cacheKey]*cacheEntry)}
	}
	return c
}

// Demangle is the function [Demangle], remembered.
func (c *Cache) Demangle(linkage string, m Mode) string {
	if m == Mangled || !isMangled(linkage) || len(linkage) > maxLinkage {
		return Demangle(linkage, m)
	}
	key := cacheKey{linkage, m}
	s := &c.shards[maphash.String(c.seed, linkage)%cacheShards]
	if text, ok := s.get(key); ok {
		return text
	}
	text := Demangle(linkage, m)
	s.put(key, text)
	return text
}

// Bytes is what the cache holds now.
func (c *Cache) Bytes() int {
	n := 0
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		n += s.used
		s.mu.Unlock()
	}
	return n
}

type cacheKey struct {
	linkage string
	mode    Mode
}

// cacheEntry is a member of its shard's ring, in order of use.
type cacheEntry struct {
	key        cacheKey
	text       string
	prev, next *cacheEntry
}

func (e *cacheEntry) bytes() int { return entryOverhead + len(e.key.linkage) + len(e.text) }

func (e *cacheEntry) unlink() {
	e.prev.next, e.next.prev = e.next, e.prev
}

// shard is a part of the cache with a lock of its own. ring.next is the most
// recently used entry, ring.prev the least; the ring links to itself when empty.
type shard struct {
	mu           sync.Mutex
	budget, used int
	entries      map[cacheKey]*cacheEntry
	ring         cacheEntry
}

func (s *shard) get(key cacheKey) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.entries[key]
	if !ok {
		return "", false
	}
	e.unlink()
	s.toFront(e)
	return e.text, true
}

func (s *shard) put(key cacheKey, text string) {
	e := &cacheEntry{key: key, text: text}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.entries[key]; ok || e.bytes() > s.budget {
		return
	}
	s.entries[key] = e
	s.toFront(e)
	for s.used += e.bytes(); s.used > s.budget; {
		last := s.ring.prev
		last.unlink()
		delete(s.entries, last.key)
		s.used -= last.bytes()
	}
}

func (s *shard) toFront(e *cacheEntry) {
	if s.ring.next == nil {
		s.ring.next, s.ring.prev = &s.ring, &s.ring
	}
	e.prev, e.next = &s.ring, s.ring.next
	e.prev.next, e.next.prev = e, e
}
