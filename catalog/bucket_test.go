package catalog

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"proflens/catalog/engine"
	"slices"
	"sync"
	"testing"
	"time"
)

// bucketFolder makes a folder that stands for a bucket.
func bucketFolder(t *testing.T) (dir, address string) {
	t.Helper()
	dir = t.TempDir()
	return dir, "file://" + filepath.ToSlash(dir) + "?no_tmp_dir=true&metadata=skip"
}

// openInto opens a catalog whose files are in a bucket.
func openInto(t *testing.T, address string) *Catalog {
	t.Helper()
	place := at(t, t.TempDir())
	place.Objects = address
	s, err := Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// inStore are the keys that a bucket's folder has.
func inStore(t *testing.T, dir string) (keys []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			key, _ := filepath.Rel(dir, path)
			keys = append(keys, filepath.ToSlash(key))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// forgetCopies empties the cache, as on another instance.
func forgetCopies(s *Catalog) {
	s.handles.close()
	s.handles.max = openHandles
	files := s.storage.(*inBucket).files
	for _, key := range files.Copies() {
		files.Drop(key)
	}
}

// decodeNext does the next job.
func decodeNext(t *testing.T, s *Catalog) *Entry {
	t.Helper()
	return entryOf(t, s, makeReady(t, s).Entry.ID)
}

func objectStates(t *testing.T, s *Catalog) map[string]int {
	t.Helper()
	rows, err := s.db.Write.Query(`SELECT state, count(*) FROM object GROUP BY state`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	states := map[string]int{}
	for rows.Next() {
		var state string
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			t.Fatal(err)
		}
		states[state] = n
	}
	return states
}

func TestALifeInABucket(t *testing.T) {
	dir, address := bucketFolder(t)
	s := openInto(t, address)
	c := take(t, s, "app", "first", func(p *NewProfile) {
		p.Files = append(p.Files, stage(t, s, "b", "second"), stage(t, s, "c", "first"))
	})
	e := decodeNext(t, s)
	if keys := inStore(t, dir); len(keys) != 3 {
		t.Errorf("%v", keys)
	}
	forgetCopies(s)
	for _, f := range e.Files {
		original, err := s.OpenObject(t.Context(), f.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(original); err != nil || sumOfBytes(b) != f.SHA256 {
			t.Errorf("%q, %v", b, err)
		}
		original.Close()
	}
	p, err := s.Open(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if err := read(p); err != nil {
		t.Error(err)
	}
	p.Close()
	if left := onDisk(t, s, "staging"); len(left) != 0 {
		t.Errorf("staging has %v", left)
	}

	other := take(t, s, "other", "first") // shares what is there
	decodeNext(t, s)
	if keys := inStore(t, dir); len(keys) != 4 {
		t.Errorf("%v", keys)
	}
	for _, id := range []string{c.Entry.ID, other.Entry.ID} {
		if err := s.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if id == c.Entry.ID {
			if err := verifyOriginal(t, s, other.Entry.Files[0].SHA256); err != nil {
				t.Errorf("the other profile lost its original: %v", err)
			}
		}
	}
	if keys := inStore(t, dir); len(keys) != 0 || len(objectStates(t, s)) != 0 || len(onDisk(t, s, "cache")) != 0 {
		t.Errorf("left in the bucket: %v; rows: %v; copies: %v", keys, objectStates(t, s), onDisk(t, s, "cache"))
	}
	if err := verifyOriginal(t, s, e.Files[0].SHA256); err == nil {
		t.Error("a deleted original was opened")
	}
}

func TestTablesThatAreMadeAgainHaveAnotherKey(t *testing.T) {
	dir, address := bucketFolder(t)
	s := openInto(t, address)
	take(t, s, "app", "first")
	e := decodeNext(t, s)
	reader, err := s.Open(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	before := inStore(t, dir)
	if err := s.Rebuild(t.Context(), e.ID); err != nil {
		t.Fatal(err)
	}
	again := decodeNext(t, s)
	after := inStore(t, dir)
	if len(after) != 3 { // the old tables stay a while for readers on other instances
		t.Errorf("%v, then %v", before, after)
	}
	if err := read(reader); err != nil {
		t.Errorf("a reader of the old tables: %v", err)
	}
	reader.Close()
	p, err := s.Open(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	now := s.now
	s.now = func() time.Time { return now().Add(2 * readersNeed) }
	if err := s.storage.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if last := inStore(t, dir); len(last) != 2 {
		t.Errorf("after the sweep: %v", last)
	}
}

func TestTablesThatTheBucketLostAreMadeAgain(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"gone":    os.Remove,
		"altered": func(path string) error { return os.WriteFile(path, make([]byte, sizeOf(path)), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, address := bucketFolder(t)
			s := openInto(t, address)
			take(t, s, "app", "first")
			e := decodeNext(t, s)
			for _, key := range inStore(t, dir) {
				if filepath.Ext(key) == ".db" {
					if err := harm(filepath.Join(dir, filepath.FromSlash(key))); err != nil {
						t.Fatal(err)
					}
				}
			}
			forgetCopies(s)
			if _, err := s.Open(t.Context(), e); !errors.Is(err, ErrRebuilding) {
				t.Fatal(err)
			}
			p, err := s.Open(t.Context(), decodeNext(t, s))
			if err != nil {
				t.Fatal(err)
			}
			p.Close()
		})
	}
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

func TestWhatWasCutOffIsSweptAndTheUnknownIsNot(t *testing.T) {
	dir, address := bucketFolder(t)
	s := openInto(t, address)
	e := take(t, s, "app", "first").Entry
	b := s.storage.(*inBucket)
	// A process that died while it uploaded, and one that died before it deleted.
	_, sealed, err := b.announce(t.Context(), []NewFile{stage(t, s, "x", "never named")}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.files.Put(t.Context(), sealed...); err != nil {
		t.Fatal(err)
	}
	unknown := filepath.Join(dir, "objects", "zz", "zz-not-ours")
	if err := os.MkdirAll(filepath.Dir(unknown), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(unknown, []byte("?"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.storage.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if keys := inStore(t, dir); len(keys) != 3 {
		t.Errorf("an upload under way was swept: %v", keys)
	}
	now := s.now
	s.now = func() time.Time { return now().Add(arrivesWithin + 1e9) }
	if err := s.storage.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	keys := inStore(t, dir)
	if len(keys) != 2 || !slices.Contains(keys, "objects/zz/zz-not-ours") || slices.Contains(keys, sealed[0].Key) {
		t.Errorf("%v", keys)
	}
	if err := verifyOriginal(t, s, e.Files[0].SHA256); err != nil {
		t.Error(err)
	}
	// The upload that took too long finds its key condemned and names nothing.
	err = s.update(t.Context(), durable, func(tx *engine.Tx) { settle(tx, sealed[0].Key) })
	if !errors.Is(err, ErrGarbage) {
		t.Errorf("a late upload: %v", err)
	}
}

// A sweep looks at a part of the tables, the next one goes on, and after the last come the first.
func TestASweepLooksAtAPart(t *testing.T) {
	_, address := bucketFolder(t)
	s := openInto(t, address)
	e := take(t, s, "app", "first").Entry
	decodeNext(t, s)
	const more = 50
	b := s.storage.(*inBucket)
	b.swept, b.lookedAt = "", 100
	_, err := s.db.Write.Exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
		INSERT INTO object (key, state, sha256, profile_id, tables, size, changed_us)
		SELECT 'profiles/no/' || CAST(n AS TEXT), 'live', '', '0' || CAST(n % 7000 AS TEXT), 'lost', 0, 0 FROM number`,
		b.lookedAt+more)
	if err != nil {
		t.Fatal(err)
	}
	part := "object_tables"
	if !onPostgres {
		part += ` \(profile_id>\? AND profile_id<\?\)`
	}
	for name, test := range map[string]struct {
		index, query string
		args         []any
	}{
		"late":      {"object_passing", `SELECT key FROM object WHERE state <> 'condemned' AND ` + arrivedLate, []any{0}},
		"condemned": {"object_passing", `SELECT key FROM object ` + condemned, []any{0}},
		"part":      {"object_tables", tablesAfter, []any{"", b.lookedAt}},
		"strays":    {part, strayTables, []any{"", "0"}},
	} {
		uses(t, s, name, test.index, test.query, test.args)
	}
	lost := func() int {
		t.Helper()
		if err := s.storage.tend(t.Context()); err != nil {
			t.Fatal(err)
		}
		return objectStates(t, s)["live"] - 2
	}
	if left := lost(); left == 0 || left > more {
		t.Errorf("%d lost tables are left, of which a sweep does not look at %d", left, more)
	}
	if left := lost(); left != 0 {
		t.Errorf("%d lost tables are left, not 0", left)
	}
	if b.swept != "" {
		t.Errorf("the next sweep begins at %q", b.swept)
	}
	if err := verifyOriginal(t, s, e.Files[0].SHA256); err != nil {
		t.Error(err)
	}
}

func TestUploadsAndDeletesOfTheSameBytesAtOnce(t *testing.T) {
	dir, address := bucketFolder(t)
	s := openInto(t, address)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for i := range 8 {
				c := take(t, s, "app", "the same bytes")
				if err := verifyOriginal(t, s, c.Entry.Files[0].SHA256); err != nil {
					t.Error(err)
				}
				if i%4 != 3 {
					if err := s.Delete(t.Context(), c.Entry.ID); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	forgetCopies(s)
	if err := verifyOriginal(t, s, sumOfBytes([]byte("the same bytes"))); err != nil {
		t.Errorf("12 profiles are left, and their original is not: %v", err)
	}
	if states := objectStates(t, s); states["arriving"]+states["condemned"] != 0 ||
		states["live"] != len(inStore(t, dir)) {
		t.Errorf("rows %v, files %v", states, inStore(t, dir))
	}
	if !onPostgres {
		return
	}
	var deadlocks int
	err := s.db.Read.QueryRow(`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`).Scan(&deadlocks)
	if err != nil || deadlocks != 0 {
		t.Errorf("%d transactions waited for each other, not 0 (%v)", deadlocks, err)
	}
}

func TestCheckingABucket(t *testing.T) {
	dir, address := bucketFolder(t)
	s := openInto(t, address)
	var ids []string
	for _, content := range []string{"one", "two", "three", "four"} {
		ids = append(ids, take(t, s, content, content).Entry.ID)
		decodeNext(t, s)
	}
	check := func() (whats []FaultKind) {
		t.Helper()
		done, err := Check(t.Context(), s.place, func(f Fault) { whats = append(whats, f.What) })
		if err != nil || done.Faults != len(whats) || done.Originals != 4 {
			t.Errorf("%+v, %v", done, err)
		}
		slices.Sort(whats)
		return whats
	}
	if whats := check(); len(whats) != 0 {
		t.Errorf("all is well: %v", whats)
	}
	at := func(sum string) string {
		for _, key := range inStore(t, dir) {
			if filepath.Base(key)[:len(sum)] == sum {
				return filepath.Join(dir, filepath.FromSlash(key))
			}
		}
		t.Fatal("no file of ", sum)
		return ""
	}
	one, two := at(sumOfBytes([]byte("one"))), at(sumOfBytes([]byte("two")))
	for _, err := range []error{
		os.Remove(one), os.WriteFile(two, []byte("2wo"), 0o600), os.Remove(at(ids[2])),
		os.WriteFile(filepath.Join(dir, "objects", "unknown"), []byte("?"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if whats, want := check(), []FaultKind{"original damaged", "original lost", "tables lost",
		"unknown to the catalog"}; !slices.Equal(whats, want) {
		t.Errorf("%v, expected %v", whats, want)
	}
	var faults []Fault
	backup := filepath.Join(t.TempDir(), "backup")
	m, err := Backup(t.Context(), s.place, backup, BackupOptions{}, func(f Fault) { faults = append(faults, f) })
	if err != nil || m.Originals != 2 || len(faults) != 2 {
		t.Fatalf("%+v, %v, %v", m, faults, err)
	}
	restored := t.TempDir()
	if _, err := Restore(t.Context(), restored, backup, RestoreOptions{}, func(Fault) {}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), Place{Dir: restored})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := verifyOriginal(t, r, sumOfBytes([]byte("three"))); err != nil {
		t.Errorf("restored into a data folder: %v", err)
	}
}

func TestFilesThatLieElsewhereAreNotTakenForLost(t *testing.T) {
	_, address := bucketFolder(t)
	place := at(t, t.TempDir())
	s, err := Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	take(t, s, "app", "in the folder")
	s.Close()
	wrong := place
	wrong.Objects = address
	if s, err := Open(t.Context(), wrong); err == nil {
		s.Close()
		t.Error("a catalog of files in a folder was opened with a bucket")
	}

	place = at(t, t.TempDir())
	place.Objects = address
	if s, err = Open(t.Context(), place); err != nil {
		t.Fatal(err)
	}
	take(t, s, "app", "in the bucket")
	s.Close()
	wrong = place
	wrong.Objects = ""
	if s, err := Open(t.Context(), wrong); err == nil {
		s.Close()
		t.Error("a catalog of files in a bucket was opened without it")
	}
}

func TestAStoreThatIsAwayLosesNothing(t *testing.T) {
	dir, address := bucketFolder(t)
	s := openInto(t, address)
	c := take(t, s, "app", "first")
	e := decodeNext(t, s)
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := verifyOriginal(t, s, e.Files[0].SHA256); err != nil {
		t.Errorf("its copy is here: %v", err)
	}
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), c.Entry.ID); err != nil {
		t.Error(err)
	}
	if err := s.Tend(t.Context()); err != nil {
		t.Error(err)
	}
	if keys := inStore(t, dir); len(keys) != 0 {
		t.Errorf("left: %v", keys)
	}
}

func TestMigratingThereAndBack(t *testing.T) {
	dir, address := bucketFolder(t)
	inFolder := at(t, t.TempDir())
	inBucket := inFolder
	inBucket.Objects = address
	s, err := Open(t.Context(), inFolder)
	if err != nil {
		t.Fatal(err)
	}
	first := take(t, s, "first", "first")
	decodeNext(t, s)
	none := func(f Fault) { t.Error(f) }
	m, err := Migrate(t.Context(), inFolder, inBucket, none)
	if err != nil || m.Finished && !s.Shared() || m.Copied != 2 {
		t.Fatalf("beside a server: %+v, %v", m, err)
	}
	take(t, s, "second", "second")
	second := decodeNext(t, s)
	if _, err := s.Open(t.Context(), second); err != nil {
		t.Errorf("reading goes on: %v", err)
	}
	if err := s.Delete(t.Context(), first.Entry.ID); err != nil {
		t.Fatal(err)
	}
	s.Close()
	m, err = Migrate(t.Context(), inFolder, inBucket, none)
	if err != nil || !m.Finished || m.Copied != 2 {
		t.Fatalf("without one: %+v, %v", m, err)
	}
	if s, err = Open(t.Context(), inBucket); err != nil {
		t.Fatal(err)
	}
	if keys := inStore(t, dir); len(keys) != 2 {
		t.Errorf("what was deleted is still there: %v", keys)
	}
	e := entryOf(t, s, second.ID)
	p, err := s.Open(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if err := verifyOriginal(t, s, e.Files[0].SHA256); err != nil {
		t.Error(err)
	}
	take(t, s, "third", "third")
	decodeNext(t, s)
	s.Close()

	m, err = Migrate(t.Context(), inBucket, inFolder, none)
	if err != nil || !m.Finished || m.Originals != 2 || m.Tables != 2 {
		t.Fatalf("back: %+v, %v", m, err)
	}
	if s, err = Open(t.Context(), inFolder); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if done, err := Check(t.Context(), inFolder, func(f Fault) {
		if f.What != "unknown to the catalog" { // of what was deleted while it was elsewhere
			t.Error(f)
		}
	}); err != nil || done.Originals != 2 {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestABucketThatCannotBeOpened(t *testing.T) {
	for _, address := range []string{"file:///nowhere/at/all", "gs://?regoin=x", "s3://photos?regoin=x"} {
		place := at(t, t.TempDir())
		place.Objects = address
		if s, err := Open(t.Context(), place); err == nil {
			s.Close()
			t.Errorf("%s was opened", address)
		}
	}
}
