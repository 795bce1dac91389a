package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"sync"
	"time"
)

// Request is a kind of request to a store, as they are paid for.
type Request string

// The requests.
const (
	Put    Request = "put"
	Head   Request = "head"
	Get    Request = "get"
	Remove Request = "delete"
	List   Request = "list"
)

// Result is how a request ended.
type Result string

// The results. A request that is tried again is counted again.
const (
	OK      Result = "ok"
	Missing Result = "missing" // the store has no such file
	Full    Result = "full"
	Failed  Result = "failed" // also one that nobody waited for any more
)

// Answered is a kind of request, and how it ended.
type Answered struct {
	Request Request
	Result  Result
}

// Stats are what a bucket and its cache have done since they were opened.
type Stats struct {
	Requests map[Answered]int64
	Took     map[Request]time.Duration // of all of them, with their content
	Cache    CacheStats
}

// CacheStats are of the copies on this disk.
type CacheStats struct {
	Used, Limit           int64 // bytes
	Hits, Misses, Evicted int64 // reads that found a copy, that fetched; copies that made way
}

// Stats returns counts of requests and of the cache.
func (b *Bucket) Stats() Stats {
	s := b.meter.stats()
	s.Cache = CacheStats{Limit: b.cache.limit, Hits: b.hits.Load(), Misses: b.misses.Load()}
	b.cache.mu.Lock()
	defer b.cache.mu.Unlock()
	s.Cache.Used, s.Cache.Evicted = b.cache.used, b.cache.evicted
	return s
}

// meter counts the requests that pass to a bucket.
type meter struct {
	remote
	mu       sync.Mutex
	requests map[Answered]int64
	took     map[Request]time.Duration
}

func newMeter(r remote) *meter {
	return &meter{remote: r, requests: map[Answered]int64{}, took: map[Request]time.Duration{}}
}

func (m *meter) stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Stats{Requests: maps.Clone(m.requests), Took: maps.Clone(m.took)}
}

// count counts a request that began at a time and ends now.
func (m *meter) count(r Request, began time.Time, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[Answered{r, resultOf(err)}]++
	m.took[r] += time.Since(began)
}

func resultOf(err error) Result {
	switch {
	case err == nil:
		return OK
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case errors.Is(err, ErrFull):
		return Full
	}
	return Failed
}

func (m *meter) upload(ctx context.Context, key string, f body) error {
	began := time.Now()
	err := m.remote.upload(ctx, key, f)
	m.count(Put, began, err)
	return err
}

func (m *meter) size(ctx context.Context, key string) (int64, error) {
	began := time.Now()
	n, err := m.remote.size(ctx, key)
	m.count(Head, began, err)
	return n, err
}

func (m *meter) remove(ctx context.Context, key string) error {
	began := time.Now()
	err := m.remote.remove(ctx, key)
	m.count(Remove, began, err)
	return err
}

// list counts all pages of a listing as one.
func (m *meter) list(ctx context.Context, prefix string) Items {
	return func(yield func(Item, error) bool) {
		began := time.Now()
		var last error
		for item, err := range m.remote.list(ctx, prefix) {
			last = err
			if !yield(item, err) {
				break
			}
		}
		m.count(List, began, last)
	}
}

// reader counts a request when its content was read.
func (m *meter) reader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	began := time.Now()
	r, err := m.remote.reader(ctx, key, offset, length)
	if err != nil {
		m.count(Get, began, err)
		return nil, err
	}
	return &meteredReader{ReadCloser: r, m: m, began: began}, nil
}

type meteredReader struct {
	io.ReadCloser
	m     *meter
	began time.Time
	err   error
}

func (r *meteredReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

func (r *meteredReader) Close() error {
	r.m.count(Get, r.began, r.err)
	return r.ReadCloser.Close()
}
