package site

import (
	"context"
	"errors"
	"net/http"

	"proflens/catalog"
	"proflens/profile/stored"

	"github.com/go-chi/chi/v5"
)

type contextKey int

const (
	requestKey contextKey = iota // *request
	entryKey                     // *catalog.Entry
	ProfileKey                   // *stored.Profile
)

// Load is the middleware that finds the profile of the address. It answers
// 404 for an id that never was and 410 for one that is gone; answer is s.page
// or s.api.
func (s *Site) Load(answer func(Handler) http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return answer(func(w http.ResponseWriter, r *http.Request) error {
			entry, err := s.Store.Entry(r.Context(), chi.URLParam(r, "id"))
			if err != nil {
				return err
			}
			if entry.Visibility == catalog.Listed {
				RequestOf(r).Profile = entry.ID
			}
			markPartial(w.Header(), entry)
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), entryKey, entry)))
			return nil
		})
	}
}

// Open is the middleware that opens the loaded profile's tables, or its
// preview, and closes them after the request. Where there are none yet, or
// never will be, otherwise answers.
func (s *Site) Open(answer func(Handler) http.HandlerFunc, otherwise Handler) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return answer(func(w http.ResponseWriter, r *http.Request) error {
			entry := s.Entry(r)
			if entry.State == catalog.Failed {
				return otherwise(w, r)
			}
			p, err := s.Store.Open(r.Context(), entry)
			if errors.Is(err, catalog.ErrNotFound) && entry.State != catalog.Ready {
				return otherwise(w, r)
			}
			if errors.Is(err, catalog.ErrRebuilding) {
				if entry, err = s.Store.Entry(r.Context(), entry.ID); err == nil {
					return otherwise(w, r.WithContext(context.WithValue(r.Context(), entryKey, entry)))
				}
			}
			if err != nil {
				return err
			}
			defer p.Close()
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), ProfileKey, p)))
			return nil
		})
	}
}

// Entry is the profile of the address, as the catalog knows it.
func (s *Site) Entry(r *http.Request) *catalog.Entry {
	return r.Context().Value(entryKey).(*catalog.Entry)
}

// Profile is the opened profile of the address; the middleware closes it.
func (s *Site) Profile(r *http.Request) *stored.Profile {
	return r.Context().Value(ProfileKey).(*stored.Profile)
}
