package catalog

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"proflens/catalog/engine"
)

// twoProfiles are ready, one of two files, in a folder whose server has stopped.
func twoProfiles(t *testing.T, dir string) (ids []string) {
	t.Helper()
	s := openStore(t, dir)
	a := take(t, s, "a", "content of a")
	b := take(t, s, "b", "content of b", func(p *NewProfile) {
		p.Files = append(p.Files, stage(t, s, "more.profraw", "more"))
	})
	makeReady(t, s)
	makeReady(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return []string{a.Entry.ID, b.Entry.ID}
}

func listFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && len(d.Name()) == 64 {
			names = append(names, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// A catalog that is gone, empty or without its write-ahead log is no reason to
// remove what it had listed.
func TestALostCatalogCostsNothing(t *testing.T) {
	inAFile(t)
	for name, lose := range map[string]func(path string) error{
		"absent": os.Remove,
		"empty":  func(path string) error { return os.Truncate(path, 0) },
		"without its tables": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600), os.Remove(path+"-wal"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ids := twoProfiles(t, dir)
			before := listFiles(t, dir)
			if err := lose(filepath.Join(dir, "catalog.db")); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), at(t, dir))
			if _, ok := errors.AsType[*NoCatalogError](err); !ok {
				t.Fatalf("opened %v, %v; expected *NoCatalogError", s, err)
			}
			if after := listFiles(t, dir); !slices.Equal(before, after) {
				t.Fatalf("originals %v, before %v", after, before)
			}
			done, err := Repair(t.Context(), at(t, dir))
			if err != nil || len(done.Profiles) != 2 || len(done.Faults) > 0 {
				t.Fatalf("repair: %+v, %v", done, err)
			}
			s = openStore(t, dir)
			for i, id := range ids {
				e := entryOf(t, s, id) // the link works again
				if len(e.Files) != i+1 || !e.Pending {
					t.Errorf("%s has %d files, expected %d", id, len(e.Files), i+1)
				}
			}
			if after := listFiles(t, dir); !slices.Equal(before, after) {
				t.Errorf("originals %v, before %v", after, before)
			}
		})
	}
}

// Yesterday's catalog does not know what was uploaded since; nor may that go.
func TestAnOlderCatalogPutsAsideWhatItDoesNotKnow(t *testing.T) {
	inAFile(t)
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "catalog.db")
	s := openStore(t, dir)
	take(t, s, "old", "old")
	makeReady(t, s)
	if _, err := s.db.Write.Exec(`VACUUM INTO ?`, kept); err != nil {
		t.Fatal(err)
	}
	b := take(t, s, "new", "new")
	makeReady(t, s)
	waiting := take(t, s, "waits", "not decoded yet")
	gone := take(t, s, "gone", "deleted")
	if err := s.Delete(t.Context(), gone.Entry.ID); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := os.Rename(kept, filepath.Join(dir, "catalog.db")); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	originals, tables, err := s.Quarantined()
	if err != nil || len(originals) != 2 || len(tables) != 1 {
		t.Fatalf("aside: %v, %v, %v", originals, tables, err)
	}
	s.Close()

	var said []FaultKind
	if _, err := Check(t.Context(), at(t, dir), func(f Fault) { said = append(said, f.What) }); err != nil ||
		len(said) != 3 {
		t.Errorf("check says %v, %v", said, err)
	}
	done, err := Repair(t.Context(), at(t, dir))
	if err != nil || len(done.Profiles) != 2 {
		t.Fatalf("repair: %+v, %v", done, err)
	}
	s = openStore(t, dir)
	if e := entryOf(t, s, b.Entry.ID); e.Files[0].Name != "new.profraw" || e.Visibility != Unlisted {
		t.Errorf("%+v", e)
	}
	// What was never decoded has nothing that says its id or name.
	if _, err := s.Entry(t.Context(), waiting.Entry.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
	if n := len(listFiles(t, dir)); n != 3 {
		t.Errorf("%d originals, expected 3", n)
	}
}

// An original that was deleted while its file could not be removed goes at the
// next start, since it is known to be garbage.
func TestGarbageGoesAtStart(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	c := take(t, s, "a", "a")
	path := originalPath(s, c.Entry.Files[0].SHA256)
	// A folder in its place cannot be removed as a file.
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700),
		os.WriteFile(filepath.Join(path, "x"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), c.Entry.ID); err == nil {
		t.Fatal("removed a folder")
	}
	if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte("a"), 0o600)); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = openStore(t, dir)
	if names := onDisk(t, s, "."); slices.Contains(names, c.Entry.Files[0].SHA256) {
		t.Errorf("still there: %v", names)
	}
}

func TestADamagedOriginalIsNeverServed(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	c := take(t, s, "a", "the content")
	sum := c.Entry.Files[0].SHA256
	if err := os.WriteFile(originalPath(s, sum), []byte("the c0ntent"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := s.OpenObject(t.Context(), sum)
	if oe, ok := errors.AsType[*OriginalError](err); !ok || oe.Found == "" {
		t.Fatalf("opened: %v", err)
	}
	var said []FaultKind
	done, err := Check(t.Context(), at(t, dir), func(f Fault) { said = append(said, f.What) })
	if err != nil || !slices.Equal(said, []FaultKind{"original damaged"}) || done.Originals != 1 {
		t.Errorf("check says %v of %+v, %v", said, done, err)
	}
	take(t, s, "b", "the content") // the same content mends it
	f, err := s.OpenObject(t.Context(), sum)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if data, err := io.ReadAll(f); string(data) != "the content" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if err := os.Remove(originalPath(s, sum)); err != nil {
		t.Fatal(err)
	}
	if oe, ok := errors.AsType[*OriginalError](verifyOriginal(t, s, sum)); !ok || oe.Found != "" {
		t.Error("a lost original was opened")
	}
}

// Any flipped bit of the tables has them made again.
func TestDamagedTablesAreRebuilt(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	c := take(t, s, "a", "a")
	makeReady(t, s)
	e := entryOf(t, s, c.Entry.ID)
	path := s.storage.(*inFolder).path(e.tables)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 501 {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x10
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open(t.Context(), e); !errors.Is(err, ErrRebuilding) {
			t.Fatalf("byte %d flipped: %v", at, err)
		}
		if _, err := s.db.Write.Exec(`UPDATE profile SET state = 'ready'`); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	done, err := Repair(t.Context(), at(t, dir))
	if err != nil || !slices.Equal(done.Rebuilt, []string{e.ID}) {
		t.Errorf("repair: %+v, %v", done, err)
	}
}

func TestANewerCatalogIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	if _, err := s.db.Write.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9000, true)`); err != nil {
		t.Fatal(err)
	}
	s.Close()
	_, err := Open(t.Context(), at(t, dir))
	if newer, ok := errors.AsType[*NewerError](err); !ok || newer.Found != 9000 {
		t.Errorf("%v", err)
	}
	if _, err := Repair(t.Context(), at(t, dir)); err == nil {
		t.Error("repaired")
	}
}

// beforeLists take a catalog back to schema 12, but for two indexes that no answer depends on.
var beforeLists = []string{`DROP TABLE dismissed_step`, `ALTER TABLE profile DROP COLUMN head_part`,
	`ALTER TABLE profile DROP COLUMN head_whole`, `DROP TRIGGER profile_added`, `DROP TRIGGER profile_removed`,
	`DROP TRIGGER profile_changed`, `DROP TRIGGER profile_labels_changed`, `DROP TRIGGER label_added`,
	`DROP TRIGGER label_removed`, `DROP TABLE found`, `DROP TABLE listing`, `DROP TABLE profile_count`,
	`DROP TABLE label_count`, `DROP TABLE swept`, `DROP INDEX label_listed`, `DROP INDEX label_branch`,
	`DROP INDEX profile_kinds`, `DROP INDEX profile_schema`, `DROP INDEX profile_decoder`,
	`DROP INDEX profile_received`, `DROP INDEX profile_measured`,
	`ALTER TABLE label DROP COLUMN listed_us`, `ALTER TABLE label DROP COLUMN of_project`,
	`ALTER TABLE profile DROP COLUMN measured_version`, `CREATE INDEX label_value ON label (key, value)`}

// back runs statements that take a catalog back to what an older program made.
func back(t *testing.T, s *Catalog, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := s.db.Write.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// An upgrade keeps what was there, as a file beside it.
func TestAnUpgradeCopiesFirst(t *testing.T) {
	inAFile(t)
	dir := t.TempDir()
	twoProfiles(t, dir)
	path := filepath.Join(dir, "catalog.db")
	db := openStore(t, dir)
	back(t, db, beforeLists...)
	back(t, db,
		`DROP TABLE measured`, `DROP TABLE project_rules`, `DROP TABLE moved`,
		`DROP TABLE object`, `DROP TABLE build`, `DROP INDEX profile_project`, `DROP INDEX profile_name`, `DROP TABLE token`,
		`DROP TABLE garbage`, `ALTER TABLE profile DROP COLUMN tables_crc`, `ALTER TABLE profile DROP COLUMN refused`,
		`ALTER TABLE file DROP COLUMN sources`, `ALTER TABLE profile ADD COLUMN generation INTEGER NOT NULL DEFAULT 0`,
		`ALTER TABLE profile DROP COLUMN tables`, `DROP INDEX job_next`, `DROP TABLE tally`,
		`ALTER TABLE job DROP COLUMN holder`, `ALTER TABLE job DROP COLUMN lease_us`, `ALTER TABLE job DROP COLUMN taken`,
		`ALTER TABLE job DROP COLUMN progress`, `ALTER TABLE job DROP COLUMN schema_version`,
		`ALTER TABLE job DROP COLUMN decoder_version`, `DELETE FROM goose_db_version WHERE version_id >= 4`)
	if v, err := db.db.Schema(t.Context()); v != 3 || err != nil {
		t.Fatalf("schema %d, %v", v, err)
	}
	db.Close()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, dir)
	for _, name := range []string{path, path + ".schema-3"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if v, err := schemaOf(t, path+".schema-3"); v != 3 || err != nil {
		t.Errorf("the copy has schema %d, %v", v, err)
	}
	if n := len(onDisk(t, s, "objects")); n != 3 {
		t.Errorf("%d originals", n)
	}
}

func schemaOf(t *testing.T, path string) (int64, error) {
	t.Helper()
	db, err := engine.Open(t.Context(), path, engine.Look, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return db.Schema(t.Context())
}

// originalPath is where a data folder has an original.
func originalPath(s *Catalog, sum string) string {
	return s.storage.(*inFolder).files.Path(originalKey(sum))
}

// verifyOriginal opens an original.
func verifyOriginal(t *testing.T, s *Catalog, sum string) error {
	t.Helper()
	f, err := s.OpenObject(t.Context(), sum)
	if err == nil {
		f.Close()
	}
	return err
}
