package gate

import (
	"context"
	"fmt"
	"slices"

	"proflens/builds/measures"
	"proflens/profile/stored"
)

// TwiceError is a side with two profiles of one family, of which nobody says which is
// meant.
type TwiceError struct{ Side, Needs string }

// Error is the sentence for a person.
func (e *TwiceError) Error() string {
	return fmt.Sprintf("the %s has %s twice; give one", e.Side, e.Needs)
}

// Measure measures what rules judge of two builds: the profiles of each, at most one a
// family. Without profiles there is no base. Errors are a *TwiceError, the context's, or
// about the profiles.
func Measure(ctx context.Context, rules []Rule, base, test []*stored.Profile) (*Figures, error) {
	f := &Figures{Base: measures.Set{}, Test: measures.Set{}, Between: measures.Set{}, NoBase: len(base) == 0}
	for i := range measures.Families {
		family := &measures.Families[i]
		one, two := wantedOf(rules, family)
		if !one && !two {
			continue
		}
		b, err := only(family, base, "base")
		if err != nil {
			return nil, err
		}
		t, err := only(family, test, "test")
		if err != nil {
			return nil, err
		}
		for _, side := range []struct {
			of   *stored.Profile
			into measures.Set
		}{{b, f.Base}, {t, f.Test}} {
			if side.of != nil {
				if err := family.Measure(ctx, side.of, side.into); err != nil {
					return nil, err
				}
			}
		}
		if b == nil || t == nil {
			continue
		}
		if two {
			if err := family.Compare(ctx, b, t, f.Between); err != nil {
				return nil, err
			}
		}
		why, err := measures.Doubt(b, t)
		if err != nil {
			return nil, err
		}
		f.warn(why)
	}
	return f, nil
}

// Warn notes why figures that rules judge mean little, as those between the two builds say:
// their counters count different things. Of other families nothing is noted.
func (f *Figures) Warn(rules []Rule) {
	for i := range measures.Families {
		if one, _ := wantedOf(rules, &measures.Families[i]); one {
			f.warn(f.Between.Doubt(measures.Families[i].Name))
		}
	}
}

func (f *Figures) warn(why string) {
	if why != "" {
		f.Warning = "of base and test, " + why
	}
}

// wantedOf reports whether rules judge figures of a family, of one profile or of two.
func wantedOf(rules []Rule, family *measures.Family) (one, two bool) {
	for i := range rules {
		for _, m := range measures.Find(rules[i].Measure) {
			if m.Family == family.Name {
				one, two = true, two || m.Pair
			}
		}
	}
	return one, two
}

// only is the profile of a family among several; nil where there is none.
func only(family *measures.Family, among []*stored.Profile, side string) (*stored.Profile, error) {
	has := func(p *stored.Profile) bool { return p.Has(family.Name) }
	at := slices.IndexFunc(among, has)
	if at < 0 {
		return nil, nil
	}
	if slices.ContainsFunc(among[at+1:], has) {
		return nil, &TwiceError{side, family.Needs}
	}
	return among[at], nil
}
