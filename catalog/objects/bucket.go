package objects

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"proflens/internal/recovery"
)

// Bucket keeps files in a bucket, with a local cache of those that were used last.
type Bucket struct {
	remote   remote
	meter    *meter // which is the remote
	hits     atomic.Int64
	misses   atomic.Int64
	cache    *cache
	timeouts timeouts
	verified verified // of whole files in the cache
	fetches  singleflight.Group
	ending   context.Context // ends with Close
	end      context.CancelFunc
}

// Options say how a bucket is used.
type Options struct {
	// Cache is a folder for copies, and for nothing else; one process has it.
	Cache string
	// CacheSize is how many bytes the copies may have that nobody is using.
	CacheSize int64
	// Shed is called when what is in use is too much: it closes a file that is kept
	// open for later, and says whether there was one. It may be nil.
	Shed func() bool
}

// OpenBucket opens a bucket by its address, such as s3://name?region=…. It asks the
// bucket for nothing yet.
func OpenBucket(ctx context.Context, address string, o Options) (*Bucket, error) {
	r, err := openRemote(ctx, address)
	if err != nil {
		return nil, err
	}
	return newBucket(r, o)
}

func newBucket(r remote, o Options) (*Bucket, error) {
	c, err := openCache(o.Cache, o.CacheSize, o.Shed)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	m := newMeter(r)
	b := &Bucket{remote: m, meter: m, cache: c, timeouts: usual}
	b.ending, b.end = context.WithCancel(context.Background())
	return b, nil
}

// Close ends what is being fetched.
func (b *Bucket) Close() error {
	b.end()
	return b.remote.Close()
}

// Reach asks the bucket for something, so that a wrong address is found at start.
func (b *Bucket) Reach(ctx context.Context) error {
	err := b.timeouts.again(ctx, b.timeouts.wholeRequest, func(ctx context.Context) (bool, error) {
		for _, err := range b.remote.list(ctx, "reach/") {
			return false, err
		}
		return false, nil
	})
	return named(ctx, "listing", "the bucket", err)
}

// Put uploads files and sees that they are there; then they are in the cache.
func (b *Bucket) Put(ctx context.Context, files ...Sealed) error {
	g, ctx := recovery.WithContext(ctx)
	g.SetLimit(4)
	for _, f := range files {
		g.Go(func() error { return b.put(ctx, f) })
	}
	return g.Wait()
}

func (b *Bucket) put(ctx context.Context, s Sealed) error {
	f, err := os.Open(s.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	md5, sha256 := md5.New(), sha256.New()
	size, err := io.Copy(io.MultiWriter(md5, sha256), f)
	if err != nil {
		return err
	}
	err = b.timeouts.again(ctx, b.timeouts.write, func(ctx context.Context) (bool, error) {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return false, local(err)
		}
		ctx, silence := watch(ctx, b.timeouts.sending)
		defer silence.stop()
		if err := b.remote.upload(ctx, s.Key, body{silence.reader(f), size, md5.Sum(nil), sha256.Sum(nil)}); err != nil {
			return false, cause(ctx, err)
		}
		size, err := b.remote.size(ctx, s.Key)
		if err == nil && size != s.Content.Size {
			err = fmt.Errorf("the store has %d bytes of it, expected %d", size, s.Content.Size)
		}
		return false, cause(ctx, err)
	})
	if err != nil {
		return named(ctx, "writing", s.Key, err)
	}
	f.Close() // elsewhere than on Unix an open file cannot be moved
	if path, err := b.cache.adopt(s.Key, s.Path, s.Content.Size); err == nil && s.Content.SHA256 != "" {
		b.verified.passed(path, s.Key)
	}
	return nil
}

// cause is why a watched try ended: that it was silent, rather than that it was ended.
func cause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); err != nil && why != nil && errors.Is(why, errSilent) {
		return why
	}
	return err
}

// Open opens a copy of a file in the cache. Several who ask for one file have it
// fetched once, and one who leaves does not stop it for the others.
func (b *Bucket) Open(ctx context.Context, key string, want Content) (*File, error) {
	if err := want.check(key); err != nil {
		return nil, err
	}
	k := b.cache.hold(key)
	f, err := b.open(ctx, k, want)
	if err != nil {
		b.cache.release(k)
		return nil, named(ctx, "reading", key, err)
	}
	return &File{File: f, release: func() { b.cache.release(k) }}, nil
}

func (b *Bucket) open(ctx context.Context, k *kept, want Content) (*os.File, error) {
	fetched := b.fetches.DoChan(k.key, func() (any, error) {
		return nil, recovery.Do(func() error {
			k := b.cache.hold(k.key) // who asked may be gone before it is here
			defer b.cache.release(k)
			return b.bring(b.ending, k, want)
		})
	})
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case r := <-fetched:
		if r.Err != nil {
			return nil, r.Err
		}
	}
	f, err := os.Open(b.cache.path(k.key))
	if err != nil { // it is not the store that lacks it
		return nil, local(fmt.Errorf("the copy in the cache: %v", err))
	}
	return f, nil
}

// bring sees that there is a whole copy of a file in the cache.
func (b *Bucket) bring(ctx context.Context, k *kept, want Content) error {
	here, err := b.whole(k.key, want)
	if here || err != nil {
		b.hits.Add(1)
		return err
	}
	b.misses.Add(1)
	err = b.fetch(ctx, k, want)
	if damaged := new(DamagedError); errors.As(err, &damaged) {
		err = b.fetch(ctx, k, want) // perhaps on the way
	}
	return err
}

// whole reports whether the cache has a whole copy of a file.
func (b *Bucket) whole(key string, want Content) (bool, error) {
	f, err := os.Open(b.cache.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, local(err)
	}
	defer f.Close()
	if err := b.verified.check(f, key, want); err != nil {
		b.verified.forget(key)
		return false, nil // the store has another
	}
	return true, nil
}

// fetch copies a file into the cache, going on where a try was cut off.
func (b *Bucket) fetch(ctx context.Context, k *kept, want Content) error {
	temp, err := b.cache.temp(want.Size)
	if err != nil {
		return local(err)
	}
	defer os.Remove(temp.Name()) // unless it was moved
	defer temp.Close()
	var done int64
	err = b.timeouts.again(ctx, b.timeouts.read, func(ctx context.Context) (bool, error) {
		n, err := b.copyRange(ctx, k.key, temp, done, want.Size-done)
		done += n
		return n > 0, err
	})
	if err != nil {
		return named(ctx, "reading", k.key, err)
	}
	if _, err := temp.Seek(0, io.SeekStart); err != nil {
		return local(err)
	}
	if err := compare(temp, k.key, want); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return local(err)
	}
	path, err := b.cache.adopt(k.key, temp.Name(), want.Size)
	if err != nil {
		return local(err)
	}
	b.verified.passed(path, k.key)
	return nil
}

// Copy writes a file to w and not into the cache, and then says whether it was what it
// is to be: w has all of it, or an error. It returns how many bytes were written.
func (b *Bucket) Copy(ctx context.Context, key string, w io.Writer, want Content) (int64, error) {
	if err := want.check(key); err != nil {
		return 0, err
	}
	var done int64
	got, to := io.Pipe()
	g, ctx := recovery.WithContext(ctx)
	g.Go(func() error { return drained(got, compare(got, key, want)) })
	g.Go(func() (err error) {
		done, err = b.Download(ctx, key, want.Size, io.MultiWriter(w, to))
		to.CloseWithError(err)
		return err
	})
	err := g.Wait()
	return done, err
}

// Download writes a file to w of which nothing is known but its size.
func (b *Bucket) Download(ctx context.Context, key string, size int64, w io.Writer) (done int64, err error) {
	err = b.timeouts.again(ctx, b.timeouts.read, func(ctx context.Context) (bool, error) {
		n, err := b.copyRange(ctx, key, w, done, size-done)
		done += n
		return n > 0, err
	})
	return done, named(ctx, "reading", key, err)
}

// drained lets who writes go on after an error of who reads.
func drained(r io.Reader, err error) error {
	if err != nil {
		io.Copy(io.Discard, r)
	}
	return err
}

// copyRange copies bytes of a file in one try. An end that comes too soon is an error.
func (b *Bucket) copyRange(ctx context.Context, key string, to io.Writer, offset, length int64) (int64, error) {
	ctx, silence := watch(ctx, b.timeouts.silence)
	defer silence.stop()
	r, err := b.remote.reader(ctx, key, offset, length)
	if err != nil {
		return 0, cause(ctx, err)
	}
	defer r.Close()
	w := &localWriter{w: to}
	n, err := io.Copy(w, io.LimitReader(silence.reader(r), length))
	switch {
	case w.err != nil:
		return n, local(w.err)
	case err == nil && n < length:
		return n, fmt.Errorf("%w: %d bytes from offset %d, expected %d", io.ErrUnexpectedEOF, n, offset, length)
	}
	return n, cause(ctx, err)
}

// localWriter tells an error of writing here from one of reading there.
type localWriter struct {
	w   io.Writer
	err error
}

func (w *localWriter) Write(p []byte) (n int, err error) {
	n, w.err = w.w.Write(p)
	return n, w.err
}

// Delete deletes a file from the bucket, and from the cache once nobody uses it.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	b.cache.drop(key)
	err := b.timeouts.again(ctx, b.timeouts.wholeRequest, func(ctx context.Context) (bool, error) {
		ctx, silence := watch(ctx, b.timeouts.silence)
		defer silence.stop()
		return false, cause(ctx, b.remote.remove(ctx, key))
	})
	if err = named(ctx, "deleting", key, err); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// List visits the files of the bucket. It is not tried again: who lists begins anew.
func (b *Bucket) List(ctx context.Context, prefix string) Items {
	return func(yield func(Item, error) bool) {
		for item, err := range b.remote.list(ctx, prefix) {
			if !yield(item, named(ctx, "listing", prefix, err)) || err != nil {
				return
			}
		}
	}
}

// CacheDir is the folder of the copies, for processes that read them by name.
func (b *Bucket) CacheDir() string { return b.cache.dir }

// Copies are the keys of the files in the cache.
func (b *Bucket) Copies() []string { return b.cache.keys() }

// Drop removes a copy from the cache, once nobody uses it.
func (b *Bucket) Drop(key string) { b.cache.drop(key) }

// Has reports whether the bucket has a file of this size.
func (b *Bucket) Has(ctx context.Context, key string, size int64) (bool, error) {
	var found int64
	err := b.timeouts.again(ctx, b.timeouts.wholeRequest, func(ctx context.Context) (_ bool, err error) {
		found, err = b.remote.size(ctx, key)
		return false, err
	})
	if err = named(ctx, "reading", key, err); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && found == size, err
}
