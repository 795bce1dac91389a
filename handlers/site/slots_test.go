package site

import (
	"context"
	"testing"
	"time"
)

// As many as there are places go on; the next waits until one is given back, or gives up
// with its request.
func TestSlots(t *testing.T) {
	s := make(Slots, 2)
	for range 2 {
		if err := s.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := s.Take(short); err != context.DeadlineExceeded || s.Try() {
		t.Errorf("a third has a place: %v", err)
	}
	s.Give()
	if !s.Try() {
		t.Error("a place that was given back is not there")
	}
}
