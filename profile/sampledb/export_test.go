package sampledb

import (
	"context"
	"slices"

	"proflens/decode/sampleprof"
)

// Whole is the profile as decoders have it, in memory: for what looks at all of it at once.
// Its summary is that of the overview. The error is the context's, or about the file.
func (p *Profile) Whole(ctx context.Context) (*sampleprof.Profile, error) {
	all, err := p.Names(ctx)
	if err != nil {
		return nil, err
	}
	o := p.Overview
	s := &sampleprof.Profile{
		Format: o.Format, Version: o.Version, Flags: o.Flags, Reader: o.Reader, Names: make([]sampleprof.Name, len(all)),
	}
	if o.OwnSummary {
		summary := o.Summary
		s.Summary = &summary
	}
	for i := range all {
		s.Names[i] = all[i].text()
	}
	err = p.Each(ctx, func(e *Entry) error {
		if len(e.Context) > 0 {
			e.Function.Context = int32(len(s.Contexts))
			s.Contexts = append(s.Contexts, slices.Clone(e.Context))
		}
		s.Functions = append(s.Functions, e.Function)
		return nil
	})
	return s, err
}
