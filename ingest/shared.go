package ingest

import (
	"context"
	"encoding/json"
	"time"

	"proflens/catalog"
	"proflens/internal/recovery"
)

// Where several processes share a catalog, each tells the others of its jobs by their
// rows, and hears of theirs.

const (
	// toldEvery is how often the others learn how far a job has come.
	toldEvery = time.Second
	// pollEvery is how often the catalog is asked what ought to have been heard.
	pollEvery = 2 * time.Second
)

// poll is when the catalog is to be asked again, though nothing was heard; never,
// where all is heard in this process.
func (s *Service) poll() <-chan time.Time {
	if !s.st.Shared() {
		return nil
	}
	return time.After(pollEvery)
}

// elsewhere is called when another process may have changed a profile.
func (s *Service) elsewhere(id string) {
	s.notify()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.running {
		if r.profile == id || id == "" {
			select {
			case s.beat <- struct{}{}:
			default: // it will look
			}
			return
		}
	}
}

// heart renews the leases of the jobs in work, ends those that were lost, and has
// those of dead processes wait again.
func (s *Service) heart(ctx context.Context) error {
	tick := time.NewTicker(toldEvery)
	defer tick.Stop()
	var last time.Time // when all were renewed
	told := map[int64]string{}
	for ctx.Err() == nil {
		all := time.Since(last) >= catalog.RenewEvery
		err := recovery.Do(func() error {
			if err := s.renew(ctx, told, all); err != nil || !all {
				return err
			}
			last = time.Now()
			taken, err := s.st.TakeOver(ctx)
			if taken > 0 {
				s.counts.takenOver(taken)
				s.log.Info("taking over jobs of a process that ended", "count", taken)
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
			s.log.Error("renewing leases", "error", err)
		}
		select {
		case <-tick.C:
		case <-s.beat:
			last = time.Time{}
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// renew renews leases: all of them, or those whose jobs have come further.
func (s *Service) renew(ctx context.Context, told map[int64]string, all bool) error {
	var due []catalog.Renewal
	s.mu.Lock()
	for id := range told {
		if s.running[id] == nil {
			delete(told, id)
		}
	}
	for id, r := range s.running {
		text, err := json.Marshal(r.progress.Load())
		if err == nil && (all || told[id] != string(text)) {
			due = append(due, catalog.Renewal{Job: r.job, Progress: string(text)})
			told[id] = string(text)
		}
	}
	s.mu.Unlock()
	lost, err := s.st.Renew(ctx, due)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, job := range lost {
		if r := s.running[job.ID]; r != nil && r.job == job {
			r.cancel(errStopped)
		}
	}
	return err
}

// progressElsewhere is how far another process has come with a profile.
func (s *Service) progressElsewhere(ctx context.Context, id string) (p Progress, ok bool) {
	if !s.st.Shared() {
		return p, false
	}
	text, err := s.st.ProgressOf(ctx, id)
	if err != nil || text == "" {
		return p, false
	}
	return p, json.Unmarshal([]byte(text), &p) == nil
}
