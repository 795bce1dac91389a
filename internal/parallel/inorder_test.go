package parallel

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"proflens/internal/recovery"
)

// Pieces are used in their order, each once, and made over when used.
func TestEach(t *testing.T) {
	for _, pieces := range []int{0, 1, 2, 3, 100, 1000} {
		var got []int
		err := Each(t.Context(), pieces,
			func(_ context.Context, i int, old []int) ([]int, error) {
				return append(old[:0], i, i*i),
					nil
			}, func(p []int) error {
				got = append(got, p[1]-p[0]*p[0]+p[0])
				return nil
			})
		want := make([]int, pieces)
		for i := range want {
			want[i] = i
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d pieces: %v, %v", pieces, got, err)
		}
	}
}

// The first fault in the order of the pieces ends it, after all pieces before; whoever is
// slow or panics does not hang it.
func TestEachFaults(t *testing.T) {
	fault := errors.New("fault")
	used := 0
	err := Each(t.Context(), 100, func(_ context.Context, i int, _ int) (int, error) {
		if i >= 40 {
			return 0, fault
		}
		return i, nil
	}, func(int) error { used++; return nil })
	if err != fault || used != 40 {
		t.Errorf("%d used, %v", used, err)
	}
	err = Each(t.Context(), 100, func(_ context.Context, i int, _ int) (int, error) { return i, nil }, func(i int) error {
		if i == 7 {
			return fault
		}
		return nil
	})
	if err != fault {
		t.Error(err)
	}
	for range 50 { // however many pieces are ready by then
		ctx, cancel := context.WithCancel(t.Context())
		used = 0
		err = Each(ctx, 5, func(_ context.Context, i int, _ int) (int, error) { return i, nil }, func(i int) error {
			if used++; i == 1 {
				time.Sleep(100 * time.Microsecond)
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || used != 2 {
			t.Errorf("%d used, %v", used, err)
		}
	}
	err = Each(t.Context(), 100, func(_ context.Context, i int, _ int) (int, error) {
		if i == 5 {
			panic("five")
		}
		return i, nil
	}, func(int) error { return nil })
	if _, ok := errors.AsType[*recovery.Error](err); !ok || !strings.Contains(err.Error(), "five") {
		t.Error(err)
	}
}
