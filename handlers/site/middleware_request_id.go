package site

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/netip"

	"proflens/catalog"
)

// request is what is known of one request besides the request itself. The
// access log writes it; handlers fill it in.
type request struct {
	Id      string // 16 hex digits, in the answer's X-Request-Id and in the log
	Profile string // id of a listed profile; unlisted ones stand in no log
	Route   string // pattern of the route that answered
	Err     error  // what the answer was made from, when it is a problem

	client    netip.Addr          // who asks
	secure    bool                // the client speaks TLS
	wrongHost string              // a name that is not this server's; empty for one that is
	relatives *[]catalog.Relative // of the profile; nil before they were asked for
}

// RequestID gives every request an id. One that the client sends is ignored,
// so that nobody can write into the log.
func RequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b [8]byte
		rand.Read(b[:]) // never fails
		req := &request{Id: hex.EncodeToString(b[:])}
		w.Header().Set("X-Request-Id", req.Id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey, req)))
	})
}

// RequestOf is the request's own record; a spare one outside of requestID, so
// that it is never nil.
func RequestOf(r *http.Request) *request {
	if req, ok := r.Context().Value(requestKey).(*request); ok {
		return req
	}
	return &request{}
}
