package measures

import (
	"context"

	machineir "proflens/decode/mip"
	"proflens/profile/table"
	"proflens/profiledb/mipdb"
)

var mip = Family{
	Name:  machineir.Family,
	Needs: "a Machine IR Profile",
	Measures: []Measure{
		{Name: "functions", Title: "Functions", Unit: Count},
		{Name: "functions_run", Title: "Functions that ran", Unit: Part, Better: 1},
		{Name: "coverage", Title: "Bytes covered", Unit: Part, Better: 1},
		{Name: "blocks_run", Title: "Blocks that ran", Unit: Part, Better: 1},
		{Name: "calls", Title: "Calls", Unit: Count, Better: 1},
		{Name: "newly_dead", Title: "Functions that no longer run", Unit: Count, Better: -1, Pair: true},
		{Name: "newly_covered", Title: "Functions that run now", Unit: Count, Better: 1, Pair: true},
		{Name: "stale", Title: "Functions of other control flow", Unit: Part, Better: -1, Pair: true},
	},
	Of: of(mipdb.Of, func(_ context.Context, p *mipdb.Profile) (Set, error) {
		o := p.Overview
		set := Set{"functions": number(o.Functions)}
		set.put("functions_run", part(o.Executed, o.Functions))
		set.put("coverage", part(o.CoveredBytes, o.Bytes))
		if o.HasBlocks() {
			set.put("blocks_run", part(o.CoveredBlocks, o.Blocks))
		}
		if o.HasCalls() {
			set["calls"] = sum(o.Calls)
		}
		return set, nil
	}),
	Between: between(mipdb.Of, func(ctx context.Context, base, test *mipdb.Profile) (Set, error) {
		c, err := mipdb.Compare(ctx, base, test, mipdb.CompareCovered)
		if err != nil {
			return nil, err
		}
		both, changed := 0, 0
		c.Each(func(m *mipdb.ComparedRow) {
			if m.Base == nil || m.Test == nil {
				return
			}
			if both++; m.State&table.Changed != 0 {
				changed++
			}
		})
		set := Set{"newly_dead": number(c.Counts[mipdb.NewlyDead]), "newly_covered": number(c.Counts[mipdb.NewlyCovered])}
		set.put("stale", part(changed, both))
		return set, nil
	}),
}
