package sampledb

import (
	"context"

	"proflens/decode/sampleprof"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// Family is how sample profiles are kept.
var Family = stored.Family{
	Name:    sampleprof.Family,
	Called:  "sample",
	Prepare: prepare,
	Rows: []stored.RowTable{
		{Name: "sample_context", Fill: contextRows}, {Name: "sample_inlined", Fill: inlinedRows},
		{Name: "sample_line", Fill: lineRows},
		{Name: "sample_target", Fill: targetRows}, {Name: "sample_vtable", Fill: vtableRows},
	},
}

// Profile is the samples of an open profile. It is shared by all who have the profile
// open, and safe for concurrent use.
type Profile struct {
	*stored.Profile
	// Overview is everything about it that is not a row of a table.
	Overview *Overview

	functions *btree.Table
	n         int // rows of it
}

// maxRows is how many rows a table can have: ids are 31 bits.
const maxRows = 1<<31 - 1

// Of is the samples of an open profile; stored.ErrNoPart when it has none.
func Of(p *stored.Profile) (*Profile, error) {
	return stored.Part(p, sampleprof.Family, func(p *stored.Profile) (*Profile, error) {
		o, err := readOverview(p)
		if err != nil {
			return nil, err
		}
		functions, err := p.Table("sample_function")
		return &Profile{p, o, functions, o.Entries}, err
	})
}

func prepare(ctx context.Context, in *stored.Preparing) (stored.Prepared, error) {
	return newTables(ctx, in.Records.(*sampleprof.Profile))
}
