package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"proflens/catalog"
	"proflens/catalog/objects"
	"proflens/decode"
	"proflens/decode/model"
	"proflens/ingest/tasks"
	"proflens/profile/stored"
)

// maxAttempts is how often a job may be cut off by the end of the process
// before it is taken for the cause.
const maxAttempts = 3

// Why a job's context ends, other than the end of the service.
var (
	errStopped = errors.New("the profile is gone, or has more files now")
	errTimeout = errors.New("decoding took too long")
)

// work does one job and records how it ended.
func (s *Service) work(ctx context.Context, job *catalog.Job) {
	began := time.Now()
	jobCtx, cancelTimeout := context.WithTimeoutCause(ctx, s.config.DecodeTimeout, errTimeout)
	defer cancelTimeout()
	jobCtx, cancel := context.WithCancelCause(jobCtx)
	defer cancel(nil)
	r := s.begin(job, cancel)
	defer s.end(job)

	figures, err := s.decode(jobCtx, job, r)
	if err == nil {
		if !namedByFiles(job) {
			figures.Title = ""
		}
		err = s.st.Finish(context.WithoutCancel(ctx), job, figures, decode.Version)
	}
	switch cause := context.Cause(jobCtx); {
	case err == nil:
		s.counts.count(figures.Format, figures.Version, "ready", time.Since(began))
		s.log.Info("decoded", s.about(job, "format", figures.Describe, "functions", figures.Functions, "took",
			time.Since(began))...)
	case errors.Is(err, catalog.ErrSuperseded):
	case catalog.IsAway(err):
		// Nothing can be recorded. Its lease ends, and it is done once more.
		s.log.Error("the result of a decoding is lost", s.about(job, "error", err)...)
	case ctx.Err() != nil, cause == errStopped:
		s.putBack(ctx, job) // if it was given up, there is nothing to put back
	case isAway(err):
		s.log.Warn("the object store is away; the job waits", s.about(job, "error", err)...)
		sleep(jobCtx, awayPause)
		s.putBack(ctx, job)
	default:
		if cause == errTimeout {
			err = cause
		}
		kind := s.fail(context.WithoutCancel(ctx), job, err)
		s.counts.failed(&job.Entry, kind, time.Since(began))
	}
}

// awayPause is how long a worker waits that has found the object store away.
var awayPause = 5 * time.Second // a test waits less

func isAway(err error) bool {
	_, away := errors.AsType[*objects.UnavailableError](err)
	return away
}

// putBack returns a job to the queue.
func (s *Service) putBack(ctx context.Context, job *catalog.Job) {
	if err := s.st.Requeue(context.WithoutCancel(ctx), job); err != nil && !errors.Is(err, catalog.ErrSuperseded) {
		s.log.Error("putting a job back", s.about(job, "error", err)...)
	}
	s.wakeWorkers(1)
}

// fail records what stopped a job, and returns its kind. What is not the file's
// fault nor a budget's is tried again by the next process.
func (s *Service) fail(ctx context.Context, job *catalog.Job, err error) model.Kind {
	finding, version := s.findingOf(err), decode.Version
	if finding.Kind == model.KindInternal {
		death, died := errors.AsType[*tasks.Death](err)
		if !died {
			version = 0
		} else {
			s.log.Error("the decoder's stack", s.about(job, "stack", death.Stack)...)
		}
		s.log.Error("decoding failed", s.about(job, "error", err)...)
	} else {
		s.log.Info("not decodable", s.about(job, "finding", finding.Code, "error", err)...)
	}
	if err := s.st.Fail(ctx, job, finding, version); err != nil && !errors.Is(err, catalog.ErrSuperseded) {
		s.log.Error("recording a failure", s.about(job, "error", err)...)
	}
	return finding.Kind
}

// about gives a log line its profile, unless that is unlisted.
func (s *Service) about(job *catalog.Job, attrs ...any) []any {
	if job.Entry.Visibility == catalog.Listed {
		return append([]any{"profile", job.Entry.ID}, attrs...)
	}
	return attrs
}

// findingOf is what a person is told about an error.
func (s *Service) findingOf(err error) model.Finding {
	if kept, ok := errors.AsType[*keptFinding](err); ok {
		return kept.finding
	}
	if refused, ok := errors.AsType[*tasks.Refused](err); ok {
		return refused.Finding
	}
	f := model.Finding{Severity: model.Error, Code: "internal.error", Kind: model.KindInternal,
		// Not the error's own words: they name files of the server.
		Message: "the profile could not be decoded, through no fault of the file; the server's log says why",
		Remedy:  "the files are kept; decoding is tried again when the server restarts"}
	if original, ok := errors.AsType[*catalog.OriginalError](err); ok {
		f.Code, f.Message = "internal.original", original.Error()
		f.Cause, f.Remedy = "a failing disk, or a program that changed the data folder",
			"upload the file again; the server's operator finds all of them with: proflens check"
	} else if _, ok := errors.AsType[syscall.Errno](err); ok {
		f.Code, f.Message = "internal.disk", "the server could not read or write its own files"
		f.Cause, f.Remedy = "a full or failing disk, or changed permissions",
			"tell the server's operator: the log says which file and why, and proflens check finds all that are damaged; "+
				"decoding is tried again when the server restarts"
	} else if err == errTimeout {
		f.Code, f.Kind = "limit.timeout", model.KindTimeout
		f.Message = fmt.Sprintf("decoding took longer than %v and was stopped", s.config.DecodeTimeout)
		f.Cause = "the profile is very large, or the server very busy"
		f.Remedy = "ask the server's operator for a longer -decode-timeout, then upload the files again"
	} else if death, ok := errors.AsType[*tasks.Death](err); ok {
		findingOfDeath(&f, death)
	} else if errors.Is(err, errAttempts) {
		f.Code, f.Message = "internal.attempts", err.Error()
		f.Cause, f.Remedy = "decoding this file may need more memory than the server has",
			"upload it to a server with more memory"
	}
	return f
}

// findingOfDeath says what a file did to the process that read it.
func findingOfDeath(f *model.Finding, death *tasks.Death) {
	switch death.Cause {
	case tasks.NoMemory, tasks.Killed:
		f.Code, f.Kind = "limit.memory", model.KindTooLarge
		f.Message = "decoding needs more memory than one profile may have"
		f.Cause, f.Remedy = "the profile is very large, or designed to exhaust the server",
			"ask the server's operator for a higher -decode-memory, then upload the files again"
	case tasks.NoTime:
		f.Code, f.Kind = "limit.timeout", model.KindTimeout
		f.Message = "decoding took more processor time than one profile may have"
		f.Remedy = "ask the server's operator for a longer -decode-timeout, then upload the files again"
	default:
		f.Code, f.Message = "internal.panic", "the decoder failed on this file: "+death.Says
		f.Cause, f.Remedy = "a fault in Proflens",
			"the files are kept; please report the fault: a fixed version will decode them without another upload"
	}
}

var errAttempts = errors.New("the server stopped repeatedly while decoding this profile")

// keptFinding ends a job whose finding was known before.
type keptFinding struct{ finding model.Finding }

func (e *keptFinding) Error() string { return e.finding.Message }

// decode has the job's tables written. What a file does to the process that reads it
// costs this profile only.
func (s *Service) decode(ctx context.Context, job *catalog.Job, r *run) (figures stored.Figures, err error) {
	if job.Attempts >= maxAttempts {
		return stored.Figures{}, &keptFinding{s.findingOf(errAttempts)}
	}
	t := &tasks.Write{}
	var kept *model.Finding
	alone := addedAlone(job.Files)
	for _, f := range job.Files {
		if f.Finding != nil && (f.Pending && alone || len(job.Files) == 1) {
			return stored.Figures{}, &keptFinding{*f.Finding}
		}
		if f.Finding != nil {
			t.Kept, kept = append(t.Kept, f.Name), cmp.Or(kept, f.Finding)
		}
		t.SHA256 = append(t.SHA256, f.SHA256)
	}
	files, release, err := filesOf(ctx, s.st, job.Files)
	if err != nil {
		return stored.Figures{}, err
	}
	defer release()
	t.Files = files
	t.Path, t.Preview = s.st.BuildPath(job)
	err = s.runner.Run(ctx, t, &figures, tasks.Out{
		Progress: func(p tasks.Progress) {
			if r.report(p) {
				s.notify()
			}
		},
	})
	if kept != nil && model.KindOf(err) == model.KindUnrecognizedFormat {
		err = &keptFinding{*kept} // the profile may be in the archive
	}
	return figures, err
}
