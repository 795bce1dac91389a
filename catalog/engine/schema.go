package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"proflens/migrations"
)

// Newest is the number of the last migration that this program knows.
func Newest() (n int64) {
	names, _ := fs.Glob(migrations.Catalog, "*.sql") // the pattern is right
	for _, name := range names {
		n = max(n, numberOf(name))
	}
	return n
}

// numberOf is the number that a migration's name begins with.
func numberOf(name string) (n int64) {
	fmt.Sscanf(name, "%d_", &n)
	return n
}

// ran has the migrations that a database has had. Its name is that of goose, which ran
// them in older releases.
const ran = `CREATE TABLE IF NOT EXISTS goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT,
 version_id INTEGER NOT NULL, is_applied BOOLEAN NOT NULL, tstamp TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
INSERT INTO goose_db_version (version_id, is_applied) SELECT 0, TRUE WHERE NOT EXISTS (SELECT 1 FROM goose_db_version)`

// upgrade runs the migrations that a database lacks, in the words of its engine.
func upgrade(ctx context.Context, db *sql.DB, engine string, words *strings.Replacer) error {
	if _, err := db.ExecContext(ctx, words.Replace(ran)); err != nil {
		return err
	}
	names, err := fs.Glob(migrations.Catalog, "*.sql")
	for _, name := range names {
		if err := step(ctx, db, name, engine, words); err != nil {
			return fmt.Errorf("migration %s: %w", name, err)
		}
	}
	return err
}

// step runs one migration, and notes it, as one transaction, unless it ran before.
func step(ctx context.Context, db *sql.DB, name, engine string, words *strings.Replacer) error {
	text, err := fs.ReadFile(migrations.Catalog, name)
	if err != nil {
		return err
	}
	own, err := fs.ReadFile(migrations.Engines, engine+"/"+name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var had int
	number := numberOf(name)
	ask := fmt.Sprintf(`SELECT count(*) FROM goose_db_version WHERE is_applied AND version_id >= %d`, number)
	if err := tx.QueryRowContext(ctx, ask).Scan(&had); err != nil || had > 0 {
		return err
	}
	if number > 1 { // the first makes the table of profiles
		var of int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM profile`).Scan(&of); err != nil {
			return err
		}
		progress(ctx, fmt.Sprintf("Upgrading the catalog to schema %d", number), of)(0)
	}
	if _, err := tx.ExecContext(ctx, words.Replace(string(text))+string(own)); err != nil {
		return err
	}
	note := fmt.Sprintf(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (%d, TRUE)`, number)
	if _, err := tx.ExecContext(ctx, note); err != nil {
		return err
	}
	return tx.Commit()
}
