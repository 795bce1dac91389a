package sampledb

import (
	"context"

	"proflens/analyze"
	"proflens/decode/sampleprof"
	"proflens/profile/ranks"
	"proflens/profile/stored"
)

// Ranks are the functions for comparisons with profiles of other families. Instrumentation
// counts a function wherever its code is, so these are own samples, and entries also where
// it is inlined. The error is the context's, or about the file.
func (p *Profile) Ranks(ctx context.Context) (*ranks.Profile, error) {
	return stored.Cached(ctx, p.Profile, "ranks", func() (*ranks.Profile, int64, error) {
		x, err := p.index(ctx)
		if err != nil {
			return nil, 0, err
		}
		entries, most := make([]analyze.Sum, len(x.names)), make([]uint64, len(x.names))
		estimate := &sampleprof.Profile{Flags: p.Overview.Flags}
		err = p.eachNode(ctx, func(_ int, n *node) {
			entries[n.f.Name].Add(estimate.Entry(n.f))
			for i := range n.f.Body {
				most[n.f.Name] = max(most[n.f.Name], n.f.Body[i].Count)
			}
		})
		if err != nil {
			return nil, 0, err
		}
		list := &ranks.Profile{Unit: "samples", Entered: true, Sampled: true}
		heats := map[Heat]ranks.Heat{Hot: ranks.Hot, Warm: ranks.Warm, Cold: ranks.Cold}
		for i := range x.names {
			n := &x.names[i]
			if n.Entries == 0 && n.Own() == 0 {
				continue
			}
			f := ranks.Function{
				Linkage: n.Linkage, GUID: n.GUID, ID: n.GUID, Entry: entries[i], Heat: heats[p.Overview.HeatOf(most[i])],
			}
			f.Total.Add(n.Own())
			list.Add(f)
		}
		return list, list.Bytes(), nil
	})
}
