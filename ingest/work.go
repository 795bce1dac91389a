package ingest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"proflens/catalog"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profiledb"
	"proflens/profiledb/stored"
)

// maxAttempts is how often a job may be cut off by the end of the process
// before it is taken for the cause.
const maxAttempts = 20

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
		err = s.st.Finish(context.WithoutCancel(ctx), job, figures, decode.Version)
	}
	switch cause := context.Cause(jobCtx); {
	case err == nil:
		s.log.Info("decoded", s.about(job, "format", figures.Describe, "functions", figures.Functions, "took", time.Since(began))...)
	case errors.Is(err, catalog.ErrSuperseded):
	case ctx.Err() != nil, cause == errStopped:
		s.putBack(ctx, job) // if it was given up, there is nothing to put back
	default:
		if cause == errTimeout {
			err = cause
		}
		s.fail(context.WithoutCancel(ctx), job, err)
	}
}

// putBack returns a job to the queue.
func (s *Service) putBack(ctx context.Context, job *catalog.Job) {
	if err := s.st.Requeue(context.WithoutCancel(ctx), job); err != nil && !errors.Is(err, catalog.ErrSuperseded) {
		s.log.Error("putting a job back", s.about(job, "error", err)...)
	}
	s.wakeWorkers(1)
}

// fail records what stopped a job. What is not the file's fault nor a budget's
// is tried again by the next process.
func (s *Service) fail(ctx context.Context, job *catalog.Job, err error) {
	finding, version := s.findingOf(err), decode.Version
	if finding.Kind == model.KindInternal {
		s.log.Error("decoding failed", s.about(job, "error", err)...)
		if _, panicked := errors.AsType[*panicError](err); !panicked {
			version = 0
		}
	} else {
		s.log.Info("not decodable", s.about(job, "finding", finding.Code, "error", err)...)
	}
	if err := s.st.Fail(ctx, job, finding, version); err != nil && !errors.Is(err, catalog.ErrSuperseded) {
		s.log.Error("recording a failure", s.about(job, "error", err)...)
	}
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
	if fe, ok := errors.AsType[*model.FormatError](err); ok {
		return s.dec.FindingOf(fe.File, err)
	}
	f := model.Finding{Severity: model.Error, Code: "internal.error", Kind: model.KindInternal,
		Message: "the profile could not be decoded, through no fault of the file: " + err.Error(),
		Remedy:  "the files are kept; decoding is tried again when the server restarts"}
	if err == errTimeout {
		f.Code, f.Kind = "limit.timeout", model.KindTimeout
		f.Message = fmt.Sprintf("decoding took longer than %v and was stopped", s.config.DecodeTimeout)
		f.Cause = "the profile is very large, or the server very busy"
		f.Remedy = "start the server with a longer -decode-timeout and upload the files again"
	} else if p, ok := errors.AsType[*panicError](err); ok {
		f.Code, f.Message = "internal.panic", "the decoder failed on this file: "+fmt.Sprint(p.value)
		f.Cause, f.Remedy = "a fault in Proflens", "the files are kept; please report the fault: a later version will decode them without another upload"
	} else if errors.Is(err, errAttempts) {
		f.Code, f.Message = "internal.attempts", err.Error()
		f.Cause, f.Remedy = "decoding this file may need more memory than the server has", "upload it to a server with more memory"
	}
	return f
}

var errAttempts = errors.New("the server stopped again and again while it decoded this profile")

// panicError is a panic in a decoder, with its stack for the log.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// keptFinding ends a job whose finding was known before.
type keptFinding struct{ finding model.Finding }

func (e *keptFinding) Error() string { return e.finding.Message }

// decode writes the job's tables. A panic in a decoder, or a page of the disk
// that cannot be read, ends here and costs this profile only.
func (s *Service) decode(ctx context.Context, job *catalog.Job, r *run) (figures stored.Figures, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{v, debug.Stack()}
		}
	}()
	if job.Attempts >= maxAttempts {
		return stored.Figures{}, &keptFinding{s.findingOf(errAttempts)}
	}
	for _, f := range job.Files {
		if f.Finding != nil {
			return stored.Figures{}, &keptFinding{*f.Finding}
		}
	}
	files, closer, err := openFiles(s.st, job.Files)
	if err != nil {
		return stored.Figures{}, err
	}
	defer closer.Close()

	for i := range files {
		files[i].Is = new(recogniseOne(s.dec, files[i].Name, files[i].Data))
	}
	describe := files[0].Is.Describe
	r.report(StageRecognised, describe, 0, 0)
	profile, err := s.dec.Open(ctx, files, format.Options{
		Record:   true, // the sections are shown with each file
		Salvage:  salvaged(job.Files),
		Progress: func(done, total uint64) { r.report(StageDecoding, describe, done, total) },
	})
	if err == nil {
		err = profile.Fault()
	}
	if err != nil {
		return stored.Figures{}, err
	}
	path, preview := s.st.BuildPath(job)
	in := profiledb.Input{Profile: profile, Files: InputsOf(profile, job.Files), Preview: preview}
	return profiledb.Write(ctx, path, in, func(done, total uint64) { r.report(StageStoring, describe, done, total) })
}

// InputsOf says what each file of a profile is, for its tables; files are as
// they were given to decode.Open.
func InputsOf(p *format.Profile, files []catalog.FileEntry) []stored.Input {
	inputs := make([]stored.Input, len(files))
	for i, f := range files {
		inputs[i] = stored.Input{Name: f.Name, SHA256: f.SHA256, Size: f.Size}
		if i < len(p.Inputs) {
			info := &p.Inputs[i].Info
			inputs[i].Describe, inputs[i].Format, inputs[i].Version = info.Describe, info.Format, info.Version
			inputs[i].Sections = p.Inputs[i].Sections
			if len(info.Partial) > 0 {
				partial := info.Partial[0]
				partial.File = f.Name
				inputs[i].Partial = &partial
			}
		}
	}
	return inputs
}
