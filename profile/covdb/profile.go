package covdb

import (
	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/decode/covmap"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// Family is how source coverage is kept.
var Family = stored.Family{
	Name:    covmap.Family,
	Early:   true,
	Called:  "source coverage",
	Prepare: prepare,
	Rows: []stored.RowTable{
		{Name: "coverage_region", Fill: regionRows}, {Name: "coverage_condition", Fill: conditionRows},
	},
}

// Profile is the source coverage of an open profile. It is shared by all who have
// the profile open, and safe for concurrent use.
type Profile struct {
	*stored.Profile
	// Overview is what is known of the whole.
	Overview *Overview
	files    []File // by index

	// What is left out: of all files, and kinds of files; see Without and Counted.
	without   string // tells it from all else that is left out
	left      coverage.Without
	functions query.Bitset // those that are not; nil for all
	out       []sources.Kind
	whole     *Profile // without out and left; nil where both are empty
}

// Of is the source coverage of an open profile; stored.ErrNoPart when it has none.
func Of(p *stored.Profile) (*Profile, error) {
	return stored.Part(p, covmap.Family, func(p *stored.Profile) (*Profile, error) {
		c := &Profile{Profile: p}
		return c, c.open()
	})
}
