package covweb

import (
	"context"
	"slices"

	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/views/covview"
)

// mostThings is how many things of each family the inspector lists at a line.
const mostThings = 20

// beside puts what other families have by line beside the lines of a file.
func (s *handler) beside(ctx context.Context, v *source, m *covview.Source) error {
	t, err := s.Lines(ctx, v.profile)
	if err != nil || t == nil {
		return err
	}
	if v.figures = t.Find(v.name); v.figures == nil {
		return nil
	}
	v.figured = t
	for i := range t.Columns {
		m.Figures = append(m.Figures, covview.FigureHead{Label: t.Columns[i].Label, Title: t.Columns[i].Title})
	}
	if v.q.sel == 0 {
		return nil
	}
	things, err := s.AtLine(ctx, v.profile, v.q.base, v.figures.Name, v.q.sel, mostThings)
	m.Things = sourceweb.Groups(things)
	return err
}

// figuresAt are the figures of a line, nil where the file has none at all.
func (v *source) figuresAt(line uint32) []humanize.Number {
	if v.figures == nil {
		return nil
	}
	list := make([]humanize.Number, len(v.figured.Columns))
	if i, ok := slices.BinarySearch(v.figures.Lines, line); ok {
		for c, n := range v.figures.At(i) {
			list[c] = site.FigureOf(&v.figured.Columns[c], n)
		}
	}
	return list
}
