package dcpidb

import (
	"proflens/decode/dcpi"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// Family is how DCPI's samples are kept.
var Family = stored.Family{
	Name:    dcpi.Family,
	Called:  "DCPI",
	Prepare: prepare,
	Rows:    []stored.RowTable{{Name: "sample", Fill: sampleRows}},
}

// Profile is the samples of an open profile. It is shared by all who have the
// profile open, and safe for concurrent use.
type Profile struct {
	*stored.Profile
	// Overview is its images and its profiles.
	Overview *Overview

	chunks *btree.Table
}

// Of is the samples of an open profile; stored.ErrNoPart when it has none.
func Of(p *stored.Profile) (*Profile, error) {
	return stored.Part(p, dcpi.Family, func(p *stored.Profile) (*Profile, error) {
		d := &Profile{Profile: p}
		var err error
		if d.Overview, err = readOverview(p); err != nil {
			return nil, err
		}
		d.chunks, err = p.Table("sample_chunk")
		return d, err
	})
}
