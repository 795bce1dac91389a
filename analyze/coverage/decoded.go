package coverage

import (
	"context"
	"fmt"
	"iter"

	"proflens/decode/covmap"
	"proflens/internal/recovery"
)

// batch is functions on end of one object, and their mappings.
type batch struct {
	object    int
	functions []covmap.Function
	mappings  []covmap.Mapping
	err       error // of the mapping after the last one
}

const (
	batchSize    = 64
	batchesAhead = 4
)

// one is a function with its mapping, which is valid until the next.
type one struct {
	object   int
	function *covmap.Function
	mapping  *covmap.Mapping
}

// decoded is the functions of objects in their order. Mappings are decoded by a
// goroutine of its own, some ahead of who takes them.
func decoded(ctx context.Context, objects []*covmap.Object) iter.Seq2[one, error] {
	return func(yield func(one, error) bool) {
		full, free := make(chan *batch, batchesAhead), make(chan *batch, batchesAhead)
		for range batchesAhead {
			free <- &batch{mappings: make([]covmap.Mapping, batchSize)}
		}
		g, ctx := recovery.WithContext(ctx)
		ctx, stop := context.WithCancel(ctx)
		g.Go(func() error {
			defer close(full)
			return decode(ctx, objects, full, free)
		})
		defer func() {
			stop()
			_ = g.Wait()
		}()
		for b := range full {
			for i := range b.functions {
				if !yield(one{b.object, &b.functions[i], &b.mappings[i]}, nil) {
					return
				}
			}
			if b.err != nil {
				yield(one{}, b.err)
				return
			}
			free <- b
		}
		if err := g.Wait(); err != nil {
			yield(one{}, err)
		}
	}
}

// decode fills batches. Errors are the context's.
func decode(ctx context.Context, objects []*covmap.Object, full chan<- *batch, free <-chan *batch) error {
	for i, object := range objects {
		for from := 0; from < len(object.Functions); from += batchSize {
			var b *batch
			select {
			case b = <-free:
			case <-ctx.Done():
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			b.object, b.functions = i, object.Functions[from:min(from+batchSize, len(object.Functions))]
			for n := range b.functions {
				if err := b.functions[n].Read(&b.mappings[n]); err != nil {
					b.functions, b.err = b.functions[:n], fmt.Errorf("%s: %w", object.Name, err)
					break
				}
			}
			full <- b
			if b.err != nil {
				return nil
			}
		}
	}
	return nil
}
