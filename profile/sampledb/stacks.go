package sampledb

import (
	"context"

	"proflens/decode/sampleprof"
)

// Stack is a place in the tree of contexts and inlined callees, and what is there.
type Stack struct {
	// Names of its frames, the outermost first, as indices of Profile.Names; and for each
	// whether it is inlined into the one before. Both are valid until the next stack.
	Names   []uint32
	Inlined []bool
	Body    uint64 // own counts of the last
	Total   uint64 // its total, less the totals of what is inlined into it
}

// EachStack visits the stacks of the profile: of each function, under its calling context
// if it has one, and of each callee inlined into it. The error is that of visit, the
// context's, or about the file.
func (p *Profile) EachStack(ctx context.Context, visit func(s *Stack) error) error {
	var s Stack
	return p.Each(ctx, func(e *Entry) error {
		s.Names, s.Inlined = s.Names[:0], s.Inlined[:0]
		for i := range max(len(e.Context)-1, 0) {
			s.Names, s.Inlined = append(s.Names, uint32(e.Context[i].Name)), append(s.Inlined, false)
		}
		return s.walk(e.Function, false, visit)
	})
}

func (s *Stack) walk(f *sampleprof.Function, inlined bool, visit func(s *Stack) error) error {
	s.Names, s.Inlined = append(s.Names, uint32(f.Name)), append(s.Inlined, inlined)
	s.Body, s.Total = 0, f.Total
	for i := range f.Body {
		s.Body = sampleprof.Add(s.Body, f.Body[i].Count)
	}
	for _, site := range f.Sites {
		s.Total -= min(site.Callee.Total, s.Total)
	}
	err := visit(s)
	for _, site := range f.Sites {
		if err != nil {
			break
		}
		err = s.walk(site.Callee, true, visit)
	}
	s.Names, s.Inlined = s.Names[:len(s.Names)-1], s.Inlined[:len(s.Inlined)-1]
	return err
}
