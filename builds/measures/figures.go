package measures

import (
	"cmp"
	"context"
	"strings"

	"proflens/profile/figure"
	"proflens/profile/stored"
)

// measured are the measures that a family's figures are. Behind the name of one stands "?"
// where it is of profiles that tell the figure.
func measured(f *Family) (list []Measure) {
	for _, of := range f.Figures.All {
		m := Measure{
			Name: strings.TrimSuffix(of.Measure, "?"), Title: cmp.Or(of.Measured, of.Label), Unit: Count,
			Better: betters[of.Better], Needs: of.Needs, Says: of.Counts,
		}
		switch {
		case m.Name == "":
			continue
		case of.Whole != "":
			m.Unit = Part
		case of.Unit == "bytes":
			m.Unit = Bytes
		}
		list = append(list, m)
	}
	return list
}

// betters are the ways that are better, by their words.
var betters = map[string]int{"more": 1, "less": -1}

// pairs are the measures of a base and a test, a line each: its name, its unit, which way is better, its title
// and, behind a colon, what it counts.
func pairs(lines ...string) []Measure {
	list := make([]Measure, len(lines))
	for i, line := range lines {
		words, says, _ := strings.Cut(line, ": ")
		word := strings.SplitN(words, " ", 4)
		list[i] = Measure{
			Name: word[0], Unit: Unit(word[1]), Better: betters[word[2]], Title: word[3], Says: says, Pair: true,
		}
	}
	return list
}

// figures measures the figures of a profile.
func (f *Family) figures(ctx context.Context, p *stored.Profile) (Set, error) {
	set := Set{}
	if f.Figures == nil {
		return set, nil
	}
	overview, err := f.Figures.Overview.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	for i := range f.Figures.All {
		of := &f.Figures.All[i]
		name, optional := strings.CutSuffix(of.Measure, "?")
		if name == "" || of.Of == "" || optional && !of.Told(overview) {
			continue
		}
		if n := figure.Value(overview, of.Of); of.Whole == "" {
			set[name] = sum(n)
		} else {
			part(set, name, n.Float64(), figure.Value(overview, of.Whole).Float64())
		}
	}
	if o, ok := overview.(interface{ Without() string }); ok {
		set.without(o.Without())
	}
	return set, nil
}

// without says what the figures of a set are without.
func (s Set) without(words string) {
	for name, v := range s {
		v.LeftOut = words
		s[name] = v
	}
}

// Head is the figure that lists of profiles show first, a part and the whole, as it is counted by
// now; 0 of 0 where there is none. Errors are about the profile, or the context's.
func Head(ctx context.Context, p *stored.Profile) (part, whole int64, err error) {
	for i := range Families {
		f := &Families[i]
		if whole > 0 || f.Figures == nil || !p.Has(f.Name) {
			continue
		}
		overview, err := f.Figures.Overview.Open(ctx, p)
		if err != nil {
			return 0, 0, err
		}
		part, whole = f.Figures.HeadOf(overview)
	}
	return part, whole, nil
}
