package instrweb

import (
	"context"

	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/stored"
	"proflens/say"
)

// sight finds a function in the counters of another profile.
func sight(ctx context.Context, profile *stored.Profile, base string, pgo []byte) (*site.Sighting, error) {
	p, err := instrdb.Of(profile)
	if err != nil {
		return nil, err
	}
	ref := model.GUID(string(pgo))
	records, _, err := p.Function(ctx, ref, nil)
	if err != nil {
		return nil, err
	}
	best, _ := recordShown(records, nil)
	r := &records[best]
	seen := &site.Sighting{
		FID: site.FID(ref), Measure: "counts", Total: r.Total, Share: r.Share, Rank: r.Rank,
		Figure: say.Number{Text: say.Percent(r.Share, 1),
			Exact: say.Things(say.Group(r.Total.String()), "count", "counts")},
		Says: say.BigCount(r.Total.String()).Text + ", rank " + say.Int(r.Rank),
		URL:  base + "/functions/" + site.FID(ref), Own: records,
	}
	if r.Max == 0 {
		seen.Says = "never ran"
	}
	seen.FuncHashes = append(seen.FuncHashes, r.FuncHash)
	for i := range records {
		if i != best {
			seen.FuncHashes = append(seen.FuncHashes, records[i].FuncHash)
		}
	}
	return seen, nil
}
