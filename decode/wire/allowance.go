package wire

import (
	"fmt"
	"sync/atomic"

	"proflens/decode/model"
)

// Allowance is how many bytes decoding may make of files beyond their own: names and
// debug info that inflate, counters that records share, call stacks that are written
// out. All files of a profile have one, so that many small ones come to no more than a
// large one. It may be used from several goroutines.
type Allowance struct{ most, left atomic.Uint64 }

// An allowance is as many bytes, and so many more for each byte of the files. What
// compilers and linkers write comes to 10 for each at most.
const (
	allowanceBase = 16 << 20
	allowanceRate = 32
)

// NewAllowance is one for files of size bytes together.
func NewAllowance(size uint64) *Allowance {
	a := &Allowance{}
	a.most.Store(allowanceBase)
	a.left.Store(allowanceBase)
	a.Grow(size)
	return a
}

// Grow adds what a further file of size bytes brings.
func (a *Allowance) Grow(size uint64) {
	a.most.Add(allowanceRate * size)
	a.left.Add(allowanceRate * size)
}

// Left is how many bytes may still be made.
func (a *Allowance) Left() uint64 { return a.left.Load() }

// Take takes as many bytes, false when fewer are left: then none.
func (a *Allowance) Take(n uint64) bool {
	for {
		left := a.left.Load()
		if n > left {
			return false
		}
		if a.left.CompareAndSwap(left, left-n) {
			return true
		}
	}
}

// Most says what would have been right.
func (a *Allowance) Most() string {
	return fmt.Sprintf("at most %d bytes out of files of this size", a.most.Load())
}

// Allow makes the cursor, and those later split off it, spend from an allowance. One
// that was told none spends from its own, for the bytes that it is over.
func (c *Cursor) Allow(a *Allowance) { c.allowance = a }

// Allowance is what the cursor spends from.
func (c *Cursor) Allowance() *Allowance {
	if c.allowance == nil {
		c.allowance = NewAllowance(uint64(len(c.data)))
	}
	return c.allowance
}

// Spend takes bytes from the allowance for what a field is made to, or latches that it
// is too large.
func (c *Cursor) Spend(field, msg string, n uint64) error {
	if c.err == nil && !c.Allowance().Take(n) {
		return c.Fail(model.KindTooLarge, field, msg, c.allowance.Most(), n)
	}
	return c.Err()
}

// Try is a copy of the cursor that records nothing, and spends what nobody will miss.
func (c *Cursor) Try() *Cursor {
	allowance, try := &Allowance{}, *c
	allowance.most.Store(c.Allowance().most.Load())
	allowance.left.Store(c.Allowance().Left())
	try.rec, try.allowance = nil, allowance
	return &try
}

// Allow returns a recorder that records nothing, and has its cursors spend from an
// allowance.
func Allow(a *Allowance) *Recorder { return &Recorder{Allowance: a, quiet: true} }

// Records reports whether the recorder keeps what it hears of.
func (r *Recorder) Records() bool { return r != nil && !r.quiet }
