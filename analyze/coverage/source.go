package coverage

import (
	"context"

	"proflens/decode/covmap"
	"proflens/decode/instrprof"
)

// ProfileOf is the records of a source, copied. Errors are the source's and the
// context's.
func ProfileOf(ctx context.Context, source instrprof.Source) (*Profile, error) {
	info := source.Info()
	p := &Profile{
		ConditionMasks: info.BitmapLayout() == instrprof.ConditionMasks, SingleByte: info.Variant.Has(instrprof.ByteCoverage),
	}
	p.Grow(int(min(info.Records, 1<<20)))
	for f, err := range source.Functions() {
		if err != nil {
			return nil, err
		}
		if len(p.records)%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.Add(f.Name, Record{Hash: f.FuncHash, Counters: f.Counters, Bitmap: f.Bitmap})
	}
	return p, nil
}

// JoinRecords joins what a profile has of source coverage.
func JoinRecords(ctx context.Context, r *covmap.Records, o Options) (*Coverage, error) {
	p, err := ProfileOf(ctx, r.Counters)
	if err != nil {
		return nil, err
	}
	return Join(ctx, r.Objects, p, o)
}
