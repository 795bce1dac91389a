package middleware

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"proflens/handlers/site"
)

// Recover answers a panic of a handler like any fault of ours. One that
// comes when the answer has begun cuts the connection, so that half an answer
// is not taken for a whole one.
func Recover(s *site.Site, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := &begun{ResponseWriter: w}
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler {
				panic(cause)
			}
			s.Log.ErrorContext(r.Context(), "panic", "request", site.RequestOf(r).Id, "cause", fmt.Sprint(cause), "stack",
				string(debug.Stack()))
			if t.yes {
				panic(http.ErrAbortHandler)
			}
			s.Fail(w, r, fmt.Errorf("panic: %v", cause))
		}()
		next.ServeHTTP(t, r)
	})
}

// begun notes whether an answer has begun.
type begun struct {
	http.ResponseWriter
	yes bool
}

func (b *begun) WriteHeader(status int) {
	b.yes = b.yes || status >= 200
	b.ResponseWriter.WriteHeader(status)
}

func (b *begun) Write(p []byte) (int, error) {
	b.yes = true
	return b.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (b *begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// Flush is here because gzhttp asks for it by type.
func (b *begun) Flush() { http.NewResponseController(b.ResponseWriter).Flush() }
