package site

import (
	"context"
	"slices"
	"sync"
)

// decodedKept is how many things of one kind are kept, and keptParts how many parts one may have:
// a few hundred kilobytes.
const (
	decodedKept = 32
	keptParts   = 5000
)

// Decoded keeps what was read last from originals, by all that it depends on: a page of a file's
// bytes, or another version to convert to, would decode them again. The zero value is ready
// for use.
type Decoded[K comparable, V any] struct {
	mu   sync.Mutex
	kept []keptValue[K, V] // the latest last
}

type keptValue[K comparable, V any] struct {
	key   K
	value V
}

// Get is what is kept of a key. Else it is decoded, once a place for that is free; parts is how
// many parts it has.
func (d *Decoded[K, V]) Get(ctx context.Context, places Slots, key K,
	decode func() (value V, parts int, err error)) (V, error) {
	if kept, ok := d.find(key); ok {
		return kept, nil
	}
	if err := places.Take(ctx); err != nil {
		return *new(V), err
	}
	defer places.Give()
	value, parts, err := decode()
	if err == nil && parts <= keptParts {
		d.keep(key, value)
	}
	return value, err
}

func (d *Decoded[K, V]) find(key K) (value V, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, k := range d.kept {
		if k.key == key {
			return k.value, true
		}
	}
	return value, false
}

func (d *Decoded[K, V]) keep(key K, value V) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.kept) == decodedKept {
		d.kept = slices.Delete(d.kept, 0, 1)
	}
	d.kept = append(d.kept, keptValue[K, V]{key, value})
}
