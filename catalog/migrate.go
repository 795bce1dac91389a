package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"proflens/catalog/engine"
	"proflens/disk"
	"proflens/objects"
)

// Migrated says how far a migration has come.
type Migrated struct {
	Originals, Tables int   // that are at their new place, seen to be whole
	Copied            int   // of them, by this run
	Bytes             int64 // of those
	// Finished says that the catalog names the new place. Otherwise a server was at work:
	// the next run copies what it has taken in since.
	Finished bool
	Faults   int // files that could not be copied, since they are damaged or lost
}

// MigrateToBucket copies the files of a data folder to a bucket, MigrateToFolder those of
// the place's bucket to its data folder. A server may be at work where the files are;
// once none is, a run ends with the catalog naming the new place. What was copied is not
// copied again. Files at the old place are left there. A fault is reported and does not
// end it.
func MigrateToBucket(ctx context.Context, place Place, address string, report func(Fault)) (Migrated, error) {
	if place.Objects != "" {
		return Migrated{}, errors.New("the files lie in a bucket already")
	}
	from, to := place, place
	to.Objects = address
	return migrate(ctx, from, to, report)
}

// MigrateToFolder is described at MigrateToBucket.
func MigrateToFolder(ctx context.Context, place Place, report func(Fault)) (Migrated, error) {
	if place.Objects == "" {
		return Migrated{}, errors.New("the files lie in the data folder already")
	}
	to := place
	to.Objects = ""
	return migrate(ctx, place, to, report)
}

// migration is one under way. Exactly one of its two places is the bucket.
type migration struct {
	ctx    context.Context
	dir    string // data folder
	temp   string // for a file on its way
	db     *engine.DB
	bucket *objects.Bucket
	folder *objects.Folder
	out    bool // of the folder, into the bucket
	report func(Fault)
	done   Migrated
}

func migrate(ctx context.Context, from, to Place, report func(Fault)) (Migrated, error) {
	from, err := from.absolute()
	if err != nil {
		return Migrated{}, err
	}
	looked, err := from.openToRead(ctx) // nothing is made of a name misspelt
	if err != nil {
		return Migrated{}, err
	}
	if err := errors.Join(from.suits(ctx, looked), looked.Close()); err != nil {
		return Migrated{}, err
	}
	m := &migration{ctx: ctx, dir: from.Dir, folder: objects.NewFolder(from.Dir), out: to.Objects != "", report: report}
	away := to
	if !m.out {
		away = from
	}
	bucket, closed, err := away.bucketOf(ctx)
	if err != nil {
		return Migrated{}, err
	}
	defer closed()
	m.bucket = bucket
	if m.temp, err = os.MkdirTemp(from.Dir, "migrating-*"); err != nil {
		return Migrated{}, err
	}
	defer os.RemoveAll(m.temp)
	if m.db, err = from.open(ctx, engine.Change); err != nil {
		return Migrated{}, err
	}
	defer m.db.Close()
	if err := bucket.Reach(ctx); err != nil {
		return Migrated{}, err
	}
	lock, err := lockFolder(ctx, from.Dir, false)
	switch {
	case errors.Is(err, errLocked):
	case err != nil:
		return Migrated{}, err
	default:
		defer lock.Close()
	}
	if err := m.all(); err != nil || lock == nil {
		return m.done, err
	}
	err = m.finish()
	m.done.Finished = err == nil
	return m.done, err
}

// all copies what is not there yet.
func (m *migration) all() error {
	c := checker{ctx: m.ctx, db: m.db}
	originals, err := c.list(`SELECT sha256, min(profile_id), NULL FROM file GROUP BY sha256 ORDER BY sha256`)
	if err != nil {
		return err
	}
	for _, o := range originals {
		if err := m.one(&m.done.Originals, o, m.original); err != nil {
			return err
		}
	}
	tables, err := c.list(`SELECT tables, id, tables_crc FROM profile WHERE state = 'ready' AND tables <> '' ORDER BY id`)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := m.one(&m.done.Tables, t, m.tables); err != nil {
			return err
		}
	}
	return nil
}

// one copies a file and counts it. One that is lost is a fault: it was before.
func (m *migration) one(count *int, n named, copy func(n named) error) error {
	err := copy(n)
	if err == nil {
		*count++
		return nil
	}
	if away := new(objects.UnavailableError); m.ctx.Err() != nil || errors.As(err, &away) || IsFull(err) {
		return err
	}
	m.done.Faults++
	m.report(Fault{What: "not copied", Name: n.name, Profile: n.profile, Detail: err.Error()})
	return nil
}

func (m *migration) original(o named) error {
	rows, err := queryObjects(m.ctx, m.db.Read, `WHERE sha256 = ? AND state <> 'condemned' ORDER BY state DESC, key`, o.name) // live first
	if err != nil {
		return err
	}
	temp := filepath.Join(m.temp, o.name)
	if !m.out {
		if exists(m.folder.Path(originalKey(o.name))) { // put there whole, by rename
			return nil
		}
		n, err := copyFromBucket(m.ctx, m.bucket, rows, temp, o.name)
		if err != nil {
			return err
		}
		return m.put(originalKey(o.name), temp, objects.Content{SHA256: o.name, Size: n})
	}
	for _, row := range rows {
		if has, err := m.bucket.Has(m.ctx, row.key, row.content.Size); has || err != nil {
			return err
		}
	}
	n, err := copyVerified(m.ctx, temp, m.folder.Path(originalKey(o.name)), o.name)
	if err != nil {
		return err
	}
	return m.announceAndPut(newOriginal(objects.Content{SHA256: o.name, Size: n}), temp)
}

func (m *migration) tables(t named) error {
	rows, err := queryObjects(m.ctx, m.db.Read, `WHERE key = ? AND state <> 'condemned'`, tablesKey(t.name))
	if err != nil {
		return err
	}
	path, temp := m.folder.Path(tablesKey(t.name)), filepath.Join(m.temp, t.name)
	if !m.out {
		if exists(path) {
			return nil
		}
		if len(rows) == 0 {
			return errors.New("the catalog has no file of it in the bucket")
		}
		return m.tablesFromBucket(rows[0], temp)
	}
	for _, row := range rows {
		if has, err := m.bucket.Has(m.ctx, row.key, row.content.Size); has || err != nil {
			return err
		}
	}
	if err := checkTables(path, t.crc); err != nil {
		return err
	}
	content, err := sumFile(path)
	if err != nil {
		return err
	}
	if err := copyFile(m.ctx, temp, path); err != nil {
		return err
	}
	return m.announceAndPut(object{key: tablesKey(t.name), profile: t.profile, tables: t.name, content: content}, temp)
}

func (m *migration) tablesFromBucket(o object, temp string) error {
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = m.bucket.Copy(m.ctx, o.key, f, o.content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return m.put(o.key, temp, o.content)
}

// announceAndPut puts a file that nothing names yet; a row that an earlier run left stays.
func (m *migration) announceAndPut(o object, temp string) error {
	err := m.db.Update(m.ctx, durable, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(m.ctx, `DELETE FROM object WHERE key = ? AND state = 'arriving'`, o.key); err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		return announce(m.ctx, tx, &o, m.db.Now().UnixMicro())
	})
	if err != nil {
		return err
	}
	return m.put(o.key, temp, o.content)
}

func (m *migration) put(key, path string, content objects.Content) error {
	var to objects.Store = m.bucket
	if !m.out {
		to = m.folder
		if err := os.MkdirAll(filepath.Dir(m.folder.Path(key)), 0o700); err != nil {
			return err
		}
	}
	if err := to.Put(m.ctx, objects.Sealed{Key: key, Path: path, Content: content}); err != nil {
		return err
	}
	m.done.Copied++
	m.done.Bytes += content.Size
	return nil
}

// finish has the catalog name the new place: from then on the files of the old one are
// nobody's.
func (m *migration) finish() error {
	if err := disk.SyncDir(m.dir); err != nil {
		return err
	}
	return m.db.Update(m.ctx, durable, func(tx *sql.Tx) error {
		statements := []string{`DELETE FROM object`}
		if m.out {
			statements = []string{
				`UPDATE object SET state = 'live' WHERE state = 'arriving' AND (EXISTS (SELECT 1 FROM file WHERE sha256 = object.sha256)
					OR EXISTS (SELECT 1 FROM profile WHERE id = object.profile_id AND tables = object.tables))`,
				`UPDATE object SET state = 'condemned' WHERE state = 'arriving'`,
			}
		}
		for _, s := range statements {
			if _, err := tx.ExecContext(m.ctx, s); err != nil {
				return fmt.Errorf("catalog: %w", err)
			}
		}
		return nil
	})
}
