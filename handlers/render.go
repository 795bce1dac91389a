package handlers

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/middleware"
	"proflens/handlers/site"
	"proflens/internal/recovery"
	"proflens/profile/stored"
)

const (
	maxRenders = 64              // pages in the making at once; who comes then just waits
	renderKept = 5 * time.Second // how long one is made, and kept, that nobody asks for
)

// renders are the pages that are made while their readers see how far that is. Who has
// the word for one may ask.
type renders struct {
	mu  sync.Mutex
	all map[string]*render
}

// render is a page in the making.
type render struct {
	asked    string // address without the word
	progress *stored.Progress
	answer   answer        // whole once done is closed
	done     chan struct{} // closed when it is made, or left
	leave    *time.Timer
}

// begin has a page made; none when there are too many.
func (s *server) begin(asked *http.Request, progress *stored.Progress) (word string, m *render) {
	ctx, end := context.WithCancel(context.WithoutCancel(asked.Context()))
	m = &render{
		asked: plainly(asked.URL), progress: progress, answer: answer{header: http.Header{}}, done: make(chan struct{}),
	}
	word = rand.Text()
	s.renders.mu.Lock()
	defer s.renders.mu.Unlock()
	if len(s.renders.all) >= maxRenders {
		end()
		return "", nil
	}
	if s.renders.all == nil {
		s.renders.all = map[string]*render{}
	}
	s.renders.all[word] = m
	m.leave = time.AfterFunc(renderKept, func() {
		end()
		s.renders.mu.Lock()
		defer s.renders.mu.Unlock()
		delete(s.renders.all, word)
	})
	// The request goes through the routes once more, so that what it opens stays open.
	ctx = stored.Watched(context.WithValue(ctx, chi.RouteCtxKey, (*chi.Context)(nil)), progress)
	r := asked.Clone(ctx)
	q := r.URL.Query()
	q.Set("wait", "1")
	r.URL.RawQuery = q.Encode()
	maps.DeleteFunc(r.Header, func(name string, _ []string) bool {
		return name == "If-None-Match" || name == "If-Modified-Since"
	})
	stop := context.AfterFunc(cmp.Or[context.Context](s.Stopping, context.Background()), end)
	work, _ := recovery.WithContext(ctx)
	work.Go(func() error {
		defer end()
		defer stop()
		defer close(m.done)
		site.RequestID(s.Arrive(middleware.AccessLog(s.Site, s.counts.request,
			middleware.Recover(s.Site, s.routes)))).ServeHTTP(&m.answer, r)
		return nil
	})
	return word, m
}

// find is the page of a word, if it is this one.
func (s *server) find(word string, asked *url.URL) *render {
	s.renders.mu.Lock()
	defer s.renders.mu.Unlock()
	if m := s.renders.all[word]; m != nil && m.asked == plainly(asked) {
		m.leave.Reset(renderKept)
		return m
	}
	return nil
}

func plainly(asked *url.URL) string { return site.AddressOf(asked).Without("wait").String() }

// ready waits a moment for a page to be made.
func (m *render) ready(ctx context.Context, moment time.Duration) bool {
	ctx, end := context.WithTimeout(ctx, moment)
	defer end()
	select {
	case <-m.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// answer is an answer on paper.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements [http.ResponseWriter].
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements [http.ResponseWriter].
func (a *answer) WriteHeader(status int) { a.status = cmp.Or(a.status, status) }

// Write implements [http.ResponseWriter].
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// send gives it.
func (a *answer) send(w http.ResponseWriter) {
	id := w.Header().Get("X-Request-Id")
	maps.Copy(w.Header(), a.header)
	w.Header().Set("X-Request-Id", id)
	w.WriteHeader(cmp.Or(a.status, http.StatusInternalServerError))
	w.Write(a.body.Bytes())
}
