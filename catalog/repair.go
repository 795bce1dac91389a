package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"proflens/catalog/engine"
	"proflens/profile/stored"
)

// Recovered is a profile that Repair has made of files that were put aside.
type Recovered struct {
	Created
	SameID bool // it has the id that it had: its links work again
}

// Repaired is what Repair did.
type Repaired struct {
	Profiles []Recovered
	Rebuilt  []string // ids whose tables will be made again
	Faults   []Fault  // what it could not mend
}

// Repair mends a data folder that no server is at work in: it makes a catalog
// where there is none, takes in what was put aside, or what its bucket has that the
// catalog does not know, as the profiles they were where their tables say so, and has
// damaged tables made again. What needs an upload it leaves as it is and says so.
func Repair(ctx context.Context, place Place) (*Repaired, error) {
	if _, err := os.Stat(place.Dir); err != nil {
		return nil, err // nothing to mend, rather a name misspelt
	}
	s, err := open(ctx, place, true)
	if err != nil {
		return nil, err
	}
	done := &Repaired{}
	if b, is := s.storage.(*inBucket); is {
		err = b.recoverAll(ctx, done)
	} else {
		err = s.recoverAll(ctx, done)
	}
	if err == nil {
		c := checker{ctx: ctx, place: s.place, db: s.db, report: func(f Fault) { done.Faults = append(done.Faults, f) }}
		err = c.all()
	}
	if err == nil {
		err = s.rebuildDamaged(ctx, done)
	}
	return done, errors.Join(err, s.Close())
}

// rebuildDamaged has the tables made again that a check found damaged or lost.
func (s *Catalog) rebuildDamaged(ctx context.Context, done *Repaired) error {
	left := done.Faults[:0]
	for _, f := range done.Faults {
		if f.What != TablesDamaged && f.What != TablesLost {
			left = append(left, f)
			continue
		}
		if err := s.Rebuild(ctx, f.Profile); err != nil {
			return err
		}
		done.Rebuilt = append(done.Rebuilt, f.Profile)
	}
	done.Faults = left
	return nil
}

// recoverAll makes profiles of what was put aside: first those whose tables say which
// files they had, then one of each original that is left.
func (s *Catalog) recoverAll(ctx context.Context, done *Repaired) error {
	originals, tables, err := s.Quarantined()
	if err != nil {
		return err
	}
	slices.Sort(originals)
	taken := map[string]bool{}
	for _, name := range tables {
		path := filepath.Join(s.dir, quarantineDir, name)
		id, _, _ := strings.Cut(name, "-")
		files := s.filesInTables(path)
		if len(files) == 0 {
			continue // an older schema's, or damaged: its originals are taken in one by one
		}
		r, err := s.recoverOne(ctx, id, files, taken)
		if err != nil {
			return err
		}
		if r != nil {
			r.SameID = true
			done.Profiles = append(done.Profiles, *r)
		}
	}
	for _, sum := range originals {
		if taken[sum] {
			continue
		}
		found, size, err := sumOf(filepath.Join(s.dir, quarantineDir, sum))
		if err != nil {
			return err
		}
		if found != sum {
			continue // the check names it
		}
		r, err := s.recoverOne(ctx, newSecret(), []stored.Input{{Name: "recovered-" + sum[:12], SHA256: sum, Size: size}},
			taken)
		if err != nil {
			return err
		}
		done.Profiles = append(done.Profiles, *r)
	}
	for _, name := range tables { // made again by decoding
		if err := remove(filepath.Join(s.dir, quarantineDir, name)); err != nil {
			return err
		}
	}
	return nil
}

// filesInTables says which files a profile was made of; none when its tables
// cannot be read.
func (s *Catalog) filesInTables(path string) []stored.Input {
	p, err := stored.Open(path)
	if err != nil {
		return nil
	}
	defer p.Close()
	return p.Overview.Inputs
}

// recoverOne makes an unlisted profile of originals that were put aside, unless one
// of them is neither there nor among the originals. Its job is to decode it.
func (s *Catalog) recoverOne(ctx context.Context, id string, files []stored.Input,
	taken map[string]bool) (*Recovered, error) {
	p := recovered(files)
	for _, f := range files {
		quarantined := filepath.Join(s.dir, quarantineDir, f.SHA256)
		if len(f.SHA256) != 64 || !exists(quarantined) && !s.storage.has(ctx, f.SHA256) {
			return nil, nil
		}
		p.Files = append(p.Files, NewFile{Name: f.Name, Staged: &Staged{Path: quarantined, SHA256: f.SHA256, Size: f.Size}})
	}
	var here []NewFile // the others are in their place
	for _, f := range p.Files {
		if exists(f.Staged.Path) {
			here = append(here, f)
		}
		taken[f.Staged.SHA256] = true
	}
	r := &Recovered{}
	err := s.storing(ctx, "", here, func(tx *engine.Tx) { s.insertRecovered(tx, r, id, &p) })
	return r, err
}

// recovered is an unlisted profile of files, which are still to be given to it.
func recovered(files []stored.Input) NewProfile {
	p := NewProfile{
		Name: filepath.Base(files[0].Name), Visibility: Unlisted, Labels: map[string]string{"recovered": "yes"},
	}
	if n := len(files) - 1; n > 0 {
		p.Name += fmt.Sprintf(" and %d more", n)
	}
	return p
}

func (s *Catalog) insertRecovered(tx *engine.Tx, r *Recovered, id string, p *NewProfile) {
	r.DeleteToken = newSecret()
	s.insertProfile(tx, id, p, r.DeleteToken)
	r.Entry = held(tx, id)
}
