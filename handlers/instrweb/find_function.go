package instrweb

import (
	"context"

	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
)

// findFunction finds a function in the counters of another profile.
func findFunction(ctx context.Context, profile *stored.Profile, base string, pgo []byte) (*site.Occurrence, error) {
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
	seen := &site.Occurrence{
		FID: site.FID(ref), Measure: "counts", Total: r.Total, Share: r.Share, Rank: r.Rank,
		Figure: humanize.Number{Text: humanize.Percent(r.Share, 1),
			Exact: humanize.Things(humanize.Group(r.Total.String()), "count", "counts")},
		Says: humanize.Say("{:count}, rank {}", r.Total, r.Rank),
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
