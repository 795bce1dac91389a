package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"

	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/ingest/unpack"
)

// maxSources is how many files an archive of sources may hold, of any kind: a
// repository has many that no profile names.
const maxSources = 1 << 17

// Sources is the text of a profile's sources on its way in. Its methods must not be
// called at the same time. It must be ended by Commit or Discard.
type Sources struct {
	s        *Service
	wanted   *sources.Names
	files    []string // that are wanted, by index
	staged   *catalog.Staged
	archive  *sources.Writer
	uploaded int64 // bytes, as they came
	budget   unpack.Budget
	left     int
}

// BeginSources takes in the text of some files, by the names that the profile has.
func (s *Service) BeginSources(files []string) (*Sources, error) {
	staged, err := s.st.Stage()
	if err != nil {
		return nil, err
	}
	return &Sources{
		s: s, wanted: sources.NewNames(files), files: files, staged: staged, archive: sources.NewWriter(staged),
		budget: unpack.Budget{
			Bytes: s.config.MaxExpanded, Ratio: s.config.MaxRatio, Members: maxSources, Depth: maxDepth,
			TempDir: s.st.StagingDir(),
		},
	}, nil
}

// Add streams one file in, or those of an archive. What no profile names is left out.
// It returns *LimitError, *unpack.Error, the reader's errors, and the disk's.
func (b *Sources) Add(ctx context.Context, filename string, r io.Reader) error {
	raw, err := b.s.st.Scratch()
	if err != nil {
		return err
	}
	defer raw.Discard()
	left := b.s.config.MaxUpload - b.uploaded
	n, err := io.Copy(raw, &io.LimitedReader{R: ctxReader{ctx, r}, N: left + 1})
	b.uploaded += n
	if err != nil {
		return err
	}
	if n > left {
		return &LimitError{Limit: "max-upload", Max: b.s.config.MaxUpload, Found: b.uploaded, Unit: "bytes"}
	}
	if !unpack.Packed(raw) {
		return b.keep(b.wanted.Find(filename), filename, io.NewSectionReader(raw, 0, raw.Size))
	}
	return unpack.Expand(ctx, raw, raw.Size, filename, &b.budget, func(name string, r io.Reader) error {
		return b.keep(b.wanted.FindIn(name), name, r)
	})
}

func (b *Sources) keep(file int, from string, r io.Reader) error {
	if file < 0 {
		b.left++
		return nil
	}
	added, err := b.archive.Add(b.files[file], from, r)
	if !added {
		b.left++
	}
	return err
}

// AddDiff keeps a diff of the sources, by its digest.
func (b *Sources) AddDiff(digest string, diff []byte) error {
	added, err := b.archive.Add(sources.DiffName(digest), digest, bytes.NewReader(diff))
	if err == nil && !added {
		err = errors.New("a diff that is kept may have at most 16 MiB, of text; POST it to the API, which keeps nothing")
	}
	return err
}

// Kept is what became of an upload of sources.
type Kept struct {
	Files   int // that have text now, those of earlier uploads too
	Left    int // that were sent and that the profile does not name, or that are no text
	Mapped  int // that the profile names
	Changed bool
}

// Commit gives the text to a profile. Files that it has text of already keep it unless
// they came again. Without any file of the profile nothing changes.
func (b *Sources) Commit(ctx context.Context, id string) (Kept, error) {
	k := Kept{Left: b.left, Mapped: len(b.files), Changed: !b.archive.Empty()}
	had, closed, err := b.s.st.OpenSources(ctx, id)
	if err != nil {
		return k, err
	}
	if had != nil {
		defer closed()
		if err := b.archive.Keep(had); err != nil {
			return k, err
		}
	}
	k.Files = b.archive.Files()
	if !k.Changed {
		return k, nil
	}
	if err := b.archive.Close(); err != nil {
		return k, err
	}
	if err := b.staged.Seal(); err != nil {
		return k, err
	}
	return k, b.s.st.SetSources(ctx, id, b.staged)
}

// Discard drops what has come. After Commit it does nothing.
func (b *Sources) Discard() { b.staged.Discard() }
