package main

import (
	"context"

	"proflens/handlers"
	"proflens/ingest"
	"proflens/store"
)

// The types below fit the parts to the interfaces that the handlers declare.

// profileStore is the store with profiles as an interface.
type profileStore struct{ *store.Store }

func (s profileStore) OpenProfile(ctx context.Context, id string) (handlers.Profile, error) {
	p, err := s.Store.OpenProfile(ctx, id)
	if err != nil {
		return nil, err // not a nil *store.Profile in an interface
	}
	return p, nil
}

// uploads is the ingest service with batches as an interface.
type uploads struct{ *ingest.Service }

func (u uploads) Begin() (handlers.Batch, error) {
	b, err := u.Service.Begin()
	if err != nil {
		return nil, err
	}
	return b, nil
}
