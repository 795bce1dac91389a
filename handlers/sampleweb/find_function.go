package sampleweb

import (
	"context"
	"errors"
	"net/http"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/sampledb"
	"proflens/profile/stored"
)

// findFunction finds a function in another sample profile. Converters write names without what
// the compiler put behind them, unless it tells modules apart.
func findFunction(ctx context.Context, profile *stored.Profile, base string, pgo []byte) (*site.Occurrence, error) {
	p, err := sampledb.Of(profile)
	if err != nil {
		return nil, err
	}
	if len(pgo) == 0 {
		return nil, stored.ErrNoPart
	}
	_, linkage := names.Split(pgo)
	n, err := p.ByGUID(ctx, sampleprof.Hash(linkage))
	if errors.Is(err, stored.ErrNoPart) {
		n, err = p.ByGUID(ctx, model.GUID(linkage))
	}
	if err != nil {
		return nil, err
	}
	m, err := measured(ctx, p)
	if err != nil {
		return nil, err
	}
	samples, share := m.of(n)
	seen := &site.Occurrence{
		FID: site.FID(n.GUID), Measure: "samples", Total: analyze.Sum{Lo: samples}, Share: share, Rank: int(n.Rank),
		URL:    pageOf(base, n),
		Figure: humanize.Number{Text: humanize.Percent(share, 1), Exact: humanize.Plural(samples, "sample")},
		Says:   humanize.Say("{:count sample}, ", samples),
	}
	switch {
	case n.Rank > 0:
		seen.Says += "rank " + humanize.Int(n.Rank)
	case n.InlinedAt > 0:
		seen.Says += "inlined everywhere"
	default:
		seen.Says = "no samples"
	}
	switch n.Fit {
	case sampleprof.FitStale:
		seen.Says += "; stale"
	case sampleprof.FitGone:
		seen.Says += "; gone from its program"
	}
	return seen, nil
}

// measure is what the samples of a function are measured by: of one with a row of its own
// its total among all totals, of one that is only inlined its counts among all counts.
type measure struct {
	totals uint64
	counts float64
}

func measured(ctx context.Context, p *sampledb.Profile) (measure, error) {
	totals, err := p.Totals(ctx)
	return measure{totals, p.Overview.Samples.Float64()}, err
}

func (m measure) of(n *sampledb.Name) (samples uint64, share float64) {
	if n.Entries > 0 {
		return n.Total, humanize.Part(n.Total, m.totals)
	}
	return n.Own(), humanize.Part(float64(n.Own()), m.counts)
}

// suggest finds functions for the search box, those with the most samples first.
func (s *handler) suggest(ctx context.Context, r *http.Request, text string,
	limit int) ([]site.Suggestion, bool, error) {
	p := s.samples(r)
	rows, whole, err := p.Suggest(ctx, text, limit, site.SuggestTime)
	if err != nil {
		return nil, false, err
	}
	m, err := measured(ctx, p)
	return site.Suggestions(rows, func(n **sampledb.Name) site.Suggestion {
		samples, share := m.of(*n)
		return site.Suggestion{
			FID: site.FID((*n).GUID), PGO: (*n).Linkage, Measure: "samples", Total: analyze.Sum{Lo: samples}, Share: share,
		}
	}), whole, err
}
