package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"proflens/migrations"
)

// NoCatalogError is returned for a data folder with files of profiles and no
// catalog that names any: what it had was lost, or the folder was restored in part.
type NoCatalogError struct {
	Dir   string
	Files int // originals and tables that are there
}

func (e *NoCatalogError) Error() string {
	return fmt.Sprintf("data folder %s: catalog.db is missing or empty, but there are %d profile files: "+
		"restore catalog.db (and catalog.db-wal) from a backup, or run \"proflens repair -data %s\" to make a new catalog of them", e.Dir, e.Files, e.Dir)
}

// NewerError is returned for a catalog that a newer Proflens has written.
type NewerError struct {
	Dir          string
	Found, Known int64 // versions of the catalog's schema
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("data folder %s: catalog.db has schema %d, and this Proflens knows up to %d: start the newer Proflens that wrote it, or restore a backup from before",
		e.Dir, e.Found, e.Known)
}

// newestSchema is the number of the last migration.
func newestSchema() (n int64) {
	names, _ := fs.Glob(migrations.Catalog, "*.sql") // the pattern is right
	for _, name := range names {
		var number int64
		fmt.Sscanf(name, "%d_", &number)
		n = max(n, number)
	}
	return n
}

// preflight looks at a data folder before anything in it is changed. It returns
// the schema of its catalog, 0 where there is none yet, and *NewerError; and
// *NoCatalogError unless a new catalog may be made beside files that are there.
func preflight(ctx context.Context, dir string, anew bool) (schema int64, err error) {
	if schema, err = schemaOf(ctx, filepath.Join(dir, "catalog.db")); err != nil {
		return 0, fmt.Errorf("data folder %s: %w", dir, err)
	}
	if newest := newestSchema(); schema > newest {
		return schema, &NewerError{dir, schema, newest}
	}
	if schema > 0 || anew {
		return schema, nil
	}
	files := 0
	for _, sub := range []string{"objects", "profiles", asideDir} {
		n, err := countFiles(filepath.Join(dir, sub))
		if err != nil {
			return 0, err
		}
		files += n
	}
	if files > 0 {
		return 0, &NoCatalogError{dir, files}
	}
	return 0, nil
}

// schemaOf is the version of a catalog's schema; 0 for one that is absent or has
// no tables. It changes nothing.
func schemaOf(ctx context.Context, path string) (version int64, err error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 && !exists(path+"-wal") {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	db, err := sql.Open("sqlite", dsn(path, "rw", "deferred", "busy_timeout(5000)", "query_only(ON)"))
	if err != nil {
		return 0, err
	}
	defer db.Close()
	var tables int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name IN ('goose_db_version', 'profile')`).Scan(&tables); err != nil {
		return 0, fmt.Errorf("catalog.db: %w", err)
	}
	if tables < 2 {
		return 0, nil // its first migration was cut off
	}
	if err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version); err != nil {
		return 0, fmt.Errorf("catalog.db: %w", err)
	}
	return version, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// countFiles counts the files below a folder, which need not be there.
func countFiles(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && d.Type().IsRegular() {
			n++
		}
		return err
	})
	return n, err
}

// copyBeforeUpgrade keeps a copy of a catalog beside it, as it was before its
// schema is changed. A copy of an earlier try makes way.
func copyBeforeUpgrade(ctx context.Context, db *sql.DB, path string, schema int64) error {
	copied := fmt.Sprintf("%s.schema-%d", path, schema)
	if err := os.Remove(copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, copied); err != nil {
		return fmt.Errorf("copying the catalog before its upgrade: %w", err)
	}
	return nil
}

// keepPrivate takes the rights of others off the catalog's files, which an older
// Proflens or a copy may have left there.
func keepPrivate(dir string) error {
	names, err := filepath.Glob(filepath.Join(escapeGlob(dir), "catalog.db*"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// escapeGlob makes a pattern that matches a path itself.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
