package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"proflens/catalog/engine"
	"proflens/decode/model"
	"proflens/profile/stored"
)

// jobAgain is the priority of decoding again after an upgrade; 0 is that of what somebody waits for.
const jobAgain = 1

// ErrSuperseded is returned for the result of a job that is no longer the process's
// that has done it: the profile was deleted, or got more files, or the job was taken
// over by another process, while it was decoded.
var ErrSuperseded = errors.New("the job was given up")

// Job is one decoding of a profile.
type Job struct {
	ID       int64
	Entry    Entry       // its Files are those of the present tables
	Files    []FileEntry // all that are to be decoded, in order
	Attempts int         // how often it was cut off by the end of the process
	Taken    int         // how often it was begun; results of earlier times are refused
}

func (s *Catalog) insertJob(tx *engine.Tx, id string) {
	tx.Exec(`INSERT INTO job (profile_id, state, priority, created_us, schema_version,
		decoder_version) VALUES (?, 'queued', 0, ?, ?, ?)`,
		id, tx.Now, stored.SchemaVersion, s.decoder.Load())
	tx.Notify(workMessage)
}

// NextJob takes the first job of the queue, on a lease, and marks its profile as being
// decoded. It returns nil when none waits. What a newer Proflens asked for is left to
// it.
func (s *Catalog) NextJob(ctx context.Context) (*Job, error) {
	var job *Job
	err := s.update(ctx, recoverable, func(tx *engine.Tx) {
		var j Job
		var id string
		job = nil
		err := tx.QueryRowContext(ctx, `UPDATE job SET state = 'running', holder = ?, lease_us = ?, taken = taken + 1
			WHERE id = (SELECT id FROM job WHERE state = 'queued' AND schema_version <= ? AND decoder_version <= ?
				ORDER BY priority, attempts, id LIMIT 1`+s.db.SkipLocked()+`)
			RETURNING id, profile_id, attempts, taken`,
			s.instance, tx.Now+leaseFor.Microseconds(), stored.SchemaVersion, s.decoder.Load()).
			Scan(&j.ID, &id, &j.Attempts, &j.Taken)
		if errors.Is(err, sql.ErrNoRows) {
			return
		} else if tx.Fail(wrapped(err)) {
			return
		}
		// A ready profile stays ready while it is decoded again.
		tx.Exec(`UPDATE profile SET state = 'decoding', updated_us = ?
			WHERE id = ? AND state IN ('received', 'failed')`, tx.Now, id)
		j.Files, err = filesOf(ctx, tx, id, true)
		tx.Fail(err)
		if e, err := entry(ctx, tx, id, time.Time{}); !tx.Fail(err) { // one that has just expired is swept soon
			j.Entry, job = *e, &j
		}
	})
	return job, err
}

// QueuePosition returns how far back in the queue a profile waits, 1 for the
// next to be decoded, 0 when it does not wait.
func (s *Catalog) QueuePosition(ctx context.Context, id string) (int, error) {
	return engine.One[int](ctx, s.db.Read, `SELECT count(*) FROM job AS me, job AS j
		WHERE me.profile_id = ? AND me.state = 'queued' AND j.state = 'queued'
		AND (j.priority, j.attempts, j.id) <= (me.priority, me.attempts, me.id)`, id)
}

// Requeue puts a job back that was stopped before it was done, as at shutdown.
func (s *Catalog) Requeue(ctx context.Context, job *Job) error {
	return s.change(ctx, recoverable, job.Entry.ID, func(tx *engine.Tx) {
		takeJob(tx, job, `UPDATE job SET state = 'queued', holder = '', progress = '' WHERE id = ? AND taken = ?`)
		tx.Exec(`UPDATE profile SET state = 'received', updated_us = ? WHERE id = ? AND state = 'decoding'`,
			tx.Now, job.Entry.ID)
	})
}

// BuildPath is where a job's profile file is to be written, and its preview:
// both in staging/, their names given to no other job.
func (s *Catalog) BuildPath(job *Job) (file, preview string) {
	base := filepath.Join(s.StagingDir(), job.name())
	return base + ".db", base + ".preview.db"
}

// name is one that no other job has, nor the same one when it is taken again.
func (j *Job) name() string { return fmt.Sprintf("%s-%d-%d", j.Entry.ID, j.ID, j.Taken) }

// Finish makes the file that was written to BuildPath the profile's tables and
// the profile ready. The tables it had before serve those who have them open,
// then go. A title becomes its name. It returns ErrSuperseded when the job was given up meanwhile; the
// file is removed then, and on any other error.
func (s *Catalog) Finish(ctx context.Context, job *Job, f stored.Figures, decoder int) error {
	built, preview := s.BuildPath(job)
	defer s.handles.retireFile(preview)
	crc, err := tablesCRC(built)
	if err != nil {
		return s.notStored(ctx, job, built, err)
	}
	// Under a name of its own: it replaces nothing, whoever comes late.
	name, err := s.storage.publish(ctx, job, built)
	if err != nil {
		return s.notStored(ctx, job, built, err)
	}
	var old string
	err = s.change(ctx, recoverable, job.Entry.ID, func(tx *engine.Tx) {
		takeJob(tx, job, `DELETE FROM job WHERE id = ? AND taken = ?`)
		s.storage.settleTables(tx, name)
		id := job.Entry.ID
		old = engine.Get[string](tx, `SELECT tables FROM profile WHERE id = ?`, id)
		digest, size := digestOf(job.Files)
		tx.Exec(`UPDATE profile SET state = 'ready', updated_us = ?, digest = ?, size = ?, kinds = ?,
			describe = ?,
			format = ?, version = ?, functions = ?, total = ?,
			head_part = ?, head_whole = ?, spark = ?, finding = ?, refused = 0, tables = ?, tables_crc = ?,
			schema_version = ?, decoder_version = ?, measured_version = 0, name = CASE ? WHEN '' THEN name ELSE ? END
			WHERE id = ?`,
			tx.Now, digest, size, joinFamilies(f.Families), f.Describe,
			f.Format, int64(f.Version), f.Functions, f.Total,
			f.HeadPart, f.HeadWhole, f.Spark, writeJSON(f.Finding), name, crc, stored.SchemaVersion,
			decoder, f.Title, f.Title, id)
		tx.Exec(`UPDATE file SET pending = 0 WHERE profile_id = ?`, id)
		recordPartial(tx, id, f.Partial)
		recordBuilds(tx, id, f.Builds)
		tx.Exec(`DELETE FROM measured WHERE profile_id = ?1 OR base_id = ?1`, id) // it is to be measured again
	})
	if err != nil {
		if !IsAway(err) { // else the commit may have been done
			s.storage.retire(ctx, name)
		}
		return err
	}
	if old != "" {
		s.storage.retire(ctx, old)
	}
	return nil
}

// notStored says why tables could not be stored. Who deletes a profile takes away what is
// being built of it: its job then is given up.
func (s *Catalog) notStored(ctx context.Context, job *Job, built string, why error) error {
	os.Remove(built)
	held, err := engine.One[bool](ctx, s.db.Read, `SELECT count(*) > 0 FROM job WHERE id = ? AND taken = ?`, job.ID,
		job.Taken)
	if err == nil && !held {
		return ErrSuperseded
	}
	return fmt.Errorf("storing the tables: %w", why)
}

// Fail ends a job with what stopped it. A profile with tables of the current
// schema keeps them, and its files, and gets the finding as a warning; any
// other is failed, with all its files. It returns ErrSuperseded as Finish does.
func (s *Catalog) Fail(ctx context.Context, job *Job, finding model.Finding, decoder int) error {
	built, preview := s.BuildPath(job)
	os.Remove(built)
	defer s.handles.retireFile(preview)
	var dropped []string
	err := s.change(ctx, recoverable, job.Entry.ID, func(tx *engine.Tx) {
		takeJob(tx, job, `DELETE FROM job WHERE id = ? AND taken = ?`)
		id, becomes := job.Entry.ID, `state = 'failed'`
		if job.Entry.State == Ready {
			finding.Severity, becomes = model.Warning, `refused = 1`
			dropped = deleteFiles(tx, id, `pending = 1`)
		}
		tx.Exec(`UPDATE profile SET `+becomes+`, finding = ?, decoder_version = ?, updated_us = ? WHERE id = ?`,
			writeJSON(&finding), decoder, tx.Now, id)
	})
	if err != nil {
		return err
	}
	return s.storage.clear(ctx, dropped)
}

// takeJob runs a statement on the job's row; ErrSuperseded when it is gone, or another
// process has taken it since.
func takeJob(tx *engine.Tx, job *Job, statement string) {
	if tx.Exec(statement, job.ID, job.Taken) == 0 {
		tx.Fail(ErrSuperseded)
	}
}
