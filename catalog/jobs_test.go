package catalog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"proflens/decode/model"
	"proflens/profile/stored"
)

func TestAddedFilesReplaceTheTablesWhenDecoded(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := take(t, s, "app", "one").Entry.ID
	makeReady(t, s)
	before := entryOf(t, s, id)
	reader, err := openTables(t, s, id)
	if err != nil {
		t.Fatal(err)
	}

	e, err := s.AddFiles(t.Context(), id, []NewFile{stage(t, s, "two.profraw", "two")})
	if err != nil {
		t.Fatal(err)
	}
	if e.State != Ready || !e.Pending || len(e.Files) != 1 || e.Digest != before.Digest {
		t.Errorf("until it is decoded the old answers serve: %+v", e)
	}
	job := makeReady(t, s)
	if len(job.Files) != 2 || job.Files[1].Name != "two.profraw" {
		t.Errorf("the job has %v", job.Files)
	}
	e = entryOf(t, s, id)
	if e.Pending || len(e.Files) != 2 || e.Digest == before.Digest || e.Size != 6 {
		t.Errorf("when decoded: %+v", e)
	}
	if err := read(reader); err != nil {
		t.Errorf("the old reader: %v", err)
	}
	if tables := onDisk(t, s, "profiles"); len(tables) != 2 {
		t.Errorf("old tables in use, and the new ones: %v", tables)
	}
	reader.Close()
	if tables := onDisk(t, s, "profiles"); len(tables) != 1 {
		t.Errorf("the old tables stayed: %v", tables)
	}
}

func TestAddedFilesThatFailAreDropped(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := take(t, s, "app", "one").Entry.ID
	makeReady(t, s)
	if _, err := s.AddFiles(t.Context(), id, []NewFile{stage(t, s, "bad.profraw", "bad")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Fail(t.Context(), nextJob(t, s), model.Finding{Severity: model.Error, Code: "x", File: "bad.profraw"},
		1); err != nil {
		t.Fatal(err)
	}
	e := entryOf(t, s, id)
	if e.State != Ready || e.Pending || len(e.Files) != 1 || e.Finding == nil || e.Finding.Severity != model.Warning {
		t.Errorf("after the failure: %+v", e)
	}
	if objects := onDisk(t, s, "objects"); len(objects) != 1 {
		t.Errorf("objects: %v", objects)
	}
	p, err := openTables(t, s, id)
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
}

func TestAddingToAFailedProfile(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := take(t, s, "app", "one").Entry.ID
	if err := s.Fail(t.Context(), nextJob(t, s), model.Finding{Code: "x", Severity: model.Error}, 1); err != nil {
		t.Fatal(err)
	}
	if e := entryOf(t, s, id); e.State != Failed || e.Finding.Code != "x" || e.Decoder != 1 {
		t.Fatalf("failed: %+v", e)
	}
	e, err := s.AddFiles(t.Context(), id, []NewFile{stage(t, s, "two.profraw", "two")})
	if err != nil || e.State != Received || len(e.Files) != 2 || e.Finding != nil {
		t.Errorf("with another file: %+v, %v", e, err)
	}
	makeReady(t, s)
	if e := entryOf(t, s, id); e.State != Ready {
		t.Errorf("decoded: %+v", e)
	}
}

func TestSupersededJobsChangeNothing(t *testing.T) {
	s := openStore(t, t.TempDir())
	var stopped []string
	s.OnStop(func(id string) { stopped = append(stopped, id) })

	deleted := take(t, s, "deleted", "one").Entry.ID
	job := nextJob(t, s)
	build(t, s, job)
	if err := s.Delete(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(t.Context(), job, stored.Figures{}, 1); !errors.Is(err, ErrSuperseded) {
		t.Errorf("Finish when Delete has taken the file away: %v", err)
	}
	build(t, s, job) // the decoder had not noticed
	if err := s.Finish(t.Context(), job, stored.Figures{}, 1); !errors.Is(err, ErrSuperseded) {
		t.Errorf("Finish after Delete: %v", err)
	}
	if err := s.Fail(t.Context(), job, model.Finding{}, 1); !errors.Is(err, ErrSuperseded) {
		t.Errorf("Fail after Delete: %v", err)
	}
	if err := s.Requeue(t.Context(), job); !errors.Is(err, ErrSuperseded) {
		t.Errorf("Requeue after Delete: %v", err)
	}

	grown := take(t, s, "grown", "two").Entry.ID
	job = nextJob(t, s)
	if _, err := s.AddFiles(t.Context(), grown, []NewFile{stage(t, s, "three.profraw", "three")}); err != nil {
		t.Fatal(err)
	}
	build(t, s, job)
	if err := s.Finish(t.Context(), job, stored.Figures{}, 1); !errors.Is(err, ErrSuperseded) {
		t.Errorf("Finish without the added file: %v", err)
	}
	if newer := makeReady(t, s); len(newer.Files) != 2 || newer.ID == job.ID {
		t.Errorf("the newer job: %+v", newer)
	}
	if left := append(onDisk(t, s, "staging"), onDisk(t, s, "profiles")...); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	if len(stopped) != 2 || stopped[0] != deleted || stopped[1] != grown {
		t.Errorf("stopped: %v", stopped)
	}
}

func TestQueuePositions(t *testing.T) {
	s := openStore(t, t.TempDir())
	var ids []string
	for _, name := range []string{"a", "b", "c"} {
		ids = append(ids, take(t, s, name, name).Entry.ID)
	}
	positions := func(want ...int) {
		t.Helper()
		for i, id := range ids {
			if n, err := s.QueuePosition(t.Context(), id); err != nil || n != want[i] {
				t.Errorf("%d: position %d, %v; want %d", i, n, err, want[i])
			}
		}
	}
	positions(1, 2, 3)
	job := nextJob(t, s)
	positions(0, 1, 2)
	if err := s.Requeue(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	positions(1, 2, 3)
	if e := entryOf(t, s, ids[0]); e.State != Received {
		t.Errorf("put back: %s", e.State)
	}
}

func TestRecoverAfterACrash(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	cut := take(t, s, "cut off", "a").Entry.ID
	job := nextJob(t, s)
	build(t, s, job)
	take(t, s, "waiting", "b")
	if _, err := s.Stage(); err != nil { // an upload that never ended
		t.Fatal(err)
	}
	orphan := originalPath(s, "abcd")
	if err := os.MkdirAll(filepath.Dir(orphan), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(orphan, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "objects", "ab", "README")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Close() // as good as a crash: nothing is tidied up

	s = openStore(t, dir)
	if left := onDisk(t, s, "staging"); len(left) > 0 {
		t.Errorf("staging holds %v", left)
	}
	if _, err := os.Stat(orphan); err == nil {
		t.Error("an object nobody uses was kept")
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error("a file that is not the store's was removed")
	}
	if s.Shared() { // others cannot know before its lease has ended
		s.now = func() time.Time { return time.Now().Add(2 * leaseFor) }
	}
	if n, err := s.Recover(t.Context(), 1); err != nil || n != 2 {
		t.Errorf("Recover: %d, %v", n, err)
	}
	if e := entryOf(t, s, cut); e.State != Received {
		t.Errorf("cut off: %s", e.State)
	}
	// One that was cut off comes after those that were not: it may be the cause.
	first, second := nextJob(t, s), nextJob(t, s)
	if first.Entry.Name != "waiting" || second.Entry.ID != cut || second.Attempts != 1 {
		t.Errorf("order: %s, then %s (attempt %d)", first.Entry.Name, second.Entry.Name, second.Attempts)
	}
}

func TestUpgradesDecodeAgain(t *testing.T) {
	s := openStore(t, t.TempDir())
	ready := take(t, s, "ready", "a").Entry.ID
	makeReady(t, s)
	failed := take(t, s, "failed", "b").Entry.ID
	if err := s.Fail(t.Context(), nextJob(t, s), model.Finding{Kind: model.KindUnsupportedVersion}, 1); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Recover(t.Context(), 1); err != nil || n != 0 {
		t.Errorf("nothing changed: %d jobs, %v", n, err)
	}
	if n, err := s.Recover(t.Context(), 2); err != nil || n != 2 {
		t.Errorf("newer decoders: %d jobs, %v", n, err)
	}
	if p, err := openTables(t, s, ready); err != nil {
		t.Errorf("the old answers serve until then: %v", err)
	} else {
		p.Close()
	}
	upload := take(t, s, "upload", "c").Entry.ID
	if job := nextJob(t, s); job.Entry.ID != upload {
		t.Error("an upgrade went before an upload")
	}
	for range 2 {
		makeReady(t, s)
	}
	if e := entryOf(t, s, failed); e.State != Ready || e.Finding != nil {
		t.Errorf("the failed one: %+v", e)
	}

	if _, err := s.db.Write.Exec(`UPDATE profile SET schema_version = 0, decoder_version = 2 WHERE id = ?`,
		ready); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Recover(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := openTables(t, s, ready); !errors.Is(err, ErrNotFound) {
		t.Errorf("tables of another schema were opened: %v", err)
	}
	if e := entryOf(t, s, ready); e.State != Received || !e.Pending {
		t.Errorf("tables of another schema: %+v", e)
	}
}

func TestPreviewServesWhileDecoding(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := take(t, s, "app", "one").Entry.ID
	job := nextJob(t, s)
	path, preview := s.BuildPath(job)
	build(t, s, job)
	if err := os.Rename(path, preview); err != nil {
		t.Fatal(err)
	}
	p, err := openTables(t, s, id)
	if err != nil {
		t.Fatal(err)
	}
	build(t, s, job)
	if err := s.Finish(context.Background(), job, stored.Figures{}, 1); err != nil {
		t.Fatal(err)
	}
	if err := read(p); err != nil {
		t.Errorf("the reader of the preview: %v", err)
	}
	p.Close()
	if left := onDisk(t, s, "staging"); len(left) > 0 {
		t.Errorf("staging holds %v", left)
	}
}

func TestMissingTablesAreMadeAgain(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	id := take(t, s, "app", "a").Entry.ID
	makeReady(t, s)
	folders, err := filepath.Glob(filepath.Join(dir, "objects", "*"))
	for _, folder := range folders { // settled, while that of the tables has just changed
		err = errors.Join(err, os.Chtimes(folder, time.Time{}, time.Now().Add(-time.Hour)))
	}
	if err != nil || len(folders) == 0 {
		t.Fatal(folders, err)
	}
	s.Close()
	if err := os.RemoveAll(filepath.Join(dir, "profiles")); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	if n, err := s.Recover(t.Context(), 1); err != nil || n != 1 {
		t.Errorf("Recover: %d, %v", n, err)
	}
	makeReady(t, s)
	p, err := openTables(t, s, id)
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
}
