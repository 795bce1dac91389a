package unpack

import (
	"runtime"

	"golang.org/x/sync/semaphore"
)

// MaxDictionary is how far back a zstd or xz stream may refer, and so the
// memory that it takes: what zstd itself allows without being asked for more, and
// twice that of xz -9.
const MaxDictionary = 128 << 20

// pools are the bytes that the dictionaries of all streams of the process may take
// together: of those that are in nothing that has one, of those in one, and so on.
// A stream waits until there is pool for it. Who waits in one pool holds something
// of the pools before it only, so that nobody waits for himself.
var pools = [...]pool{
	newPool(MaxDictionary), newPool(MaxDictionary / 2), newPool(MaxDictionary / 8), newPool(MaxDictionary / 8),
}

type pool struct {
	bytes int64
	*semaphore.Weighted
}

func newPool(bytes int64) pool { return pool{bytes, semaphore.NewWeighted(bytes)} }

// memory is what one stream has of a pool.
type memory struct {
	x    *expander
	pool *pool
	has  int64
}

// window is the memory of one more stream, which has none yet.
func (x *expander) window() (*memory, error) {
	if x.windows >= len(pools) {
		return nil, &Error{
			Kind: TooLarge, Limit: int64(len(pools)), Unit: "layers", Msg: "streams with dictionaries are nested too deeply",
		}
	}
	x.windows++
	return &memory{x: x, pool: &pools[x.windows-1]}, nil
}

// usualDictionary is what a stream is given at least: what zstd and xz ask for
// without being asked for more. Later parts of a stream may ask for as much as the
// first, or for this: who waits for more while he has some could wait for ever.
const usualDictionary = 8 << 20

// take waits for as many bytes, unless the stream has them. The error is too_large, or
// the context's.
func (m *memory) take(bytes int64) error {
	switch {
	case bytes > m.pool.bytes:
		return dictionaryTooLarge(m.pool.bytes, nil)
	case bytes <= m.has:
		return nil
	case m.has > 0:
		return dictionaryTooLarge(m.has, nil)
	}
	bytes = max(bytes, usualDictionary)
	if err := m.pool.Acquire(m.x.ctx, bytes); err != nil {
		return err
	}
	m.has = bytes
	return nil
}

// manyBytes are worth collecting the garbage at once.
const manyBytes = 32 << 20

// free gives back what it has, once nothing refers to it.
func (m *memory) free() {
	if m.has >= manyBytes {
		runtime.GC() // or the next stream's would come beside it
	}
	m.pool.Release(m.has)
	m.has = 0
	m.x.windows--
}
