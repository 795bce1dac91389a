package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"proflens/catalog/engine/pgtest"
	"proflens/migrations"
)

func open(t *testing.T, source string) *DB {
	t.Helper()
	db, err := Open(t.Context(), source, Serve, 8)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// migrated is a database of PostgreSQL with all tables.
func migrated(t *testing.T) *DB {
	t.Helper()
	if !pgtest.Have() {
		t.Skip("there is no PostgreSQL")
	}
	return open(t, pgtest.Database(t, func(url string) error {
		db, err := Open(context.Background(), url, Serve, 4)
		if err != nil {
			return err
		}
		return errors.Join(db.Migrate(context.Background()), db.Close())
	}))
}

func TestParametersAreRebound(t *testing.T) {
	for query, want := range map[string]string{
		`SELECT 1`:                         `SELECT 1`,
		`a = ? AND b = ?`:                  `a = $1 AND b = $2`,
		`?2, ?1, ?12`:                      `$2, $1, $12`,
		`a = '?' AND "b?" = ?`:             `a = '?' AND "b?" = $1`,
		`a = 'it''s ?' AND b = ? LIMIT ?`:  `a = 'it''s ?' AND b = $1 LIMIT $2`,
		`INSERT INTO t VALUES ($1, $2, 3)`: `INSERT INTO t VALUES ($1, $2, 3)`,
	} {
		if got := rebind(query); got != want {
			t.Errorf("%s became %s, expected %s", query, got, want)
		}
	}
}

func TestTablesAreAllThatMigrationsMake(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "catalog.db"))
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Read.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var made []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		made = append(made, name)
	}
	slices.Sort(made)
	// One says where rows are, the others follow from those that are copied.
	derived := []string{"moved", "swept", "profile_count", "label_count",
		"listing", "found", "found_config", "found_data", "found_idx"}
	want := slices.Sorted(slices.Values(append(derived, tables...)))
	if !slices.Equal(made, want) {
		t.Errorf("migrations make %v, and %v are copied", made, want)
	}
}

// Processes that start at once find the tables made by one of them.
func TestOneProcessMigrates(t *testing.T) {
	if !pgtest.Have() {
		t.Skip("there is no PostgreSQL")
	}
	url := pgtest.Database(t, nil)
	var wg sync.WaitGroup
	for range 4 {
		db := open(t, url)
		wg.Go(func() {
			if err := db.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
			if n, err := db.Schema(t.Context()); n != Newest() || err != nil {
				t.Errorf("schema %d, %v", n, err)
			}
		})
	}
	wg.Wait()
}

// A transaction whose connection is lost is done once more, and once.
func TestALostConnection(t *testing.T) {
	db := migrated(t)
	tries := 0
	err := db.Update(t.Context(), Durable, func(tx *Tx) {
		tries++
		tx.Exec(`INSERT INTO garbage (sha256) VALUES (?)`, "a")
		if tries == 1 {
			_, err := db.Write.Exec(`SELECT pg_terminate_backend(?)`, Get[int](tx, `SELECT pg_backend_pid()`))
			tx.Fail(err)
		}
		tx.Exec(`INSERT INTO garbage (sha256) VALUES (?)`, "b")
	})
	if err != nil || tries != 2 {
		t.Errorf("tried %d times: %v", tries, err)
	}
	var n int
	if err := db.Read.QueryRow(`SELECT count(*) FROM garbage`).Scan(&n); err != nil || n != 2 {
		t.Errorf("%d rows, %v", n, err)
	}
}

// Transactions that wait for each other in a circle are done one after the other.
func TestADeadlock(t *testing.T) {
	db := migrated(t)
	var wg sync.WaitGroup
	var both sync.WaitGroup
	both.Add(2)
	for _, names := range [][]string{{"a", "b"}, {"b", "a"}} {
		wg.Go(func() {
			first := true
			err := db.Update(t.Context(), Recoverable, func(tx *Tx) {
				tx.Lock(names[0])
				if first {
					first = false
					both.Done()
					both.Wait()
				}
				tx.Lock(names[1])
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// What SQLite keeps in a text and PostgreSQL does not is no error.
func TestOddTexts(t *testing.T) {
	db := migrated(t)
	for _, odd := range []string{"a\x00b", "\xff\xfe", "é\u202e"} {
		var n int
		if err := db.Read.QueryRow(`SELECT count(*) FROM label WHERE value = ?`, odd).Scan(&n); err != nil {
			t.Errorf("%q: %v", odd, err)
		}
	}
	var truth int
	if err := db.Read.QueryRow(`SELECT CASE WHEN 1 = CAST(? AS BIGINT) THEN 1 ELSE 0 END`,
		true).Scan(&truth); err != nil || truth != 1 {
		t.Errorf("%d, %v", truth, err)
	}
}

// A server that does not answer is told as such, and no password with it.
func TestAServerThatIsAway(t *testing.T) {
	_, err := Open(t.Context(), "postgres://somebody:secret@127.0.0.1:1/catalog", Serve, 4)
	if _, away := errors.AsType[*AwayError](err); !away || strings.Contains(err.Error(), "secret") {
		t.Errorf("away: %v", err)
	}
	_, err = Open(t.Context(), "postgres://somebody:secret@127.0.0.1:port/catalog", Serve, 4)
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("no URL: %v", err)
	}
}

// So is one that goes while it is asked.
func TestAServerThatGoes(t *testing.T) {
	db := migrated(t)
	conn, err := db.Read.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), `SELECT pg_terminate_backend(pg_backend_pid())`)
	if _, away := errors.AsType[*AwayError](err); !away {
		t.Errorf("away: %v", err)
	}
	var n int
	if err := db.Read.QueryRow(`SELECT count(*) FROM profile`).Scan(&n); err != nil {
		t.Errorf("the next one: %v", err)
	}
	err = db.Read.QueryRow(`SELECT CASE WHEN n = 2 THEN CAST(pg_terminate_backend(pg_backend_pid()) AS int) ELSE n END FROM generate_series(1, 2) n`).Scan(&n)
	if _, away := errors.AsType[*AwayError](err); !away {
		t.Errorf("after the first row: %v", err)
	}
}

// A transaction keeps its first fault, sends nothing after it, and leaves nothing behind.
func TestATransactionKeepsItsFirstFault(t *testing.T) {
	db := migrated(t)
	first := errors.New("first")
	err := db.Update(t.Context(), Recoverable, func(tx *Tx) {
		if n := tx.Exec(`INSERT INTO garbage (sha256) VALUES ('a')`); n != 1 || tx.Fail(nil) || tx.Err() != nil {
			t.Errorf("%d rows, %v", n, tx.Err())
		}
		if n := Get[int](tx, `SELECT count(*) FROM garbage`); n != 1 {
			t.Errorf("%d rows are read", n)
		}
		tx.Fail(first)
		tx.Lock("nothing")
		tx.Notify("nothing")
		n := tx.Exec(`DELETE FROM garbage`) + Get[int64](tx, `SELECT count(*) FROM garbage`)
		if tx.Exec(`no statement`); n != 0 || !tx.Fail(errors.New("second")) || tx.Err() != first {
			t.Errorf("after a fault: %d, %v", n, tx.Err())
		}
	})
	if n, asked := One[int](t.Context(), db.Read, `SELECT count(*) FROM garbage`); err != first || n != 0 || asked != nil {
		t.Errorf("%d rows are left, %v, %v", n, err, asked)
	}
}

// A file that cannot be written is no server that is away: nothing is tried again for it.
func TestAFaultOfAFileIsNotOfTheServer(t *testing.T) {
	tries := 0
	err := migrated(t).Update(t.Context(), Recoverable, func(tx *Tx) {
		tries++
		tx.Fail(&fs.PathError{Op: "write", Path: "profile", Err: syscall.ENOSPC})
	})
	if _, away := errors.AsType[*AwayError](err); away || tries != 1 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("after %d tries: %v", tries, err)
	}
}

func TestLookingWritesNothing(t *testing.T) {
	db := migrated(t)
	looking, err := Open(t.Context(), db.source, Look, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer looking.Close()
	if _, err := looking.Write.Exec(`DELETE FROM garbage`); err == nil {
		t.Error("it wrote")
	}
}

// What an upgrade of many profiles is about to do is told before it does it.
func TestAnUpgradeTellsOfMany(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "catalog.db"))
	words := strings.NewReplacer()
	if _, err := db.Write.Exec(ran); err != nil {
		t.Fatal(err)
	}
	var told []string
	ctx := WithProgress(t.Context(), func(doing string, done, of int) {
		told = append(told, fmt.Sprint(doing, ": ", done, " of ", of))
	})
	names, _ := fs.Glob(migrations.Catalog, "*.sql")
	for i, name := range names {
		if i == len(names)-1 {
			_, err := db.Write.Exec(`WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
				INSERT INTO profile (id, name, project, state, visibility, created_us, updated_us, expires_us, delete_sha256,
					digest, size) SELECT n, '', '', 'ready', 'unlisted', n, n, 0, '', '', 0 FROM number`, toldAfter)
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := step(ctx, db.Write, name, "sqlite", words); err != nil {
			t.Fatal(err)
		}
	}
	want := fmt.Sprintf("[Upgrading the catalog to schema %d: 0 of %d]", Newest(), toldAfter+1)
	if fmt.Sprint(told) != want {
		t.Errorf("told %v, expected %s", told, want)
	}
}
