package covdb

import (
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/decode/unidiff"
)

// Changed says how the lines ran that a diff adds. text is the lines of a source file, by
// its name as recorded, and tells hunks that are of another version; nil, and a file
// without text, check nothing. Errors are those of text, the context's, or about the
// profile.
func (p *Profile) Changed(ctx context.Context, diff []unidiff.File,
	text func(name string) (lines [][]byte, ok bool, err error)) (*coverage.Changed, error) {
	names := p.FileNames()
	view := func(p *Profile) func(file int) (*coverage.View, error) {
		return func(file int) (*coverage.View, error) {
			if slices.Contains(p.out, p.files[file].Kind) {
				return &coverage.View{}, nil
			}
			c, at, err := p.File(ctx, file)
			if err != nil {
				return nil, err
			}
			return c.UnionView(at), nil
		}
	}
	x := coverage.Changer{Names: names, View: view(p)}
	if p.whole != nil {
		x.Whole = view(p.whole)
	}
	if text != nil {
		x.Text = func(file int) ([][]byte, bool, error) { return text(names[file]) }
	}
	return x.Changed(diff)
}
