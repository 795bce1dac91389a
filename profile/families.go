package profile

import (
	"proflens/decode/model"
	"proflens/profile/covdb"
	"proflens/profile/dcpidb"
	"proflens/profile/instrdb"
	"proflens/profile/memprofdb"
	"proflens/profile/mipdb"
	"proflens/profile/sampledb"
	"proflens/profile/stored"
)

// families are all that are kept, in the order in which parts are prepared, but for
// early ones: later ones may ask earlier ones.
var families = []*stored.Family{
	&instrdb.Family,
	&memprofdb.Family,
	&mipdb.Family,
	&dcpidb.Family,
	&sampledb.Family,
	&covdb.Family,
}

// Called is what people call the profiles of a family; empty for none.
func Called(name model.Family) (words string) {
	for _, f := range families {
		if f.Name == name {
			words = f.Called
		}
	}
	return words
}

// kept are the families that a profile has tables of.
func kept(has func(model.Family) bool) (list []*stored.Family) {
	for _, f := range families {
		if has(f.Name) {
			list = append(list, f)
		}
	}
	return list
}

func namesOf(families []*stored.Family) []string {
	words := make([]string, len(families))
	for i, f := range families {
		words[i] = string(f.Name)
	}
	return words
}
