// Package catalog is a server's list of profiles and its data folder: a small
// database, the originals by their SHA-256, and where each profile's own file is,
// which packages profile and stored write and read.
//
//	catalog.db            profiles, their files, labels, jobs, hashed tokens; or a database of PostgreSQL
//	objects/ab/abcd…      originals
//	profiles/ab/<id>-….db     the tables of a ready profile, under another name each time it is decoded
//	cache/                copies of files that are in a bucket
//	staging/              uploads and profile files in the making; emptied at start
//	aside/                files that the catalog did not know at start; see Repair
//	reserve               room for deleting profiles on a full disk
//	lock                  held by the one process that serves the folder
//
// A file appears by rename, complete and synced, before the catalog
// transaction that names it; files that the catalog does not name are swept or
// put aside at start. So a process killed at any moment loses nothing it has
// promised, and a catalog that was lost or set back costs no upload.
package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"proflens/catalog/engine"
	"proflens/profile/stored"
)

// openHandles is how many profile files stay open between requests: about a
// quarter of a megabyte each.
const openHandles = 256

// Catalog is the catalog and the files of one data folder. It is safe for
// concurrent use. Exported methods open the transaction; unexported functions
// that take one can be combined.
type Catalog struct {
	place Place
	dir   string // of the place
	lock  *folderLock
	db    *engine.DB
	// instance is this process, as the holder of jobs; decoder the version of the
	// decoders that do them.
	instance string
	decoder  atomic.Int64

	storage storage
	handles *handles

	space    space
	lists    listLimits
	now      func() time.Time
	onStop   atomic.Pointer[func(id string)]
	onWork   atomic.Pointer[func()]
	onChange atomic.Pointer[func(id string)]
	onOpen   atomic.Pointer[func(e *Entry, p *stored.Profile)]
}

// Open opens a data folder with its catalog, creating and migrating what is needed,
// and sweeps what an earlier process left half done. Only one process can have a
// folder open, unless the catalog is in a database that several share. It returns *NoCatalogError, *NewerError and
// *MovedError for a place that it leaves as it is.
func Open(ctx context.Context, place Place) (*Catalog, error) { return open(ctx, place, false) }

// open is Open; anew makes a new catalog beside files that are there.
func open(ctx context.Context, place Place, anew bool) (*Catalog, error) {
	place, err := place.absolute()
	if err != nil {
		return nil, err
	}
	dir := place.Dir
	for _, sub := range []string{"objects", "profiles", "staging"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
	}
	s := &Catalog{place: place, dir: dir, instance: newInstance(), lists: usualLimits}
	s.space.dir = dir
	s.handles = newHandles(openHandles)
	// A cache is one process's own, even where the catalog is shared.
	if s.lock, err = lockFolder(ctx, dir, place.Database != "" && place.Objects == ""); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	if s.db, err = place.open(ctx, engine.Serve); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.now = s.db.Now
	if _, err := preflight(ctx, place, s.db, anew); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.withReserve(func() error { return s.db.Migrate(ctx) }); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if s.storage, err = place.storage(ctx, s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if s.lock.alone {
		if err := s.withReserve(func() error { return s.sweep(ctx) }); err != nil {
			return nil, errors.Join(fmt.Errorf("sweeping %s: %w", dir, err), s.Close())
		}
	}
	if err := s.withReserve(func() error { return s.storage.enter(ctx) }); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.lock.share(); err != nil {
		return nil, errors.Join(fmt.Errorf("data folder %s: %w", dir, err), s.Close())
	}
	s.keepReserve()
	return s, nil
}

// Close closes every handle and lets another process have the folder.
func (s *Catalog) Close() error {
	errs := []error{s.handles.close()}
	if s.storage != nil {
		errs = append(errs, s.storage.close())
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// What a commit waits for; see [engine.Durability].
const (
	durable     = engine.Durable
	recoverable = engine.Recoverable
)

// update runs f in one write transaction, at one time. f may
// run again; see [engine.DB.Update].
func (s *Catalog) update(ctx context.Context, d engine.Durability, f func(tx *engine.Tx)) error {
	return s.db.Update(ctx, d, func(tx *engine.Tx) {
		tx.Now = s.now().UnixMicro()
		f(tx)
	})
}

// change is update for one profile: all that change it come one after another, from
// whatever process.
func (s *Catalog) change(ctx context.Context, d engine.Durability, id string, f func(tx *engine.Tx)) error {
	return s.update(ctx, d, func(tx *engine.Tx) {
		tx.Lock("profile " + id)
		f(tx)
		tx.List(id)
		tx.Notify(changedMessage + " " + id)
	})
}

var wrapped = engine.Wrapped
