package handlers

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"proflens/handlers/site"
)

// deadlines bounds how long the other side may be silent. A large upload over
// a slow line may take hours, as long as it moves; a connection that stands
// still is ended.
func (s *server) deadlines(next http.Handler) http.Handler {
	idle := cmp.Or(s.IdleTimeout, site.DefaultIdleTimeout)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if r.Body != nil && r.Body != http.NoBody {
			// Errors mean that the connection has no deadlines, as in tests.
			c.SetReadDeadline(time.Now().Add(idle))
			r.Body = &movingBody{ReadCloser: r.Body, c: c, idle: idle}
		}
		next.ServeHTTP(&movingWriter{ResponseWriter: w, c: c, idle: idle}, r)
		// What is still buffered is sent now; the deadline of an earlier
		// request on this connection may have passed.
		c.SetWriteDeadline(time.Now().Add(idle))
	})
}

// movingBody moves the read deadline on with each read.
type movingBody struct {
	io.ReadCloser
	c    *http.ResponseController
	idle time.Duration
	set  time.Time
}

func (b *movingBody) Read(p []byte) (int, error) {
	if now := time.Now(); now.Sub(b.set) > time.Second {
		b.set = now
		b.c.SetReadDeadline(now.Add(b.idle))
	}
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		// The connection is watched for its end while the answer is made;
		// a deadline would look like one.
		b.c.SetReadDeadline(time.Time{})
	}
	return n, err
}

// movingWriter moves the write deadline on with each write.
type movingWriter struct {
	http.ResponseWriter
	c    *http.ResponseController
	idle time.Duration
	set  time.Time
}

func (w *movingWriter) Write(p []byte) (int, error) {
	if now := time.Now(); now.Sub(w.set) > time.Second {
		w.set = now
		w.c.SetWriteDeadline(now.Add(w.idle))
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *movingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush is here because others ask for it by type.
func (w *movingWriter) Flush() { w.c.Flush() }

// within is the middleware that ends a request's context after a time.
func within(d time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), d)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}
