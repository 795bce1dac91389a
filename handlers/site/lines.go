package site

import (
	"context"
	"net/http"

	"proflens/catalog"
	"proflens/internal/humanize"
	"proflens/profile/lines"
	"proflens/profile/stored"
	"proflens/views/page"
)

// FilesView is the page of a profile's source files.
const FilesView View = "Files"

// LineThings is what a family has at a line of a source file.
type LineThings struct {
	Title string // "Functions declared here"
	List  []LineThing
	All   int // of which List may be the first
}

// LineThing is one of them.
type LineThing struct {
	Name  humanize.Name
	URL   string // of its page
	Value humanize.Number
}

// Lines are the figures by line that the families of a profile have, side by side; nil
// where none has any.
func (s *Site) Lines(ctx context.Context, p *stored.Profile) (*lines.Table, error) {
	return stored.Cached(ctx, p, "source lines", func() (*lines.Table, int64, error) {
		var list []*lines.Table
		for _, f := range s.Families {
			if f.Lines == nil || !p.Has(f.Name) {
				continue
			}
			t, err := f.Lines(ctx, p)
			if err != nil {
				return nil, 0, err
			}
			if t != nil && len(t.Files) > 0 {
				list = append(list, t)
			}
		}
		switch len(list) {
		case 0:
			return nil, 0, nil
		case 1:
			return list[0], 0, nil // which the family keeps
		}
		t := lines.Join(list...)
		return t, t.Bytes(), nil
	})
}

// AtLine is what the families of a profile have at a line.
func (s *Site) AtLine(ctx context.Context, p *stored.Profile, base, file string, line uint32,
	limit int) ([]LineThings, error) {
	var all []LineThings
	for _, f := range s.Families {
		if f.AtLine == nil || !p.Has(f.Name) {
			continue
		}
		things, err := f.AtLine(ctx, p, base, file, line, limit)
		if err != nil {
			return nil, err
		}
		if len(things.List) > 0 {
			all = append(all, things)
		}
	}
	return all, nil
}

// filesTab is the tab of a profile whose families have figures by line; none where one of
// them has a page of files of its own.
func (s *Site) filesTab(r *http.Request, e *catalog.Entry, p *stored.Profile, base string, current View) []page.Tab {
	if p == nil || e.State != catalog.Ready || s.Answers(r, "/files") {
		return nil
	}
	t, err := s.Lines(r.Context(), p)
	if err != nil || t == nil {
		return nil // its pages say why
	}
	return []page.Tab{Counted(Tab(FilesView, base+"/files", current), humanize.Int(len(t.Files)))}
}

// FigureOf writes a figure of a line.
func FigureOf(c *lines.Column, v uint64) humanize.Number {
	switch {
	case v == 0:
		return humanize.Number{}
	case c.Bytes:
		return humanize.Bytes(v)
	}
	return humanize.Count(v)
}
