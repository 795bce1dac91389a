package catalog

import (
	"context"
	"io"
	"sync"

	"proflens/internal/fsync"
	"proflens/internal/recovery"
)

// A stream is received in blocks, of which some may wait to be hashed.
type block [256 << 10]byte

const blocksWaiting = 2

var blocks = sync.Pool{New: func() any { return new(block) }}

// ReadFrom appends what r has. Its SHA-256 is taken by a goroutine of its own, since that
// takes as long as receiving and writing.
func (g *Staged) ReadFrom(r io.Reader) (n int64, err error) {
	type received struct {
		*block
		size int
	}
	full := make(chan received, blocksWaiting)
	hashing, _ := recovery.WithContext(context.Background())
	hashing.Go(func() error {
		for b := range full {
			g.digest(b.block[:b.size])
			blocks.Put(b.block)
		}
		return nil
	})
	for err == nil {
		b := blocks.Get().(*block)
		size, rerr := readBlock(r, b[:])
		size, err = g.append(b[:size])
		n += int64(size)
		full <- received{b, size}
		if err == nil {
			err = rerr
		}
	}
	close(full)
	if herr := hashing.Wait(); herr != nil {
		return n, herr
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// readBlock reads until b is full, or r has no more: io.EOF then is not told from other ends, as
// it is by io.ReadFull.
func readBlock(r io.Reader, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var more int
		more, err = r.Read(b[n:])
		n += more
	}
	return n, err
}

// syncEvery is after how many bytes the disk is given them.
const syncEvery = 8 << 20

// beginSync gives the disk what was written since it was given something.
func (g *Staged) beginSync() {
	if g.hash == nil || g.Size-g.begun < syncEvery {
		return // it is never synced, or that is soon enough
	}
	fsync.BeginSync(g.f, g.begun, g.Size-g.begun)
	g.begun = g.Size
}
