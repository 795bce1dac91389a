package site

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestRequestID(t *testing.T) {
	var inside string
	h := RequestID(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { inside = RequestOf(r).Id }))
	seen := map[string]bool{}
	for range 100 {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("X-Request-Id", "forged\nline")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		id := w.Header().Get("X-Request-Id")
		if len(id) != 16 || id != inside || seen[id] {
			t.Fatalf("id %q, inside %q, seen %t", id, inside, seen[id])
		}
		seen[id] = true
	}
	if RequestOf(httptest.NewRequest("GET", "/", nil)) == nil {
		t.Error("a request without the middleware has no record")
	}
}
