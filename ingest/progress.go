package ingest

import (
	"context"
	"sync/atomic"

	"proflens/catalog"
	"proflens/ingest/tasks"
)

// run is a job in progress.
type run struct {
	job      *catalog.Job
	profile  string
	cancel   context.CancelCauseFunc
	progress atomic.Pointer[Progress]
	shown    atomic.Bool // it has a preview
}

// report notes how far the job has come, and reports whether it can be shown from now on.
func (r *run) report(by tasks.Progress) (shown bool) {
	shown = by.Shown && !r.shown.Swap(true)
	p := Progress{Stage: Stage(by.Stage), Describe: by.Describe, Shown: r.shown.Load()}
	if by.Total > 0 {
		p.Percent = int(100 * (float64(min(by.Done, by.Total)) / float64(by.Total)))
	}
	if last := r.progress.Load(); last == nil || *last != p {
		r.progress.Store(&p)
	}
	return shown
}

func (s *Service) begin(job *catalog.Job, cancel context.CancelCauseFunc) *run {
	r := &run{job: job, profile: job.Entry.ID, cancel: cancel}
	r.report(tasks.Progress{Stage: tasks.Decoding, Describe: job.Entry.Describe})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[job.ID] = r
	return r
}

func (s *Service) end(job *catalog.Job) {
	s.mu.Lock()
	delete(s.running, job.ID)
	s.mu.Unlock()
	s.notify()
}

// notify wakes those who wait.
func (s *Service) notify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// stop ends the work on a profile. A newer job of the same profile that it
// catches too goes back to the queue.
func (s *Service) stop(id string) {
	s.mu.Lock()
	for _, r := range s.running {
		if r.profile == id {
			r.cancel(errStopped)
		}
	}
	s.mu.Unlock()
	s.notify()
}

// Wait returns a profile's entry once no job waits or runs for it: it is ready,
// or has failed. When ctx ends first, it returns the entry as it stands with
// the context's error. Other errors are those of catalog.Entry.
func (s *Service) Wait(ctx context.Context, id string) (*catalog.Entry, error) {
	return s.wait(ctx, id, func() bool { return false })
}

// WaitShown is Wait, which ends too once the first pages of the profile can be seen here.
func (s *Service) WaitShown(ctx context.Context, id string) (*catalog.Entry, error) {
	return s.wait(ctx, id, func() bool {
		p, ok := s.progressOfRun(id)
		return ok && p.Shown
	})
}

func (s *Service) wait(ctx context.Context, id string, enough func() bool) (*catalog.Entry, error) {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		e, err := s.st.Entry(context.WithoutCancel(ctx), id)
		if err != nil || !e.Pending || enough() {
			return e, err
		}
		select {
		case <-changed:
		case <-s.poll():
		case <-ctx.Done():
			return e, ctx.Err()
		}
	}
}

// Progress says how far a profile has come. The zero Progress is for one that
// is not there. What the catalog says goes first: a job whose end is stored may
// still be among those that run.
func (s *Service) Progress(id string) Progress {
	ctx := context.Background()
	e, err := s.st.Entry(ctx, id)
	if err != nil {
		return Progress{}
	}
	p := Progress{Describe: e.Describe}
	switch {
	case e.Pending:
		if p, ok := s.progressOfRun(id); ok {
			return p
		}
		if p, ok := s.progressElsewhere(ctx, id); ok {
			return p
		}
		p.Stage = StageReceived
		if e.Describe != "" {
			p.Stage = StageRecognised
		}
		p.Queued, _ = s.st.QueuePosition(ctx, id) // 0 when it cannot be told
	case e.State == catalog.Ready:
		p.Stage, p.Percent = StageReady, 100
	default:
		p.Stage = StageFailed
	}
	return p
}

// progressOfRun is the progress of a profile that is being decoded.
func (s *Service) progressOfRun(id string) (Progress, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.running {
		if r.profile == id {
			return *r.progress.Load(), true
		}
	}
	return Progress{}, false
}
