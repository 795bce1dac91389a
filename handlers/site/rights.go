package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"proflens/catalog"
)

// Guarded reports whether uploading needs a token.
func (s *Site) Guarded(ctx context.Context) (bool, error) {
	if s.UploadToken != "" || s.Private {
		return true, nil
	}
	return s.Store.HasTokens(ctx)
}

// AsksForToken reports whether a page's form has to ask for an upload token: this
// browser is not logged in with one.
func (s *Site) AsksForToken(r *http.Request) bool {
	may, err := s.MayUpload(r)
	return err != nil || !may
}

// RightOf is the most that a request's tokens allow: that of its Authorization
// header, that of its login, and those of a form's fields.
func (s *Site) RightOf(r *http.Request, fields ...string) (catalog.Right, error) {
	best := catalog.NoRight
	for _, token := range append(fields, bearer(r), loginOf(r)) {
		if token = strings.TrimSpace(token); token == "" {
			continue
		}
		right, err := s.TokenRight(r.Context(), token)
		if err != nil || right == catalog.UploadRight {
			return right, err
		}
		if right != catalog.NoRight {
			best = right
		}
	}
	return best, nil
}

// TokenRight is what one token allows.
func (s *Site) TokenRight(ctx context.Context, token string) (catalog.Right, error) {
	if s.isUploadToken(token) {
		return catalog.UploadRight, nil
	}
	return s.Store.RightOf(ctx, token)
}

// MayUpload reports whether a request may upload, with the tokens of a form's
// fields besides its own.
func (s *Site) MayUpload(r *http.Request, fields ...string) (bool, error) {
	guarded, err := s.Guarded(r.Context())
	if err != nil || !guarded {
		return err == nil, err
	}
	right, err := s.RightOf(r, fields...)
	return right == catalog.UploadRight && err == nil, err
}

// NeedsUpload returns ErrNeedsToken unless the request may upload.
func (s *Site) NeedsUpload(r *http.Request, fields ...string) error {
	may, err := s.MayUpload(r, fields...)
	if err == nil && !may {
		err = ErrNeedsToken
	}
	return err
}

// NeedsOwner is for what changes the profile of the address: it returns ErrNoToken
// or ErrWrongToken unless the request has the profile's delete token, in a header, a
// field, or where neither is given the cookie of the browser that uploaded it; an
// upload token will do instead.
func (s *Site) NeedsOwner(r *http.Request, fields ...string) error {
	right, err := s.RightOf(r, fields...)
	if err != nil || right == catalog.UploadRight {
		return err
	}
	given := cmp.Or(strings.TrimSpace(strings.Join(fields, " ")), strings.TrimSpace(r.Header.Get("X-Delete-Token")),
		cookieOf(r, ownerCookie))
	if given == "" {
		return ErrNoToken
	}
	ok, err := s.Store.CheckDeleteToken(r.Context(), s.Entry(r).ID, given)
	if err == nil && !ok {
		err = ErrWrongToken
	}
	return err
}

// isUploadToken compares in a time that says nothing about the token.
func (s *Site) isUploadToken(token string) bool {
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
