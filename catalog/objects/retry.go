package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/sethvargo/go-retry"
)

// timeouts is how long a bucket is asked again, and how long one try may be silent.
type timeouts struct {
	first, most  time.Duration // pauses between tries
	read, write  time.Duration // for all tries together, should none make progress
	silence      time.Duration // no byte for so long ends a try to read
	sending      time.Duration // no byte taken for so long ends a try to write: a library may hold many
	wholeRequest time.Duration // of a request without content, such as a delete
}

// usual timeouts: a reader is a person who waits; an upload has been sent already, and
// is lost to its sender if it fails.
var usual = timeouts{
	first: 100 * time.Millisecond, most: 5 * time.Second, read: 20 * time.Second, write: 25 * time.Second,
	silence: 15 * time.Second, sending: 2 * time.Minute, wholeRequest: 15 * time.Second,
}

// again tries f until it works, its error is one that will not change, ctx ends, or
// no try has made progress for so long. f says how far it has got.
func (p *timeouts) again(ctx context.Context, most time.Duration,
	f func(ctx context.Context) (progress bool, err error)) error {
	pauses := retry.WithCappedDuration(p.most, retry.WithJitterPercent(30, retry.NewExponential(p.first)))
	last := time.Now()
	var err error
	for {
		began := time.Now()
		var progress bool
		if progress, err = f(ctx); err == nil || ctx.Err() != nil || final(err) {
			return err
		}
		if progress {
			last = began
			pauses = retry.WithCappedDuration(p.most, retry.WithJitterPercent(30, retry.NewExponential(p.first)))
		}
		pause, _ := pauses.Next()
		if time.Since(last)+pause > most {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-timer.C:
		}
	}
}

// final reports whether asking again cannot help.
func final(err error) bool {
	var own *localError
	var damaged *DamagedError
	if errors.As(err, &own) || errors.As(err, &damaged) {
		return true
	}
	for _, kind := range []error{fs.ErrNotExist, fs.ErrPermission, fs.ErrInvalid, ErrFull} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// silenced ends a try in which no byte has come for a while.
type silenced struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
	after  time.Duration
	bytes  atomic.Int64
}

var errSilent = errors.New("the object store has stopped sending")

func watch(ctx context.Context, after time.Duration) (context.Context, *silenced) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &silenced{cancel: cancel, after: after}
	s.timer = time.AfterFunc(after, func() { cancel(fmt.Errorf("%w for %v", errSilent, after)) })
	return ctx, s
}

func (s *silenced) stop() {
	s.timer.Stop()
	s.cancel(nil)
}

// reader tells the watch of every byte that passes.
func (s *silenced) reader(r io.Reader) io.Reader { return &heard{s, r} }

type heard struct {
	s *silenced
	r io.Reader
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	if n > 0 {
		h.s.bytes.Add(int64(n))
		h.s.timer.Reset(h.s.after)
	}
	return n, err
}
