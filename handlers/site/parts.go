package site

import (
	"context"
	"errors"
	"net/http"

	"proflens/profile/stored"
)

// With gives a handler the part of the opened profile that it is about.
func With[P any](s *Site, part func(*stored.Profile) (P, error), h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		p, err := part(s.Profile(r))
		if errors.Is(err, stored.ErrNoPart) {
			return ErrNotInFamily
		}
		if err != nil {
			return err
		}
		return h(w, r.WithContext(context.WithValue(r.Context(), partKey[P]{}, p)))
	}
}

type partKey[P any] struct{}

func PartOf[P any](r *http.Request) P {
	return r.Context().Value(partKey[P]{}).(P)
}
