package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
	"proflens/internal/fsync"
	"proflens/profile/stored"
)

// A backup is a folder: the catalog, the originals that it names, laid out as in
// a data folder, and these two. Tables are left out: they are derived.
const (
	manifestName = "manifest.json"
	sumsName     = "SHA256SUMS" // as sha256sum writes it, of all files but these two
)

// backupFormat is raised when an older Proflens could not restore a backup.
const backupFormat = 1

// Manifest says what a backup holds.
type Manifest struct {
	Format    int       `json:"format"`
	Program   string    `json:"program"` // version of the Proflens that made it
	Made      time.Time `json:"made"`    // when the catalog was copied: what was acknowledged before is in it
	Schema    int64     `json:"schema"`  // of the catalog
	Profiles  int       `json:"profiles"`
	Originals int       `json:"originals"`
	Bytes     int64     `json:"bytes"`   // of the originals
	Struck    int       `json:"struck"`  // profiles that were deleted while it was made
	Faults    int       `json:"faults"`  // originals that it lacks, since they were damaged or lost before
	Sums      string    `json:"sha256s"` // SHA-256 of the list of sums, hex
}

// BackupOptions say how a backup is made.
type BackupOptions struct {
	Program string // for the manifest
	// LinkFrom are folders with originals, as backups and data folders are:
	// an original that one of them has is hard-linked and not copied.
	LinkFrom []string
}

// Backup copies a data folder to a new folder, while a server may be at work
// there. Every profile that was acknowledged before it began, and is not deleted
// before it ends, is in the copy with its originals, whose sums were verified.
// It reports what originals it found damaged or lost, which the copy lacks. The
// new folder appears complete or not at all. It returns *NoCatalogError and
// *NewerError as Open does, and an error that is fs.ErrExist for a folder that
// is there.
func Backup(ctx context.Context, place Place, to string, o BackupOptions, report func(Fault)) (*Manifest, error) {
	if _, err := os.Lstat(to); err == nil {
		return nil, fmt.Errorf("%s already exists (%w): give the backup a new name", to, fs.ErrExist)
	}
	live, err := place.openToRead(ctx)
	if err != nil {
		return nil, err
	}
	defer live.Close()
	partial, err := os.MkdirTemp(filepath.Dir(to), filepath.Base(to)+".partial-*")
	if err != nil {
		return nil, err
	}
	b := backup{ctx: ctx, dir: place.Dir, to: partial, live: live, options: o, report: report,
		m: Manifest{Format: backupFormat, Program: o.Program, Made: time.Now().UTC(), Schema: engine.Newest()}}
	if place.Objects != "" {
		bucket, closed, err := place.bucketOf(ctx)
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(partial))
		}
		defer closed()
		b.bucket = bucket
	}
	if err := b.make(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(partial))
	}
	if err := os.Rename(partial, to); err != nil {
		return nil, errors.Join(err, os.RemoveAll(partial))
	}
	return &b.m, fsync.SyncDir(filepath.Dir(to))
}

// backup is one in the making.
type backup struct {
	ctx     context.Context
	dir, to string
	live    *engine.DB
	bucket  *objects.Bucket // nil: the originals lie in dir
	options BackupOptions
	report  func(Fault)
	m       Manifest
	sums    bytes.Buffer
}

func (b *backup) make() error {
	copied, err := b.catalog()
	if err != nil {
		return err
	}
	err = b.originals(copied)
	if err == nil {
		b.m.Profiles, err = engine.One[int](b.ctx, copied.db.Write, countProfiles)
	}
	if err = errors.Join(err, copied.db.Close()); err != nil {
		return err
	}
	return b.finish()
}

// catalog copies the catalog as it is at one moment.
func (b *backup) catalog() (*Catalog, error) {
	path := filepath.Join(b.to, "catalog.db")
	if err := b.live.CopyTo(b.ctx, path); err != nil {
		return nil, fmt.Errorf("copying the catalog: %w", err)
	}
	place := Place{Dir: b.to}
	db, err := place.open(b.ctx, engine.Change)
	if err != nil {
		return nil, err
	}
	// It is restored into a data folder: what the bucket's keys were is of no use there.
	if err := engine.Exec(b.ctx, db.Write, `DELETE FROM object`); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Catalog{place: place, dir: b.to, db: db, now: db.Now}, nil
}

// originals copies what the copied catalog names. An original that goes while it is
// wanted takes the profile with it that was deleted meanwhile.
func (b *backup) originals(copied *Catalog) error {
	c := checker{ctx: b.ctx, db: copied.db}
	all, err := c.list(`SELECT sha256, min(profile_id), NULL FROM file GROUP BY sha256 ORDER BY sha256`)
	if err != nil {
		return err
	}
	struck := map[string]bool{}
	for i, o := range all {
		stored.Report(b.ctx, "Copying originals", i, len(all))
		n, err := b.original(o.name)
		switch damaged, _ := errors.AsType[*OriginalError](err); {
		case err == nil:
			b.m.Originals++
			b.m.Bytes += n
			fmt.Fprintf(&b.sums, "%s  objects/%s/%s\n", o.name, o.name[:2], o.name)
		case errors.Is(err, errUnnamed):
			if err := b.strike(copied, o.name, struck); err != nil {
				return err
			}
		case damaged != nil:
			f := Fault{What: OriginalLost, Name: o.name, Profile: o.profile, Detail: "upload the file again"}
			if damaged.Found != "" {
				f.What, f.Detail = OriginalDamaged, "its SHA-256 is "+damaged.Found+"; "+f.Detail
			}
			b.m.Faults++
			b.report(f)
		default:
			return fmt.Errorf("copying the original %s: %w", o.name, err)
		}
	}
	b.m.Struck = len(struck)
	return nil
}

// errUnnamed is an original that is gone because no profile has it any more.
var errUnnamed = errors.New("no profile has this original any more")

// original brings one original into the backup. It returns *OriginalError for one
// that the server ought to have.
func (b *backup) original(sum string) (n int64, err error) {
	name := filepath.Join("objects", sum[:2], sum)
	to := filepath.Join(b.to, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return 0, err
	}
	for _, from := range b.options.LinkFrom {
		if os.Link(filepath.Join(from, name), to) != nil {
			continue
		}
		if found, n, err := sumOf(to); err == nil && found == sum {
			return n, nil
		}
		if err := os.Remove(to); err != nil {
			return 0, err
		}
	}
	// It may go, and come again with another profile, between two looks.
	for range 3 {
		n, err = b.fetch(to, name, sum)
		if !errors.Is(err, fs.ErrNotExist) {
			return n, err
		}
		named, err := engine.One[bool](b.ctx, b.live.Read, hasOriginal, sum)
		if err != nil {
			return 0, err
		}
		if !named {
			return 0, errUnnamed
		}
	}
	return 0, &OriginalError{SHA256: sum}
}

// fetch copies an original from where the server has it.
func (b *backup) fetch(to, name, sum string) (int64, error) {
	if b.bucket == nil {
		return copyVerified(b.ctx, to, filepath.Join(b.dir, name), sum)
	}
	live, err := originalObjects(b.ctx, b.live.Read, sum)
	if err != nil {
		return 0, err
	}
	return copyFromBucket(b.ctx, b.bucket, live, to, sum)
}

// strike does in the copied catalog what was done meanwhile in the server's: those
// profiles go that had an original and are deleted, and a file goes that was
// added to a profile and turned out not to fit.
func (b *backup) strike(copied *Catalog, sum string, struck map[string]bool) error {
	having, err := engine.Column[string](b.ctx, copied.db.Write, `SELECT DISTINCT profile_id FROM file WHERE sha256 = ?`,
		sum)
	if err != nil {
		return err
	}
	return copied.update(b.ctx, durable, func(tx *engine.Tx) {
		for _, id := range having {
			var state State
			var at int64
			tx.Fail(wrapped(b.live.Read.QueryRowContext(b.ctx, `SELECT state, updated_us FROM profile WHERE id = ?`,
				id).Scan(&state, &at)))
			if state == Deleted || state == Expired {
				struck[id] = true
				bury(tx, id, state, at)
			} else {
				tx.Exec(`DELETE FROM file WHERE profile_id = ? AND sha256 = ?`, id, sum)
			}
		}
	})
}

// finish writes the sums and the manifest and has all of it on the disk.
func (b *backup) finish() error {
	catalog := filepath.Join(b.to, "catalog.db")
	if err := errors.Join(os.Chmod(catalog, 0o600), syncFile(catalog)); err != nil {
		return err
	}
	sum, _, err := sumOf(catalog)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b.sums, "%s  catalog.db\n", sum)
	b.m.Sums = sumOfBytes(b.sums.Bytes())
	text, err := json.MarshalIndent(b.m, "", "  ")
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{sumsName: b.sums.Bytes(), manifestName: append(text, '\n')} {
		path := filepath.Join(b.to, name)
		if err := errors.Join(os.WriteFile(path, content, 0o600), syncFile(path)); err != nil {
			return err
		}
	}
	return syncTree(b.to)
}
