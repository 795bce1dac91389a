package site

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"strings"

	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/profile/budget"
	"proflens/profile/stored"
)

// SourceNames are the source files that a profile names, each once however its families
// spell it. Without one the error is errNoSources.
func (s *Site) SourceNames(ctx context.Context, e *catalog.Entry) ([]string, error) {
	p, err := s.Store.Open(ctx, e)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var all []string
	known := map[string]bool{}
	add := func(names []string) {
		for _, name := range names {
			if clean := sources.Clean(name); !known[clean] {
				known[clean] = true
				all = append(all, name)
			}
		}
	}
	for _, f := range s.familiesOf(e.Families) {
		if f.Sources == nil {
			continue
		}
		names, err := f.Sources(ctx, p)
		if err != nil {
			return nil, err
		}
		add(names)
	}
	t, err := s.Lines(ctx, p)
	if err != nil {
		return nil, err
	}
	if t != nil {
		for i := range t.Files {
			add([]string{t.Files[i].Name})
		}
	}
	if len(all) == 0 {
		return nil, errNoSources
	}
	return all, nil
}

// SourceText is the text of one of these files: of what was given as sources, or of the
// files that the profile was uploaded with. ok is false where there is none, or none that
// can be shown: it has too many lines.
func (s *Site) SourceText(ctx context.Context, e *catalog.Entry, name string) (text []byte, ok bool, err error) {
	if err := budget.Take(ctx, textBytes); err != nil {
		return nil, false, err
	}
	defer budget.Give(ctx, textBytes) // what is kept of it is small
	text, ok, err = s.wholeText(ctx, e, name)
	if bytes.Count(text, []byte("\n")) >= maxLines {
		return nil, false, err
	}
	return text, ok, err
}

// SourcesVersion tells the sources that were given from those that were given before; what a profile was
// uploaded with stays.
func (s *Site) SourcesVersion(ctx context.Context, e *catalog.Entry) (string, error) {
	f, err := s.Store.Sources(ctx, e.ID)
	if f == nil || err != nil {
		return "", err
	}
	return f.SHA256, nil
}

// What a text that is shown has at most, and what one takes in memory with its lines.
const (
	maxLines  = 1 << 20
	textBytes = 2*sources.MaxText + 24*maxLines
)

func (s *Site) wholeText(ctx context.Context, e *catalog.Entry, name string) (text []byte, ok bool, err error) {
	if text, ok, err = s.givenText(ctx, e, name); ok || err != nil {
		return text, ok, err
	}
	if text, ok, err = s.embeddedText(ctx, e, name); ok || err != nil {
		return text, ok, err
	}
	f := uploadedSource(e, name)
	if f == nil {
		return nil, false, nil
	}
	original, err := s.Store.OpenObject(ctx, f.SHA256)
	if err != nil {
		return nil, false, err
	}
	defer original.Close()
	text, err = io.ReadAll(io.LimitReader(original, sources.MaxText))
	return text, err == nil && sources.IsText(text), err
}

// givenText is the text of a file among those that were given as sources. That of the last
// file is kept: a long one is read page by page.
func (s *Site) givenText(ctx context.Context, e *catalog.Entry, name string) (text []byte, ok bool, err error) {
	f, err := s.Store.Sources(ctx, e.ID)
	if f == nil || err != nil {
		return nil, false, err
	}
	text, err = stored.CachedVersion(ctx, "text of a source", f.SHA256+" "+name, func() ([]byte, int64, error) {
		file, err := s.Store.OpenObject(ctx, f.SHA256)
		if err != nil {
			return nil, 0, err
		}
		defer file.Close()
		archive, err := sources.Open(file, f.Size)
		if err != nil {
			return nil, 0, err
		}
		text, _, err := archive.Text(name)
		return text, int64(len(text)), err
	})
	return text, text != nil, err
}

// embeddedText is the text of a file that a program of the profile holds.
func (s *Site) embeddedText(ctx context.Context, e *catalog.Entry, name string) (text []byte, ok bool, err error) {
	p, err := s.Store.Open(ctx, e)
	if err != nil {
		return nil, false, err
	}
	defer p.Close()
	names, err := embeddedNames(ctx, p)
	if err != nil {
		return nil, false, err
	}
	at := names.Find(name)
	if at < 0 {
		return nil, false, nil
	}
	text, err = p.Embedded(at, sources.MaxText)
	return text, err == nil, err
}

// embeddedNames are the files whose text the programs of a profile hold.
func embeddedNames(ctx context.Context, p *stored.Profile) (*sources.Names, error) {
	return stored.Cached(ctx, p, "embedded sources", func() (*sources.Names, int64, error) {
		list, err := p.EmbeddedNames()
		size := int64(0)
		for _, name := range list {
			size += int64(len(name)) + 100
		}
		return sources.NewNames(list), size, err
	})
}

// SourceEmbedded reports whether the text of a file is the one that a program of the profile
// holds: none was given in its place.
func (s *Site) SourceEmbedded(ctx context.Context, e *catalog.Entry, name string) (bool, error) {
	archive, closed, err := s.Store.OpenSources(ctx, e.ID)
	if err != nil {
		return false, err
	}
	if closed != nil {
		defer closed()
	}
	p, err := s.Store.Open(ctx, e)
	if err != nil {
		return false, err
	}
	defer p.Close()
	names, err := embeddedNames(ctx, p)
	return err == nil && !archive.Has(name) && names.Find(name) >= 0, err
}

// SourcesWithText reports for each of some files whether it has text.
func (s *Site) SourcesWithText(ctx context.Context, e *catalog.Entry, names []string) ([]bool, error) {
	archive, closed, err := s.Store.OpenSources(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	if closed != nil {
		defer closed()
	}
	p, err := s.Store.Open(ctx, e)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	embedded, err := embeddedNames(ctx, p)
	if err != nil {
		return nil, err
	}
	has := make([]bool, len(names))
	for i, name := range names {
		has[i] = archive.Has(name) || embedded.Find(name) >= 0
	}
	found := sources.NewNames(names)
	for i := range e.Files {
		if at := found.FindIn(e.Files[i].Name); at >= 0 && e.Files[i].Size <= sources.MaxText {
			has[at] = true
		}
	}
	return has, nil
}

// projectLabel is a profile's project, for a template of sources.
const projectLabel = "project"

// SourceLinks are the addresses of a profile's sources on another host: by its own
// template, which wins, or by the server's. Nil where there is neither.
func (s *Site) SourceLinks(e *catalog.Entry) *sources.Links {
	template := s.SourceURL
	if own := e.Labels[sources.TemplateLabel]; own != "" {
		template, _ = sources.ParseTemplate(own) // looked at when it came
	}
	labels := map[string]string{projectLabel: e.Project}
	maps.Copy(labels, e.Labels)
	return template.Links(labels)
}

// uploadedSource is the file of a profile whose name has most of a source's; nil: none.
func uploadedSource(e *catalog.Entry, name string) *catalog.FileEntry {
	wanted := sources.NewNames([]string{name})
	var best *catalog.FileEntry
	for i := range e.Files {
		f := &e.Files[i]
		if f.Size <= sources.MaxText && wanted.FindIn(f.Name) == 0 && (best == nil || len(f.Name) > len(best.Name)) {
			best = f
		}
	}
	return best
}

// FromForm reports whether a request is that of a form of a page, which is answered with
// a page.
func (s *Site) FromForm(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/p/")
}
