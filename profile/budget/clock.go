package budget

import (
	"context"
	"errors"
	"time"
)

// clock is how long a request has built: the share of the processor's time that it had at
// most, or of the time that passed, whichever is less, so that a machine with other work
// refuses nothing.
type clock struct {
	depth     int // builders within each other
	spent     time.Duration
	wall      time.Time
	processor time.Duration
	tick      *time.Timer
}

// ticks is how often a clock is looked at.
const ticks = 100 * time.Millisecond

// Build begins to build something under a context. Where that takes more time than a
// request has, the context of the account ends, with a *Refusal as its cause. done ends
// it, and says how long it took.
func Build(ctx context.Context) (done func() (took time.Duration)) {
	a := Of(ctx)
	if a == nil || a.background || a.b.time.Load() == 0 {
		return func() time.Duration { return 0 }
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.clock.depth++; a.clock.depth == 1 {
		a.b.building.Add(1)
		a.clock.wall, a.clock.processor = time.Now(), processorTime()
		a.clock.tick = time.AfterFunc(ticks, a.look)
	}
	a.advance()
	before := a.clock.spent
	return func() time.Duration {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.advance()
		if a.clock.depth--; a.clock.depth == 0 {
			a.b.building.Add(-1)
			a.clock.tick.Stop()
		}
		return a.clock.spent - before
	}
}

// advance adds what passed since the clock was looked at last; mu is held.
func (a *Account) advance() {
	wall, processor := time.Now(), processorTime()
	a.clock.spent += min(wall.Sub(a.clock.wall), (processor-a.clock.processor)/time.Duration(max(a.b.building.Load(), 1)))
	a.clock.wall, a.clock.processor = wall, processor
}

// look ends the request's context when its time is up, or when the process holds more than
// was taken.
func (a *Account) look() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.clock.depth == 0 {
		return
	}
	if a.advance(); a.clock.spent >= time.Duration(a.b.time.Load()) {
		a.cancel(&Refusal{TooLong, a.b.time.Load()})
		return
	}
	if a.b.overweight() {
		a.cancel(&Refusal{TooMuch, a.b.limit.Load()})
		return
	}
	a.clock.tick.Reset(ticks)
}

// Time is how long a request may build; 0 is no limit.
func (b *Budget) Time() time.Duration {
	if b == nil {
		return 0
	}
	return time.Duration(b.time.Load())
}

// RefusalOf is why a context ended, where its time was up; else nil.
func RefusalOf(ctx context.Context) error {
	if refusal, ok := errors.AsType[*Refusal](context.Cause(ctx)); ok {
		return refusal
	}
	return nil
}
