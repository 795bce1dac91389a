package objects

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// memory is a bucket in memory, for tests and trials.
type memory struct {
	mu    sync.Mutex
	files map[string]inMemory
}

type inMemory struct {
	content  []byte
	modified time.Time
}

// openMemory opens mem://, a bucket of its own each time.
func openMemory(_ context.Context, _ *url.URL, p *parameters) (remote, error) {
	p.Del("nomd5") // an old parameter
	return newMemory(), p.done()
}

func newMemory() *memory { return &memory{files: map[string]inMemory{}} }

func (m *memory) upload(_ context.Context, key string, f body) error {
	content, err := io.ReadAll(f.checked())
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[key] = inMemory{content, time.Now()}
	return nil
}

func (m *memory) find(key string) (inMemory, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, found := m.files[key]
	if !found {
		return f, fmt.Errorf("%s: %w", key, fs.ErrNotExist)
	}
	return f, nil
}

func (m *memory) size(_ context.Context, key string) (int64, error) {
	f, err := m.find(key)
	return int64(len(f.content)), err
}

func (m *memory) reader(_ context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	f, err := m.find(key)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(io.NewSectionReader(bytes.NewReader(f.content), offset, length)), nil
}

func (m *memory) remove(_ context.Context, key string) error {
	_, err := m.find(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, key)
	return err
}

func (m *memory) list(_ context.Context, prefix string) Items {
	m.mu.Lock()
	files := maps.Clone(m.files)
	m.mu.Unlock()
	return func(yield func(Item, error) bool) {
		for _, key := range slices.Sorted(maps.Keys(files)) {
			f := files[key]
			if strings.HasPrefix(key, prefix) && !yield(Item{key, int64(len(f.content)), f.modified}, nil) {
				return
			}
		}
	}
}

func (m *memory) Close() error { return nil }
