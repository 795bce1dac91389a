package catalog

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"proflens/catalog/engine/pgtest"
)

// A URL that names another database than yesterday's is no reason to put all aside.
func TestAnEmptyDatabaseIsNotTheCatalog(t *testing.T) {
	if !onPostgres {
		t.Skip("about PostgreSQL")
	}
	dir := t.TempDir()
	ids := twoProfiles(t, dir)
	before := listFiles(t, dir)
	other := Place{Dir: dir, Database: pgtest.Database(t, nil)}
	_, err := Open(t.Context(), other)
	if _, ok := errors.AsType[*NoCatalogError](err); !ok {
		t.Fatalf("opened: %v", err)
	}
	if after := listFiles(t, dir); len(after) != len(before) {
		t.Fatalf("originals %v, before %v", after, before)
	}
	done, err := Repair(t.Context(), other)
	if err != nil || len(done.Profiles) != 2 || len(done.Faults) > 0 {
		t.Fatalf("repair: %+v, %v", done, err)
	}
	s, err := Open(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, id := range ids {
		entryOf(t, s, id)
	}
	if _, err := os.Stat(filepath.Join(dir, "catalog.db")); err == nil {
		t.Error("a file was made beside the database")
	}
}
