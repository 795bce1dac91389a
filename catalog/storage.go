package catalog

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
	"proflens/profile/stored"
)

// storage is where a catalog's originals and tables lie: its data folder, where they are
// named by what they are, or a bucket, whose keys are rows of the catalog.
type storage interface {
	// bring stores sealed originals and calls commit, whose transaction names them and
	// has called settle before it ends. commit may be called again.
	bring(ctx context.Context, files []NewFile, commit func(settle settleOriginals) error) error
	// open opens an original; an error is fs.ErrNotExist, *objects.DamagedError or
	// *objects.UnavailableError.
	open(ctx context.Context, sum string) (*objects.File, error)
	has(ctx context.Context, sum string) bool
	// clear removes those of the originals that no profile has any more.
	clear(ctx context.Context, sums []string) error

	// publish stores the tables that a job has built, under a name that no others have.
	publish(ctx context.Context, job *Job, built string) (name string, err error)
	// settleTables is part of the transaction that makes these tables a profile's.
	settleTables(tx *engine.Tx, name string)
	// tables opens a ready profile's; fs.ErrNotExist or stored.ErrDamaged.
	tables(ctx context.Context, e *Entry) (*stored.Profile, error)
	// retire removes tables that no profile names, after their last reader.
	retire(ctx context.Context, name string)

	// sweep puts in order what was left half done, when a process starts; tend does what
	// can be done of that while it works.
	sweep(ctx context.Context) error
	// enter says that this process is at work from now on, after it has swept or another has.
	enter(ctx context.Context) error
	tend(ctx context.Context) error
	stats() objects.Stats
	// dir is a folder in which all originals that are open can be read by name.
	dir() string
	close() error
}

// settleOriginals is part of a transaction that names originals: they stay from then
// on. It fails with ErrGarbage for one that was removed meanwhile.
type settleOriginals func(tx *engine.Tx)

// ErrGarbage is returned, very rarely, for an upload whose content was deleted with the
// last profile that had it, at the same moment. Uploading it again helps.
var ErrGarbage = errors.New("the same file was being deleted; upload it again")

// storing stores originals and runs a transaction that names them: of a profile that is there, or of
// new ones for an empty id. What it has done is on the disk.
func (s *Catalog) storing(ctx context.Context, id string, files []NewFile, f func(tx *engine.Tx)) error {
	return s.storage.bring(ctx, files, func(settle settleOriginals) error {
		settled := func(tx *engine.Tx) {
			settle(tx)
			f(tx)
		}
		if id == "" {
			return s.update(ctx, durable, settled)
		}
		return s.change(ctx, durable, id, settled)
	})
}

// OpenObject opens an original by its SHA-256 in hex, which its content was seen to
// have. It returns *OriginalError when it has not, or there is none, and
// *objects.UnavailableError.
func (s *Catalog) OpenObject(ctx context.Context, sha256 string) (*objects.File, error) {
	if raw, err := hex.DecodeString(sha256); err != nil || len(raw) != 32 {
		return nil, &OriginalError{SHA256: sha256}
	}
	f, err := s.storage.open(ctx, sha256)
	if damaged, ok := errors.AsType[*objects.DamagedError](err); ok {
		return nil, &OriginalError{sha256, damaged.Found}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &OriginalError{SHA256: sha256}
	}
	return f, err
}

// Tend removes files from the store that could not be removed when they should have
// been, and keeps the catalog quick. It is called now and then.
func (s *Catalog) Tend(ctx context.Context) error {
	return errors.Join(s.storage.tend(ctx), s.db.Tidy(ctx))
}

// WithProgress has f told what is done, and for how many profiles of how many, while Open
// upgrades a large catalog.
func WithProgress(ctx context.Context, f func(doing string, done, of int)) context.Context {
	return engine.WithProgress(ctx, f)
}

// Unindexed says why words are not found through an index, but by looking at every profile;
// empty where they are.
func (s *Catalog) Unindexed() string { return s.db.Unindexed() }

// StoreStats are counts of requests to the bucket and of its cache; all zero where files
// lie in the data folder.
func (s *Catalog) StoreStats() objects.Stats { return s.storage.stats() }

// ObjectsDir is the folder of all originals that are open.
func (s *Catalog) ObjectsDir() string { return s.storage.dir() }

// tablesKey is where a store has tables of a name. Those of each decoding have another: a
// reader that opens them again must never meet newer ones than it began with.
func tablesKey(name string) string { return "profiles/" + name[:2] + "/" + name }
