package catalog

import (
	"container/list"
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"

	"proflens/profiledb/stored"
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
		var path string
		var crc *uint32 // a preview has none
		switch {
		case e.State == Ready:
			if e.Schema > stored.SchemaVersion {
				return nil, ErrNewer
			}
			path, crc = s.tablesPath(e.tables), e.crc
		case e.State == Decoding && e.Pending:
			_, path = s.BuildPath(&Job{ID: e.job, Taken: e.taken, Entry: *e})
		default:
			return nil, ErrNotFound
		}
		p, err := s.handles.acquire(path, crc)
		if err == nil {
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

// handles keeps profile files open, those in use and the most recently used,
// and removes files only when nobody uses them: a reader may open further
// connections to its file as long as it has it.
type handles struct {
	mu     sync.Mutex
	max    int
	open   func(path string) (*stored.Profile, error)
	byPath map[string]*handle
	idle   list.List // of *handle without users, most recently used first
}

// handle is one open file.
type handle struct {
	path    string
	opening sync.Once
	profile *stored.Profile
	err     error
	users   int
	retired bool          // to be removed after its last user
	idle    *list.Element // nil while in use
}

func newHandles(max int, open func(path string) (*stored.Profile, error)) *handles {
	return &handles{max: max, open: open, byPath: map[string]*handle{}}
}

// acquire opens a file whose checksum is crc, or shares it if it is open. Closing
// what it returns gives it back.
func (h *handles) acquire(path string, crc *uint32) (*stored.Profile, error) {
	h.mu.Lock()
	e := h.byPath[path]
	if e == nil {
		e = &handle{path: path}
		h.byPath[path] = e
	}
	if e.idle != nil {
		h.idle.Remove(e.idle)
		e.idle = nil
	}
	e.users++
	h.mu.Unlock()

	e.opening.Do(func() {
		// SQLite's own error does not say that there is no such file.
		if _, e.err = os.Stat(path); e.err == nil {
			e.err = checkTables(path, crc)
		}
		if e.err == nil {
			e.profile, e.err = h.open(path)
		}
	})
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
	case e.retired || e.err != nil:
		if h.byPath[e.path] == e {
			delete(h.byPath, e.path)
		}
		closing = append(closing, e)
	default:
		e.idle = h.idle.PushFront(e)
		for len(h.byPath) > h.max && h.idle.Len() > 0 {
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
	delete(h.byPath, e.path)
	return e
}

// retire removes a file, at once or after its last user.
func (h *handles) retire(path string) {
	h.mu.Lock()
	e := h.byPath[path]
	if e == nil {
		h.mu.Unlock()
		os.Remove(path) // or it never was
		return
	}
	e.retired = true
	if e.users > 0 {
		delete(h.byPath, path)
		h.mu.Unlock()
		return
	}
	h.evict(e.idle)
	h.mu.Unlock()
	closeAll([]*handle{e})
}

// close closes the idle files; those in use close with their last user.
func (h *handles) close() error {
	h.mu.Lock()
	var closing []*handle
	for h.idle.Len() > 0 {
		closing = append(closing, h.evict(h.idle.Back()))
	}
	h.max = 0
	h.mu.Unlock()
	return closeAll(closing)
}

func closeAll(closing []*handle) error {
	var errs []error
	for _, e := range closing {
		if e.profile != nil {
			errs = append(errs, e.profile.Close())
		}
		if e.retired {
			os.Remove(e.path)
		}
	}
	return errors.Join(errs...)
}
