package catalog

import (
	"context"
	"math"
	"os"
	"slices"
	"time"

	"proflens/catalog/engine"
)

// A job is held on a lease, which its process renews while it works. One that has
// ended, or cannot reach the catalog, renews it no more.
const (
	leaseFor = 30 * time.Second
	// RenewEvery is how often leases are to be renewed.
	RenewEvery = leaseFor / 6
)

// newInstance names this process among those that share a catalog.
func newInstance() string {
	host, _ := os.Hostname()
	return host + "-" + newSecret()[:8]
}

// Shared reports whether other processes may work with the catalog meanwhile.
func (s *Catalog) Shared() bool { return s.db.Shared() }

// Renewal is a job that this process is at, and how far that has come, in words that
// only its reader knows.
type Renewal struct {
	Job      *Job
	Progress string
}

// Renew renews the leases of jobs and returns those that are no longer this process's:
// they were given up, or taken over.
func (s *Catalog) Renew(ctx context.Context, jobs []Renewal) (lost []*Job, err error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	// In one order, as everybody who locks several rows.
	slices.SortFunc(jobs, func(a, b Renewal) int { return int(a.Job.ID - b.Job.ID) })
	err = s.update(ctx, recoverable, func(tx *engine.Tx) {
		lost = nil
		for _, r := range jobs {
			if tx.Exec(`UPDATE job SET lease_us = ?, progress = ? WHERE id = ? AND taken = ? AND state = 'running'`,
				tx.Now+leaseFor.Microseconds(), r.Progress, r.Job.ID, r.Job.Taken) == 0 {
				lost = append(lost, r.Job)
			}
		}
	})
	return lost, err
}

// ProgressOf is what was last told of a profile's job with Renew; empty for none.
func (s *Catalog) ProgressOf(ctx context.Context, id string) (progress string, err error) {
	return engine.One[string](ctx, s.db.Read,
		`SELECT coalesce((SELECT progress FROM job WHERE profile_id = ? AND state = 'running'), '')`, id)
}

// TakeOver has jobs wait again whose lease has ended, and returns how many.
func (s *Catalog) TakeOver(ctx context.Context) (n int64, err error) {
	// Most often there is none, and nothing is written.
	some, err := engine.One[bool](ctx, s.db.Read,
		`SELECT EXISTS (SELECT 1 FROM job WHERE state = 'running' AND lease_us < ?)`, s.now().UnixMicro())
	if err != nil || !some {
		return 0, err
	}
	err = s.update(ctx, recoverable, func(tx *engine.Tx) { n = s.takeOver(tx) })
	return n, err
}

func (s *Catalog) takeOver(tx *engine.Tx) (n int64) {
	now := tx.Now
	// A process that has the catalog for itself has just begun: nobody else is at work.
	if !s.db.Shared() {
		now = math.MaxInt64
	}
	n = tx.Exec(
		`UPDATE job SET state = 'queued', holder = '', progress = '', attempts = attempts + 1 WHERE state = 'running' AND lease_us < ?`, now)
	// Most often none is, as the counts say, and no profile is looked at.
	tx.Exec(`UPDATE profile SET state = 'received' WHERE state = 'decoding'
		AND EXISTS (SELECT 1 FROM profile_count WHERE state = 'decoding' AND profiles > 0)
		AND NOT EXISTS (SELECT 1 FROM job WHERE profile_id = profile.id AND state = 'running')`)
	if n > 0 {
		tx.Notify(workMessage)
	}
	return n
}
