// Package budget bounds what the server holds and spends to answer requests. Whoever
// builds something in memory from a profile's size or a client's bytes takes its bytes
// from the budget first; caches count in it, and make room. A request that asks for more
// than there is gets a [*Refusal], which is answered with 503.
//
// A request has an account, in its context. Without one, as on the command line and in
// the child that decodes, nothing is refused.
package budget

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Budget is bytes that requests and caches may hold together. It is safe for concurrent
// use; nil has no bounds.
type Budget struct {
	limit, held, time atomic.Int64
	building          atomic.Int64 // accounts whose time runs
	weigh             func() (live int64, cycle uint64)
	weighed           atomic.Uint64 // the cycle of the last weight that was too much

	mu    sync.Mutex
	room  []func(need int64) (freed int64)
	freed chan struct{} // closed when bytes come back; nil while nobody waits
}

// DefaultLimit is the limit of Process, as long as nobody sets another.
const DefaultLimit = 256 << 20

// Process is the budget of this process.
var Process = New(DefaultLimit)

func init() { Process.weigh = heap }

// New returns a budget of so many bytes, and of time without end.
func New(limit int64) *Budget {
	b := &Budget{}
	b.limit.Store(limit)
	return b
}

// Set sets how many bytes there are, and how long one request may build; 0 is no limit.
func (b *Budget) Set(limit int64, each time.Duration) {
	b.limit.Store(limit)
	b.time.Store(int64(each))
}

// Limit is how many bytes there are.
func (b *Budget) Limit() int64 { return b.limit.Load() }

// Held is how many are taken.
func (b *Budget) Held() int64 { return b.held.Load() }

// Evicts adds a cache: when bytes are wanted, drop lets go of so many that nobody uses,
// and says of how many.
func (b *Budget) Evicts(drop func(need int64) (freed int64)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.room = append(b.room, drop)
}

// Hold counts what a cache keeps.
func (b *Budget) Hold(n int64) {
	if b != nil {
		b.held.Add(n)
	}
}

// Give gives bytes back.
func (b *Budget) Give(n int64) {
	if b == nil || n == 0 {
		return
	}
	b.held.Add(-n)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}

// Over is how many bytes are held beyond the limit.
func (b *Budget) Over() int64 {
	if b == nil {
		return 0
	}
	return max(b.held.Load()-b.limit.Load(), 0)
}

// waiting is closed when bytes come back.
func (b *Budget) waiting() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed == nil {
		b.freed = make(chan struct{})
	}
	return b.freed
}

// evict has caches let go of so many bytes.
func (b *Budget) evict(need int64) (freed int64) {
	b.mu.Lock()
	room := b.room
	b.mu.Unlock()
	for _, drop := range room {
		if freed < need {
			freed += drop(need - freed)
		}
	}
	return freed
}

// waitLimit is how long a request waits for bytes that others hold.
const waitLimit = 2 * time.Second

// Account is what one request holds.
type Account struct {
	b          *Budget
	cancel     context.CancelCauseFunc
	background bool // its time has no limit

	mu     sync.Mutex
	held   int64
	pinned int64
	closed bool
	pins   map[any]pin
	clock  clock
}

// pin is a value of a cache that the request uses.
type pin struct {
	size  int64
	unpin func()
}

type accountKey struct{}

// Open opens an account for what is done under the context that it returns. Close it when
// all of that is done.
func (b *Budget) Open(ctx context.Context) (context.Context, *Account) {
	ctx, cancel := context.WithCancelCause(ctx)
	a := &Account{b: b, cancel: cancel}
	return context.WithValue(ctx, accountKey{}, a), a
}

// OpenBackground is Open for what nobody waits for: it may take its time.
func (b *Budget) OpenBackground(ctx context.Context) (context.Context, *Account) {
	ctx, a := b.Open(ctx)
	a.background = true
	return ctx, a
}

// Close gives back all that the account holds.
func (a *Account) Close() {
	a.mu.Lock()
	held, pins := a.held, a.pins
	a.held, a.pinned, a.pins, a.closed = 0, 0, nil, true
	a.mu.Unlock()
	for _, p := range pins {
		p.unpin()
	}
	a.b.Give(held)
	a.cancel(nil)
}

// Of is the account of a context; nil without one that is open.
func Of(ctx context.Context) *Account {
	a, _ := ctx.Value(accountKey{}).(*Account)
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil
	}
	return a
}

// Take takes bytes that are about to be built, until the account closes or they are given
// back. It waits a moment for those that others hold. The error is a *Refusal, or the
// context's.
func Take(ctx context.Context, n int64) error {
	a := Of(ctx)
	if a == nil || n <= 0 {
		return nil
	}
	return a.take(ctx, n)
}

func (a *Account) take(ctx context.Context, n int64) error {
	b := a.b
	var late <-chan time.Time
	for {
		freed := b.waiting()
		limit := b.limit.Load()
		if b.held.Add(n) <= limit {
			a.mu.Lock()
			if a.closed {
				b.held.Add(-n)
			} else {
				a.held += n
			}
			a.mu.Unlock()
			return nil
		}
		over := b.held.Add(-n) + n - limit
		if own := a.Held() + n; own > limit {
			return &Refusal{TooMuch, limit}
		}
		if b.evict(over) > 0 {
			continue
		}
		if late == nil {
			late = time.After(waitLimit)
		}
		select {
		case <-freed:
		case <-late:
			return &Refusal{Busy, limit}
		case <-ctx.Done():
			return cmp.Or[error](RefusalOf(ctx), ctx.Err())
		}
	}
}

// Held is what the account holds, with what it uses of caches.
func (a *Account) Held() int64 {
	if a == nil {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.held + a.pinned
}

// Taken is what the account took and did not give back.
func (a *Account) Taken() int64 {
	if a == nil {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.held
}

// GiveTo gives back what was taken beyond so many bytes: it is let go of, or a cache counts
// it.
func (a *Account) GiveTo(taken int64) {
	if a == nil {
		return
	}
	a.mu.Lock()
	n := max(a.held-taken, 0)
	a.held -= n
	a.mu.Unlock()
	a.b.Give(n)
}

// Give gives back what was taken under a context.
func Give(ctx context.Context, n int64) {
	if a := Of(ctx); a != nil {
		a.GiveTo(a.Taken() - n)
	}
}

// Use notes that the request uses a value of a cache, which must not make room until the
// account closes: then unpin is called. It is false where that is known, or without an
// account.
func (a *Account) Use(value any, size int64, unpin func()) bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.pins[value]; ok || a.closed {
		return false
	}
	if a.pins == nil {
		a.pins = map[any]pin{}
	}
	a.pins[value] = pin{size, unpin}
	a.pinned += size
	return true
}

// Meter takes bytes for a loop, many at a time. It is for one goroutine.
type Meter struct {
	ctx  context.Context
	owed int64
}

// NewMeter returns a meter for what is built under a context.
func NewMeter(ctx context.Context) *Meter { return &Meter{ctx: ctx} }

// meterStep is how many bytes are taken at once.
const meterStep = 1 << 20

// Add takes bytes. The error is that of Take, or the context's.
func (m *Meter) Add(n int) error {
	if m.owed += int64(n); m.owed < meterStep {
		return nil
	}
	return m.settle()
}

func (m *Meter) settle() error {
	n := m.owed
	m.owed = 0
	if err := m.ctx.Err(); err != nil {
		return err
	}
	return Take(m.ctx, n)
}
