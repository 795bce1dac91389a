package dcpidb

import (
	"context"

	"proflens/analyze"
	"proflens/names"
	"proflens/profile/query"
)

// inNamed tests addresses for being in procedures whose names have all words of a text.
func (p *Profile) inNamed(ctx context.Context, plan *plan, m *matrix, text, regexp string) (query.Test, error) {
	matcher, err := names.NewMatcher(text, regexp)
	if err != nil {
		return nil, err
	}
	type image struct {
		symbols *analyze.ProcedureMap
		named   []bool
	}
	images := make([]image, len(p.Overview.Images))
	for i := range plan.byImage {
		symbols, err := p.procedures(ctx, i, plan.shift)
		if err != nil {
			return nil, err
		}
		images[i] = image{symbols, make([]bool, symbols.Len())}
		for n := range images[i].named {
			s, _ := symbols.At(n)
			images[i].named[n] = matcher.Match([]byte(s.Name))
		}
	}
	return func(i uint32) bool {
		at, _, address := m.place(i)
		n, ok := images[at].symbols.Find(address)
		return ok && images[at].named[n]
	}, nil
}
