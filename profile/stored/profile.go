package stored

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"proflens/decode/model"
	"proflens/profile/btree"
)

// ErrDamaged is wrapped by errors about a profile file that is not whole or
// not of this schema: decoding the originals again cures it.
var ErrDamaged = btree.ErrCorrupt

// ErrNoPart is returned where a profile has nothing of a family, nor of what was
// asked for: a function, a run.
var ErrNoPart = errors.New("the profile has no such part")

// Damaged is an error that wraps [ErrDamaged].
func Damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Profile is an open profile file. It is safe for concurrent use. Errors of its
// methods wrap [ErrDamaged] when the file is at fault.
type Profile struct {
	// Overview is what is known of the whole. It is shared: do not change it.
	Overview *Overview
	// Budget is how long a filter by name looks on before it answers with what it
	// has.
	Budget time.Duration
	// Counted is a family's part as those count who opened the handle, without what a rule
	// leaves out; nil for as it is.
	Counted func(ctx context.Context, part any) (any, error)

	r       *btree.Reader
	cache   *Cache
	id      string // of the file, made when it was written: the cache's key outlives the handle
	meta    *Meta
	shared  *shared
	release func() error // gives a shared handle back
}

// shared is what all handles on one open file have together.
type shared struct {
	mu    sync.Mutex
	parts map[model.Family]any
	base  *Profile // a handle that never closes the file
}

// nameBudget is the usual Budget.
const nameBudget = 2 * time.Second

// Open opens a file that was written by package profile. The caller must close
// it. Errors about the file wrap [ErrDamaged].
func Open(path string) (*Profile, error) { return OpenWith(path, sharedCache) }

// OpenWith opens a file that keeps what is computed of it in a cache.
func OpenWith(path string, cache *Cache) (*Profile, error) {
	r, err := btree.Open(path)
	if err != nil {
		return nil, fmt.Errorf("profile file: %w", err)
	}
	return openReader(r, cache)
}

// OpenAt opens a file that lies elsewhere, has so many bytes, and is closed by close.
// Reading the profile may give f's own errors. What is computed of it is kept in a
// cache; nil is that of Open.
func OpenAt(f io.ReaderAt, length int64, close func() error, cache *Cache) (*Profile, error) {
	r, err := btree.OpenAt(f, length, close)
	if err != nil {
		return nil, fmt.Errorf("profile file: %w", err)
	}
	if cache == nil {
		cache = sharedCache
	}
	return openReader(r, cache)
}

func openReader(r *btree.Reader, cache *Cache) (*Profile, error) {
	p := &Profile{r: r, cache: cache, Budget: nameBudget, shared: &shared{parts: map[model.Family]any{}}}
	if err := p.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("profile file: %w", err), r.Close())
	}
	return p, nil
}

func (p *Profile) open() error {
	var err error
	if p.meta, err = readMeta(p); err != nil {
		return err
	}
	if v := p.meta.Number("schema"); v != SchemaVersion {
		return Damaged("schema version %d, expected %d", v, SchemaVersion)
	}
	if p.id = p.meta.Word("file_id"); p.id == "" {
		return Damaged("the file has no id")
	}
	p.Overview, err = p.readOverview()
	p.shared.base = p.Share(func() error { return nil })
	return err
}

// Share makes a handle on the same open file that is given back by release.
func (p *Profile) Share(release func() error) *Profile {
	same := *p
	same.release = release
	return &same
}

// Close gives the profile back. What the cache holds of it stays until it is
// pushed out, for the next to open it.
func (p *Profile) Close() error {
	if p.release != nil {
		return p.release()
	}
	return p.r.Close()
}

// ID tells the file from all others.
func (p *Profile) ID() string { return p.id }

// Content is the file itself.
func (p *Profile) Content() *io.SectionReader { return p.r.Content() }

// Storing reports whether the file is the preview of a profile whose tables are
// still being written.
func (p *Profile) Storing() bool { return p.meta.Number("storing") != 0 }

// Meta is what the file says of the whole in words and numbers.
func (p *Profile) Meta() *Meta { return p.meta }

// Table is a table of the file. The error wraps [ErrDamaged] where there is none
// of that name.
func (p *Profile) Table(name string) (*btree.Table, error) { return p.r.Table(name) }

// Has reports whether the file has tables of a family.
func (p *Profile) Has(family model.Family) bool {
	for _, part := range p.meta.Words("part") {
		if part == string(family) {
			return true
		}
	}
	return false
}

// Part is what a family's package makes of an open file, once for all handles:
// open is given one that stays open as long as any of them. The error is
// [ErrNoPart] for a file without tables of the family.
func Part[T any](p *Profile, family model.Family, open func(p *Profile) (T, error)) (T, error) {
	var none T
	if !p.Has(family) {
		return none, ErrNoPart
	}
	p.shared.mu.Lock()
	defer p.shared.mu.Unlock()
	if part, ok := p.shared.parts[family]; ok {
		return part.(T), nil
	}
	part, err := open(p.shared.base)
	if err != nil {
		return none, fmt.Errorf("profile file: %w", err)
	}
	p.shared.parts[family] = part
	return part, nil
}

// Without is a profile as if it had tables without rows in the place of its own:
// those of a database in memory.
func (p *Profile) Without(image []byte) (*Profile, error) {
	r, err := btree.OpenBytes(image)
	if err != nil {
		return nil, err
	}
	empty := *p.shared.base
	empty.r, empty.meta = r, &Meta{}
	return &empty, nil
}
