package catalog

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/catalog/engine"
)

// restored makes a data folder of a backup and opens it.
func restored(t *testing.T, from string) *Catalog {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "restored")
	if _, err := Restore(t.Context(), dir, from, RestoreOptions{}, func(f Fault) { t.Error(f) }); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), Place{Dir: dir}) // a backup has its catalog in a file
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestABackupIsRestored(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	s := openStore(t, dir) // stays open: a server is at work
	a := take(t, s, "a", "content of a")
	b := take(t, s, "b", "content of b", func(p *NewProfile) {
		p.Files = append(p.Files, stage(t, s, "more.profraw", "more"))
	})
	makeReady(t, s)
	gone := take(t, s, "gone", "deleted before")
	if err := s.Delete(t.Context(), gone.Entry.ID); err != nil {
		t.Fatal(err)
	}
	m, err := Backup(t.Context(), at(t, dir), to, BackupOptions{Program: "v1"}, func(f Fault) { t.Error(f) })
	if err != nil || m.Profiles != 2 || m.Originals != 3 || m.Bytes != 28 || m.Schema != engine.Newest() ||
		m.Program != "v1" {
		t.Fatalf("%+v, %v", m, err)
	}
	if out, err := exec.Command("sh", "-c",
		"cd '"+to+"' && sha256sum -c --strict "+sumsName).CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}
	if err := filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if info, e := d.Info(); err == nil && e == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s may be read by others: %v", path, info.Mode())
		}
		return err
	}); err != nil {
		t.Error(err)
	}

	r := restored(t, to)
	for _, c := range []Created{a, b} {
		e := entryOf(t, r, c.Entry.ID)
		if e.Name != c.Entry.Name || !slices.Equal(e.Files, c.Entry.Files) {
			t.Errorf("%+v, expected %+v", e, c.Entry)
		}
		for _, f := range e.Files {
			if err := verifyOriginal(t, r, f.SHA256); err != nil {
				t.Error(err)
			}
		}
		if ok, err := r.CheckDeleteToken(t.Context(), e.ID, c.DeleteToken); !ok || err != nil {
			t.Errorf("the delete token is no longer one: %v", err)
		}
	}
	if _, err := r.Entry(t.Context(), gone.Entry.ID); !errors.As(err, new(*GoneError)) {
		t.Errorf("deleted, and then: %v", err)
	}
	if n, err := r.Recover(t.Context(), 1); n != 2 || err != nil {
		t.Errorf("%d profiles are decoded again, %v; expected both", n, err)
	}
	if originals, tables, err := r.Quarantined(); len(originals)+len(tables) > 0 || err != nil {
		t.Errorf("aside: %v, %v, %v", originals, tables, err)
	}
}

// What is deleted between the copy of the catalog and that of its original is
// deleted in the backup too; what has the original still, keeps it.
func TestABackupFollowsDeletion(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	goes := take(t, s, "goes", "alone", func(p *NewProfile) {
		p.Files = append(p.Files, stage(t, s, "too.profraw", "shared"))
	})
	stays := take(t, s, "stays", "shared")
	again := take(t, s, "again", "deleted and uploaded again")
	more := take(t, s, "more", "first file")
	makeReady(t, s)
	if _, err := s.AddFiles(t.Context(), more.Entry.ID, []NewFile{stage(t, s, "unfit.txt", "does not fit")}); err != nil {
		t.Fatal(err)
	}
	live, err := at(t, dir).openToRead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	b := backup{ctx: t.Context(), dir: dir, to: t.TempDir(), live: live, report: func(f Fault) { t.Error(f) },
		m: Manifest{Format: backupFormat, Schema: engine.Newest()}}
	copied, err := b.catalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{goes.Entry.ID, again.Entry.ID} {
		if err := s.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	renewed := take(t, s, "renewed", "deleted and uploaded again")
	unfit := entryOf(t, s, more.Entry.ID)
	if _, err := s.db.Write.Exec(`DELETE FROM file WHERE profile_id = ? AND name = 'unfit.txt'`, unfit.ID); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(originalPath(s, sumOfBytes([]byte("does not fit")))); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.originals(copied), copied.db.Close(), b.finish()); err != nil {
		t.Fatal(err)
	}
	if b.m.Struck != 1 || b.m.Originals != 3 {
		t.Errorf("%+v", b.m)
	}
	r := restored(t, b.to)
	if _, err := r.Entry(t.Context(), goes.Entry.ID); !errors.As(err, new(*GoneError)) {
		t.Errorf("deleted, and then: %v", err)
	}
	if _, err := r.Entry(t.Context(), renewed.Entry.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("uploaded after the copy: %v", err)
	}
	for _, id := range []string{stays.Entry.ID, more.Entry.ID, again.Entry.ID} {
		e := entryOf(t, r, id)
		if len(e.Files) != 1 {
			t.Errorf("%s has the files %v", e.Name, e.Files)
		}
		for _, f := range e.Files {
			if err := verifyOriginal(t, r, f.SHA256); err != nil {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
	}
}

// A backup says what the data folder had lost, and has all else.
func TestABackupOfDamage(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	s := openStore(t, dir)
	take(t, s, "a", "whole")
	bad, lost := take(t, s, "b", "damaged"), take(t, s, "c", "lost")
	if err := os.WriteFile(originalPath(s, bad.Entry.Files[0].SHA256), []byte("Damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(originalPath(s, lost.Entry.Files[0].SHA256)); err != nil {
		t.Fatal(err)
	}
	said := map[string]FaultKind{}
	m, err := Backup(t.Context(), at(t, dir), to, BackupOptions{}, func(f Fault) { said[f.Profile] = f.What })
	if err != nil || m.Faults != 2 || m.Originals != 1 || said[bad.Entry.ID] != "original damaged" ||
		said[lost.Entry.ID] != "original lost" {
		t.Fatalf("%+v, %v, %v", m, err, said)
	}
	said = map[string]FaultKind{}
	into := filepath.Join(t.TempDir(), "new")
	if _, err := Restore(t.Context(), into, to, RestoreOptions{},
		func(f Fault) { said[f.Profile] = f.What }); err != nil || len(said) != 2 {
		t.Errorf("%v, %v", err, said)
	}
}

func TestABackupLinks(t *testing.T) {
	dir, where := t.TempDir(), t.TempDir()
	s := openStore(t, dir)
	a, b := take(t, s, "a", "first"), take(t, s, "b", "second")
	first, second := filepath.Join(where, "1"), filepath.Join(where, "2")
	if _, err := Backup(t.Context(), at(t, dir), first, BackupOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	// A file of the first that was damaged since is not taken over.
	object := func(dir string, c Created) string {
		return filepath.Join(dir, "objects", c.Entry.Files[0].SHA256[:2], c.Entry.Files[0].SHA256)
	}
	if err := os.WriteFile(object(first, b), []byte("SECOND"), 0o600); err != nil {
		t.Fatal(err)
	}
	take(t, s, "c", "third")
	m, err := Backup(t.Context(), at(t, dir), second, BackupOptions{LinkFrom: []string{first}},
		func(f Fault) { t.Error(f) })
	if err != nil || m.Originals != 3 {
		t.Fatalf("%+v, %v", m, err)
	}
	same := func(a, b string) bool {
		x, errX := os.Stat(a)
		y, errY := os.Stat(b)
		return errX == nil && errY == nil && os.SameFile(x, y)
	}
	if !same(object(first, a), object(second, a)) || same(object(first, b), object(second, b)) {
		t.Error("the whole one is not linked, or the damaged one is")
	}
	restored(t, second)
}

// A folder with files, a damaged backup, one of a newer Proflens: each is refused
// and nothing is left behind.
func TestWhatIsNotRestored(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	s := openStore(t, dir)
	c := take(t, s, "a", "content")
	if _, err := Backup(t.Context(), at(t, dir), to, BackupOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Backup(t.Context(), at(t, dir), to, BackupOptions{}, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a backup in the place of another: %v", err)
	}
	if _, err := Backup(t.Context(), Place{Dir: filepath.Join(dir, "nowhere")}, to+"2", BackupOptions{},
		nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a backup of nothing: %v", err)
	}
	if _, err := Restore(t.Context(), dir, to, RestoreOptions{}, nil); !errors.Is(err, fs.ErrExist) ||
		!strings.Contains(err.Error(), "not empty") {
		t.Errorf("restored over a data folder: %v", err)
	}
	object := filepath.Join("objects", c.Entry.Files[0].SHA256[:2], c.Entry.Files[0].SHA256)
	for name, hurt := range map[string]func(dir string) error{
		"no manifest":    func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) },
		"an altered sum": func(dir string) error { return edit(filepath.Join(dir, sumsName), "a", "b") },
		"another format": func(dir string) error {
			return edit(filepath.Join(dir, manifestName), `"format": 1`, `"format": 2`)
		},
		"a newer catalog": func(dir string) error {
			return edit(filepath.Join(dir, manifestName), `"schema": `, `"schema": 9`)
		},
		"a damaged file": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, object), []byte("c0ntent"), 0o600)
		},
		"a lost file":      func(dir string) error { return os.Remove(filepath.Join(dir, object)) },
		"a lost catalog":   func(dir string) error { return os.Remove(filepath.Join(dir, "catalog.db")) },
		"an unfit catalog": func(dir string) error { return os.Truncate(filepath.Join(dir, "catalog.db"), 5000) },
	} {
		t.Run(name, func(t *testing.T) {
			bad, into := filepath.Join(t.TempDir(), "bad"), filepath.Join(t.TempDir(), "into")
			if err := errors.Join(os.CopyFS(bad, os.DirFS(to)), hurt(bad)); err != nil {
				t.Fatal(err)
			}
			_, err := Restore(t.Context(), into, bad, RestoreOptions{}, func(Fault) {})
			if err == nil {
				t.Fatal("restored")
			}
			t.Log(err)
			if _, err := os.Stat(filepath.Join(into, "catalog.db")); err == nil || exists(filepath.Join(into, "objects")) {
				t.Error("there is something now")
			}
			if strings.HasSuffix(name, " file") {
				m, err := Restore(t.Context(), into, bad, RestoreOptions{WithoutDamaged: true}, func(Fault) {})
				if err != nil || m.Faults != 1 {
					t.Errorf("without it: %+v, %v", m, err)
				}
				openStore(t, into)
			}
		})
	}
}

func edit(path, from, to string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Replace(string(b), from, to, 1)), 0o600)
}

// Copies that were given up leave nothing.
func TestABackupThatIsInterrupted(t *testing.T) {
	dir, where := t.TempDir(), t.TempDir()
	s := openStore(t, dir)
	take(t, s, "a", "content")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Backup(ctx, at(t, dir), filepath.Join(where, "b"), BackupOptions{}, nil); err == nil {
		t.Error("made")
	}
	if left, err := os.ReadDir(where); len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}
