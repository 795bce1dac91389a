package objects

import (
	"context"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// faulty is a bucket that does what its fields say. Set them before it is used.
type faulty struct {
	remote
	reads, uploads atomic.Int64 // requests
	sent           atomic.Int64 // bytes

	mu       sync.Mutex
	fail     []error       // of the next requests, one each
	cut      []int64       // after how many bytes the next reads end
	alter    int           // how many of the next reads have a wrong byte; -1: all
	gate     chan struct{} // reads wait until it is closed
	silent   bool          // reads send nothing until their context ends
	pace     time.Duration // before each read
	bytesSec int64         // 0: no limit
}

func (f *faulty) begin() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.fail) == 0 {
		return nil
	}
	err := f.fail[0]
	if f.fail = f.fail[1:]; len(f.fail) == 0 && err == errForEver {
		f.fail = []error{errForEver}
	}
	return err
}

func (f *faulty) upload(ctx context.Context, key string, b body) error {
	f.uploads.Add(1)
	if err := f.begin(); err != nil {
		return err
	}
	return f.remote.upload(ctx, key, b)
}

func (f *faulty) remove(ctx context.Context, key string) error {
	if err := f.begin(); err != nil {
		return err
	}
	return f.remote.remove(ctx, key)
}

func (f *faulty) list(ctx context.Context, prefix string) iter.Seq2[Item, error] {
	if err := f.begin(); err != nil {
		return func(yield func(Item, error) bool) { yield(Item{}, err) }
	}
	return f.remote.list(ctx, prefix)
}

func (f *faulty) reader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	f.reads.Add(1)
	if err := f.begin(); err != nil {
		return nil, err
	}
	if f.gate != nil {
		select {
		case <-f.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	time.Sleep(f.pace)
	r, err := f.remote.reader(ctx, key, offset, length)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	t := &tampered{ReadCloser: r, f: f, ctx: ctx, left: -1, silent: f.silent}
	if len(f.cut) > 0 {
		t.left, f.cut = f.cut[0], f.cut[1:]
	}
	if f.alter != 0 {
		t.alter = true
		f.alter = max(f.alter-1, -1)
	}
	return t, nil
}

// tampered is one read of a faulty bucket.
type tampered struct {
	io.ReadCloser
	f             *faulty
	ctx           context.Context
	left          int64 // -1: all
	alter, silent bool
}

func (t *tampered) Read(p []byte) (int, error) {
	if t.silent {
		<-t.ctx.Done()
		return 0, t.ctx.Err()
	}
	if t.left == 0 {
		return 0, io.EOF
	}
	if t.left > 0 {
		p = p[:min(int64(len(p)), t.left)]
	}
	n, err := t.ReadCloser.Read(p)
	if t.left > 0 {
		t.left -= int64(n)
	}
	if t.alter && n > 0 {
		p[n/2] ^= 0x10
		t.alter = false
	}
	t.f.sent.Add(int64(n))
	if t.f.bytesSec > 0 {
		time.Sleep(time.Duration(int64(n)) * time.Second / time.Duration(t.f.bytesSec))
	}
	return n, err
}

// errFault is a fault that may pass; errForEver stays.
type fault string

func (f fault) Error() string { return string(f) }

const (
	errFault   fault = "503 slow down"
	errForEver fault = "connection refused"
)

// inFaulty is a store in a faulty bucket in memory, with short timeouts.
func inFaulty(t *testing.T, cacheSize int64) (*Bucket, *faulty) {
	t.Helper()
	f := &faulty{remote: newMemory()}
	return over(t, f, filepath.Join(t.TempDir(), "cache"), cacheSize), f
}

func over(t *testing.T, f *faulty, dir string, cacheSize int64) *Bucket {
	t.Helper()
	b, err := newBucket(f, Options{Cache: dir, CacheSize: cacheSize})
	if err != nil {
		t.Fatal(err)
	}
	b.timeouts = timeouts{first: time.Millisecond, most: 5 * time.Millisecond, read: 300 * time.Millisecond,
		write:   300 * time.Millisecond,
		silence: time.Second, sending: 10 * time.Second, wholeRequest: 300 * time.Millisecond}
	t.Cleanup(b.end)
	return b
}

// sealed writes a file of so many bytes, the same for the same seed, to be put.
func sealed(t *testing.T, key string, size int, seed uint64) (Sealed, []byte) {
	t.Helper()
	content := make([]byte, size)
	rand.NewChaCha8([32]byte{byte(seed), byte(size), byte(size >> 8)}).Read(content)
	path := filepath.Join(t.TempDir(), "sealed")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := Sum(f)
	if err != nil {
		t.Fatal(err)
	}
	return Sealed{key, path, c}, content
}
