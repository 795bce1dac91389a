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
	maxRenders = 64              // pages being rendered at once; who comes then just waits
	renderKept = 5 * time.Second // how long one is rendered, and kept, that nobody asks for
)

// renders are the pages that are rendered while their readers see how far that is. Who has
// the token of one may ask.
type renders struct {
	mu  sync.Mutex
	all map[string]*render
}

// render is a page being rendered.
type render struct {
	asked    string // address without the token
	progress *stored.Progress
	answer   answer        // whole once done is closed
	done     chan struct{} // closed when it is rendered, or given up
	leave    *time.Timer
}

// begin has a page rendered; none when there are too many.
func (s *server) begin(asked *http.Request, progress *stored.Progress) (token string, page *render) {
	ctx, end := context.WithCancel(context.WithoutCancel(asked.Context()))
	page = &render{
		asked: plainly(asked.URL), progress: progress, answer: answer{header: http.Header{}}, done: make(chan struct{}),
	}
	token = rand.Text()
	s.renders.mu.Lock()
	defer s.renders.mu.Unlock()
	if len(s.renders.all) >= maxRenders {
		end()
		return "", nil
	}
	if s.renders.all == nil {
		s.renders.all = map[string]*render{}
	}
	s.renders.all[token] = page
	page.leave = time.AfterFunc(renderKept, func() {
		end()
		s.renders.mu.Lock()
		defer s.renders.mu.Unlock()
		delete(s.renders.all, token)
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
		defer close(page.done)
		site.RequestID(s.Arrive(middleware.AccessLog(s.Site, s.counts.request,
			middleware.Recover(s.Site, s.routes)))).ServeHTTP(&page.answer, r)
		return nil
	})
	return token, page
}

// find is the page of a token, if it is this one.
func (s *server) find(token string, asked *url.URL) *render {
	s.renders.mu.Lock()
	defer s.renders.mu.Unlock()
	if page := s.renders.all[token]; page != nil && page.asked == plainly(asked) {
		page.leave.Reset(renderKept)
		return page
	}
	return nil
}

func plainly(asked *url.URL) string { return site.AddressOf(asked).Without("wait").String() }

// ready waits a moment for a page to be rendered.
func (page *render) ready(ctx context.Context, moment time.Duration) bool {
	ctx, end := context.WithTimeout(ctx, moment)
	defer end()
	select {
	case <-page.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// answer is an answer in memory.
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
