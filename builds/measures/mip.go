package measures

import (
	"context"

	machineir "proflens/decode/mip"
	"proflens/profile/mipdb"
	"proflens/profile/table"
)

var mip = Family{
	Name:    machineir.Family,
	Needs:   "a Machine IR Profile",
	Figures: mipdb.Figures,
	Measures: pairs(
		"newly_dead count less Functions that no longer run: functions of both profiles that ran in the base "+
			"alone",
		"newly_covered count more Functions that run now: functions of both profiles that ran in the test alone",
		"stale part less Functions whose control flow changed: part of the functions of both profiles whose "+
			"control flow changed",
	),
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
		part(set, "stale", changed, both)
		return set, nil
	}),
}
