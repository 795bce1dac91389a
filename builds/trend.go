package builds

import (
	"encoding/json"
	"fmt"
	"strings"

	"proflens/builds/measures"
	"proflens/catalog/projects"
	"proflens/decode/model"
)

// Figures are what was measured of profiles, alone and against one another.
type Figures map[projects.Pair]measures.Set

// FiguresOf reads what the catalog has.
func FiguresOf(found map[projects.Pair]json.RawMessage) (Figures, error) {
	list := make(Figures, len(found))
	for pair, text := range found {
		var set measures.Set
		if err := json.Unmarshal(text, &set); err != nil {
			return nil, fmt.Errorf("what was measured of %s: %w", pair.Profile, err)
		}
		list[pair] = set
	}
	return list, nil
}

// Size is the measure that every profile has, whatever its family: bytes of its files.
var Size = measures.Measure{Name: "size", Title: "Size of the profile", Unit: measures.Bytes}

// Point is a build in a trend.
type Point struct {
	*Build
	Profile *projects.Profile // nil where it has none of the family
	// Before is the profile of the build before that has one; nil for the first.
	Before *projects.Profile
	Value  measures.Value
	Number float64 // of Value, in its unit
	Known  bool    // it has a value
	// Pending is set where it has not been measured yet.
	Pending bool
	// Step is how far the level moved with this build; 0 where it did not. Dismissed is set where
	// that is marked no more.
	Step      float64
	Dismissed bool
}

// Trend is a measure over builds, the oldest first.
type Trend struct {
	measures.Measure
	Thing  string // of a measure that has a value each
	Points []Point
}

// Marked is the step, 0 where it was dismissed.
func (p *Point) Marked() float64 {
	if p.Dismissed {
		return 0
	}
	return p.Step
}

// TrendOf lays a measure over a series. thing is which, of a measure that has a value each.
func TrendOf(series []*Build, m measures.Measure, thing string, figures Figures) *Trend {
	t := &Trend{Measure: m, Thing: thing, Points: make([]Point, len(series))}
	key := m.Key()
	if thing != "" {
		key += ":" + thing
	}
	var before *projects.Profile
	for i, b := range series {
		p := &t.Points[i]
		p.Build, p.Before = b, before
		if p.Profile = b.profileFor(&m); p.Profile == nil {
			continue
		}
		before = p.Profile
		if m.Name == Size.Name && m.Family == "" {
			p.Value, p.Known = measures.Value{N: float64(p.Profile.Size)}, true
		} else {
			p.look(&m, key, figures)
		}
		if p.Known {
			p.Number, p.Known = p.Value.Number(m.Unit)
		}
	}
	t.mark()
	return t
}

func (p *Point) look(m *measures.Measure, key string, figures Figures) {
	pair := projects.Pair{Profile: p.Profile.ID}
	if m.Pair {
		if p.Before == nil {
			return
		}
		pair.Base = p.Before.ID
	}
	set, measured := figures[pair]
	p.Value, p.Known = set[key]
	p.Pending = !measured
}

func (b *Build) profileFor(m *measures.Measure) *projects.Profile {
	if m.Family == "" {
		return b.Profiles[0]
	}
	return b.Of(m.Family)
}

// Pairs are what has to be measured for all trends of a series: each profile alone, and
// against that of its family in the build before.
func Pairs(series []*Build) (list [][2]*projects.Profile) {
	last := map[model.Family]*projects.Profile{}
	for _, b := range series {
		seen := map[[2]string]bool{}
		for _, f := range b.Families() {
			p := b.Of(f)
			add := func(base *projects.Profile) {
				key := [2]string{p.ID}
				if base != nil {
					key[1] = base.ID
				}
				if !seen[key] {
					seen[key] = true
					list = append(list, [2]*projects.Profile{p, base})
				}
			}
			add(nil)
			if base := last[f]; base != nil {
				add(base)
			}
			last[f] = p
		}
	}
	return list
}

// Measured are the measures that some profile of a series has a value of, in the order of
// their families; of those that have a value each, the things.
func Measured(series []*Build, figures Figures) (list []measures.Measure, things map[string][]string) {
	have := map[string]bool{}
	things = map[string][]string{}
	for _, pair := range Pairs(series) {
		of := projects.Pair{Profile: pair[0].ID}
		if pair[1] != nil {
			of.Base = pair[1].ID
		}
		for key := range figures[of] {
			name, thing, each := strings.Cut(key, ":")
			if each && !have[key] {
				things[name] = append(things[name], thing)
			}
			have[key], have[name] = true, true
		}
	}
	for i := range measures.Families {
		for _, m := range measures.Families[i].Measures {
			if have[m.Key()] {
				list = append(list, m)
			}
		}
	}
	return append(list, Size), things
}
