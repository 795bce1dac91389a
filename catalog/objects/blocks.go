package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"proflens/internal/recovery"
)

const (
	// wholeBlocks is how large a file may be, in blocks, to be fetched in one piece: a
	// second request would take longer than the rest of it.
	wholeBlocks = 4
	// mostAhead is how many blocks are fetched at once by who reads on and on.
	mostAhead = 16
)

// Blocks is a file that is read in places, of which the blocks are fetched that are
// read: the copy in the cache has holes until then. A block tells by its checksum
// whether it is here, in this process or an earlier one, so nothing else has to be
// remembered. It is safe for concurrent use. Reading waits for the store, and gives the
// errors of Store; *DamagedError when what the store has is wrong.
type Blocks struct {
	b    *Bucket
	k    *kept
	f    *os.File
	want Content
	once sync.Once

	mu     sync.Mutex
	blocks []block
	next   int // block after the last that was fetched
	ahead  int // how many were fetched at once
}

// block is what is known of one.
type block struct {
	here   bool    // in the copy, and seen to be right
	flight *flight // that brings it; nil: none
}

// flight brings some blocks in one request.
type flight struct {
	landed chan struct{} // closed at the end
	err    error
}

// OpenBlocks opens a file to be read in places; it reads nothing yet.
func (b *Bucket) OpenBlocks(key string, want Content) (*Blocks, error) {
	if err := want.check(key); err != nil || len(want.Blocks) != want.blocks() {
		return nil, errors.Join(err, fmt.Errorf("%s has no checksums of blocks", key))
	}
	k := b.cache.hold(key)
	path := b.cache.path(key)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err == nil {
		if err = f.Truncate(want.Size); err != nil {
			f.Close()
		}
	}
	if err != nil {
		b.cache.release(k)
		return nil, err
	}
	b.cache.begun(k)
	return &Blocks{b: b, k: k, f: f, want: want, blocks: make([]block, want.blocks())}, nil
}

// Size is the size of the whole file, in bytes.
func (x *Blocks) Size() int64 { return x.want.Size }

// Close lets the cache remove the copy.
func (x *Blocks) Close() error {
	err := x.f.Close()
	x.once.Do(func() { x.b.cache.release(x.k) })
	return err
}

// ReadAt reads bytes, fetching the blocks that have them.
func (x *Blocks) ReadAt(p []byte, offset int64) (int, error) {
	if offset < 0 || offset >= x.want.Size {
		return 0, io.EOF
	}
	short := int64(len(p)) > x.want.Size-offset
	if short {
		p = p[:x.want.Size-offset]
	}
	if len(p) > 0 {
		first, last := int(offset/BlockSize), int((offset+int64(len(p))-1)/BlockSize)
		for i := first; i <= last; i++ {
			if err := x.bring(i, last); err != nil {
				return 0, err
			}
		}
	}
	n, err := x.f.ReadAt(p, offset)
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

// bring sees that block i is here; the reader wants those up to last.
func (x *Blocks) bring(i, last int) error {
	x.mu.Lock()
	if x.blocks[i].here {
		x.mu.Unlock()
		x.b.hits.Add(1)
		return nil
	}
	fl := x.blocks[i].flight
	if fl != nil {
		x.mu.Unlock()
		<-fl.landed
		return fl.err
	}
	first, end := x.span(i, last)
	fl = &flight{landed: make(chan struct{})}
	for j := first; j < end; j++ {
		x.blocks[j].flight = fl
	}
	x.mu.Unlock()

	fl.err = recovery.Do(func() error { return x.fly(first, end) })
	x.mu.Lock()
	for j := first; j < end; j++ {
		x.blocks[j] = block{here: fl.err == nil}
	}
	x.mu.Unlock()
	close(fl.landed)
	return fl.err
}

// span is which blocks to fetch with block i: a small file whole, what the reader wants
// more, and twice as many as last time when it goes on from there.
func (x *Blocks) span(i, last int) (first, end int) {
	if len(x.blocks) <= wholeBlocks {
		i, last = 0, len(x.blocks)-1
	}
	if x.ahead = min(2*x.ahead, mostAhead); i != x.next || x.ahead == 0 {
		x.ahead = 1
	}
	first, end = i, i
	for end < len(x.blocks) && (end <= last || end < i+x.ahead) && end < i+mostAhead && !x.blocks[end].here &&
		x.blocks[end].flight == nil {
		end++
	}
	if end == first { // of a small file, of which a part is here
		return i, i + 1
	}
	x.next = end
	return first, end
}

// fly brings blocks first to end into the copy.
func (x *Blocks) fly(first, end int) error {
	buf := make([]byte, min(int64(end)*BlockSize, x.want.Size)-int64(first)*BlockSize)
	if _, err := x.f.ReadAt(buf, int64(first)*BlockSize); err == nil {
		for first < end && x.right(first, buf[:min(BlockSize, len(buf))]) == nil { // of an earlier reader
			buf = buf[min(BlockSize, len(buf)):]
			first++
		}
	}
	if first == end {
		x.b.hits.Add(1)
		return nil
	}
	x.b.misses.Add(1)
	key, offset := x.k.key, int64(first)*BlockSize
	var damaged error
	for range 2 { // once more, if it was damaged on the way
		got := bytes.NewBuffer(buf[:0])
		err := x.b.timeouts.again(x.b.ending, x.b.timeouts.read, func(ctx context.Context) (bool, error) {
			n, err := x.b.copyRange(ctx, key, got, offset+int64(got.Len()), int64(len(buf)-got.Len()))
			return n > 0, err
		})
		if err != nil {
			return named(x.b.ending, "reading", key, err)
		}
		if damaged = x.right(first, buf); damaged == nil {
			break
		}
	}
	if damaged != nil {
		return damaged
	}
	if _, err := x.f.WriteAt(buf, offset); err != nil {
		x.b.cache.shrinkTo(0) // a full disk: copies make way
		if _, err := x.f.WriteAt(buf, offset); err != nil {
			return local(err)
		}
	}
	x.b.cache.charge(x.k, int64(len(buf)))
	return nil
}

// right compares bytes from block first on with their checksums.
func (x *Blocks) right(first int, b []byte) error {
	for i := first; len(b) > 0; i++ {
		n := min(BlockSize, len(b))
		if found := crc32.Checksum(b[:n], castagnoli); found != x.want.Blocks[i] {
			return damagedBlock(x.k.key, i, x.want.Blocks[i], found)
		}
		b = b[n:]
	}
	return nil
}
