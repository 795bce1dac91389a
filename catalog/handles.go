package catalog

import (
	"container/list"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"sync"

	"proflens/profile/stored"
)

// Open opens the tables of a ready profile, or the preview of one that is being
// decoded, as an entry read a moment ago has it. It returns ErrNotFound when
// there is neither; *GoneError as Entry does; ErrRebuilding for tables that are
// damaged, gone, or an older Proflens's, after seeing to it that they are made again;
// ErrNewer for those of a newer one. The caller must
// close what it gets; until then it reads on undisturbed, whatever becomes of
// the profile.
func (s *Catalog) Open(ctx context.Context, e *Entry) (*stored.Profile, error) {
	// The tables may have been swapped since: then there are newer ones, and one
	// more look finds them.
	for range 3 {
		var p *stored.Profile
		var err error
		switch {
		case e.State == Ready:
			if e.Schema > stored.SchemaVersion {
				return nil, ErrNewer
			}
			p, err = s.storage.tables(ctx, e)
		case e.State == Decoding && e.Pending:
			_, preview := s.BuildPath(&Job{ID: e.job, Taken: e.taken, Entry: *e})
			p, err = s.handles.acquire(preview, func() (*stored.Profile, error) { return openFile(preview, nil) })
		default:
			return nil, ErrNotFound
		}
		if err == nil {
			if f := s.onOpen.Load(); f != nil {
				(*f)(e, p)
			}
			return p, nil
		}
		if errors.Is(err, stored.ErrDamaged) {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if e, err = s.Entry(ctx, e.ID); err != nil {
			return nil, err
		}
	}
	if e.State != Ready {
		return nil, ErrNotFound
	}
	if err := s.Rebuild(ctx, e.ID); err != nil {
		return nil, err
	}
	return nil, ErrRebuilding
}

// openFile opens a file with tables, whose checksum is crc unless that is nil.
func openFile(path string, crc *uint32) (*stored.Profile, error) {
	// SQLite's own error does not say that there is no such file.
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	if err := checkTables(path, crc); err != nil {
		return nil, err
	}
	return stored.Open(path)
}

// handles keeps profile files open by their names, those in use and the most recently
// used, and has files removed only when nobody uses them.
type handles struct {
	mu     sync.Mutex
	max    int
	byName map[string]*handle
	idle   list.List // of *handle without users, most recently used first
}

// handle is one open file.
type handle struct {
	name    string
	opening sync.Once
	profile *stored.Profile
	err     error
	users   int
	retired func()        // removes the file after its last user; nil while it is current
	idle    *list.Element // nil while in use
}

func newHandles(max int) *handles { return &handles{max: max, byName: map[string]*handle{}} }

// acquire opens a file, or shares it if it is open. Closing what it returns gives it
// back.
func (h *handles) acquire(name string, open func() (*stored.Profile, error)) (*stored.Profile, error) {
	h.mu.Lock()
	e := h.byName[name]
	if e == nil {
		e = &handle{name: name}
		h.byName[name] = e
	}
	if e.idle != nil {
		h.idle.Remove(e.idle)
		e.idle = nil
	}
	e.users++
	h.mu.Unlock()

	e.opening.Do(func() { e.profile, e.err = open() })
	if e.err != nil {
		err := e.err
		h.release(e)
		return nil, err
	}
	return e.profile.Share(sync.OnceValue(func() error { return h.release(e) })), nil
}

// release takes one user off and closes what is then too much.
func (h *handles) release(e *handle) error {
	h.mu.Lock()
	e.users--
	var closing []*handle
	switch {
	case e.users > 0:
	case e.retired != nil || e.err != nil:
		if h.byName[e.name] == e {
			delete(h.byName, e.name)
		}
		closing = append(closing, e)
	default:
		e.idle = h.idle.PushFront(e)
		for len(h.byName) > h.max && h.idle.Len() > 0 {
			closing = append(closing, h.evict(h.idle.Back()))
		}
	}
	h.mu.Unlock()
	return closeAll(closing)
}

// evict forgets an idle handle; the caller closes it.
func (h *handles) evict(at *list.Element) *handle {
	e := h.idle.Remove(at).(*handle)
	e.idle = nil
	delete(h.byName, e.name)
	return e
}

// retire has a file removed, at once or after its last user.
func (h *handles) retire(name string, remove func()) {
	h.mu.Lock()
	e := h.byName[name]
	if e == nil {
		h.mu.Unlock()
		remove() // or it never was
		return
	}
	e.retired = remove
	if e.users > 0 {
		delete(h.byName, name)
		h.mu.Unlock()
		return
	}
	h.evict(e.idle)
	h.mu.Unlock()
	closeAll([]*handle{e})
}

// retireFile is retire for a file whose name is its path.
func (h *handles) retireFile(path string) { h.retire(path, func() { os.Remove(path) }) }

// shed closes the file that was least recently used, and reports whether there was one.
func (h *handles) shed() bool {
	closing := h.evictLast(1)
	closeAll(closing)
	return len(closing) > 0
}

// close closes the idle files; those in use close with their last user.
func (h *handles) close() error {
	h.mu.Lock()
	h.max = 0
	h.mu.Unlock()
	return closeAll(h.evictLast(math.MaxInt))
}

// evictLast takes the idle files out that were least recently used, at most so many.
func (h *handles) evictLast(most int) (closing []*handle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.idle.Len() > 0 && len(closing) < most {
		closing = append(closing, h.evict(h.idle.Back()))
	}
	return closing
}

func closeAll(closing []*handle) error {
	var errs []error
	for _, e := range closing {
		if e.profile != nil {
			errs = append(errs, e.profile.Close())
		}
		if e.retired != nil {
			e.retired()
		}
	}
	return errors.Join(errs...)
}
