package catalog

import (
	"errors"
	"slices"
	"testing"
	"time"

	"proflens/catalog/engine/pgtest"
)

// elsewhere is the same folder with its catalog on the other engine.
func elsewhere(t *testing.T, place Place) Place {
	t.Helper()
	if !pgtest.Have() {
		t.Skip("there is no PostgreSQL")
	}
	if place.Database != "" {
		place.Database = ""
	} else {
		place.Database = pgtest.Database(t, nil)
	}
	return place
}

// allMoved sees that a place has two profiles with all that is theirs.
func allMoved(t *testing.T, place Place, ids []string) {
	t.Helper()
	s, err := Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, id := range ids {
		e := entryOf(t, s, id)
		if e.Labels["odd"] != "é\u202e" {
			t.Errorf("labels %v", e.Labels)
		}
		p, err := s.Open(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(read(p), p.Close(), verifyOriginal(t, s, e.Files[0].SHA256)); err != nil {
			t.Error(err)
		}
	}
	if done, err := Check(t.Context(), place, func(f Fault) { t.Error(f) }); err != nil || done.Originals != len(ids) {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestACatalogMovesAndItsFilesToo(t *testing.T) {
	for name, bucket := range map[string]bool{"catalog alone": false, "both": true} {
		t.Run(name, func(t *testing.T) {
			from := at(t, t.TempDir())
			to := elsewhere(t, from)
			if bucket {
				_, to.Objects = bucketFolder(t)
			}
			s, err := Open(t.Context(), from)
			if err != nil {
				t.Fatal(err)
			}
			odd := func(p *NewProfile) { p.Labels = map[string]string{"odd": "é\u202e"} }
			ids := []string{take(t, s, "first", "first", odd).Entry.ID}
			decodeNext(t, s)
			none := func(f Fault) { t.Error(f) }
			m, err := Migrate(t.Context(), from, to, none)
			if err != nil || m.Finished {
				t.Fatalf("beside a server: %+v, %v", m, err)
			}
			ids = append(ids, take(t, s, "second", "second", odd).Entry.ID) // writing goes on
			decodeNext(t, s)
			var last int64
			if err := s.db.Write.QueryRow(`SELECT max(id) FROM (SELECT id FROM job UNION SELECT 2 AS id) AS x`).Scan(&last); err != nil {
				t.Fatal(err)
			}
			s.Close()
			if m, err = Migrate(t.Context(), from, to, none); err != nil || !m.Finished {
				t.Fatalf("without one: %+v, %v", m, err)
			}
			allMoved(t, to, ids)
			for what, opened := range map[string]func() error{
				"a server": func() error { _, err := Open(t.Context(), from); return err },
				"a check":  func() error { _, err := Check(t.Context(), from, none); return err },
				"tokens":   func() error { _, err := OpenTokens(t.Context(), from, true); return err },
				"a move":   func() error { _, err := Migrate(t.Context(), from, to, none); return err },
			} {
				if moved, is := errors.AsType[*MovedError](opened()); !is || moved.To != to.String() {
					t.Errorf("%s of the old catalog: %v", what, moved)
				}
			}
			// What came since goes back, and jobs are numbered on.
			if s, err = Open(t.Context(), to); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, take(t, s, "third", "third", odd).Entry.ID)
			job, err := s.NextJob(t.Context())
			if err != nil || job.ID <= last {
				t.Errorf("job %d after %d, %v", job.ID, last, err)
			}
			if err := s.Requeue(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			decodeNext(t, s)
			s.Close()
			if m, err = Migrate(t.Context(), to, from, none); err != nil || !m.Finished {
				t.Fatalf("back: %+v, %v", m, err)
			}
			allMoved(t, from, ids)
		})
	}
}

// A move that ends between two of its steps is completed by the next run, and nobody
// serves half of it.
func TestAMoveIsTakenUpWhereItEnded(t *testing.T) {
	from := at(t, t.TempDir())
	to := elsewhere(t, from)
	s, err := Open(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{
		take(t, s, "first", "first", func(p *NewProfile) { p.Labels = map[string]string{"odd": "é\u202e"} }).Entry.ID,
	}
	decodeNext(t, s)
	s.Close()
	m := &migration{ctx: t.Context(), place: from, moves: true}
	defer m.close()
	if err := m.open(to); err != nil {
		t.Fatal(err)
	}
	for step, do := range []func() error{
		func() error { return m.to.Migrate(t.Context()) },
		func() error { return mark(t.Context(), m.to, moved{from: from.String()}) },
		func() error { return m.from.CopyRows(t.Context(), m.to) },
		func() error { return mark(t.Context(), m.from, moved{to: to.String()}) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if step == 0 {
			continue
		}
		if _, err := Open(t.Context(), to); err == nil {
			t.Fatalf("after step %d half of it was opened", step)
		}
	}
	done, err := Migrate(t.Context(), from, to, func(f Fault) { t.Error(f) })
	if err != nil || !done.Finished {
		t.Fatalf("%+v, %v", done, err)
	}
	allMoved(t, to, ids)
}

func TestADatabaseWithAnotherCatalogIsLeftAlone(t *testing.T) {
	from := at(t, t.TempDir())
	to := elsewhere(t, from)
	if to.Database == "" {
		t.Skip("the other way")
	}
	other := Place{Dir: t.TempDir(), Database: to.Database}
	s, err := Open(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	id := take(t, s, "another's", "another's").Entry.ID
	s.Close()
	if s, err = Open(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if m, err := Migrate(t.Context(), from, to, func(Fault) {}); err == nil || m.Finished {
		t.Errorf("%+v, %v", m, err)
	}
	if s, err = Open(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	entryOf(t, s, id)
}

// Rows that change on their way are seen.
func TestACopyIsCompared(t *testing.T) {
	from := at(t, t.TempDir())
	to := elsewhere(t, from)
	if to.Database == "" {
		t.Skip("the other way")
	}
	s, err := Open(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	take(t, s, "first", "first")
	m := &migration{ctx: t.Context(), place: from, moves: true}
	defer m.close()
	if err := errors.Join(m.open(to), m.to.Migrate(t.Context())); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, to.Database, `CREATE FUNCTION alter() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.size = 7; RETURN NEW; END'`)
	pgtest.Exec(t, to.Database, `CREATE TRIGGER alter BEFORE INSERT ON file FOR EACH ROW EXECUTE FUNCTION alter()`)
	if err := m.from.CopyRows(t.Context(), m.to); err == nil {
		t.Error("an altered copy was taken for one")
	}
	var n int
	if err := m.to.Read.QueryRow(`SELECT count(*) FROM profile`).Scan(&n); err != nil || n != 0 {
		t.Errorf("%d profiles of a copy that failed, %v", n, err)
	}
}

// A server on another machine, with a folder of its own, is at work too.
func TestAServerElsewhereIsSeen(t *testing.T) {
	if !onPostgres {
		t.Skip("about a shared catalog")
	}
	from := at(t, t.TempDir())
	_, from.Objects = bucketFolder(t)
	s, err := Open(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	here := from
	here.Dir = t.TempDir()
	to := here
	to.Objects = ""
	m, err := Migrate(t.Context(), here, to, func(Fault) {})
	if err != nil || m.Finished || !slices.ContainsFunc(m.Users, func(u string) bool { return u[:8] == "proflens" }) {
		t.Errorf("%+v, %v", m, err)
	}
	go s.Close() // one that leaves is waited for
	for deadline := time.Now().Add(10 * time.Minute); ; {
		m, err = Migrate(t.Context(), here, to, func(Fault) {})
		if err != nil || m.Finished || time.Now().After(deadline) {
			break
		}
	}
	if err != nil || !m.Finished {
		t.Errorf("%+v, %v", m, err)
	}
}
