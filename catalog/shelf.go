package catalog

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"proflens/objects"
	"proflens/profiledb/stored"
)

// shelf is where a catalog's originals and tables lie: its data folder, where they are
// named by what they are, or a bucket, whose keys are rows of the catalog.
type shelf interface {
	// bring stores sealed originals and calls commit, whose transaction names them and
	// has called settle before it ends. commit may be called again.
	bring(ctx context.Context, files []NewFile, commit func(settle settleOriginals) error) error
	// open opens an original; an error is fs.ErrNotExist, *objects.DamagedError or
	// *objects.UnavailableError.
	open(ctx context.Context, sum string) (*objects.File, error)
	has(ctx context.Context, sum string) bool
	// clear removes those of the originals that no profile has any more.
	clear(ctx context.Context, sums []string) error

	// publish stores the tables of a profile and calls commit, whose transaction makes
	// them those of a generation with settle.
	publish(ctx context.Context, id, built string, commit func(settle settleTables) error) error
	// tables opens a ready profile's; fs.ErrNotExist or stored.ErrDamaged.
	tables(ctx context.Context, e *Entry) (*stored.Profile, error)
	// retire removes tables that are no profile's any more, after their last reader.
	retire(ctx context.Context, id string, generation int)

	// sweep puts in order what was left half done.
	sweep(ctx context.Context) error
	// dir is a folder in which all originals that are open can be read by name.
	dir() string
	close() error
}

// settleOriginals makes originals those of the profiles that a transaction names;
// settleTables does that with tables.
type (
	settleOriginals func(ctx context.Context, tx *sql.Tx) error
	settleTables    func(ctx context.Context, tx *sql.Tx, generation int) error
)

// storing stores originals and runs a transaction that names them. What it has done is
// on the disk.
func (s *Catalog) storing(ctx context.Context, files []NewFile, f func(tx *sql.Tx, now int64) error) error {
	return s.shelf.bring(ctx, files, func(settle settleOriginals) error {
		return s.update(ctx, durable, func(tx *sql.Tx, now int64) error {
			if err := settle(ctx, tx); err != nil {
				return err
			}
			return f(tx, now)
		})
	})
}

// OpenObject opens an original by its SHA-256 in hex, which its content was seen to
// have. It returns *OriginalError when it has not, or there is none, and
// *objects.UnavailableError.
func (s *Catalog) OpenObject(ctx context.Context, sha256 string) (*objects.File, error) {
	if raw, err := hex.DecodeString(sha256); err != nil || len(raw) != 32 {
		return nil, &OriginalError{SHA256: sha256}
	}
	f, err := s.shelf.open(ctx, sha256)
	if damaged, ok := errors.AsType[*objects.DamagedError](err); ok {
		return nil, &OriginalError{sha256, damaged.Found}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &OriginalError{SHA256: sha256}
	}
	return f, err
}

// ObjectsDir is the folder of all originals that are open.
func (s *Catalog) ObjectsDir() string { return s.shelf.dir() }

// tablesName names a profile's tables of one generation: a reader must never meet
// tables newer than those it began with.
func tablesName(id string, generation int) string { return fmt.Sprintf("%s-%d.db", id, generation) }
