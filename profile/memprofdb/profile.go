package memprofdb

import (
	"context"

	"proflens/decode/memprof"
	"proflens/profile/stored"
)

// Family is how heap profiles are kept.
var Family = stored.Family{
	Name:    memprof.Family,
	Called:  "MemProf",
	Prepare: prepare,
	Rows: []stored.RowTable{
		{Name: "mib_frame", Fill: frameRows}, {Name: "mib_histogram", Fill: histogramRows},
		{Name: "heap_callee", Fill: calleeRows},
	},
}

// Profile is the heap profile of an open profile. It is shared by all who have
// the profile open, and safe for concurrent use.
type Profile struct {
	*stored.Profile
	// Overview is everything about it that is not a row of a table.
	Overview *Overview
}

// Of is the heap profile of an open profile; stored.ErrNoPart when it has none.
func Of(p *stored.Profile) (*Profile, error) {
	return stored.Part(p, memprof.Family, func(p *stored.Profile) (*Profile, error) {
		o, err := readOverview(p)
		return &Profile{p, o}, err
	})
}

func prepare(ctx context.Context, in *stored.Preparing) (stored.Prepared, error) {
	return newTables(ctx, in.Records.(*memprof.Profile), in.Others)
}
