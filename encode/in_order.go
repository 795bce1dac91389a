package encode

import (
	"context"
	"io"
	"runtime"
	"sync/atomic"

	"proflens/panics"
)

// inOrder has the pieces of a file made on every core and writes them one after another.
// piece appends one to b; few are in memory at once. The error is the writer's.
func inOrder(w io.Writer, pieces int, piece func(i int, b []byte) []byte) error {
	workers := runtime.GOMAXPROCS(0)
	ahead := 2 * workers
	free, ready := make(chan []byte, ahead), make([]chan []byte, ahead)
	for i := range ready {
		free <- nil
		ready[i] = make(chan []byte, 1)
	}
	g, ctx := panics.WithContext(context.Background())
	var next atomic.Int64
	for range workers {
		g.Go(func() error {
			for {
				select {
				case b := <-free: // so the piece is among the next that are written, and has a slot
					i := int(next.Add(1) - 1)
					if i >= pieces {
						return nil
					}
					ready[i%ahead] <- piece(i, b[:0])
				case <-ctx.Done():
					return nil
				}
			}
		})
	}
	g.Go(func() error {
		for i := range pieces {
			select {
			case b := <-ready[i%ahead]:
				if _, err := w.Write(b); err != nil {
					return err
				}
				free <- b
			case <-ctx.Done():
				return nil
			}
		}
		close(free) // nobody waits for a piece any more
		return nil
	})
	return g.Wait()
}
