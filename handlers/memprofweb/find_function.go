package memprofweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/calltree"
	"proflens/profile/memprofdb"
	"proflens/profile/stored"
)

// findFunction finds a function in the call stacks of another profile.
func findFunction(ctx context.Context, profile *stored.Profile, base string, pgo []byte) (*site.Occurrence, error) {
	p, err := memprofdb.Of(profile)
	if err != nil {
		return nil, err
	}
	_, linkage := names.Split(pgo)
	h, err := p.Function(ctx, memprofdb.FIDOf([]byte(linkage)), 0)
	if err != nil {
		return nil, err
	}
	flame := site.NewAddress(base+"/flame").With("layout", string(calltree.Sandwich))
	share := humanize.Part(h.All.Bytes.Float64(), p.Overview.Bytes.Float64())
	return &site.Occurrence{
		FID: site.FID(h.FID), Measure: "bytes", Total: h.All.Bytes, Share: share,
		Figure: humanize.SumBytes(h.All.Bytes),
		Says:   humanize.Say("{:count object} below it, {%} of all bytes", h.All.Allocations, share),
		URL:    flame.With("around", site.FID(h.FID)).String(),
	}, nil
}
