package builds

import (
	"slices"
	"strings"

	"proflens/builds/measures"
	"proflens/catalog/projects"
	"proflens/decode/model"
)

// Near are the builds of a series that tell how a build differs from those before it: the
// last before it with each of its families, and itself.
func Near(series []*Build, b *Build) []*Build {
	at := slices.Index(series, b)
	if at < 0 {
		return []*Build{b}
	}
	list := []*Build{b}
	missing := b.Families()
	for i := at - 1; i >= 0 && len(missing) > 0; i-- {
		before := series[i]
		some := len(missing)
		missing = slices.DeleteFunc(missing, func(f model.Family) bool { return before.Of(f) != nil })
		if len(missing) < some {
			list = append(list, before)
		}
	}
	slices.Reverse(list)
	return list
}

// Compared is the profile of a build that has a family, and the last before it in the
// series; either is nil where there is none.
func Compared(series []*Build, b *Build, family model.Family) (base, test *projects.Profile) {
	for i := slices.Index(series, b) - 1; i >= 0 && base == nil; i-- {
		base = series[i].Of(family)
	}
	return base, b.Of(family)
}

// State is what is known of one build.
type State struct {
	Own, Base, Between measures.Set // of its profiles, of those before, and of one against the other
	Pending            bool         // something has not been measured yet
}

// Build gathers what is known of a build: each family's figures from the newest profile of
// it, against the last before in the series.
func (f Figures) Build(series []*Build, b *Build) State {
	m := State{Own: measures.Set{}, Base: measures.Set{}, Between: measures.Set{}}
	take := func(into measures.Set, of projects.Pair, family model.Family) {
		set, known := f[of]
		m.Pending = m.Pending || !known
		for key, v := range set {
			if strings.HasPrefix(key, string(family)+".") {
				into[key] = v
			}
		}
	}
	for _, family := range b.Families() {
		base, test := Compared(series, b, family)
		take(m.Own, projects.Pair{Profile: test.ID}, family)
		if base != nil {
			take(m.Base, projects.Pair{Profile: base.ID}, family)
			take(m.Between, projects.Pair{Profile: test.ID, Base: base.ID}, family)
		}
	}
	return m
}
