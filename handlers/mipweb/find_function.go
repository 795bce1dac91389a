package mipweb

import (
	"context"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/mipdb"
	"proflens/profile/stored"
)

// findFunction finds a function in another profile of machine IR.
func findFunction(ctx context.Context, profile *stored.Profile, base string, pgo []byte) (*site.Occurrence, error) {
	p, err := mipdb.Of(profile)
	if err != nil {
		return nil, err
	}
	_, linkage := names.Split(pgo)
	if p.Overview.Underscore {
		linkage = "_" + linkage
	}
	f, err := p.Function(ctx, site.FID(model.GUID(linkage)))
	if err != nil {
		return nil, err
	}
	share := humanize.Part(f.CoveredBytes, uint64(f.Size))
	seen := &site.Occurrence{
		FID: f.FID, Measure: "covered", Total: analyze.Sum{Lo: f.CoveredBytes}, Share: share,
		URL: base + "/functions/" + f.FID,
		Figure: humanize.Number{
			Text: humanize.Percent(share, 1), Exact: humanize.Plural(f.CoveredBytes, "byte") + " covered",
		},
		Says: humanize.Say("{} of {block} ran", f.CoveredBlocks, f.Blocks),
	}
	switch {
	case !f.Executed:
		seen.Says = "never ran"
	case p.Overview.HasTimestamps():
		seen.First = &f.First
		seen.Says += ", first at position " + firstPosition(f.First)
	}
	return seen, nil
}
