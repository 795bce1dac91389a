package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
)

// Place says where a catalog and its files are.
type Place struct {
	Dir string // the data folder
	// Database is the URL of a PostgreSQL database in which the catalog lies; empty: it
	// is catalog.db in the data folder. pgx says what such a URL has. A password may
	// come from PGPASSWORD or PGPASSFILE.
	Database string
	// Connections is how many connections to that database one process has at most;
	// 0 means 16.
	Connections int
	// Objects is the address of a bucket in which originals and tables lie, as package
	// objects has it; empty: they lie in the data folder.
	Objects string
	// CacheSize is how many bytes of copies of a bucket's files the data folder may
	// have; 0 means 10 GiB.
	CacheSize int64
}

// defaultConnections leave room for several instances: a server of PostgreSQL has a
// hundred, unless it is told otherwise.
const (
	defaultConnections = 16
	fewestConnections  = 4 // some wait for others
)

// defaultCacheSize is a few thousand profiles of usual programs.
const defaultCacheSize = 10 << 30

// storage is where the place has its files, for a catalog that is open.
func (p Place) storage(ctx context.Context, s *Catalog) (storage, error) {
	if err := p.present(ctx, s.db); err != nil {
		return nil, err
	}
	if err := p.suits(ctx, s.db); err != nil {
		return nil, err
	}
	if p.Objects == "" {
		return &inFolder{s: s, files: objects.NewFolder(s.dir)}, nil
	}
	return openInBucket(ctx, s, p)
}

// suits refuses a catalog whose files lie elsewhere: they would all seem lost.
func (p Place) suits(ctx context.Context, db *engine.DB) error {
	var files, inBucket bool
	err := db.Write.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM file), EXISTS (SELECT 1 FROM object WHERE state = 'live')`).Scan(&files, &inBucket)
	switch {
	case err != nil:
		return wrapped(err)
	case p.Objects == "" && inBucket:
		return fmt.Errorf("%s: the files of its profiles lie in a bucket, not in the data folder: say which with -objects", p)
	case p.Objects != "" && files && !inBucket:
		return fmt.Errorf("%s: the files of its profiles lie in the data folder, not in a bucket: start without -objects", p)
	}
	return nil
}

// String names the catalog, without a password.
func (p Place) String() string {
	if p.Database == "" {
		return "catalog.db"
	}
	u, err := url.Parse(p.Database)
	if err != nil {
		return "the PostgreSQL catalog"
	}
	return "catalog postgres://" + u.Host + u.Path
}

// absolute makes the folder's name one that holds wherever the process goes.
func (p Place) absolute() (Place, error) {
	dir, err := filepath.Abs(p.Dir)
	p.Dir = dir
	return p, err
}

// open opens the database.
func (p Place) open(ctx context.Context, mode engine.Mode) (*engine.DB, error) {
	source := p.Database
	if source == "" {
		source = filepath.Join(p.Dir, "catalog.db")
	} else if !engine.IsURL(source) { // a file of that name, otherwise
		return nil, errors.New("the catalog's URL is not one of PostgreSQL: use postgres://proflens@host/proflens, or " +
			"leave it out for SQLite")
	}
	connections := p.Connections
	if connections == 0 {
		connections = defaultConnections
	}
	return engine.Open(ctx, source, mode, max(fewestConnections, connections))
}

// openToRead opens the catalog of a place in which a server may be at work, to read
// it. It returns *NoCatalogError, *NewerError and *MovedError as Open does.
func (p Place) openToRead(ctx context.Context) (*engine.DB, error) {
	db, err := p.lookAt(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.present(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// lookAt is openToRead for a catalog that may have moved.
func (p Place) lookAt(ctx context.Context) (*engine.DB, error) {
	if _, err := os.Stat(p.Dir); err != nil {
		return nil, err
	}
	db, err := p.open(ctx, engine.Look)
	if err != nil {
		return nil, err
	}
	schema, err := preflight(ctx, p, db, false)
	switch newest := engine.Newest(); {
	case err != nil:
	case schema == 0:
		err = fmt.Errorf("data folder %s: there is no %s (%w)", p.Dir, p, fs.ErrNotExist)
	case schema < newest:
		err = fmt.Errorf("data folder %s: %s has schema %d; start the server once to upgrade it to %d", p.Dir, p, schema,
			newest)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
