package covweb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"mime"
	"net/http"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/decode/unidiff"
	"proflens/encode/llvmcov"
	"proflens/handlers/site"
	"proflens/profile/budget"
	"proflens/profile/covdb"
	"proflens/profile/stored"
)

// changedFormats are the parameters of the call.
var changedFormats = []string{"format"}

// Formats of changed lines, beside JSON.
const (
	markdownFormat = "markdown"
	textFormat     = "text"
)

// changedOf is how the lines ran that a diff adds.
func (s *handler) changedOf(ctx context.Context, e *catalog.Entry, profile *stored.Profile,
	diff io.Reader) (*coverage.Changed, error) {
	p, err := covdb.Counted(ctx, profile)
	if err != nil {
		return nil, err
	}
	defer budget.Build(ctx)()
	files, err := unidiff.ParseWithin(diff, budget.NewMeter(ctx).Add)
	if err != nil {
		return nil, err
	}
	return p.Changed(ctx, files, func(name string) ([][]byte, bool, error) {
		text, ok, err := s.SourceText(ctx, e, name)
		return sources.Lines(text), ok, err
	})
}

// postChanged is POST /p/{id}/changed, and of the API: the body is a unified diff, or
// the file or the text of a form. The page keeps it, and leads to what it says; the API
// answers at once, and keeps nothing.
func (s *handler) postChanged(w http.ResponseWriter, r *http.Request) error {
	if s.FromForm(r) {
		diff, fields, err := readDiff(r)
		if err != nil {
			return err
		}
		return s.keepDiff(w, r, diff, fields)
	}
	diff := io.Reader(r.Body)
	if isForm(r) {
		sent, _, err := readDiff(r)
		if err != nil {
			return err
		}
		diff = bytes.NewReader(sent)
	}
	v := site.NewValues(r.URL.Query(), changedFormats)
	format := site.Choice(v, "format", "json", markdownFormat, textFormat)
	if v.Err != nil {
		return v.Err
	}
	p := s.coverage(r)
	changed, err := s.changedOf(r.Context(), s.Entry(r), s.Profile(r), diff)
	if err != nil {
		return err
	}
	return writeChanged(w, p, changed, format)
}

func writeChanged(w http.ResponseWriter, p *covdb.Profile, changed *coverage.Changed, format string) error {
	h := w.Header()
	switch format {
	case markdownFormat:
		h.Set("Content-Type", "text/markdown; charset=utf-8")
		return llvmcov.WriteChangedMarkdown(w, changed)
	case textFormat:
		h.Set("Content-Type", "text/plain; charset=utf-8")
		return llvmcov.WriteChangedText(w, changed)
	}
	h.Set("Content-Type", "application/json")
	return llvmcov.WriteChangedJSON(w, p.FileNames(), changed)
}

// keepDiff keeps a diff with the profile, by its digest, so that what it says has an
// address.
func (s *handler) keepDiff(w http.ResponseWriter, r *http.Request, diff []byte, fields map[string]string) error {
	if err := s.NeedsOwner(r, fields["token"]); err != nil {
		return err
	}
	if _, err := unidiff.ParseWithin(bytes.NewReader(diff), budget.NewMeter(r.Context()).Add); err != nil {
		return err
	}
	sum := sha256.Sum256(diff)
	digest := hex.EncodeToString(sum[:8])
	batch, err := s.Ingest.BeginSources(nil)
	if err != nil {
		return err
	}
	defer batch.Discard()
	if err := batch.AddDiff(digest, diff); err != nil {
		return &site.ParamError{Param: "diff", Msg: err.Error()}
	}
	if _, err := batch.Commit(context.WithoutCancel(r.Context()), s.Entry(r).ID); err != nil {
		return err
	}
	return site.SeeOther(w, r, s.Base(r)+"/changed?diff="+digest)
}

// readDiff reads the diff of a request, and the fields of a form.
func readDiff(r *http.Request) (diff []byte, fields map[string]string, err error) {
	m := budget.NewMeter(r.Context())
	read := func(from io.Reader) ([]byte, error) {
		data, err := io.ReadAll(taken{io.LimitReader(from, unidiff.MaxSize+1), m})
		if err == nil && len(data) > unidiff.MaxSize {
			err = &site.ParamError{Param: "diff", Msg: "a diff may have at most 64 MiB"}
		}
		return data, err
	}
	if !isForm(r) {
		diff, err = read(r.Body)
		return diff, nil, err
	}
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, nil, site.ErrBadMultipart
	}
	fields = map[string]string{}
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, site.ErrBadMultipart
		}
		data, err := read(part)
		if err != nil {
			return nil, nil, err
		}
		switch name := part.FormName(); {
		case name == "file" || name == "diff":
			if len(data) > 0 {
				diff = data
			}
		case len(fields) < 8 && len(data) < 1<<10:
			fields[name] = string(data)
		}
	}
	if diff == nil {
		return nil, nil, site.ErrNoFiles
	}
	return diff, fields, nil
}

// isForm reports whether the body of a request is a form with files.
func isForm(r *http.Request) bool {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return media == "multipart/form-data"
}

// taken reads what is held whole: a slice that grows stands there twice.
type taken struct {
	io.Reader
	m *budget.Meter
}

// Read implements [io.Reader].
func (t taken) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if wrong := t.m.Add(2 * n); wrong != nil {
		return 0, wrong
	}
	return n, err
}

// keptDiff is a diff that was kept; ok is false where there is none of that digest.
func (s *handler) keptDiff(ctx context.Context, e *catalog.Entry, digest string) ([]byte, bool, error) {
	archive, closed, err := s.Store.OpenSources(ctx, e.ID)
	if archive == nil || err != nil {
		return nil, false, err
	}
	defer closed()
	return archive.Text(sources.DiffName(digest))
}
