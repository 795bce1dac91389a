package handlers

import (
	"context"
	"errors"
	"net/http"

	"proflens/profiledb/stored"
)

// with gives a handler the part of the opened profile that it is about.
func with[P any](s *Site, part func(*stored.Profile) (P, error), h handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		p, err := part(s.profile(r))
		if errors.Is(err, stored.ErrNoPart) {
			return errNotInFamily
		}
		if err != nil {
			return err
		}
		return h(w, r.WithContext(context.WithValue(r.Context(), partKey[P]{}, p)))
	}
}

type partKey[P any] struct{}

func partOf[P any](r *http.Request) P {
	return r.Context().Value(partKey[P]{}).(P)
}
