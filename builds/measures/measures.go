// Package measures are the figures by which the builds of a program are followed: those
// of one profile, and those of one against another. Trends draw them, gates judge them.
// A family lists its own in a file of its name; nobody else knows which there are.
package measures

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/model"
	"proflens/profile/figure"
	"proflens/profile/stored"
)

// Version is raised when a measure is added or means something else: what was measured
// before is measured again.
const Version = 4

// Unit is what a measure counts.
type Unit string

// The units. The value of a Part is a share of a whole, and is said in per cent.
const (
	Count Unit = "count"
	Bytes Unit = "bytes"
	Part  Unit = "part"
)

// Measure is one figure of a profile, or of two.
type Measure struct {
	Family model.Family
	Name   string // as rules and the API write it: "coverage"
	Title  string // "Lines covered"
	Says   string // what it counts, for the manual
	Unit   Unit
	// Better is 1 where more is better, -1 where less is, 0 where neither.
	Better int
	// Pair is set where it is of two profiles, a base and a test.
	Pair bool
	// Needs says what it takes beside a profile of the family, such as "a diff"; empty for
	// nothing.
	Needs string
	// Each is set where there is one value a thing, and names go on with a colon and the
	// thing: "image_samples:/vmunix".
	Each bool
}

// Key tells a measure from those of other families: "coverage.coverage".
func (m *Measure) Key() string { return string(m.Family) + "." + m.Name }

// Value is what was measured.
type Value struct {
	// N is the figure or, of a Part, what there is of the whole, Of.
	N  float64 `json:"n"`
	Of float64 `json:"of,omitempty"`
	// Exact is N in decimal where a float64 has not all its digits; else empty.
	Exact string `json:"exact,omitempty"`
	// Doubt is why a figure between two profiles means little; empty where it does not.
	Doubt string `json:"doubt,omitempty" doc:"Why a figure between two profiles means little, if it does."`
	// LeftOut says what the figure is without; empty for nothing.
	LeftOut string `json:"left_out,omitempty" doc:"What the figure is without."`
}

// Share is a Part in per cent; ok is unset of nothing, which has no share.
func (v Value) Share() (percent float64, ok bool) {
	if v.Of == 0 {
		return 0, false
	}
	return 100 * v.N / v.Of, true
}

// Number is the value by which points are drawn and rules judged: per cent of a Part.
// ok is unset where there is none.
func (v Value) Number(u Unit) (n float64, ok bool) {
	if u == Part {
		return v.Share()
	}
	return v.N, true
}

// Set is values by the keys of their measures. What a profile does not have is absent.
type Set map[string]Value

// Family is what is measured of the profiles of one family.
type Family struct {
	Name model.Family
	// Needs says what a profile must have for these: "a heap profile".
	Needs string
	// Figures are measured of one profile; their measures stand before others.
	Figures  *figure.List
	Measures []Measure // those of one, then those of two; Family is filled in
	// Of measures one profile that has the family, by the names of measures; nil where
	// Figures are all.
	Of func(ctx context.Context, p *stored.Profile) (Set, error)
	// Between measures two that have it; nil where there is nothing of two.
	Between func(ctx context.Context, base, test *stored.Profile) (Set, error)
}

// Measure adds what the family measures of one profile, which has it, to a set of all
// families'.
func (f *Family) Measure(ctx context.Context, p *stored.Profile, into Set) error {
	for _, of := range []func(context.Context, *stored.Profile) (Set, error){f.figures, f.Of} {
		if of == nil {
			continue
		}
		set, err := of(ctx, p)
		if err != nil {
			return fmt.Errorf("measuring %s: %w", f.Name, err)
		}
		into.add(f.Name, set)
	}
	return nil
}

// Compare adds what the family measures of two profiles that have it.
func (f *Family) Compare(ctx context.Context, base, test *stored.Profile, into Set) error {
	if f.Between == nil {
		return nil
	}
	set, err := f.Between(ctx, base, test)
	if err != nil {
		return fmt.Errorf("measuring %s: %w", f.Name, err)
	}
	into.add(f.Name, set)
	return nil
}

// Of measures one profile, in all its families.
func Of(ctx context.Context, p *stored.Profile) (Set, error) {
	all := Set{}
	for i := range Families {
		if f := &Families[i]; p.Has(f.Name) {
			if err := f.Measure(ctx, p, all); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// Between measures one profile against another, in the families that both have.
func Between(ctx context.Context, base, test *stored.Profile) (Set, error) {
	all := Set{}
	for i := range Families {
		if f := &Families[i]; base.Has(f.Name) && test.Has(f.Name) {
			if err := f.Compare(ctx, base, test, all); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// Doubt is why a family's figures between two profiles mean little; empty where they do not.
func (s Set) Doubt(family model.Family) string {
	for name, v := range s {
		if v.Doubt != "" && strings.HasPrefix(name, string(family)+".") {
			return v.Doubt
		}
	}
	return ""
}

func (s Set) add(family model.Family, of Set) {
	for name, v := range of {
		s[string(family)+"."+name] = v
	}
}

// Find returns the measures that a name stands for: all families' of that name, in their
// order, or the one of "family.name". What follows a colon is not looked at.
func Find(name string) []*Measure {
	name, _, _ = strings.Cut(name, ":")
	var found []*Measure
	for i := range Families {
		f := &Families[i]
		for j := range f.Measures {
			if m := &f.Measures[j]; m.Name == name || m.Key() == name {
				found = append(found, m)
			}
		}
	}
	return found
}

// FamilyOf is the family of a measure.
func FamilyOf(m *Measure) *Family {
	return &Families[slices.IndexFunc(Families, func(f Family) bool { return f.Name == m.Family })]
}
