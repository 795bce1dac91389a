package objects

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

const blocksKey = "profiles/aa/aa-1.db"

func openBlocks(t *testing.T, b *Bucket, c Content) *Blocks {
	t.Helper()
	x, err := b.OpenBlocks(blocksKey, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func TestOnlyTheBlocksThatAreReadAreFetched(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, content := put(t, b, blocksKey, 20*BlockSize+77, 1)
	x := openBlocks(t, b, c)
	p := make([]byte, 4096)
	for _, offset := range []int64{0, 4096, 15*BlockSize - 100, 20*BlockSize + 70} {
		n, err := x.ReadAt(p, offset)
		if !bytes.Equal(p[:n], content[offset:min(int(offset)+4096, len(content))]) || n < 4096 && err != io.EOF {
			t.Errorf("at %d: %d bytes, %v", offset, n, err)
		}
	}
	if got := f.sent.Load(); got != 3*BlockSize+77 {
		t.Errorf("%d bytes fetched", got)
	}
	if n := b.Stats().Cache.Used; n > 3*BlockSize+100 {
		t.Errorf("the cache counts %d bytes", n)
	}
	if n, err := x.ReadAt(p, c.Size); n != 0 || err != io.EOF {
		t.Error(n, err)
	}
	if n, err := x.ReadAt(p, -1); n != 0 || err == nil {
		t.Error(n, err)
	}
}

func TestBlocksAreAReaderOfTheirContent(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, content := put(t, b, blocksKey, 40*BlockSize+77, 1)
	x := openBlocks(t, b, c)
	if err := iotest.TestReader(io.NewSectionReader(x, 10*BlockSize-50, 200),
		content[10*BlockSize-50:][:200]); err != nil {
		t.Error(err)
	}
	before := f.reads.Load()
	if got, err := io.ReadAll(io.NewSectionReader(x, 0, x.Size())); err != nil || !bytes.Equal(got, content) {
		t.Fatal(err)
	}
	if n := f.reads.Load() - before; n > 12 {
		t.Errorf("%d requests to read 40 blocks one after another", n)
	}
}

func TestASmallFileIsFetchedWhole(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, content := put(t, b, blocksKey, 3*BlockSize+1, 1)
	x := openBlocks(t, b, c)
	p := make([]byte, 10)
	for _, offset := range []int64{2 * BlockSize, 0, 3*BlockSize - 9} {
		if _, err := x.ReadAt(p, offset); err != nil || !bytes.Equal(p, content[offset:offset+10]) {
			t.Error(err)
		}
	}
	if n := f.reads.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestManyReadersFetchEachBlockOnce(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	f.pace = time.Millisecond
	c, content := put(t, b, blocksKey, 20*BlockSize+5, 1)
	x := openBlocks(t, b, c)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(w)))
			for range 50 {
				offset, n := r.IntN(len(content)), 1+r.IntN(2*BlockSize)
				n = min(n, len(content)-offset)
				p := make([]byte, n)
				if _, err := x.ReadAt(p, int64(offset)); err != nil || !bytes.Equal(p, content[offset:offset+n]) {
					t.Errorf("%d bytes at %d: %v", n, offset, err)
				}
			}
		})
	}
	wg.Wait()
	if got := f.sent.Load(); got != c.Size {
		t.Errorf("%d bytes fetched, expected %d", got, c.Size)
	}
}

func TestBlocksOfAnEarlierProcessAreUsedIfTheyAreRight(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, content := put(t, b, blocksKey, 10*BlockSize, 1)
	x := openBlocks(t, b, c)
	p := make([]byte, 100)
	x.ReadAt(p, 0)
	x.ReadAt(p, 7*BlockSize)
	x.Close()
	again := over(t, f, b.cache.dir, 1<<30)
	if n := again.Stats().Cache.Used; n < 2*BlockSize || n > 3*BlockSize {
		t.Errorf("the cache counts %d bytes of two blocks", n)
	}
	damage, err := os.OpenFile(b.cache.path(blocksKey), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	damage.WriteAt([]byte{^content[7*BlockSize+50]}, 7*BlockSize+50)
	damage.Close()
	before := f.sent.Load()
	x = openBlocks(t, again, c)
	if _, err := x.ReadAt(p, 0); err != nil || !bytes.Equal(p, content[:100]) || f.sent.Load() != before {
		t.Errorf("%v after %d bytes", err, f.sent.Load()-before)
	}
	if _, err := x.ReadAt(p, 7*BlockSize); err != nil || !bytes.Equal(p, content[7*BlockSize:][:100]) ||
		f.sent.Load() != before+BlockSize {
		t.Errorf("%v after %d bytes", err, f.sent.Load()-before)
	}
}

func TestBlocksHaveFaults(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, content := put(t, b, blocksKey, 10*BlockSize, 1)
	x := openBlocks(t, b, c)
	p := make([]byte, 100)
	f.cut, f.alter = []int64{1000}, 1
	f.fail = []error{errFault}
	if _, err := x.ReadAt(p, 0); err != nil || !bytes.Equal(p, content[:100]) {
		t.Errorf("faults that pass: %v", err)
	}
	f.alter = -1
	damaged := new(DamagedError)
	if _, err := x.ReadAt(p, 5*BlockSize); !errors.As(err, &damaged) {
		t.Errorf("altered in the store: %v", err)
	}
	f.alter, f.fail = 0, []error{errForEver}
	unavailable := new(UnavailableError)
	if _, err := x.ReadAt(p, 5*BlockSize); !errors.As(err, &unavailable) {
		t.Errorf("the store is gone: %v", err)
	}
	f.fail = nil
	if _, err := x.ReadAt(p, 5*BlockSize); err != nil || !bytes.Equal(p, content[5*BlockSize:][:100]) {
		t.Errorf("all is well again: %v", err)
	}
	for _, wrong := range []Content{
		{Size: 10 * BlockSize}, {Size: 1 << 50, Blocks: c.Blocks}, {Size: -1}, {Size: 5, SHA256: "00"},
	} {
		if _, err := b.OpenBlocks("profiles/aa/ab-1.db", wrong); err == nil {
			t.Errorf("%d bytes with %d checksums", wrong.Size, len(wrong.Blocks))
		}
	}
}
