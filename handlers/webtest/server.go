// Package webtest starts the whole server for tests and asks it as a client
// does: a program, a terminal, a browser.
package webtest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"proflens/builds"
	"proflens/catalog"
	"proflens/handlers"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/ingest/tasks"
)

// Server is the whole server over a catalog of its own.
type Server struct {
	T       testing.TB
	URL     string
	Catalog *catalog.Catalog
	Builds  *builds.Measurer // measures nothing before somebody runs it
	Log     *Log

	web     *httptest.Server
	uploads *uploads
}

// Start starts a server that ends with the test; change may set its
// configuration.
func Start(t testing.TB, change func(*site.Config)) *Server {
	t.Helper()
	s, service := Idle(t, change)
	stop := run(t, service)
	t.Cleanup(stop)
	return s
}

// run has a service decode until stop is called.
func run(t testing.TB, service *ingest.Service) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Error("workers:", err)
		}
	}
}

// Idle is a server whose workers do not run.
func Idle(t testing.TB, change func(*site.Config)) (*Server, *ingest.Service) {
	t.Helper()
	s, service, err := open(t.TempDir(), change)
	if err != nil {
		t.Fatal(err)
	}
	s.T = t
	t.Cleanup(func() {
		s.web.Close()
		if err := s.Catalog.Close(); err != nil {
			t.Error("closing the catalog:", err)
		}
	})
	return s, service
}

// empty is the database of a catalog in which nothing is: copied, it is open sooner than a new one
// that makes each step from the first schema to the last.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "empty")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	c, err := catalog.Open(context.Background(), catalog.Place{Dir: dir})
	if err != nil {
		return nil, err
	}
	if err := c.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, "catalog.db"))
})

func open(dir string, change func(*site.Config)) (*Server, *ingest.Service, error) {
	database, err := empty()
	if err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "catalog.db"), database, 0o600); err != nil {
		return nil, nil, err
	}
	c, err := catalog.Open(context.Background(), catalog.Place{Dir: dir})
	if err != nil {
		return nil, nil, err
	}
	s := &Server{Catalog: c, Log: &Log{}, uploads: &uploads{ids: map[string]string{}}}
	log := site.NewLog(s.Log)
	config := site.Config{
		MaxUpload: 1 << 20, DefaultVisibility: catalog.Listed, Log: log,
		Version:  site.Version{Version: "test", Go: "go", Schema: 1, Decoder: 1},
		PageWait: 10 * time.Minute, // tests ask for pages, however slow the machine is
	}
	if change != nil {
		change(&config)
	}
	service := ingest.New(c, ingest.Config{MaxUpload: config.MaxUpload, MaxExpanded: max(4<<20, config.MaxUpload),
		Visibility: config.DefaultVisibility, TTL: config.TTL}, log)
	if config.Store == nil {
		config.Store = c
	}
	s.Builds = builds.NewMeasurer(c, log)
	config.Builds = s.Builds
	if config.Ingest == nil {
		config.Ingest = Uploads{service}
	}
	config.Originals = ingest.Originals{Store: c, Runner: tasks.Here{}}
	s.web = httptest.NewServer(handlers.New(config))
	s.URL = s.web.URL
	return s, service, nil
}

// Uploads is a service as the handlers want it.
type Uploads struct{ *ingest.Service }

// Begin begins an upload.
func (u Uploads) Begin() (site.Batch, error) { return u.Service.Begin() }

// Serve serves a handler for the time of a test and returns its address.
func Serve(t testing.TB, h http.Handler) string {
	web := httptest.NewServer(h)
	t.Cleanup(web.Close)
	return web.URL
}

// Log is what a server has logged; it may be read while the server writes.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write adds to the log.
func (b *Log) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// String is the log so far.
func (b *Log) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// Do sends a request; headers are name and value in turn. It follows no
// redirect.
func (s *Server) Do(method, path string, body io.Reader, headers ...string) *Answer {
	s.T.Helper()
	if !strings.HasPrefix(path, "http") {
		path = s.URL + path
	}
	req, err := http.NewRequest(method, path, body)
	if err != nil {
		s.T.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{
		Transport:     plain,
		Timeout:       10 * time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		s.T.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		s.T.Fatalf("%s %s: %v", method, path, err)
	}
	return &Answer{res, b}
}

// Get asks for a path.
func (s *Server) Get(path string, headers ...string) *Answer {
	s.T.Helper()
	return s.Do("GET", path, nil, headers...)
}

// OK is Get of what must be there.
func (s *Server) OK(path string, headers ...string) *Answer {
	s.T.Helper()
	a := s.Get(path, headers...)
	if a.StatusCode != http.StatusOK {
		s.T.Fatalf("GET %s: %s: %s", path, a.Status, a.Bytes)
	}
	return a
}

// plain asks for nothing packed: under the race detector packing an answer and
// unpacking it again takes longer than making it.
var plain = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	return t
}()

// Terminal are the headers of curl, which is answered as a terminal.
var Terminal = []string{"User-Agent", "curl/8.14.1", "Accept", "*/*"}

// shared is the server of a package's tests that change nothing.
var shared struct {
	sync.Once
	server  *Server
	service *ingest.Service
	err     error
	dir     string
}

// Shared is a server that all tests of a package have in common. They may
// upload to it, and must not count what it lists.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "proflens-webtest"); shared.err == nil {
			shared.server, shared.service, shared.err = open(shared.dir, nil)
		}
		if shared.err == nil {
			go shared.service.Run(context.Background())
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	s := *shared.server
	s.T = t
	return &s
}

// Main runs a package's tests and removes what [Shared] stored.
func Main(m *testing.M) {
	code := m.Run()
	if shared.dir != "" {
		os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// Measuring has builds measured until the test ends.
func (s *Server) Measuring(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Builds.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
