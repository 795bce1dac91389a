package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"proflens/catalog/objects"
	"proflens/profile/stored"
)

// bucketOf opens a place's bucket to read it beside a server, whose cache is its own.
func (p Place) bucketOf(ctx context.Context) (b *objects.Bucket, closed func(), err error) {
	dir, err := os.MkdirTemp("", "proflens-cache-*")
	if err != nil {
		return nil, nil, err
	}
	if b, err = objects.OpenBucket(ctx, p.Objects, objects.Options{Cache: dir, CacheSize: 1}); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return b, func() { b.Close(); os.RemoveAll(dir) }, nil
}

// bucket compares what the bucket has with the rows of the catalog, both in the order of
// keys, and reads every file that is in use.
func (c *checker) bucket() error {
	b, closed, err := c.place.bucketOf(c.ctx)
	if err != nil {
		return err
	}
	defer closed()
	for _, prefix := range []string{"objects/", "profiles/"} {
		if err := c.bucketPart(b, prefix); err != nil {
			return err
		}
	}
	return c.unheld()
}

// bucketPart is one of the two kinds of files.
func (c *checker) bucketPart(b *objects.Bucket, prefix string) error {
	next, stop := iter.Pull2(b.List(c.ctx, prefix))
	defer stop()
	item, err, more := next()
	after := prefix
	for {
		// "0" follows "/"
		rows, e := queryObjects(c.ctx, c.db.Read, `WHERE key > ? AND key < ? ORDER BY key LIMIT 1000`, after,
			prefix[:len(prefix)-1]+"0")
		if e != nil {
			return e
		}
		for _, o := range rows {
			for ; more && err == nil && item.Key < o.key; item, err, more = next() {
				c.unknown(item)
			}
			if err != nil {
				return err
			}
			if err := c.object(b, o); err != nil {
				return err
			}
			if more && item.Key == o.key {
				item, err, more = next()
			}
			after = o.key
		}
		if len(rows) < 1000 {
			break
		}
	}
	for ; more && err == nil; item, err, more = next() {
		c.unknown(item)
	}
	return err
}

// unknown reports a file that the catalog has no row of, unless it came meanwhile.
func (c *checker) unknown(item objects.Item) {
	if !c.still(`SELECT 1 FROM object WHERE key = ?`, item.Key) {
		c.fault(Fault{
			What: "unknown to the catalog", Name: item.Key,
			Detail: `if no other catalog uses the bucket, "proflens repair" takes it in again`,
		})
	}
}

// object reads a file that is in use.
func (c *checker) object(b *objects.Bucket, o object) error {
	stored.Report(c.ctx, "Reading files", c.done.Originals+c.done.Tables, 0)
	live := `SELECT 1 FROM object WHERE key = ? AND state = 'live'`
	if !c.still(live, o.key) {
		return c.ctx.Err() // arriving, or going
	}
	lost, damaged, f := TablesLost, TablesDamaged, Fault{
		Name: o.key, Profile: o.profile, Detail: "the server rebuilds them when they are next requested",
	}
	if o.tables == "" {
		lost, damaged, f.Detail = OriginalLost, OriginalDamaged, "upload the file again"
		c.done.Originals++
	} else {
		c.done.Tables++
	}
	n, err := b.Copy(c.ctx, o.key, io.Discard, o.content)
	c.done.Bytes += n
	bytes, _ := errors.AsType[*objects.DamagedError](err)
	switch {
	case err == nil:
		return nil
	case bytes != nil:
		f.What, f.Detail = damaged, "found "+bytes.Found+"; "+f.Detail
	case errors.Is(err, fs.ErrNotExist):
		if f.What = lost; !c.still(live, o.key) {
			return nil
		}
	default:
		return err // the store is away: that says nothing of the file
	}
	c.fault(f)
	return nil
}

// unheld reports what profiles name and no row has.
func (c *checker) unheld() error {
	for what, query := range map[FaultKind]string{
		OriginalLost: `SELECT sha256, min(profile_id), NULL FROM file
			WHERE NOT EXISTS (SELECT 1 FROM object WHERE sha256 = file.sha256 AND state = 'live') GROUP BY sha256 ORDER BY sha256`,
		TablesLost: `SELECT tables, id, NULL FROM profile WHERE state = 'ready'
			AND NOT EXISTS (SELECT 1 FROM object WHERE profile_id = profile.id AND tables = profile.tables AND state = 'live') ORDER BY id`,
	} {
		all, err := c.list(query)
		if err != nil {
			return err
		}
		for _, n := range all {
			c.fault(Fault{What: what, Name: n.name, Profile: n.profile, Detail: "the catalog has no file of it in the bucket"})
		}
	}
	return nil
}

// copyFromBucket copies an original to a new file on the disk, from any of the files
// that have it. Errors are those of copyVerified.
func copyFromBucket(ctx context.Context, b *objects.Bucket, live []object, to, sum string) (n int64, err error) {
	err = fs.ErrNotExist
	for _, o := range live {
		var out *os.File
		if out, err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return 0, err
		}
		n, err = b.Copy(ctx, o.key, out, o.content)
		if err == nil {
			err = out.Sync()
		}
		if err = errors.Join(err, out.Close()); err == nil {
			return n, nil
		}
		os.Remove(to)
	}
	if damaged, ok := errors.AsType[*objects.DamagedError](err); ok {
		return 0, &OriginalError{sum, damaged.Found}
	}
	return 0, fmt.Errorf("the bucket's file: %w", err)
}
