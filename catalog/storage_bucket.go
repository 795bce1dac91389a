package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
	"proflens/profile/stored"
)

// inBucket keeps files in a bucket, under keys that the catalog has in its table object.
type inBucket struct {
	s     *Catalog
	files *objects.Bucket

	// tending is held by who sweeps: how many files a sweep looks at that should be as they are,
	// where its next look at tables begins, behind those of a profile, and which copies it has not
	// looked at yet.
	tending  sync.Mutex
	lookedAt int
	swept    string
	copies   []string
}

// cacheDir is the folder for copies, in the data folder.
const cacheDir = "cache"

func openInBucket(ctx context.Context, s *Catalog, p Place) (storage, error) {
	size := p.CacheSize
	if size == 0 {
		size = defaultCacheSize
	}
	b, err := objects.OpenBucket(ctx, p.Objects, objects.Options{
		Cache: filepath.Join(s.dir, cacheDir), CacheSize: size, Shed: s.handles.shed,
	})
	if err != nil {
		return nil, err
	}
	if err := b.Reach(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	// Processes begin anywhere, so that what one does not come to before it ends, another does.
	return &inBucket{s: s, files: b, lookedAt: lookedAt, swept: newSecret()}, nil
}

func (b *inBucket) dir() string { return b.files.CacheDir() }

func (b *inBucket) enter(context.Context) error { return nil }

func (b *inBucket) close() error { return b.files.Close() }

func (b *inBucket) stats() objects.Stats { return b.files.Stats() }

// bring shares the files that are there with the same content, and puts the others.
func (b *inBucket) bring(ctx context.Context, files []NewFile, commit func(settle settleOriginals) error) error {
	put := map[string]string{} // from SHA-256 to the key of a file that is in the bucket
	for again := 0; ; again++ {
		keys, sealed, err := b.announce(ctx, files, put, again == 0)
		if err == nil {
			err = b.files.Put(ctx, sealed...)
		}
		for _, f := range sealed {
			put[f.Content.SHA256] = f.Key
		}
		if err == nil {
			err = commit(func(tx *engine.Tx) {
				for _, key := range inOrder(keys) {
					settle(tx, key)
				}
			})
		}
		if err == nil {
			for _, f := range files {
				f.Staged.Discard() // of one that is shared; what stays is swept at the next start
			}
			return nil
		}
		// What was condemned was shared, so its bytes are still here to be put, and are:
		// where many delete them at once, the next one to share would go too.
		if !errors.Is(err, ErrGarbage) || again == 2 {
			b.giveUp(ctx, slices.Collect(maps.Values(put)))
			return fmt.Errorf("storing originals: %w", err)
		}
	}
}

// announce finds a key for each original: of a file that was put or, to share, is live;
// or a new one for a file that has to be put.
func (b *inBucket) announce(ctx context.Context, files []NewFile, put map[string]string,
	share bool) (keys []string, sealed []objects.Sealed, err error) {
	if len(files) == 0 {
		return nil, nil, nil
	}
	err = b.s.update(ctx, durable, func(tx *engine.Tx) {
		keys, sealed = nil, nil
		seen := map[string]bool{}
		for _, f := range files {
			if seen[f.Staged.SHA256] {
				continue
			}
			seen[f.Staged.SHA256] = true
			if key := put[f.Staged.SHA256]; key != "" {
				keys = append(keys, key)
				continue
			}
			if share {
				live, err := originalObjects(ctx, tx, f.Staged.SHA256)
				if tx.Fail(err) {
					return
				}
				if len(live) > 0 {
					keys = append(keys, live[0].key)
					continue
				}
			}
			o := newOriginal(objects.Content{SHA256: f.Staged.SHA256, Size: f.Staged.Size})
			announce(tx, &o)
			keys = append(keys, o.key)
			sealed = append(sealed, objects.Sealed{Key: o.key, Path: f.Staged.Path, Content: o.content})
		}
	})
	return keys, sealed, err
}

// giveUp has files go that were announced and are named by nothing. If a commit has
// succeeded whose answer was lost, they are live, and stay. What it cannot do the sweep does.
func (b *inBucket) giveUp(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	return b.s.update(ctx, recoverable, func(tx *engine.Tx) {
		for _, key := range keys {
			condemn(tx, `key = ?`, key)
		}
	})
}

func (b *inBucket) open(ctx context.Context, sum string) (*objects.File, error) {
	live, err := originalObjects(ctx, b.s.db.Read, sum)
	if err != nil {
		return nil, err
	}
	err = fs.ErrNotExist
	for _, o := range live { // any will do: two uploads at once may both have put theirs
		var f *objects.File
		if f, err = b.files.Open(ctx, o.key, o.content); err == nil {
			return f, nil
		}
		if unavailable := new(objects.UnavailableError); errors.As(err, &unavailable) || ctx.Err() != nil {
			return nil, err
		}
	}
	return nil, err
}

func (b *inBucket) has(ctx context.Context, sum string) bool {
	live, err := originalObjects(ctx, b.s.db.Read, sum)
	return err == nil && len(live) > 0
}

// clear condemns originals that no profile has; a store that is away deletes them later.
func (b *inBucket) clear(ctx context.Context, sums []string) error {
	if len(sums) == 0 {
		return nil
	}
	if err := b.condemnOriginals(ctx, sums); err != nil {
		return err
	}
	return ignoreAway(b.deleteCondemned(ctx))
}

func (b *inBucket) condemnOriginals(ctx context.Context, sums []string) error {
	return b.s.update(ctx, recoverable, func(tx *engine.Tx) {
		for _, sum := range inOrder(sums) {
			// The rows of one content are taken in any order: two at a time would wait for each other.
			tx.Lock("object " + sum)
			condemn(tx, `sha256 = ? AND state = 'live'`, sum)
			tx.Exec(`DELETE FROM garbage WHERE sha256 = ?`, sum)
		}
	})
}

// readersNeed is how long tables stay that others have replaced: an instance may be
// sending a page of them. Nothing goes wrong if that takes longer but this page.
const readersNeed = 10 * time.Minute

// deleteCondemned deletes the files of condemned rows, and then the rows.
func (b *inBucket) deleteCondemned(ctx context.Context) error {
	for {
		some, err := condemnedObjects(ctx, b.s.db.Write, b.s.now().Add(-readersNeed))
		if err != nil || len(some) == 0 {
			return err
		}
		for _, o := range some {
			if err := b.files.Delete(ctx, o.key); err != nil {
				return err
			}
		}
		err = b.s.update(ctx, recoverable, func(tx *engine.Tx) {
			for _, o := range some {
				tx.Exec(`DELETE FROM object WHERE key = ? AND state = 'condemned'`, o.key)
			}
		})
		if err != nil {
			return err
		}
	}
}

// ignoreAway drops the error of a store that is away, where its work is known to wait.
func ignoreAway(err error) error {
	if away := new(objects.UnavailableError); errors.As(err, &away) {
		return nil
	}
	return err
}

func (b *inBucket) publish(ctx context.Context, job *Job, built string) (string, error) {
	content, err := sumFile(built)
	if err != nil {
		return "", err
	}
	o := newTables(job, content)
	err = b.s.update(ctx, recoverable, func(tx *engine.Tx) { announce(tx, &o) })
	if err != nil {
		return "", err
	}
	if err := b.files.Put(ctx, objects.Sealed{Key: o.key, Path: built, Content: content}); err != nil {
		b.giveUp(ctx, []string{o.key})
		return "", err
	}
	return o.tables, nil
}

func (b *inBucket) settleTables(tx *engine.Tx, name string) { settle(tx, tablesKey(name)) }

func sumFile(path string) (objects.Content, error) {
	f, err := os.Open(path)
	if err != nil {
		return objects.Content{}, err
	}
	defer f.Close()
	return objects.Sum(f)
}

// tables are read where they are needed, and not fetched first.
func (b *inBucket) tables(ctx context.Context, e *Entry) (*stored.Profile, error) {
	live, err := tablesObjects(ctx, b.s.db.Read, e.tables)
	if err != nil {
		return nil, err
	}
	if len(live) == 0 {
		return nil, fs.ErrNotExist
	}
	o := live[0]
	return b.s.handles.acquire(o.key, func() (*stored.Profile, error) {
		x, err := b.files.OpenBlocks(o.key, o.content)
		if err != nil {
			return nil, err
		}
		return stored.OpenAt(tablesInBucket{x}, x.Size(), x.Close, nil)
	})
}

// tablesInBucket gives tables that are damaged in the store the error of damaged tables.
type tablesInBucket struct{ *objects.Blocks }

func (t tablesInBucket) ReadAt(p []byte, offset int64) (int, error) {
	n, err := t.Blocks.ReadAt(p, offset)
	if damaged := new(objects.DamagedError); errors.As(err, &damaged) {
		err = stored.Damaged("%v", damaged)
	}
	return n, err
}

func (b *inBucket) retire(ctx context.Context, name string) {
	b.s.handles.retire(tablesKey(name), func() {})
	b.giveUp(ctx, []string{tablesKey(name)})
	b.deleteCondemned(ctx) // or the sweep does
}

// arrivesWithin is how long an upload to the bucket may take. One that takes longer is
// given up: its own transaction finds the key condemned.
const arrivesWithin = 24 * time.Hour

// lookedAt is how many files a sweep looks at: each minute a part.
const lookedAt = 10_000

// sweep condemns what nothing names, deletes what is condemned, and forgets copies of
// files that are no more. What the bucket has besides is left alone: Check lists it.
func (b *inBucket) sweep(ctx context.Context) error {
	b.tending.Lock()
	defer b.tending.Unlock()
	err := b.s.update(ctx, recoverable, func(tx *engine.Tx) {
		condemn(tx, arrivedLate, tx.Now-arrivesWithin.Microseconds())
	})
	if err == nil {
		err = b.condemnTables(ctx)
	}
	if err != nil {
		return err
	}
	garbage, err := b.s.known(ctx, `SELECT sha256 FROM garbage`)
	if err != nil {
		return err
	}
	for sum := range garbage {
		if err := b.condemnOriginals(ctx, []string{sum}); err != nil {
			return err
		}
	}
	if err := b.deleteCondemned(ctx); err != nil {
		return ignoreAway(err)
	}
	return b.dropCopies(ctx)
}

// afterAll comes after all ids of profiles.
const afterAll = "~"

// condemnTables condemns tables that no profile has, which a process left that ended before it
// could: those of the next profiles, from the first again after the last.
func (b *inBucket) condemnTables(ctx context.Context) error {
	for {
		from := b.swept
		to, err := engine.One[string](ctx, b.s.db.Read, tablesAfter, from, b.lookedAt)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		strays, err := b.s.known(ctx, strayTables, from, cmp.Or(to, afterAll))
		if err != nil {
			return err
		}
		if err := b.giveUp(ctx, slices.Sorted(maps.Keys(strays))); err != nil {
			return err
		}
		if b.swept = to; to != "" || from == "" {
			return nil
		}
	}
}

// dropCopies drops the copies of files that are no more, of some at a time.
func (b *inBucket) dropCopies(ctx context.Context) error {
	if len(b.copies) == 0 {
		b.copies = b.files.Copies()
	}
	some := b.copies[:min(b.lookedAt, len(b.copies))]
	for keys := range slices.Chunk(some, 500) {
		args := make([]any, len(keys))
		for i, key := range keys {
			args[i] = key
		}
		known, err := b.s.known(ctx, `SELECT key FROM object WHERE `+among(`key`, args), args...)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if !known[key] {
				b.files.Drop(key)
			}
		}
	}
	b.copies = b.copies[len(some):]
	return nil
}

func (b *inBucket) tend(ctx context.Context) error { return b.sweep(ctx) }
