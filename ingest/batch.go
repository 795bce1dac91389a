package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/ingest/unpack"
)

// The most files a batch may have, and the most layers of an archive.
const (
	maxFiles = 10_000
	maxDepth = 4
)

// Batch is the files of one upload, on their way in. Its methods must not be
// called at the same time. It must be ended by Commit or AddTo, or by Discard,
// which does nothing after these.
type Batch struct {
	s        *Service
	files    []catalog.NewFile
	uploaded int64 // bytes, as they came
	budget   unpack.Budget
}

// Begin opens a batch.
func (s *Service) Begin() (*Batch, error) {
	return &Batch{s: s, budget: unpack.Budget{
		Bytes: s.config.MaxExpanded, Ratio: s.config.MaxRatio, Members: maxFiles, Depth: maxDepth, TempDir: s.st.StagingDir(),
	}}, nil
}

// Add streams one file in and unpacks it if it is an archive. An archive that
// cannot be unpacked is kept as it came, with its finding. It returns
// *LimitError, *RequestError, the reader's errors, and the disk's.
func (b *Batch) Add(ctx context.Context, filename string, r io.Reader) error {
	if len(b.files) >= maxFiles {
		return &RequestError{"file", fmt.Sprintf("an upload may have at most %d files", maxFiles)}
	}
	staged, err := b.s.st.Stage()
	if err != nil {
		return err
	}
	files, err := b.receive(ctx, staged, unpack.CleanName(filename), r)
	if err != nil {
		staged.Discard()
		return err
	}
	b.files = append(b.files, files...)
	return nil
}

// receive copies one file into staging and returns what it holds.
func (b *Batch) receive(ctx context.Context, staged *catalog.Staged, name string,
	r io.Reader) ([]catalog.NewFile, error) {
	left := b.s.config.MaxUpload - b.uploaded
	n, err := io.Copy(staged, &io.LimitedReader{R: ctxReader{ctx, r}, N: left + 1})
	b.uploaded += n
	if err != nil {
		return nil, err
	}
	if n > left {
		return nil, &LimitError{Limit: "max-upload", Max: b.s.config.MaxUpload, Found: b.uploaded, Unit: "bytes"}
	}
	var finding *model.Finding
	if unpack.Packed(staged) {
		members, err := b.expand(ctx, staged, name)
		if err == nil {
			return members, staged.Discard()
		}
		fault, ok := errors.AsType[*unpack.Error](err)
		if !ok {
			return nil, err
		}
		finding = archiveFinding(name, staged.Size, fault)
	}
	return []catalog.NewFile{{Name: name, Staged: staged, Finding: finding}}, staged.Seal()
}

// expand unpacks a staged archive; all of its files, or none.
func (b *Batch) expand(ctx context.Context, archive *catalog.Staged,
	name string) (members []catalog.NewFile, err error) {
	defer func() {
		if err != nil {
			discard(members)
			members = nil
		}
	}()
	err = unpack.Expand(ctx, archive, archive.Size, name, &b.budget, func(name string, r io.Reader) error {
		staged, err := b.s.st.Stage()
		if err != nil {
			return err
		}
		members = append(members, catalog.NewFile{Name: name, Staged: staged})
		if _, err := io.Copy(staged, r); err != nil {
			return err
		}
		return staged.Seal()
	})
	return members, err
}

// archiveFinding is what a person is told about an archive that was kept packed.
func archiveFinding(name string, size int64, e *unpack.Error) *model.Finding {
	f := &model.Finding{Severity: model.Error, Code: "archive." + string(e.Kind), Kind: model.Kind(e.Kind),
		File: name, Section: "archive", Message: e.Message()}
	switch e.Kind {
	case unpack.TooLarge:
		f.Expected = fmt.Sprintf("at most %d %s", e.Limit, e.Unit)
		f.Cause = "a very large profile, or an archive designed to exhaust the server"
		f.Remedy = "unpack it and upload the files"
		if flag := "-max-expanded"; e.Budget {
			if e.Ratio > 0 {
				flag = "-max-ratio"
			}
			f.Remedy += ", or ask the server's operator for a higher " + flag
		}
	case unpack.Truncated:
		f.Offset = uint64(size)
		f.Cause = "the file was cut short while it was written or sent"
		f.Remedy = "pack it again, or upload the files as they are"
	case unpack.Unsupported:
		f.Cause = "an encrypted archive, or an uncommon compression method"
		f.Remedy = "upload the files as they are, or packed with gzip, zstd, xz, bzip2, zip or tar"
	default:
		f.Cause = "the archive was damaged after it was made"
		f.Remedy = "pack it again, or upload the files as they are"
	}
	return f
}

// Discard ends the batch and removes what it has received.
func (b *Batch) Discard() {
	discard(b.files)
	b.files = nil
}

func discard(files []catalog.NewFile) {
	for _, f := range files {
		f.Staged.Discard() // what stays behind is swept at the next start
	}
}

// ctxReader ends when the context does.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
