package handlers

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// mayUpload reports whether the request has the upload token, or needs none.
func (s *server) mayUpload(r *http.Request) bool {
	return s.UploadToken == "" || s.isUploadToken(bearer(r))
}

// isUploadToken compares in a time that says nothing about the token.
func (s *server) isUploadToken(token string) bool {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.UploadToken))
	return s.UploadToken != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// bearer is the token of the Authorization header.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
