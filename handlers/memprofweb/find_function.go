package memprofweb

import (
	"context"
	"net/url"

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
	flame := site.Address{Path: base + "/flame", Query: url.Values{"layout": {string(calltree.Sandwich)}}}
	share := site.Part(h.All.Bytes.Float64(), p.Overview.Bytes.Float64())
	return &site.Occurrence{
		FID: site.FID(h.FID), Measure: "bytes", Total: h.All.Bytes, Share: share,
		Figure: humanize.BigBytes(h.All.Bytes.String()),
		Says: humanize.Things(humanize.BigCount(h.All.Allocations.String()).Text, "object", "objects") + " below it, " +
			humanize.Percent(share, 1) + " of all bytes",
		URL: flame.With("around", site.FID(h.FID)).String(),
	}, nil
}
