package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// handmade is a source whose vectors are known.
func handmade() *synthetic {
	caller, callee, large := refOf([]byte("caller")), refOf([]byte("callee")), refOf([]byte("large"))
	calls := [instrprof.NumValueKinds][]instrprof.ValueSite{
		{{{Value: callee, Count: 7}, {Value: 0, Count: 1}}},
		{{{Value: 17, Count: 1 << 63}}},
	}
	return &synthetic{
		info: instrprof.Info{Info: model.Info{Families: []model.Family{instrprof.Family}}},
		functions: []instrprof.Function{
			{Name: []byte("caller"), NameRef: caller, FuncHash: 1 << 63, Counters: []uint64{1, 0, 5}, Sites: calls},
			{Name: []byte("callee"), NameRef: callee, Counters: []uint64{7}},
			{Name: []byte("large"), NameRef: large, Counters: []uint64{instrprof.MaxCount, instrprof.MaxCount}},
			{NameRef: 99, Counters: nil},
		},
		traces: []instrprof.Trace{{Weight: 2, NameRefs: []uint64{caller, callee}}},
	}
}

// exported writes a source as a database for people and opens it.
func exported(t *testing.T, src instrprof.Source) *sql.DB {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "profile.db")
	if _, err := WriteProfileFile(t.Context(), path, ProfileInput{Source: src}, nil); err != nil {
		t.Fatal(err)
	}
	p, err := OpenProfileFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out := filepath.Join(dir, "out.db")
	if err := p.WriteSQLite(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteSQLite(t.Context(), out); !errors.Is(err, os.ErrExist) {
		t.Errorf("written over what is there: %v", err)
	}
	db, err := sql.Open("sqlite", dsn(out, "ro", "deferred"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if got := texts(t, db, `PRAGMA integrity_check`); got[0] != "ok" {
		t.Fatal(got)
	}
	return db
}

// texts are the rows of a query, columns with '|' between them.
func texts(t *testing.T, db *sql.DB, query string, args ...any) []string {
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

// The vectors of an exported profile are rows, and the views print what does
// not fit a signed integer.
func TestSQLiteRows(t *testing.T) {
	src := handmade()
	db := exported(t, src)
	want := map[string]int{}
	for f, err := range src.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		want["counter"] += len(f.Counters)
		for _, sites := range f.Sites {
			for _, site := range sites {
				want["value"] += len(site)
			}
		}
	}
	for trace, err := range src.Traces() {
		if err != nil {
			t.Fatal(err)
		}
		want["trace_function"] += len(trace.NameRefs)
	}
	for table, n := range want {
		var got int
		if err := db.QueryRow(`SELECT count(*) FROM ` + table).Scan(&got); err != nil || got != n || n == 0 {
			t.Errorf("%s has %d rows, expected %d, %v", table, got, n, err)
		}
		var view int
		name := table[:strings.IndexByte(table+"_", '_')] + "_view"
		if err := db.QueryRow(`SELECT count(*) FROM ` + name).Scan(&view); err != nil || view != n {
			t.Errorf("%s has %d rows, expected %d, %v", name, view, n, err)
		}
	}
	for _, sum := range texts(t, db, `SELECT f.id FROM function f WHERE total_high = 0 AND NOT pseudo
		AND total <> (SELECT coalesce(sum(c.count), 0) FROM counter c WHERE c.function = f.id AND c.count >= 0)
		AND NOT EXISTS (SELECT 1 FROM counter c WHERE c.function = f.id AND c.count < 0)`) {
		t.Errorf("the counters of function %s do not add up to its total", sum)
	}
	if got := texts(t, db, `SELECT count FROM counter_view WHERE name = 'large' AND idx = 0`); len(got) != 1 || got[0] != "18446744073709551613" {
		t.Errorf("the largest counter is %q", got)
	}
	if got := texts(t, db, `SELECT target, count FROM value_view WHERE name = 'caller' ORDER BY idx LIMIT 1`); len(got) != 1 || got[0] != "callee|7" {
		t.Errorf("the call's target is %q", got)
	}
	if got := texts(t, db, `SELECT name FROM trace_view WHERE trace = 1 ORDER BY position`); strings.Join(got, " ") != "caller callee" {
		t.Errorf("the trace is %q", got)
	}
}

// docs/pages/sqlite.md documents every table and view, and its examples run.
func TestSQLiteManual(t *testing.T) {
	db := exported(t, handmade())
	text, err := os.ReadFile("../docs/pages/sqlite.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, name := range texts(t, db, `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')`) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page does not mention %s", name)
		}
		for _, column := range texts(t, db, `SELECT name FROM pragma_table_info(?)`, name) {
			if name != "permutation" && name != "running_total" && !strings.Contains(page, "`"+column+"`") {
				t.Errorf("the page does not mention %s.%s", name, column)
			}
		}
	}
	_, examples, _ := strings.Cut(page, "## Examples")
	ran := 0
	for _, block := range strings.Split(examples, "\n\n") {
		if !strings.HasPrefix(block, "    SELECT") {
			continue
		}
		texts(t, db, block)
		ran++
	}
	if ran < 5 {
		t.Errorf("%d examples", ran)
	}
}

func TestSQLiteStopsWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profile.db")
	if _, err := WriteProfileFile(t.Context(), path, ProfileInput{Source: handmade()}, nil); err != nil {
		t.Fatal(err)
	}
	p, err := OpenProfileFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.WriteSQLite(ctx, path+".out"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
