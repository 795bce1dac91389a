package stored

import (
	"context"
	"sync/atomic"
)

// Progress is how far a query has got, for who waits for it. It is safe for
// concurrent use.
type Progress struct{ step atomic.Pointer[Step] }

// Step is what a query does now.
type Step struct {
	Doing    string // as a heading has it: "Reading functions"
	Done, Of int    // Of is 0 where nobody knows
	Bytes    bool   // they are bytes, not things
}

// Now is the latest step; none before the first.
func (p *Progress) Now() Step {
	if s := p.step.Load(); s != nil {
		return *s
	}
	return Step{}
}

type progressKey struct{}

// Watched is a context under which p follows what is done.
func Watched(ctx context.Context, p *Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// Report tells who waits, if somebody does, what is done now.
func Report(ctx context.Context, doing string, done, of int) {
	if p, ok := ctx.Value(progressKey{}).(*Progress); ok {
		p.step.Store(&Step{doing, done, of, false})
	}
}

// ReportBytes is Report where what is done is counted in bytes.
func ReportBytes(ctx context.Context, doing string, done, of int) {
	if p, ok := ctx.Value(progressKey{}).(*Progress); ok {
		p.step.Store(&Step{doing, done, of, true})
	}
}
