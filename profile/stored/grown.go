package stored

import (
	"context"
	"errors"
	"sync"
)

// Growing is what is made of a profile's rows over several queries, and
// immutable as far as it has got.
type Growing interface {
	Bytes() int64 // what keeping it takes
	Whole() bool
}

// growth is the making of one. It lives in the cache until it is done, so that
// the next query goes on.
type growth[T Growing] struct {
	of   *shared       // the open file that it reads
	turn chan struct{} // holds one token: who has it may grow
	grow func(budget context.Context, show func(now T)) error

	mu  sync.Mutex
	now T
}

// growthBytes is what the cache counts for one: as much as a full tree takes.
const growthBytes = 64 << 20

// Grown is a value that takes more time than a query has: it grows until it is
// whole or the profile's budget is used up, and the next query goes on. begin
// gives what there is at first and how it grows: by one batch of rows at least,
// and then until its context ends, showing how far it has got. Who comes while
// another is at it sees that.
func Grown[T Growing](ctx context.Context, p *Profile, what string,
	begin func() (now T, grow func(budget context.Context, show func(now T)) error, err error)) (T, error) {
	if whole, ok := Kept[T](p, what); ok {
		return whole, nil
	}
	var none T
	growing := what + " growing"
	start := func() (*growth[T], int64, error) {
		now, grow, err := begin()
		g := &growth[T]{of: p.shared, turn: make(chan struct{}, 1), grow: grow, now: now}
		g.turn <- struct{}{}
		return g, min(growthBytes, p.cache.limit/2), err
	}
	g, err := Cached(ctx, p, growing, start)
	if err == nil && g.of != p.shared { // its file was closed, and is open again
		Drop(p, growing)
		g, err = Cached(ctx, p, growing, start)
	}
	if err != nil {
		return none, err
	}
	budget, cancel := context.WithTimeout(ctx, p.Budget)
	defer cancel()
	if takeTurn(budget, g.turn) {
		err = g.further(budget, func() { Drop(p, growing) })
	}
	if err := errors.Join(err, ctx.Err()); err != nil {
		return none, err
	}
	now := g.shown()
	if now.Whole() {
		Keep(p, what, now, now.Bytes())
		Drop(p, growing)
	}
	return now, nil
}

// further grows it and gives the turn back. When growing panics nobody knows how
// far it got: drop is called, and who comes next begins anew.
func (g *growth[T]) further(budget context.Context, drop func()) (err error) {
	ended := false
	defer func() {
		if !ended {
			drop()
		}
		g.turn <- struct{}{}
	}()
	if !g.shown().Whole() {
		err = g.grow(budget, g.show)
	}
	ended = true
	return err
}

func (g *growth[T]) show(now T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now = now
}

func (g *growth[T]) shown() T {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now
}

// takeTurn takes the turn to grow, waiting for it until ctx ends.
func takeTurn(ctx context.Context, turn chan struct{}) bool {
	select {
	case <-turn:
		return true
	default:
	}
	select {
	case <-turn:
		return true
	case <-ctx.Done():
		return false
	}
}
