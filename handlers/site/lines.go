package site

import (
	"context"
	"net/http"

	"proflens/catalog"
	"proflens/internal/humanize"
	"proflens/profile/lines"
	"proflens/profile/stored"
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

// AtLineOf is what a part of a profile has at a line: find finds it, and thing shows one of it.
func AtLineOf[P, R any](title string, part func(*stored.Profile) (P, error),
	find func(records P, ctx context.Context, file string, line uint32, limit int) ([]R, int, error),
	thing func(ctx context.Context, records P, base string, r *R) (LineThing, error)) AtLine {
	return func(ctx context.Context, p *stored.Profile, base, file string, line uint32, limit int) (LineThings, error) {
		things := LineThings{Title: title}
		records, err := part(p)
		if err != nil {
			return things, err
		}
		rows, all, err := find(records, ctx, file, line, limit)
		for i := 0; i < len(rows) && err == nil; i++ {
			var one LineThing
			one, err = thing(ctx, records, base, &rows[i])
			things.List = append(things.List, one)
		}
		things.All = all
		return things, err
	}
}

// AtLine is what a family has at a line of a source file, at most limit things.
type AtLine func(ctx context.Context, p *stored.Profile, base, file string, line uint32, limit int) (LineThings, error)

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

// addFiles adds the tab of a profile whose families have figures by line, unless one of
// them has a page of files of its own.
func (s *Site) addFiles(r *http.Request, t *Tabs) {
	if t.Profile == nil || t.Entry.State != catalog.Ready || s.Answers(r, "/files") {
		return
	}
	if of, err := s.Lines(t.Context, t.Profile); err == nil && of != nil { // else its pages say why
		t.Add(FilesView, "/files", humanize.Int(len(of.Files)))
	}
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
