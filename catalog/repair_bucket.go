package catalog

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
	"proflens/profile/stored"
)

// unlisted are files in a bucket that the catalog has no row of.
type unlisted struct {
	b         *inBucket
	originals map[string]objects.Item // by SHA-256, as their keys say
	tables    []objects.Item
}

// recoverAll makes profiles of what the bucket has and the catalog does not know: first
// those whose tables say which files they had, then one of each original that is left.
// An original that a profile lacks is its own again.
func (b *inBucket) recoverAll(ctx context.Context, done *Repaired) error {
	s := &unlisted{b, map[string]objects.Item{}, nil}
	if err := s.find(ctx); err != nil {
		return err
	}
	for _, item := range s.tables {
		if err := s.byTables(ctx, item, done); err != nil {
			return err
		}
	}
	for _, sum := range slices.Sorted(maps.Keys(s.originals)) {
		if err := s.byItself(ctx, sum, done); err != nil {
			return err
		}
	}
	return ignoreAway(b.deleteCondemned(ctx))
}

// find lists the bucket. A server puts no file before there is a row of it.
func (s *unlisted) find(ctx context.Context) error {
	for _, prefix := range []string{"objects/", "profiles/"} {
		for item, err := range s.b.files.List(ctx, prefix) {
			if err != nil {
				return err
			}
			known, err := s.has(ctx, `SELECT 1 FROM object WHERE key = ?`, item.Key)
			if err != nil {
				return err
			}
			sum, _, _ := strings.Cut(path.Base(item.Key), "-")
			switch {
			case known:
			case prefix == "objects/" && len(sum) == 64:
				s.originals[sum] = item
			case strings.HasSuffix(item.Key, ".db"):
				s.tables = append(s.tables, item)
			}
		}
	}
	return nil
}

// byTables takes in a profile whose tables are there. They are made again by decoding, so
// these go; those of files that are not all there stay.
func (s *unlisted) byTables(ctx context.Context, item objects.Item, done *Repaired) error {
	id, _, _ := strings.Cut(path.Base(item.Key), "-")
	have, err := s.has(ctx, `SELECT 1 FROM profile WHERE id = ?`, id)
	if err != nil {
		return err
	}
	if !have {
		files, err := s.filesIn(ctx, item)
		if err != nil || len(files) == 0 {
			return err
		}
		r, err := s.recoverOne(ctx, id, files)
		if err != nil || r == nil {
			return err
		}
		r.SameID = true
		done.Profiles = append(done.Profiles, *r)
	}
	return s.b.s.update(ctx, recoverable, func(tx *engine.Tx) {
		o := object{key: item.Key, profile: id, tables: path.Base(item.Key), content: objects.Content{Size: item.Size}}
		announce(tx, &o)
		condemn(tx, `key = ? AND NOT EXISTS (SELECT 1 FROM profile WHERE tables = object.tables)`, o.key)
	})
}

// filesIn says which files a profile was made of; none when its tables cannot be read.
func (s *unlisted) filesIn(ctx context.Context, item objects.Item) ([]stored.Input, error) {
	local := filepath.Join(s.b.s.StagingDir(), path.Base(item.Key))
	f, err := os.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer os.Remove(local)
	_, err = s.b.files.Download(ctx, item.Key, item.Size, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, ignoreGone(err)
	}
	return s.b.s.filesInTables(local), nil
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// byItself makes a profile of an original, unless one has it already.
func (s *unlisted) byItself(ctx context.Context, sum string, done *Repaired) error {
	item, left := s.originals[sum]
	if !left {
		return nil // of a profile that was taken in
	}
	if whole, err := s.whole(ctx, sum); err != nil || !whole {
		return err
	}
	named, err := s.has(ctx, `SELECT 1 FROM file WHERE sha256 = ?`, sum)
	if err != nil {
		return err
	}
	if named {
		return s.b.s.update(ctx, durable, func(tx *engine.Tx) { s.adopt(tx, sum) })
	}
	r, err := s.recoverOne(ctx, newSecret(), []stored.Input{{Name: "recovered-" + sum[:12], SHA256: sum, Size: item.Size}})
	if err == nil && r != nil {
		done.Profiles = append(done.Profiles, *r)
	}
	return err
}

// recoverOne makes an unlisted profile of originals that the bucket has; nil when one of
// them is missing or damaged. Its job is to decode it.
func (s *unlisted) recoverOne(ctx context.Context, id string, files []stored.Input) (*Recovered, error) {
	p := recovered(files)
	for _, f := range files {
		if len(f.SHA256) != 64 {
			return nil, nil
		}
		if _, strange := s.originals[f.SHA256]; strange {
			if whole, err := s.whole(ctx, f.SHA256); err != nil || !whole {
				return nil, err
			}
		} else if !s.b.has(ctx, f.SHA256) {
			return nil, nil
		}
		p.Files = append(p.Files, NewFile{Name: f.Name, Staged: &Staged{SHA256: f.SHA256, Size: f.Size}})
	}
	r := &Recovered{}
	err := s.b.s.update(ctx, durable, func(tx *engine.Tx) {
		for _, sum := range inOrder(sumsOf(files)) {
			s.adopt(tx, sum)
		}
		s.b.s.insertRecovered(tx, r, id, &p)
	})
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		delete(s.originals, f.SHA256)
	}
	return r, nil
}

func sumsOf(files []stored.Input) (sums []string) {
	for _, f := range files {
		sums = append(sums, f.SHA256)
	}
	return sums
}

// adopt makes a file the catalog's, or keeps one that is.
func (s *unlisted) adopt(tx *engine.Tx, sum string) {
	o := object{content: objects.Content{SHA256: sum}}
	if item, strange := s.originals[sum]; strange {
		o.key, o.content.Size = item.Key, item.Size
		announce(tx, &o)
	} else if live, err := originalObjects(tx.Context, tx, sum); !tx.Fail(err) && len(live) > 0 {
		o = live[0]
	}
	settle(tx, o.key) // which is garbage where there is none
}

// whole reads an original through; one that is damaged or gone is left alone from then on.
func (s *unlisted) whole(ctx context.Context, sum string) (bool, error) {
	item := s.originals[sum]
	_, err := s.b.files.Copy(ctx, item.Key, io.Discard, objects.Content{SHA256: sum, Size: item.Size})
	damaged := new(objects.DamagedError)
	if errors.As(err, &damaged) || errors.Is(err, fs.ErrNotExist) {
		delete(s.originals, sum)
		return false, nil
	}
	return err == nil, err
}

func (s *unlisted) has(ctx context.Context, query, arg string) (bool, error) {
	return engine.One[bool](ctx, s.b.s.db.Write, `SELECT EXISTS (`+query+`)`, arg)
}
