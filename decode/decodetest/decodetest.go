// Package decodetest opens profiles for tests, with their parts at hand.
package decodetest

import (
	"context"

	"proflens/decode"
	"proflens/decode/dcpi"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
)

// Profile is a decoded profile, whose records are those of its counters, and its
// other parts, nil where it has none.
type Profile struct {
	*format.Profile
	instrprof.Source
	MIP     *mip.Profile
	DCPI    *dcpi.Database
	MemProf *memprof.Profile
}

// Of takes a profile apart.
func Of(p *format.Profile) *Profile {
	d := &Profile{Profile: p, Source: llvm.SourceOf(p)}
	if d.Source == nil {
		d.Source = instrprof.NoRecords(&instrprof.Info{Info: p.Info})
	}
	d.MIP, _ = format.PartOf[*mip.Profile](p)
	d.DCPI, _ = format.PartOf[*dcpi.Database](p)
	d.MemProf, _ = format.PartOf[*memprof.Profile](p)
	return d
}

// Open is [decode.Open].
func Open(ctx context.Context, files []format.File, o format.Options) (*Profile, error) {
	p, err := decode.Open(ctx, files, o)
	if err != nil {
		return nil, err
	}
	return Of(p), nil
}

// Info is what the profile says of itself and of its counters.
func (p *Profile) Info() *instrprof.Info {
	info := *p.Source.Info()
	info.Info = p.Profile.Info
	return &info
}

// Findings are those of the whole profile.
func (p *Profile) Findings() []model.Finding { return p.Profile.Findings() }
