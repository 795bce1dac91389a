package catalog

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"proflens/catalog/engine"
	"proflens/internal/fsync"
	"proflens/profile/stored"
)

// BackupError is a backup that is not what its manifest says.
type BackupError struct {
	Dir    string
	Faults []Fault
	Says   string // where there are no faults to list
}

func (e *BackupError) Error() string {
	if len(e.Faults) > 0 {
		return fmt.Sprintf("backup %s: files that are damaged or lost: %d; nothing was restored; -without-damaged "+
			"restores the others", e.Dir, len(e.Faults))
	}
	return fmt.Sprintf("backup %s: %s; nothing was restored", e.Dir, e.Says)
}

// RestoreOptions say how a backup is restored.
type RestoreOptions struct {
	// WithoutDamaged leaves out the originals that the backup lost, rather than
	// refuse it.
	WithoutDamaged bool
}

// restoring is the folder in which a data folder is put together.
const restoring = "restoring"

// Restore makes a data folder of a backup, in a folder that is empty or not there.
// All content is compared with its sums. It reports what originals are missing.
// Tables are made when the folder is served. It returns *BackupError,
// *NewerError, and an error that is fs.ErrExist for a folder that has files.
func Restore(ctx context.Context, dir, from string, o RestoreOptions, report func(Fault)) (*Manifest, error) {
	r := restore{ctx: ctx, from: from, options: o, report: report}
	if err := r.read(); err != nil {
		return nil, err
	}
	if newest := engine.Newest(); r.m.Schema > newest {
		return nil, &NewerError{Place{Dir: from}, r.m.Schema, newest}
	}
	if err := empty(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := lockFolder(ctx, dir, false)
	if err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	defer lock.Close()
	r.to = filepath.Join(dir, restoring)
	if err := os.RemoveAll(r.to); err != nil { // of one that was cut off
		return nil, err
	}
	if err := r.copy(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(r.to))
	}
	// The catalog last: without it no server starts here.
	for _, name := range []string{"objects", "catalog.db"} {
		if err := os.Rename(filepath.Join(r.to, name), filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return &r.m, errors.Join(os.Remove(r.to), fsync.SyncDir(dir))
}

// empty refuses a folder with files in it, but for those of a restore that was cut
// off and of a file system.
func empty(dir string) error {
	there, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range there {
		switch f.Name() {
		case "lock", restoring, "lost+found":
		default:
			return fmt.Errorf("data folder %s is not empty: it has %s (%w); a backup can only be restored into a new folder",
				dir, f.Name(), fs.ErrExist)
		}
	}
	return nil
}

// restore is one under way.
type restore struct {
	ctx      context.Context
	from, to string
	options  RestoreOptions
	report   func(Fault)
	m        Manifest
	files    []sumLine
}

// sumLine is one file of a backup.
type sumLine struct{ sum, name string }

func (r *restore) says(format string, args ...any) error {
	return &BackupError{Dir: r.from, Says: fmt.Sprintf(format, args...)}
}

// read reads the manifest and the sums.
func (r *restore) read() error {
	text, err := os.ReadFile(filepath.Join(r.from, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return r.says("it has no %s: not a backup, or an incomplete one", manifestName)
	} else if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &r.m); err != nil {
		return r.says("%s: %v", manifestName, err)
	}
	if r.m.Format < 1 || r.m.Format > backupFormat {
		return r.says("its format is %d, and this Proflens knows up to %d", r.m.Format, backupFormat)
	}
	sums, err := os.ReadFile(filepath.Join(r.from, sumsName))
	if err != nil {
		return err
	}
	if found := sumOfBytes(sums); found != r.m.Sums {
		return r.says("the SHA-256 of %s is %s, expected %s", sumsName, found, r.m.Sums)
	}
	lines := bufio.NewScanner(bytes.NewReader(sums))
	for lines.Scan() {
		sum, name, _ := strings.Cut(lines.Text(), "  ")
		if len(sum) != 64 || name != "catalog.db" && name != path.Join("objects", sum[:2], sum) {
			return r.says("%s has the line %q", sumsName, lines.Text())
		}
		r.files = append(r.files, sumLine{sum, name})
	}
	return lines.Err()
}

// copy copies every file and looks at the catalog.
func (r *restore) copy() error {
	if err := os.MkdirAll(filepath.Join(r.to, "objects"), 0o700); err != nil {
		return err
	}
	faults := 0
	bad := &BackupError{Dir: r.from}
	have := map[string]bool{}
	for i, f := range r.files {
		stored.Report(r.ctx, "Copying files", i, len(r.files))
		to := filepath.Join(r.to, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		_, err := copyVerified(r.ctx, to, filepath.Join(r.from, filepath.FromSlash(f.name)), f.sum)
		damaged, _ := errors.AsType[*OriginalError](err)
		fault := Fault{What: "lost in the backup", Name: f.name}
		switch {
		case err == nil:
			have[f.sum] = true
			continue
		case damaged != nil:
			fault.What, fault.Detail = "damaged in the backup", "its SHA-256 is "+damaged.Found
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		r.report(fault)
		if faults++; f.name == "catalog.db" {
			return r.says("its catalog is damaged or lost")
		}
		bad.Faults = append(bad.Faults, fault)
	}
	if faults > 0 && !r.options.WithoutDamaged {
		return bad
	}
	if err := r.check(have); err != nil {
		return err
	}
	r.m.Faults += faults
	return syncTree(r.to)
}

// check reads the catalog and reports which of its originals the backup lacks.
func (r *restore) check(have map[string]bool) error {
	db, err := Place{Dir: r.to}.openToRead(r.ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	c := checker{ctx: r.ctx, place: Place{Dir: r.to}, db: db, report: r.report}
	if err := c.catalog(); err != nil {
		return err
	}
	if c.done.Faults > 0 {
		return r.says("its catalog is damaged")
	}
	all, err := c.list(`SELECT sha256, min(profile_id), NULL FROM file GROUP BY sha256 ORDER BY sha256`)
	for _, o := range all {
		if !have[o.name] {
			r.report(Fault{What: "original not restored", Name: o.name, Profile: o.profile, Detail: "upload the file again"})
		}
	}
	return err
}
