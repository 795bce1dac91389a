package handlers

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
)

// request is what is known of one request besides the request itself. The
// access log writes it; handlers fill it in.
type request struct {
	id      string // 16 hex digits, in the answer's X-Request-Id and in the log
	profile string // id of a listed profile; unlisted ones stand in no log
	route   string // pattern of the route that answered
	err     error  // what the answer was made from, when it is a problem
}

// requestID gives every request an id. One that the client sends is ignored,
// so that nobody can write into the log.
func requestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b [8]byte
		rand.Read(b[:]) // never fails
		req := &request{id: hex.EncodeToString(b[:])}
		w.Header().Set("X-Request-Id", req.id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey, req)))
	})
}

// requestOf is the request's own record; a spare one outside of requestID, so
// that it is never nil.
func requestOf(r *http.Request) *request {
	if req, ok := r.Context().Value(requestKey).(*request); ok {
		return req
	}
	return &request{}
}
