package profiletest

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode/format"
	"proflens/profile"
)

// SQLite writes a profile as a database for people and opens it, until the test
// ends.
func SQLite(t testing.TB, p *format.Profile) *sql.DB {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.db")
	if err := profile.WriteSQLite(t.Context(), Store(t, p), out); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+out+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if got := Texts(t, db, `PRAGMA integrity_check`); got[0] != "ok" {
		t.Fatal(got)
	}
	return db
}

// Texts are the rows of a query, columns with '|' between them.
func Texts(t testing.TB, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	var list []string
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		words := make([]string, len(cells))
		for i, c := range cells {
			words[i] = c.String
		}
		list = append(list, strings.Join(words, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
