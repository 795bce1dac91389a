// Package parallel makes the pieces of something long on every core and uses them one after
// another, so that only a few are in memory at once.
package parallel

import (
	"context"
	"runtime"
	"sync/atomic"

	"proflens/internal/recovery"
)

// Each has pieces made, on every core, and uses them in their order. What was used is
// handed on, to be made over into a later piece: old is the zero value at first. Each
// returns the first error in the order of the pieces, or the context's; then use has had
// all pieces before that.
func Each[T any](ctx context.Context, pieces int, produce func(ctx context.Context, i int, old T) (T, error),
	use func(T) error) error {
	type made struct {
		piece T
		err   error
	}
	workers := min(runtime.GOMAXPROCS(0), pieces)
	ahead := 2 * workers
	free, ready := make(chan T, ahead), make([]chan made, ahead)
	for i := range ready {
		var zero T
		free <- zero
		ready[i] = make(chan made, 1)
	}
	g, ctx := recovery.WithContext(ctx)
	var next atomic.Int64
	for range workers {
		g.Go(func() error {
			for {
				select {
				case old := <-free: // so the piece is among the next that are used, and has a slot
					i := int(next.Add(1) - 1)
					if i >= pieces {
						return nil
					}
					piece, err := produce(ctx, i, old)
					ready[i%ahead] <- made{piece, err}
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		})
	}
	g.Go(func() error {
		for i := range pieces {
			select {
			case m := <-ready[i%ahead]:
				if err := ctx.Err(); err != nil { // or select would go on with what is ready, or not
					return err
				}
				if m.err != nil {
					return m.err
				}
				if err := use(m.piece); err != nil {
					return err
				}
				free <- m.piece
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		close(free) // nobody waits for a piece any more
		return nil
	})
	return g.Wait()
}
