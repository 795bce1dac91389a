package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"proflens/catalog/engine"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/profile"
	"proflens/profile/stored"
)

func openStore(t testing.TB, dir string) *Catalog {
	t.Helper()
	s, err := Open(t.Context(), at(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	t.Cleanup(func() { keptIsTrue(t, s) })
	return s
}

// keptIsTrue sees that what the catalog keeps for its lists is what follows from its profiles.
func keptIsTrue(t testing.TB, s *Catalog) {
	t.Helper()
	const labels = `SELECT key, value, project, CASE WHEN state = 'ready' THEN 1 ELSE 0 END, count(*)
		FROM profile JOIN label ON profile_id = id WHERE visibility = 'listed' GROUP BY 1, 2, 3, 4`
	for kept, truth := range map[string]string{
		`SELECT visibility, state, project, kinds, sum(profiles) FROM profile_count GROUP BY 1, 2, 3, 4
			HAVING sum(profiles) <> 0`: `
			SELECT visibility, state, project, kinds, count(*) FROM profile GROUP BY 1, 2, 3, 4`,
		`SELECT key, value, project, ready, sum(profiles) FROM label_count GROUP BY 1, 2, 3, 4
			HAVING sum(profiles) <> 0`: labels,
		`SELECT profile_id, key, listed_us, of_project FROM label`: `SELECT profile_id, key,
			CASE visibility WHEN 'listed' THEN created_us ELSE 0 END, project FROM profile JOIN label ON profile_id = id`,
		`SELECT profile_id FROM listing`: `SELECT id FROM profile WHERE ` + inLists,
		`SELECT id FROM profile JOIN listing ON profile_id = id WHERE instr(words, lower(name)) > 0
			AND instr(words, lower(project)) > 0 AND instr(words, lower(describe)) > 0
			AND NOT EXISTS (SELECT 1 FROM label WHERE profile_id = id AND instr(words, lower(key || '=' || value)) = 0)
			AND NOT EXISTS (SELECT 1 FROM file WHERE profile_id = id AND instr(words, lower(file.name)) = 0)`: `
			SELECT id FROM profile WHERE ` + inLists,
	} {
		one, err := rowsOf(s, kept)
		if err != nil {
			return // the test has closed it, or broken it
		}
		other, err := rowsOf(s, truth)
		if diff := cmp.Diff(other, one); diff != "" || err != nil {
			t.Errorf("%s: %s, %v", kept, diff, err)
		}
	}
}

// rowsOf are the rows that a query selects, as text, in order.
func rowsOf(s *Catalog, query string) (all []string, err error) {
	rows, err := s.db.Write.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	for err == nil && rows.Next() {
		row, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			at[i] = &row[i]
		}
		err = rows.Scan(at...)
		all = append(all, fmt.Sprintf("%v", row))
	}
	slices.Sort(all)
	return all, errors.Join(err, rows.Err())
}

// stage puts content into staging, sealed.
func stage(t testing.TB, s *Catalog, name, content string) NewFile {
	t.Helper()
	g, err := s.Stage()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(g, content); err != nil {
		t.Fatal(err)
	}
	if err := g.Seal(); err != nil {
		t.Fatal(err)
	}
	return NewFile{Name: name, Staged: g}
}

// take creates one listed profile of one file.
func take(t testing.TB, s *Catalog, name, content string, change ...func(*NewProfile)) Created {
	t.Helper()
	p := NewProfile{Name: name, Visibility: Listed, Files: []NewFile{stage(t, s, name+".profraw", content)}}
	for _, f := range change {
		f(&p)
	}
	created, err := s.Create(t.Context(), []NewProfile{p})
	if err != nil {
		t.Fatal(err)
	}
	return created[0]
}

// makeReady does the next job.
func makeReady(t testing.TB, s *Catalog) *Job {
	t.Helper()
	job := nextJob(t, s)
	build(t, s, job)
	if err := s.Finish(t.Context(), job,
		stored.Figures{Families: []model.Family{instrprof.Family}, Describe: "LLVM text, IR", Functions: 3, Total: "12"},
		1); err != nil {
		t.Fatal(err)
	}
	return job
}

func nextJob(t testing.TB, s *Catalog) *Job {
	t.Helper()
	job, err := s.NextJob(t.Context())
	if err != nil || job == nil {
		t.Fatalf("NextJob: %v, %v", job, err)
	}
	return job
}

func build(t testing.TB, s *Catalog, job *Job) {
	t.Helper()
	path, _ := s.BuildPath(job)
	p := &format.Profile{Info: model.Info{Format: instrprof.FormatText, Families: []model.Family{instrprof.Family}}}
	p.Add(instrprof.Family, instrprof.NoRecords(&instrprof.Info{Variant: instrprof.IRProf}))
	in := profile.Input{Profile: p}
	for _, f := range job.Files {
		p.Inputs = append(p.Inputs, format.Input{Name: f.Name})
		in.Files = append(in.Files, stored.Input{Name: f.Name, SHA256: f.SHA256, Size: f.Size})
	}
	if _, err := profile.Write(t.Context(), path, in, nil); err != nil {
		t.Fatal(err)
	}
}

func entryOf(t testing.TB, s *Catalog, id string) *Entry {
	t.Helper()
	e, err := s.Entry(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// onDisk lists the files below a folder of the store.
func onDisk(t testing.TB, s *Catalog, sub string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(filepath.Join(s.dir, sub), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestLifeOfAProfile(t *testing.T) {
	s := openStore(t, t.TempDir())
	made := take(t, s, "app", "profile bytes", func(p *NewProfile) {
		p.Project, p.Labels, p.Describe = "web", map[string]string{"arch": "arm64"}, "LLVM raw v10"
	})
	id := made.Entry.ID
	if len(id) != 26 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") != "" {
		t.Errorf("id %q is not 128 bits of lower-case base32", id)
	}

	e := entryOf(t, s, id)
	if e.State != Received || !e.Pending || e.Describe != "LLVM raw v10" || e.Project != "web" ||
		e.Labels["arch"] != "arm64" || e.Size != 13 {
		t.Errorf("after Create: %+v", e)
	}
	if diff := cmp.Diff(*e, made.Entry, cmp.AllowUnexported(Entry{})); diff != "" {
		t.Errorf("Create returned another entry than Entry: %s", diff)
	}
	f, err := s.OpenObject(t.Context(), e.Files[0].SHA256)
	if err != nil {
		t.Fatal(err)
	}
	content, _ := io.ReadAll(f)
	f.Close()
	if string(content) != "profile bytes" {
		t.Errorf("the original is %q", content)
	}
	if _, err := openTables(t, s, id); !errors.Is(err, ErrNotFound) {
		t.Errorf("opened before decoding: %v", err)
	}

	job := nextJob(t, s)
	if e = entryOf(t, s, id); e.State != Decoding {
		t.Errorf("while decoding: %s", e.State)
	}
	if again, err := s.NextJob(t.Context()); again != nil || err != nil {
		t.Errorf("the job was given out twice: %v, %v", again, err)
	}
	build(t, s, job)
	figures := stored.Figures{Families: []model.Family{instrprof.Family, memprof.Family},
		Describe: "LLVM raw v10, 64-bit", Format: instrprof.FormatRaw,
		Version: 1 << 63, Functions: 7, Total: "123456789012345678901", Spark: []byte{1, 255},
		Finding: &model.Finding{Severity: model.Warning, Code: "raw.something", Offset: 4}}
	if err := s.Finish(t.Context(), job, figures, 5); err != nil {
		t.Fatal(err)
	}
	e = entryOf(t, s, id)
	got := stored.Figures{Families: e.Families, Describe: e.Describe, Format: e.Format, Version: e.Version,
		Functions: e.Functions, Total: e.Total, Spark: e.Spark, Finding: e.Finding}
	if diff := cmp.Diff(figures, got); diff != "" {
		t.Errorf("figures changed on their way through the catalog: %s", diff)
	}
	if e.State != Ready || e.Pending || e.Decoder != 5 || e.Schema != stored.SchemaVersion {
		t.Errorf("when ready: %+v", e)
	}

	p, err := openTables(t, s, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := read(p); err != nil {
		t.Errorf("a reader was disturbed by Delete: %v", err)
	}
	if left := onDisk(t, s, "profiles"); len(left) != 1 {
		t.Errorf("tables in use: %v", left)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, sub := range []string{"profiles", "objects", "staging"} {
		if left := onDisk(t, s, sub); len(left) > 0 {
			t.Errorf("%s holds %v after Delete", sub, left)
		}
	}
	gone, ok := errors.AsType[*GoneError](second(s.Entry(t.Context(), id)))
	if !ok || gone.State != Deleted {
		t.Errorf("Entry of a deleted profile: %v", gone)
	}
	if err := s.Delete(t.Context(), id); !errors.As(err, &gone) {
		t.Errorf("deleting twice: %v", err)
	}
	if err := s.Delete(t.Context(), "nosuch"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleting what never was: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestDeleteTokenIsStoredHashedOnly(t *testing.T) {
	s := openStore(t, t.TempDir())
	made := take(t, s, "app", "x")
	for token, want := range map[string]bool{
		made.DeleteToken: true, "": false, made.Entry.ID: false, made.DeleteToken + "a": false,
	} {
		if ok, err := s.CheckDeleteToken(t.Context(), made.Entry.ID, token); err != nil || ok != want {
			t.Errorf("token %q: %v, %v", token, ok, err)
		}
	}
	if _, err := s.CheckDeleteToken(t.Context(), "nosuch", "x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("token of what never was: %v", err)
	}
	for _, name := range []string{"catalog.db", "catalog.db-wal"} {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err == nil && strings.Contains(string(data), made.DeleteToken) {
			t.Errorf("%s holds the delete token", name)
		}
	}
}

func TestTombstonesSayNothing(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	made := take(t, s, "secret-name", "x", func(p *NewProfile) {
		p.Visibility, p.Project, p.Labels = Unlisted, "secret-project", map[string]string{"secret-key": "v"}
	})
	makeReady(t, s)
	if err := s.Delete(t.Context(), made.Entry.ID); err != nil {
		t.Fatal(err)
	}
	var row string
	if err := s.db.Read.QueryRow(`SELECT name || project || describe || total || digest || kinds || finding FROM profile`).Scan(&row); err != nil {
		t.Fatal(err)
	}
	var others int
	if err := s.db.Read.QueryRow(`SELECT (SELECT count(*) FROM label) + (SELECT count(*) FROM file) + (SELECT count(*) FROM job)`).Scan(&others); err != nil {
		t.Fatal(err)
	}
	if row != "" || others != 0 {
		t.Errorf("a tombstone keeps %q and %d rows", row, others)
	}
}

func TestSameContentTwiceIsStoredOnce(t *testing.T) {
	s := openStore(t, t.TempDir())
	first, other := take(t, s, "first", "same"), take(t, s, "second", "same")
	if objects := onDisk(t, s, "objects"); len(objects) != 1 {
		t.Fatalf("objects: %v", objects)
	}
	if first.Entry.Digest != other.Entry.Digest {
		t.Error("equal files gave different digests")
	}
	if err := s.Delete(t.Context(), first.Entry.ID); err != nil {
		t.Fatal(err)
	}
	if objects := onDisk(t, s, "objects"); len(objects) != 1 {
		t.Errorf("the other profile lost its original: %v", objects)
	}
	if err := s.Delete(t.Context(), other.Entry.ID); err != nil {
		t.Fatal(err)
	}
	if objects := onDisk(t, s, "objects"); len(objects) != 0 {
		t.Errorf("objects left: %v", objects)
	}
}

// Uploads of one content race with deletions of it: no profile may lose its
// original, and none may stay behind.
func TestConcurrentUploadsAndDeletions(t *testing.T) {
	s := openStore(t, t.TempDir())
	var mu sync.Mutex
	kept := map[string]string{} // id to object
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			for i := range 6 {
				made := take(t, s, "app", fmt.Sprint("content ", i%2))
				if (worker+i)%2 == 0 {
					if err := s.Delete(context.Background(), made.Entry.ID); err != nil {
						t.Error(err)
					}
					continue
				}
				mu.Lock()
				kept[made.Entry.ID] = made.Entry.Files[0].SHA256
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for id, sum := range kept {
		f, err := s.OpenObject(t.Context(), sum)
		if err != nil {
			t.Fatalf("%s lost its original: %v", id, err)
		}
		f.Close()
		if err := s.Delete(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	if left := onDisk(t, s, "objects"); len(left) > 0 {
		t.Errorf("objects left: %v", left)
	}
}

func TestListFiltersAndPages(t *testing.T) {
	s := openStore(t, t.TempDir())
	for i := range 7 {
		take(t, s, fmt.Sprint("App ", i), "x", func(p *NewProfile) {
			p.Labels = map[string]string{"parity": []string{"even", "odd"}[i%2], "branch": "main"}
			p.Families = []model.Family{[]model.Family{instrprof.Family, memprof.Family}[i%2]}
			if i > 4 {
				p.Project = "web"
			}
		})
	}
	take(t, s, "hidden", "x", func(p *NewProfile) { p.Visibility = Unlisted })
	gone := take(t, s, "gone", "x")
	if err := s.Delete(t.Context(), gone.Entry.ID); err != nil {
		t.Fatal(err)
	}

	for _, c := range []struct {
		name string
		q    ListQuery
		want string
	}{
		{"all", ListQuery{}, "6543210"},
		{"kind", ListQuery{Kind: "memprof"}, "531"},
		{"part of a kind", ListQuery{Kind: "mem"}, ""},
		{"project", ListQuery{Project: "web"}, "65"},
		{"label", ListQuery{Labels: map[string]string{"parity": "odd", "branch": "main"}}, "531"},
		{"name, case ignored", ListQuery{Text: "aPP 3"}, "3"},
		{"label text", ListQuery{Text: "parity=EVEN"}, "6420"},
		{"percent is no wildcard", ListQuery{Text: "%"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, limit := range []int{0, 2} {
				got, q := "", c.q
				q.Limit = limit
				for {
					page, err := s.List(t.Context(), q)
					if err != nil {
						t.Fatal(err)
					}
					if page.Total != len(c.want) {
						t.Errorf("total %d, want %d", page.Total, len(c.want))
					}
					for _, e := range page.Items {
						got += strings.TrimPrefix(e.Name, "App ")
					}
					if page.NextCursor == "" {
						break
					}
					q.Cursor = page.NextCursor
				}
				if got != c.want {
					t.Errorf("limit %d: got %q, want %q", limit, got, c.want)
				}
			}
		})
	}
	for _, bad := range []string{"!", "YQ", "MS4"} {
		if _, err := s.List(t.Context(), ListQuery{Cursor: bad}); !errors.Is(err, ErrBadCursor) {
			t.Errorf("cursor %q: %v", bad, err)
		}
	}
}

func TestExpiry(t *testing.T) {
	s := openStore(t, t.TempDir())
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	s.now = func() time.Time { return now }
	short := take(t, s, "short", "a", func(p *NewProfile) { p.Lifetime = time.Hour })
	long := take(t, s, "long", "b", func(p *NewProfile) { p.Lifetime = 24 * time.Hour })
	take(t, s, "kept", "c")
	if want := now.Add(time.Hour); !short.Entry.Expires.Equal(want) {
		t.Errorf("expires %v, want %v", short.Entry.Expires, want)
	}
	for range 3 {
		makeReady(t, s)
	}

	now = now.Add(time.Hour)
	// Gone from the moment itself, before anything is swept.
	gone, ok := errors.AsType[*GoneError](second(s.Entry(t.Context(), short.Entry.ID)))
	if !ok || gone.State != Expired || !gone.At.Equal(now) {
		t.Errorf("at its time: %v", gone)
	}
	if page, _ := s.List(t.Context(), ListQuery{}); page.Total != 2 {
		t.Errorf("%d are listed, want 2", page.Total)
	}
	removed, due, err := s.Expire(t.Context())
	if err != nil || removed != 1 || !due.Equal(long.Entry.Expires) {
		t.Errorf("Expire: %d, %v, %v", removed, due, err)
	}
	if gone, ok = errors.AsType[*GoneError](second(s.Entry(t.Context(), short.Entry.ID))); !ok || gone.State != Expired ||
		!gone.At.Equal(now) {
		t.Errorf("after sweeping: %v", gone)
	}
	if o, p := onDisk(t, s, "objects"), onDisk(t, s, "profiles"); len(o) != 2 || len(p) != 2 {
		t.Errorf("left on the disk: %v, %v", o, p)
	}
	now = now.Add(48 * time.Hour)
	if removed, due, err = s.Expire(t.Context()); err != nil || removed != 1 || !due.IsZero() {
		t.Errorf("Expire: %d, %v, %v", removed, due, err)
	}
}

func TestOneProcessAtATime(t *testing.T) {
	inAFile(t)
	dir := t.TempDir()
	s := openStore(t, dir)
	if _, err := Open(t.Context(), at(t, dir)); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second Open: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	openStore(t, dir)
}

func TestFolderNamesOfAllKinds(t *testing.T) {
	inAFile(t)
	for _, name := range []string{"with blank", "per%cent", "hash#mark", "question?x=1", "näme"} {
		dir := filepath.Join(t.TempDir(), name)
		s := openStore(t, dir)
		made := take(t, s, "a", "x")
		makeReady(t, s)
		p, err := openTables(t, s, made.Entry.ID)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p.Close()
		if _, err := os.Stat(filepath.Join(dir, "catalog.db")); err != nil {
			t.Error(err)
		}
	}
}

func TestPragmasHoldOnEveryConnection(t *testing.T) {
	inAFile(t)
	s := openStore(t, t.TempDir())
	var conns []io.Closer
	for range 3 {
		c, err := s.db.Read.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
		var timeout, query int
		if err := c.QueryRowContext(t.Context(),
			`SELECT timeout, query_only FROM pragma_busy_timeout, pragma_query_only`).Scan(&timeout, &query); err != nil {
			t.Fatal(err)
		}
		if timeout != 5000 || query != 1 {
			t.Errorf("busy_timeout %d, query_only %d", timeout, query)
		}
	}
	for _, c := range conns {
		c.Close()
	}
	var keys int
	var journal string
	if err := s.db.Write.QueryRow(`SELECT foreign_keys, journal_mode FROM pragma_foreign_keys, pragma_journal_mode`).Scan(
		&keys, &journal); err != nil {
		t.Fatal(err)
	}
	if keys != 1 || journal != "wal" {
		t.Errorf("foreign_keys %d, journal_mode %s", keys, journal)
	}
	for d, want := range map[engine.Durability]int{durable: 2, recoverable: 1} {
		var sync int
		err := s.update(t.Context(), d, func(tx *engine.Tx) {
			sync = engine.Get[int](tx, `PRAGMA synchronous`)
		})
		if err != nil || sync != want {
			t.Errorf("%s: synchronous is %d, %v", d, sync, err)
		}
	}
}

func TestEveryColumnIsDocumented(t *testing.T) {
	inAFile(t)
	s := openStore(t, t.TempDir())
	rows, err := s.db.Read.Query(`SELECT sql FROM sqlite_master WHERE type = 'table' AND name IN ('profile', 'file', 'job')`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			column := len(words) > 1 && slices.Contains([]string{"TEXT", "INTEGER", "BLOB"}, strings.Trim(words[1], ","))
			plain := slices.Contains([]string{"id", "project", "state", "visibility", "profile_id"}, words[0])
			if column && !plain && !strings.Contains(line, "--") {
				t.Errorf("no comment: %s", line)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// openTables opens the tables of a profile that there is.
func openTables(t testing.TB, s *Catalog, id string) (*stored.Profile, error) {
	t.Helper()
	return s.Open(t.Context(), entryOf(t, s, id))
}

// read reads something of an opened profile.
func read(p *stored.Profile) error { return p.Walk("file", func(*stored.Row) {}) }
