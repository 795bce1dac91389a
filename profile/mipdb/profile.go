package mipdb

import (
	"context"

	"proflens/decode/mip"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// Family is how Machine IR Profiles are kept.
var Family = stored.Family{
	Name:    mip.Family,
	Called:  "machine IR",
	Prepare: prepare,
	Rows:    []stored.RowTable{{Name: "mip_block", Fill: blockRows}, {Name: "mip_run_function", Fill: runRows}},
}

// Profile is the machine IR of an open profile. It is shared by all who have the
// profile open, and safe for concurrent use.
type Profile struct {
	*stored.Profile
	// Overview is everything about it that is not a row of a table.
	Overview *Overview

	functions *btree.Table
	n         int // functions
}

// maxFunctions is how many functions a profile can hold: ids are 31 bits.
const maxFunctions = 1<<31 - 1

// Of is the machine IR of an open profile; stored.ErrNoPart when it has none.
func Of(p *stored.Profile) (*Profile, error) {
	return stored.Part(p, mip.Family, func(p *stored.Profile) (*Profile, error) {
		m := &Profile{Profile: p}
		var err error
		if m.Overview, err = stored.FillOne(p, "mip_module", (*Overview).columns); err != nil {
			return nil, err
		}
		if m.Overview.Functions > maxFunctions {
			return nil, stored.Damaged("%d functions of machine IR", m.Overview.Functions)
		}
		m.n = int(m.Overview.Functions)
		m.functions, err = p.Table("mip_function")
		return m, err
	})
}

func prepare(ctx context.Context, in *stored.Preparing) (stored.Prepared, error) {
	return newTables(ctx, in.Records.(*mip.Profile))
}
