package measures

import (
	"cmp"
	"context"
	"strings"

	"proflens/profile/figure"
	"proflens/profiledb/stored"
)

// measured are the measures that a family's figures are. Behind the name of one stands "?"
// where it is of profiles that tell the figure.
func measured(f *Family) (list []Measure) {
	for _, of := range f.Figures.All {
		m := Measure{
			Name: strings.TrimSuffix(of.Get("measure"), "?"), Title: cmp.Or(of.Get("measured"), of.Get("label")), Unit: Count,
			Better: map[string]int{"more": 1, "less": -1}[of.Get("better")], Needs: of.Get("needs"),
			Says: of.Get("counts"),
		}
		switch {
		case m.Name == "":
			continue
		case of.Get("whole") != "":
			m.Unit = Part
		case of.Get("unit") == "bytes":
			m.Unit = Bytes
		}
		list = append(list, m)
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
	for _, of := range f.Figures.All {
		name, optional := strings.CutSuffix(of.Get("measure"), "?")
		if name == "" || of.Get("of") == "" || optional && !of.Told(overview) {
			continue
		}
		v := sum(figure.Value(overview, of.Get("of")))
		whole := figure.Value(overview, of.Get("whole")).Float64()
		if of.Get("whole") == "" {
			set[name] = v
		}
		set.put(name, Value{N: v.N, Of: whole})
	}
	return set, nil
}
