package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
	"proflens/internal/fsync"
)

// Migrated says how far a migration has come.
type Migrated struct {
	Originals, Tables int   // that are at their new place, seen to be whole
	Copied            int   // of them, by this run
	Bytes             int64 // of those
	// Finished says that the new place has everything. Otherwise a server was at work:
	// the next run copies what it has taken in since.
	Finished bool
	Users    []string // who is connected to a database, and therefore may be such a server
	Faults   int      // files that could not be copied, since they are damaged or lost
}

// Migrate copies what a place has to another with the same data folder: its files, its
// catalog, or both. A server may be at work at the first; once none is, a run copies the
// rest, the catalog last, and from then on the second is the one to serve. What was
// copied is not copied again, but for the catalog, which is copied in one go. All of it is
// compared with its checksums. The first place keeps what it has, and a catalog there
// says that it has moved. A fault of a file is reported and does not end it.
func Migrate(ctx context.Context, from, to Place, report func(Fault)) (Migrated, error) {
	from, err := from.absolute()
	if err != nil {
		return Migrated{}, err
	}
	to.Dir = from.Dir
	m := &migration{ctx: ctx, place: from, folder: objects.NewFolder(from.Dir), out: to.Objects != "", report: report,
		moves: from.Database != to.Database, files: from.Objects != to.Objects}
	switch {
	case !m.moves && !m.files:
		return Migrated{}, errors.New("everything lies there already")
	case from.Objects != "" && to.Objects != "" && m.files:
		return Migrated{}, errors.New("files move between a bucket and the data folder, not between two buckets: copy the " +
			"bucket with its store's tools, and start the server with the other address")
	case from.Database != "" && to.Database != "" && m.moves:
		return Migrated{}, errors.New("a catalog moves between PostgreSQL and the data folder, not between two databases: " +
			"use PostgreSQL's tools, such as pg_dump")
	}
	looked, err := from.lookAt(ctx) // nothing is made of a name misspelt
	if err != nil {
		return Migrated{}, err
	}
	if err := errors.Join(from.suits(ctx, looked), looked.Close()); err != nil {
		return Migrated{}, err
	}
	defer m.close()
	if err := m.open(to); err != nil {
		return Migrated{}, err
	}
	return m.done, m.run(to)
}

// migration is one under way. Of files exactly one place is the bucket.
type migration struct {
	ctx          context.Context
	place        Place  // where all is
	temp         string // for a file on its way
	from, to     *engine.DB
	moves, files bool // what moves: the catalog, files
	bucket       *objects.Bucket
	folder       *objects.Folder
	out          bool // of the folder, into the bucket
	report       func(Fault)
	done         Migrated
	closing      []func()
}

func (m *migration) close() {
	for i := len(m.closing) - 1; i >= 0; i-- {
		m.closing[i]()
	}
}

// open opens what is copied from and to.
func (m *migration) open(to Place) (err error) {
	if m.from, err = m.place.open(m.ctx, engine.Change); err != nil {
		return err
	}
	m.to = m.from
	m.closing = append(m.closing, func() { m.from.Close() })
	if m.moves {
		if m.to, err = to.open(m.ctx, engine.Serve); err != nil {
			return err
		}
		m.closing = append(m.closing, func() { m.to.Close() })
	}
	if !m.files {
		return nil
	}
	away := to
	if !m.out {
		away = m.place
	}
	bucket, closed, err := away.bucketOf(m.ctx)
	if err != nil {
		return err
	}
	m.closing = append(m.closing, closed)
	m.bucket = bucket
	if m.temp, err = os.MkdirTemp(m.place.Dir, "migrating-*"); err != nil {
		return err
	}
	m.closing = append(m.closing, func() { os.RemoveAll(m.temp) })
	return bucket.Reach(m.ctx)
}

// run copies what it can beside a server, and all of it where there is none.
func (m *migration) run(to Place) error {
	alone, err := m.keepServersOut()
	if err != nil {
		return err
	}
	arrived := false
	if m.moves {
		if err := m.to.Migrate(m.ctx); err != nil {
			return err
		}
		if arrived, err = m.mayArrive(to); err != nil {
			return err
		}
	}
	if m.files && !(arrived && m.out) {
		if err := m.copyFiles(); err != nil {
			return err
		}
	}
	if !alone {
		return nil
	}
	if m.moves && !arrived {
		if err := m.copyCatalog(to); err != nil {
			return err
		}
	}
	err = m.finish()
	m.done.Finished = err == nil
	return err
}

// keepServersOut reports whether no server is at work, and lets none begin then.
func (m *migration) keepServersOut() (alone bool, err error) {
	lock, err := lockFolder(m.ctx, m.place.Dir, false)
	switch {
	case errors.Is(err, errLocked):
		return false, nil
	case err != nil:
		return false, err
	}
	m.closing = append(m.closing, func() { lock.Close() })
	users, release, err := m.from.Users(m.ctx)
	if err != nil {
		return false, err
	}
	m.closing = append(m.closing, release)
	m.done.Users = users
	return len(users) == 0, nil
}

// mayArrive refuses a database with another catalog. It reports whether all rows have
// arrived there already, in a run that was interrupted then.
func (m *migration) mayArrive(to Place) (arrived bool, err error) {
	left, err := moves(m.ctx, m.from)
	if err != nil {
		return false, err
	}
	came, err := moves(m.ctx, m.to)
	if err != nil {
		return false, err
	}
	here, there := m.place.String(), to.String()
	used, err := engine.One[bool](m.ctx, m.to.Write,
		`SELECT EXISTS (SELECT 1 FROM profile) OR EXISTS (SELECT 1 FROM token)`)
	if err != nil {
		return false, err
	}
	switch {
	case left.to != "" && (left.to != there || came.from != here):
		return false, &MovedError{m.place, left.to}
	case left.to != "":
		return true, nil
	case used && came.from != here && came.to != here:
		return false, fmt.Errorf("%s has profiles or tokens already, and they are not copies of these: give an empty "+
			"database, or move catalog.db away", there)
	}
	return false, nil
}

// copyCatalog copies all rows, and says in both databases where they are.
func (m *migration) copyCatalog(to Place) error {
	if err := mark(m.ctx, m.to, moved{from: m.place.String()}); err != nil {
		return err
	}
	if err := m.from.CopyRows(m.ctx, m.to); err != nil {
		return err
	}
	return mark(m.ctx, m.from, moved{to: to.String()})
}

// finish has the catalog name the files where they are now: from then on those at the old
// place are nobody's.
func (m *migration) finish() error {
	if err := fsync.SyncDir(m.place.Dir); err != nil {
		return err
	}
	return m.to.Update(m.ctx, durable, func(tx *engine.Tx) {
		tx.Exec(`DELETE FROM moved`)
		switch {
		case m.files && m.out:
			tx.Exec(`UPDATE object SET state = 'live' WHERE state = 'arriving'
				AND (EXISTS (SELECT 1 FROM file WHERE sha256 = object.sha256)
				OR EXISTS (SELECT 1 FROM profile WHERE id = object.profile_id AND tables = object.tables))`)
			tx.Exec(`UPDATE object SET state = 'condemned' WHERE state = 'arriving'`)
		case m.files:
			tx.Exec(`DELETE FROM object`)
		}
	})
}
