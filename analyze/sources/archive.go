package sources

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// MaxText is the most bytes that the text of one source may have.
const MaxText = 16 << 20

// Writer writes an archive of sources.
type Writer struct {
	zip       *zip.Writer
	have      map[string]int // the length of the path that each file came from
	diffs     int
	diffBytes uint64
}

// How many diffs an archive keeps, and bytes of them: the newest.
const (
	MaxDiffs     = 50
	maxDiffBytes = 32 << 20
)

// NewWriter writes an archive to w.
func NewWriter(w io.Writer) *Writer { return &Writer{zip: zip.NewWriter(w), have: map[string]int{}} }

// Files is how many files have text; diffs are none.
func (w *Writer) Files() (n int) {
	for name := range w.have {
		if !isDiff(name) {
			n++
		}
	}
	return n
}

// Empty reports whether there is nothing in the archive.
func (w *Writer) Empty() bool { return len(w.have) == 0 }

// Add adds the text of a file, by the name that the mapping has. Of several that are
// added for one name the one whose path had most of the name counts. A text of more
// than MaxText bytes, or with a byte of zero, is none: added is false.
func (w *Writer) Add(name, from string, r io.Reader) (added bool, err error) {
	if had, ok := w.have[name]; ok && had >= len(from) {
		return false, nil
	}
	text, err := io.ReadAll(io.LimitReader(r, MaxText+1))
	if err != nil || !IsText(text) {
		return false, err
	}
	to, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Comment: path.Clean(from), Method: zip.Deflate})
	if err != nil {
		return false, err
	}
	w.took(name, len(from), uint64(len(text)))
	_, err = to.Write(text)
	return true, err
}

// IsText reports whether a file can be that of a source: it has at most MaxText bytes, and no
// byte of zero near its beginning.
func IsText(text []byte) bool {
	return len(text) <= MaxText && bytes.IndexByte(text[:min(len(text), 8<<10)], 0) < 0
}

func (w *Writer) took(name string, from int, size uint64) {
	w.have[name] = from
	if isDiff(name) {
		w.diffs++
		w.diffBytes += size
	}
}

// Keep copies from another archive what has no text yet, and of its diffs the newest
// that there is room for.
func (w *Writer) Keep(a *Archive) error {
	for _, name := range slices.Concat(slices.DeleteFunc(a.Names(), isDiff), a.diffs) {
		f := a.files[name]
		if _, ok := w.have[name]; ok {
			continue
		}
		if isDiff(name) && (w.diffs >= MaxDiffs || w.diffBytes+f.UncompressedSize64 > maxDiffBytes) {
			break
		}
		if err := w.zip.Copy(f); err != nil {
			return err
		}
		w.took(name, len(f.Comment), f.UncompressedSize64)
	}
	return nil
}

// Close ends the archive.
func (w *Writer) Close() error { return w.zip.Close() }

// Archive is an archive of sources that is read.
type Archive struct {
	files map[string]*zip.File
	clean map[string]string // names by what Clean makes of them
	diffs []string          // their names, the newest first, as they were written
}

// Open reads the directory of an archive.
func Open(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // absolute names are names here, not places to write to
		return nil, fmt.Errorf("the archive of sources: %w", err)
	}
	a := &Archive{files: make(map[string]*zip.File, len(z.File)), clean: make(map[string]string, len(z.File))}
	for _, f := range z.File {
		if isDiff(f.Name) && a.files[f.Name] == nil {
			a.diffs = append(a.diffs, f.Name)
		}
		if had := a.files[f.Name]; had == nil || len(had.Comment) <= len(f.Comment) {
			a.files[f.Name] = f
			a.clean[Clean(f.Name)] = f.Name
		}
	}
	return a, nil
}

// Names are the files that have text, sorted, diffs among them.
func (a *Archive) Names() []string { return slices.Sorted(maps.Keys(a.files)) }

// DiffName is the name that the archive has for a diff of the sources, by its digest. No
// file has such a name: paths have no byte of zero.
func DiffName(digest string) string { return diffPrefix + digest }

const diffPrefix = "\x00diff/"

func isDiff(name string) bool { return strings.HasPrefix(name, diffPrefix) }

// Has reports whether a file has text. No archive has none.
func (a *Archive) Has(name string) bool { return a != nil && a.file(name) != nil }

// file is the entry of a name, however it is spelt.
func (a *Archive) file(name string) *zip.File {
	if f := a.files[name]; f != nil {
		return f
	}
	return a.files[a.clean[Clean(name)]]
}

// Text is the text of a file; ok is false where there is none.
func (a *Archive) Text(name string) (text []byte, ok bool, err error) {
	f := a.file(name)
	if f == nil {
		return nil, false, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, false, fmt.Errorf("the archive of sources: %w", err)
	}
	defer r.Close()
	text, err = io.ReadAll(io.LimitReader(r, MaxText))
	if err != nil {
		return nil, false, fmt.Errorf("the archive of sources: %w", err)
	}
	return text, true, nil
}
