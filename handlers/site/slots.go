package site

import "context"

// Slots are places for work that only so many may do at once.
type Slots chan struct{}

// Take waits for a place.
func (s Slots) Take(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Try takes a place if there is one.
func (s Slots) Try() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

// Give gives a place back.
func (s Slots) Give() { <-s }
