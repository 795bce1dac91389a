package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"proflens/ingest"
	"proflens/store"
)

// live is the whole server over a store of its own, as a client sees it.
type live struct {
	t      testing.TB
	url    string
	store  *store.Store
	server *server
	log    *syncBuffer
}

type liveStore struct{ *store.Store }

func (s liveStore) OpenProfile(ctx context.Context, id string) (Profile, error) {
	p, err := s.Store.OpenProfile(ctx, id)
	if err != nil {
		return nil, err
	}
	return p, nil
}

type liveIngest struct{ *ingest.Service }

func (s liveIngest) Begin() (Batch, error) { return s.Service.Begin() }

// startLive starts a server; change may set its configuration.
func startLive(t testing.TB, change func(*Config)) *live {
	t.Helper()
	l, service := newLive(t, change)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error("workers:", err)
		}
	})
	return l
}

// newLive is a server whose workers do not run.
func newLive(t testing.TB, change func(*Config)) (*live, *ingest.Service) {
	t.Helper()
	st, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := &live{t: t, store: st, log: &syncBuffer{}}
	log := slog.New(slog.NewTextHandler(l.log, nil))
	c := Config{
		MaxUpload: 1 << 20, DefaultVisibility: store.Listed, Log: log,
		Version: Version{Version: "test", Go: "go", Schema: 1, Decoder: 1},
	}
	if change != nil {
		change(&c)
	}
	service := ingest.New(st, ingest.Config{MaxUpload: c.MaxUpload, MaxExpanded: 4 << 20, Visibility: c.DefaultVisibility, TTL: c.TTL}, log)
	if c.Store == nil {
		c.Store = liveStore{st}
	}
	if c.Ingest == nil {
		c.Ingest = liveIngest{service}
	}
	c.Originals = ingest.Originals{Store: st}
	l.server = newServer(c)
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error("closing the store:", err)
		}
	})
	l.url = serveTest(t, l.server.handler())
	return l, service
}

// syncBuffer is a buffer that a server may write while a test reads.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// answer is one answer, read whole.
type answer struct {
	*http.Response
	body []byte
}

func (a *answer) text() string { return string(a.body) }

// object is the body as a JSON object with exact numbers.
func (a *answer) object(t testing.TB) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s %s: %v in %.300q", a.Request.Method, a.Request.URL, err, a.body)
	}
	return v
}

// do sends a request; headers are name and value in turn.
func (l *live) do(method, path string, body io.Reader, headers ...string) *answer {
	l.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = l.url + path
	}
	req, err := http.NewRequest(method, path, body)
	if err != nil {
		l.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{
		Timeout:       time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		l.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		l.t.Fatalf("%s %s: %v", method, path, err)
	}
	return &answer{res, b}
}

func (l *live) get(path string, headers ...string) *answer {
	l.t.Helper()
	return l.do("GET", path, nil, headers...)
}

// ok is get of what must be there.
func (l *live) ok(path string, headers ...string) *answer {
	l.t.Helper()
	a := l.get(path, headers...)
	if a.StatusCode != http.StatusOK {
		l.t.Fatalf("GET %s: %s: %s", path, a.Status, a.body)
	}
	return a
}

// put uploads bytes as one file and returns the answer's object.
func (l *live) put(name string, data []byte, headers ...string) map[string]any {
	l.t.Helper()
	a := l.do("PUT", "/api/v1/profiles/"+name, bytes.NewReader(data), headers...)
	if a.StatusCode != http.StatusCreated {
		l.t.Fatalf("PUT %s: %s: %s", name, a.Status, a.body)
	}
	return a.object(l.t)
}

// sample is a file of testdata.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wantProblem checks that an answer is problem+json of this status and kind,
// and returns it.
func wantProblem(t testing.TB, a *answer, status int, kind string) map[string]any {
	t.Helper()
	if a.StatusCode != status {
		t.Fatalf("%s %s: status %s, want %d: %s", a.Request.Method, a.Request.URL, a.Status, status, a.body)
	}
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		t.Fatalf("%s %s: Content-Type %q: %s", a.Request.Method, a.Request.URL, got, a.body)
	}
	p := a.object(t)
	if p["kind"] != kind || p["status"] != json.Number(strconv.Itoa(status)) {
		t.Errorf("%s %s: kind %v, status %v; want %s, %d", a.Request.Method, a.Request.URL, p["kind"], p["status"], kind, status)
	}
	for _, key := range []string{"title", "detail", "request_id"} {
		if s, _ := p[key].(string); s == "" {
			t.Errorf("%s %s: the problem has no %s: %s", a.Request.Method, a.Request.URL, key, a.body)
		}
	}
	if p["request_id"] != a.Header.Get("X-Request-Id") {
		t.Errorf("request_id %v, header %q", p["request_id"], a.Header.Get("X-Request-Id"))
	}
	return p
}

// serveTest serves a handler for the time of a test and returns its address.
func serveTest(t testing.TB, h http.Handler) string {
	web := httptest.NewServer(h)
	t.Cleanup(web.Close)
	return web.URL
}
