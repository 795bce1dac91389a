package instrweb

import (
	"context"
	"math"

	"proflens/analyze"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/ranks"
	"proflens/profile/stored"
)

// rankHeats are the heats of classes.
var rankHeats = map[analyze.Class]ranks.Heat{
	analyze.Hot: ranks.Hot, analyze.Warm: ranks.Warm, analyze.Cold: ranks.Cold, analyze.Never: ranks.Never,
}

// ranked are the functions for comparisons with profiles of other families: plain records,
// those of one linkage name added up.
func ranked(ctx context.Context, of *stored.Profile) (*ranks.Profile, error) {
	p, err := instrdb.Of(of)
	if err != nil {
		return nil, err
	}
	return stored.Cached(ctx, of, "ranks", func() (*ranks.Profile, int64, error) {
		list := &ranks.Profile{Unit: "counts", Entered: analyze.HasEntry(p.Overview.Info.Variant)}
		const rows = 4096 // at a time
		for at := 0; at < math.MaxInt32; at += rows {
			page, err := p.Functions(ctx, instrdb.Query{Offset: at, Limit: rows})
			if err != nil {
				return nil, 0, err
			}
			if len(page.Rows) == 0 {
				break
			}
			for i := range page.Rows {
				r := &page.Rows[i]
				if r.CS || r.Pseudo {
					continue
				}
				_, linkage := names.Cut([]byte(r.PGO))
				f := ranks.Function{Linkage: linkage, GUID: r.Ref, ID: r.Ref, Total: r.Total, Heat: rankHeats[r.Class]}
				if list.Entered {
					f.Entry.Add(r.Entry)
				}
				list.Add(f)
			}
		}
		return list, list.Bytes(), nil
	})
}
