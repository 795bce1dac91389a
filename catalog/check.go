package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"proflens/catalog/engine"
	"proflens/profile/stored"
)

// FaultKind is what is wrong, in words.
type FaultKind string

// The kinds of faults that files in use have.
const (
	OriginalLost    FaultKind = "original lost"
	OriginalDamaged FaultKind = "original damaged"
	TablesLost      FaultKind = "tables lost"
	TablesDamaged   FaultKind = "tables damaged"
)

// Fault is one thing that is wrong in a data folder.
type Fault struct {
	What    FaultKind
	Name    string // of the file, or of the catalog
	Profile string // the id of one whose it is; empty: none that is known
	Detail  string // what was found, or what to do
}

func (f Fault) String() string {
	s := string(f.What) + ": " + f.Name
	if f.Profile != "" {
		s += ", of profile " + f.Profile
	}
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	return s
}

// Mends reports whether the server mends it by itself: tables are made again from the originals,
// also after a restore, which brings none.
func (f Fault) Mends() bool { return f.What == TablesLost }

// Checked is how much a check has read.
type Checked struct {
	Profiles, Originals, Tables int
	Bytes                       int64
	Faults                      int
}

// Check reads a whole data folder, originals by their SHA-256, profiles' tables by
// their checksum, and reports what is wrong. It changes nothing, and a server
// may be at work there. It returns *NoCatalogError and *NewerError as Open does.
func Check(ctx context.Context, place Place, report func(Fault)) (Checked, error) {
	db, err := place.openToRead(ctx)
	if errors.Is(err, fs.ErrNotExist) && exists(place.Dir) {
		return Checked{}, nil // nothing was stored yet
	} else if err != nil {
		return Checked{}, err
	}
	defer db.Close()
	c := checker{ctx: ctx, place: place, db: db, report: report}
	err = c.all()
	return c.done, err
}

// all reads one part after another.
func (c *checker) all() error {
	parts := []func() error{c.catalog, c.originals, c.tables, c.quarantined}
	if c.place.Objects != "" {
		parts = []func() error{c.catalog, c.bucket}
	}
	for _, part := range parts {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// checker reads the parts of a data folder one after another.
type checker struct {
	ctx    context.Context
	place  Place
	db     *engine.DB
	report func(Fault)
	done   Checked
}

func (c *checker) fault(f Fault) {
	c.done.Faults++
	c.report(f)
}

// catalog asks the database about itself.
func (c *checker) catalog() error {
	faults, err := c.db.Faults(c.ctx)
	for _, says := range faults {
		c.fault(Fault{What: "catalog damaged", Name: c.place.String(), Detail: says})
	}
	if err != nil {
		c.fault(Fault{What: "catalog damaged", Name: c.place.String(), Detail: err.Error()})
		return fmt.Errorf("%s cannot be read: %w", c.place, err)
	}
	c.done.Profiles, err = engine.One[int](c.ctx, c.db.Read, countProfiles)
	return err
}

// What several ask: how many profiles there are, and whether one has an original.
const (
	countProfiles = `SELECT count(*) FROM profile WHERE state NOT IN ('deleted', 'expired')`
	hasOriginal   = `SELECT EXISTS (SELECT 1 FROM file WHERE sha256 = ?)`
)

// named is a file that the catalog names.
type named struct {
	name, profile string
	crc           *uint32
}

func (c *checker) list(query string) ([]named, error) {
	return engine.Rows(c.ctx, c.db.Read, func(n *named) []any { return []any{&n.name, &n.profile, &n.crc} }, query)
}

// still reports whether the catalog names a file yet: a server that is at work
// may have deleted it since it was listed.
func (c *checker) still(query, name string) bool {
	is, err := engine.One[bool](c.ctx, c.db.Read, `SELECT EXISTS (`+query+`)`, name)
	return err != nil || is
}

func (c *checker) originals() error {
	all, err := c.list(`SELECT sha256, min(profile_id), NULL FROM file GROUP BY sha256 ORDER BY sha256`)
	if err != nil {
		return err
	}
	for i, o := range all {
		stored.Report(c.ctx, "Reading originals", i, len(all))
		if err := c.ctx.Err(); err != nil {
			return err
		}
		f := Fault{Name: o.name, Profile: o.profile, Detail: "upload the file again"}
		found, n, err := sumOf(filepath.Join(c.place.Dir, "objects", o.name[:2], o.name))
		c.done.Bytes += n
		c.done.Originals++
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if f.What = OriginalLost; !c.still(`SELECT 1 FROM file WHERE sha256 = ?`, o.name) {
				continue
			}
		case err != nil:
			f.What, f.Detail = "original unreadable", err.Error()
		case found != o.name:
			f.What, f.Detail = OriginalDamaged, "its SHA-256 is "+found+"; upload the file again"
		default:
			continue
		}
		c.fault(f)
	}
	return nil
}

func sumOf(path string) (string, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), n, err
}

func (c *checker) tables() error {
	all, err := c.list(`SELECT tables, id, tables_crc FROM profile WHERE state = 'ready' ORDER BY id`)
	if err != nil {
		return err
	}
	for i, t := range all {
		stored.Report(c.ctx, "Reading tables", i, len(all))
		if err := c.ctx.Err(); err != nil {
			return err
		}
		c.done.Tables++
		path := filepath.Join(c.place.Dir, "profiles", t.name[:2], t.name)
		if info, err := os.Stat(path); err == nil {
			c.done.Bytes += info.Size()
		}
		f := Fault{Name: t.name, Profile: t.profile, Detail: "the server rebuilds them when they are next requested"}
		if err := checkTables(path, t.crc); errors.Is(err, fs.ErrNotExist) || t.crc == nil && !exists(path) {
			if f.What = TablesLost; !c.still(`SELECT 1 FROM profile WHERE state = 'ready' AND tables = ?`, t.name) {
				continue
			}
		} else if err != nil {
			f.What, f.Detail = TablesDamaged, err.Error()+"; "+f.Detail
		} else {
			continue
		}
		c.fault(f)
	}
	return nil
}

func (c *checker) quarantined() error {
	originals, tables, err := listQuarantined(c.place.Dir)
	for _, name := range append(originals, tables...) {
		c.fault(Fault{
			What: "unknown to the catalog", Name: filepath.Join(quarantineDir, name),
			Detail: `"proflens repair" takes it in again`,
		})
	}
	return err
}
