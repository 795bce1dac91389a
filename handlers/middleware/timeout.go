package middleware

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"proflens/handlers/site"
)

// hurry is how long the other side may be silent once the server is stopping.
const hurry = 2 * time.Second

// Deadlines bounds how long the other side may be silent. A large upload over
// a slow line may take hours, as long as it moves; a connection that stands
// still is ended, and sooner when the server waits for it in order to stop.
func Deadlines(s *site.Site, next http.Handler) http.Handler {
	idle := cmp.Or(s.IdleTimeout, site.DefaultIdleTimeout)
	stopping := cmp.Or[context.Context](s.Stopping, context.Background())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &pace{c: http.NewResponseController(w), idle: idle}
		// Errors mean that the connection has no deadlines, as in tests.
		if r.Body != nil && r.Body != http.NoBody {
			p.reads = true
			p.c.SetReadDeadline(time.Now().Add(idle))
			r.Body = &movingBody{ReadCloser: r.Body, pace: p}
		}
		stop := context.AfterFunc(stopping, p.hurry)
		defer p.leave()
		defer stop()
		next.ServeHTTP(&movingWriter{ResponseWriter: w, pace: p}, r)
		// What is still buffered is sent now; the deadline of an earlier
		// request on this connection may have passed.
		p.moved(&p.wrote, p.c.SetWriteDeadline)
	})
}

// pace moves the deadlines of one request on as its bytes move.
type pace struct {
	c *http.ResponseController

	mu          sync.Mutex
	idle        time.Duration
	reads       bool      // there is more of the body
	left        bool      // the handler has ended
	read, wrote time.Time // when the deadlines were set
}

// moved sets a deadline, unless that was done a moment ago.
func (p *pace) moved(last *time.Time, set func(time.Time) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); !p.left && now.Sub(*last) > min(p.idle/4, time.Second) {
		*last = now
		set(now.Add(p.idle))
	}
}

// ended forgets the deadline of reading: from here on the connection is watched for
// its end while the answer is made, and a deadline would look like one.
func (p *pace) ended() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads = false
	if !p.left {
		p.c.SetReadDeadline(time.Time{})
	}
}

// leave sets no deadline from here on: the connection is another request's, and the answer's
// stream, in HTTP/2, is no more.
func (p *pace) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = true
}

// hurry shortens the deadlines.
func (p *pace) hurry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left { // while this waited for its turn
		return
	}
	p.idle = min(p.idle, hurry)
	if p.reads {
		p.read = time.Now()
		p.c.SetReadDeadline(p.read.Add(p.idle))
	}
	if !p.wrote.IsZero() {
		p.wrote = time.Now()
		p.c.SetWriteDeadline(p.wrote.Add(p.idle))
	}
}

// movingBody moves the read deadline on with each read.
type movingBody struct {
	io.ReadCloser
	pace   *pace
	failed error // stays: who stood still for so long is not waited for twice
}

func (b *movingBody) Read(p []byte) (int, error) {
	if b.failed != nil {
		return 0, b.failed
	}
	b.pace.moved(&b.pace.read, b.pace.c.SetReadDeadline)
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.pace.ended()
	} else if err != nil {
		b.failed = err
	}
	return n, err
}

// movingWriter moves the write deadline on with each write.
type movingWriter struct {
	http.ResponseWriter
	pace *pace
}

func (w *movingWriter) Write(p []byte) (int, error) {
	w.pace.moved(&w.pace.wrote, w.pace.c.SetWriteDeadline)
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *movingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush is here because others ask for it by type.
func (w *movingWriter) Flush() { w.pace.c.Flush() }

// Within ends a request's context after a time.
func Within(d time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), d)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}
