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

// In asks a part of a profile.
func In[P, T any](part func(*stored.Profile) (P, error), ask func(ctx context.Context, records P) (T, error)) func(
	ctx context.Context, p *stored.Profile) (T, error) {
	return func(ctx context.Context, p *stored.Profile) (of T, err error) {
		records, err := part(p)
		if err != nil {
			return of, err
		}
		return ask(ctx, records)
	}
}

// Asked asks a part of a profile by a method.
func Asked[P, T any](part func(*stored.Profile) (P, error), of func(P, context.Context) (T, error)) func(
	ctx context.Context, p *stored.Profile) (T, error) {
	return In(part, func(ctx context.Context, records P) (T, error) { return of(records, ctx) })
}

type partKey[P any] struct{}

func PartOf[P any](r *http.Request) P {
	return r.Context().Value(partKey[P]{}).(P)
}
