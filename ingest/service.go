package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"proflens/catalog"
	"proflens/decode"
	"proflens/ingest/tasks"
	"proflens/internal/recovery"
)

// Defaults of Config.
const (
	defaultMaxUpload     = 2 << 30
	defaultMaxExpanded   = 8 << 30
	defaultMaxRatio      = 1000 // what gzip makes of zeros; real profiles come to 50 at most
	defaultDecodeTimeout = 10 * time.Minute
)

// sweepEvery is how long an expired profile's files may stay on the disk. It
// cannot be seen any more from the moment it expires. The store is tended as often: not each
// time that a profile expires.
const sweepEvery = time.Minute

// Service takes uploads and decodes them. It is safe for concurrent use.
type Service struct {
	st     *catalog.Catalog
	config Config
	log    *slog.Logger
	runner tasks.Runner
	wake   chan struct{} // a token for each worker that should look at the queue
	counts counts

	beat chan struct{} // a token when leases are to be looked at at once

	mu      sync.Mutex
	running map[int64]*run // by job
	changed chan struct{}  // closed, and replaced, whenever a job ends
}

// New returns a service over a store. Batches can be taken in at once; they are
// decoded while Run runs.
func New(st *catalog.Catalog, c Config, log *slog.Logger) *Service {
	setDefault(&c.MaxUpload, defaultMaxUpload)
	setDefault(&c.MaxExpanded, defaultMaxExpanded)
	setDefault(&c.MaxRatio, defaultMaxRatio)
	setDefault(&c.DecodeTimeout, defaultDecodeTimeout)
	setDefault(&c.Workers, max(1, runtime.GOMAXPROCS(0)/2))
	setDefault(&c.Visibility, catalog.Unlisted)
	if c.Runner == nil {
		c.Runner = tasks.Here{}
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Service{
		st: st, config: c, log: log, runner: c.Runner,
		wake: make(chan struct{}, max(0, c.Workers)), beat: make(chan struct{}, 1), running: map[int64]*run{},
		changed: make(chan struct{}),
	}
	st.OnStop(s.stop)
	st.OnWork(func() { s.wakeWorkers(1) })
	st.OnChange(s.elsewhere)
	return s
}

func setDefault[T comparable](v *T, def T) {
	if *v == *new(T) {
		*v = def
	}
}

// Run takes up what an earlier process left, then decodes and sweeps until ctx
// ends. Of a catalog that several processes share, each does its part. It returns once the workers have put back what they were at; the error
// is nil unless the catalog fails.
func (s *Service) Run(ctx context.Context) error {
	waiting, err := s.recover(ctx)
	if ctx.Err() != nil {
		return nil
	} else if err != nil {
		return fmt.Errorf("taking up jobs: %w", err)
	}
	if waiting > 0 {
		s.log.Info("taking up jobs", "waiting", waiting)
	}
	g, ctx := recovery.WithContext(ctx)
	for range max(0, s.config.Workers) {
		g.Go(func() error { return s.worker(ctx) })
	}
	g.Go(func() error { return s.sweeper(ctx) })
	if s.st.Shared() {
		g.Go(func() error { return s.heart(ctx) })
		g.Go(func() error { return s.st.Watch(ctx) })
	}
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// recover puts the queue in order. On a full disk it waits for room, and for a
// database that is away: profiles that are ready are served meanwhile, and can be
// deleted.
func (s *Service) recover(ctx context.Context) (waiting int, err error) {
	for {
		waiting, err = s.st.Recover(ctx, decode.Version)
		if !catalog.IsFull(err) && !catalog.IsAway(err) || ctx.Err() != nil {
			return waiting, err
		}
		s.log.Error("taking up jobs", "error", err)
		sleep(ctx, recoverEvery)
	}
}

// recoverEvery is how often that is tried again.
const recoverEvery = 5 * time.Second

// worker decodes one profile after another.
func (s *Service) worker(ctx context.Context) error {
	for {
		job, err := s.st.NextJob(ctx)
		switch {
		case ctx.Err() != nil:
			if job != nil {
				s.putBack(ctx, job)
			}
			return ctx.Err()
		case err != nil:
			// The disk is full, perhaps: not a reason to stop serving.
			s.log.Error("taking a job", "error", err)
			sleep(ctx, time.Second)
		case job != nil:
			if err := recovery.Do(func() error { s.work(ctx, job); return nil }); err != nil {
				fault := tasks.FaultOf(err)
				s.fail(context.WithoutCancel(ctx), job, fault.Err())
			}
		default:
			select {
			case <-s.wake:
			case <-s.poll():
			case <-ctx.Done():
			}
		}
	}
}

// sweeper removes expired profiles.
func (s *Service) sweeper(ctx context.Context) error {
	var tended time.Time
	for ctx.Err() == nil {
		var removed int
		var next time.Time
		err := recovery.Do(func() (err error) {
			removed, next, err = s.st.Expire(ctx)
			if time.Since(tended) >= sweepEvery {
				tended = time.Now()
				err = errors.Join(err, s.st.Tend(ctx))
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
			s.log.Error("removing expired profiles", "error", err)
		}
		if removed > 0 {
			s.log.Info("removed expired profiles", "count", removed)
		}
		wait := sweepEvery
		if !next.IsZero() {
			wait = min(wait, max(time.Until(next), time.Millisecond))
		}
		sleep(ctx, wait)
	}
	return ctx.Err()
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// wakeWorkers has n workers look at the queue.
func (s *Service) wakeWorkers(n int) {
	for range n {
		select {
		case s.wake <- struct{}{}:
		default: // as many as there are will look
			return
		}
	}
}
