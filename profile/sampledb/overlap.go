package sampledb

import (
	"context"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
	"proflens/internal/recovery"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// OverlapWith is how much another profile is like this one, as llvm-profdata overlap has
// it, without the functions one by one. It looks at all of both. Errors are those of
// [sample.OverlapOf], the context's, or about the files.
func (p *Profile) OverlapWith(ctx context.Context, test *Profile) (*sample.Overlap, error) {
	return stored.Cached(ctx, p.Profile, query.CacheKey("sample overlap", test.ID()),
		func() (*sample.Overlap, int64, error) {
			if err := p.Overview.Flags.Comparable(test.Overview.Flags, sampleprof.AllFlags); err != nil {
				return nil, 0, err
			}
			var sides [2]*sample.Side
			g, within := recovery.WithContext(ctx)
			for i, p := range []*Profile{p, test} {
				g.Go(func() (err error) {
					sides[i], err = p.side(within)
					return err
				})
			}
			if err := g.Wait(); err != nil {
				return nil, 0, err
			}
			o, err := sample.OverlapOf(ctx, sides[0], sides[1])
			if err != nil {
				return nil, 0, err
			}
			o.Details = nil
			return o, 256, ctx.Err()
		})
}

// side is the profile as one of two that are compared.
func (p *Profile) side(ctx context.Context) (*sample.Side, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	h, err := p.heads(ctx, x)
	if err != nil {
		return nil, err
	}
	s := &sample.Side{Flags: p.Overview.Flags, Hot: p.Overview.HotCount, GUIDs: make([]uint64, len(x.names))}
	for i := range x.names {
		s.GUIDs[i] = x.names[i].GUID
	}
	for i := range h.rows {
		r := &h.rows[i]
		s.Keys = append(s.Keys, s.KeyOf(sampleprof.NameID(r.Of.ID-1), h.contextOf(x, uint32(i))))
		s.Figures = append(s.Figures, sample.Figures{Sum: r.Sum, Max: r.Max})
	}
	s.Reader = func() func(i int) (*sampleprof.Function, error) {
		c := p.functions.Cursor()
		return func(i int) (*sampleprof.Function, error) {
			row, err := stored.Find(c, i+1)
			if err != nil {
				return nil, err
			}
			e, err := x.entry(row, true)
			return e.Function, err
		}
	}
	return s, nil
}
