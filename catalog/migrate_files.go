package catalog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
	"proflens/profile/stored"
)

// copyFiles copies what is not there yet.
func (m *migration) copyFiles() error {
	c := checker{ctx: m.ctx, db: m.from}
	originals, err := c.list(`SELECT sha256, min(profile_id), NULL FROM file GROUP BY sha256 ORDER BY sha256`)
	if err != nil {
		return err
	}
	for i, o := range originals {
		stored.Report(m.ctx, "Copying originals", i, len(originals))
		if err := m.one(&m.done.Originals, o, m.original); err != nil {
			return err
		}
	}
	tables, err := c.list(`SELECT tables, id, tables_crc FROM profile WHERE state = 'ready' AND tables <> '' ORDER BY id`)
	if err != nil {
		return err
	}
	for i, t := range tables {
		stored.Report(m.ctx, "Copying tables", i, len(tables))
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
	f := Fault{What: "not copied", Name: n.name, Profile: n.profile, Detail: err.Error()}
	if count == &m.done.Tables && errors.Is(err, fs.ErrNotExist) { // as after a restore
		f.What = TablesLost
	}
	m.report(f)
	return nil
}

func (m *migration) original(o named) error {
	// live first
	rows, err := queryObjects(m.ctx, m.from.Read, `WHERE sha256 = ? AND state <> 'condemned' ORDER BY state DESC, key`,
		o.name)
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
	rows, err := queryObjects(m.ctx, m.from.Read, `WHERE key = ? AND state <> 'condemned'`, tablesKey(t.name))
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
	err := m.from.Update(m.ctx, durable, func(tx *engine.Tx) {
		tx.Exec(`DELETE FROM object WHERE key = ? AND state = 'arriving'`, o.key)
		announce(tx, &o)
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
