package objects

import (
	"container/list"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// cache is a folder with copies of files, under their keys. Those in use stay; of the
// others the least recently used go when there are too many bytes.
type cache struct {
	dir   string
	limit int64
	shed  func() bool

	mu    sync.Mutex
	files map[string]*kept
	idle  list.List // of *kept without users, most recently used first
	used  int64     // bytes of all

	evicted int64 // copies that made way for others
}

// kept is a copy, or part of one, or the place of one that is coming.
type kept struct {
	key     string
	bytes   int64 // on this disk
	users   int
	dropped bool          // to be removed after its last user
	idle    *list.Element // nil while in use
}

// fetchPrefix begins the names of copies that are not whole yet.
const fetchPrefix = "fetch-"

// openCache opens a folder, creating it, and takes in what an earlier process left.
func openCache(dir string, limit int64, shed func() bool) (*cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c := &cache{dir: dir, limit: limit, shed: shed, files: map[string]*kept{}}
	type found struct {
		key   string
		bytes int64
		at    time.Time
	}
	var all []found
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if strings.HasPrefix(d.Name(), fetchPrefix) {
			return os.Remove(path)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		key, err := filepath.Rel(dir, path)
		all = append(all, found{filepath.ToSlash(key), allocated(info), info.ModTime()})
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b found) int { return a.at.Compare(b.at) })
	for _, f := range all {
		k := c.hold(f.key)
		c.charge(k, f.bytes)
		c.release(k)
	}
	return c, nil
}

func (c *cache) path(key string) string { return filepath.Join(c.dir, filepath.FromSlash(key)) }

// hold keeps the copy of a key, or the place for it, until it is released.
func (c *cache) hold(key string) *kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.files[key]
	if k == nil {
		k = &kept{key: key}
		c.files[key] = k
	}
	if k.idle != nil {
		c.idle.Remove(k.idle)
		k.idle = nil
	}
	k.users++
	return k
}

func (c *cache) release(k *kept) {
	c.mu.Lock()
	if k.users--; k.users == 0 {
		if k.dropped || k.bytes == 0 {
			c.remove(k)
		} else {
			k.idle = c.idle.PushFront(k)
		}
	}
	c.mu.Unlock()
	c.shrink()
}

// remove removes a copy that nobody uses. c.mu is held, so that none of the same key
// comes in between.
func (c *cache) remove(k *kept) {
	if k.idle != nil {
		c.idle.Remove(k.idle)
	}
	c.used -= k.bytes
	delete(c.files, k.key)
	os.Remove(c.path(k.key)) // a file that stays is found again by the next process
}

// charge notes more bytes of a copy in use, and makes room for them.
func (c *cache) charge(k *kept, n int64) {
	c.mu.Lock()
	k.bytes += n
	c.used += n
	c.mu.Unlock()
	c.shrink()
}

// begun notes a copy that has a name and nothing else yet.
func (c *cache) begun(k *kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.bytes == 0 {
		k.bytes = 1
		c.used++
	}
}

// shrink removes what is too much and not in use.
func (c *cache) shrink() { c.shrinkTo(c.limit) }

func (c *cache) shrinkTo(limit int64) {
	for {
		c.mu.Lock()
		for c.used > limit && c.idle.Len() > 0 {
			c.remove(c.idle.Back().Value.(*kept))
			c.evicted++
		}
		over := c.used > limit
		c.mu.Unlock()
		if !over || c.shed == nil || !c.shed() {
			return
		}
	}
}

// temp makes room for a copy on the way and gives a file for it. On a disk that is full
// all other copies make way.
func (c *cache) temp(size int64) (*os.File, error) {
	c.shrinkTo(c.limit - size)
	f, err := os.CreateTemp(c.dir, fetchPrefix+"*")
	if errors.Is(err, syscall.ENOSPC) {
		c.shrinkTo(0)
		f, err = os.CreateTemp(c.dir, fetchPrefix+"*")
	}
	return f, err
}

// adopt moves a whole file into its place.
func (c *cache) adopt(key, from string, size int64) (path string, err error) {
	k := c.hold(key)
	defer c.release(k)
	path = c.path(key)
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = os.Rename(from, path)
	}
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	more := max(size, 1) - k.bytes
	c.mu.Unlock()
	c.charge(k, more)
	return path, nil
}

// drop removes a copy, at once or after its last user.
func (c *cache) drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.files[key]; k != nil {
		if k.dropped = true; k.users == 0 {
			c.remove(k)
		}
	}
}

func (c *cache) keys() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.files))
}
