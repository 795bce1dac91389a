package coverage

import (
	"cmp"
	"slices"

	"proflens/decode/covmap"
)

// Union is the numbers of a file with all functions laid on one another: what ran in
// any of them ran. Instances of a template do not hide one another's gaps, as they do
// where the largest counts.
type Union struct{ Lines, Regions, Branches Metric }

// Add adds another up.
func (u *Union) Add(o Union) {
	u.Lines.add(o.Lines)
	u.Regions.add(o.Regions)
	u.Branches.add(o.Branches)
}

// FileUnion is what the functions say of a file together.
type FileUnion struct {
	Union
	Partly     int // lines that ran, with a region or a side of a condition that did not
	Conditions int // places of conditions
}

// Unions are those of every file.
func (c *Coverage) Unions() []FileUnion {
	list := make([]FileUnion, len(c.Files))
	order := make([]int32, len(c.Functions)) // by place, so that the regions of a file are nearly in order
	starts := make([]uint64, len(c.Functions))
	for i := range order {
		order[i], starts[i] = int32(i), place(c.Functions[i].Start())
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(starts[a], starts[b]) })
	regions := c.byFile(order, func(f *Function) []Region { return f.Regions })
	branches := c.byFile(order, func(f *Function) []Region { return f.Branches })
	var u unifier
	for i := range list {
		list[i] = u.of(regions(i), branches(i))
	}
	return list
}

// byFile sorts regions of functions by file.
func (c *Coverage) byFile(order []int32, of func(*Function) []Region) func(file int) []*Region {
	ends := make([]int, len(c.Files)+1)
	for i := range c.Functions {
		f := &c.Functions[i]
		list := of(f)
		for r := range list {
			ends[f.Files[list[r].File]+1]++
		}
	}
	for i := range c.Files {
		ends[i+1] += ends[i]
	}
	all := make([]*Region, ends[len(c.Files)])
	next := slices.Clone(ends)
	for _, i := range order {
		f := &c.Functions[i]
		list := of(f)
		for r := range list {
			at := &next[f.Files[list[r].File]]
			all[*at] = &list[r]
			*at++
		}
	}
	return func(file int) []*Region { return all[ends[file]:ends[file+1]] }
}

// unifier works out one file after the other.
type unifier struct{ segmenter }

func (u *unifier) of(regions, branches []*Region) (sum FileUnion) {
	for _, r := range regions {
		u.add(r)
	}
	sides := SidesOf(branches)
	sum.Conditions = len(sides)
	for i := range sides {
		s := &sides[i]
		if !s.TrueFolded {
			sum.Branches.count(s.True > 0)
		}
		if !s.FalseFolded {
			sum.Branches.count(s.False > 0)
		}
	}
	for l := range Lines(u.build()) {
		missed := 0 // lines with a side that was not taken
		for ; len(sides) > 0 && sides[0].Start.Line <= l.Last; sides = sides[1:] {
			line := sides[0].Start.Line
			if n, _ := sides[0].Missed(); n > 0 && line >= l.First && (len(sides) == 1 || sides[1].Start.Line != line || !anyMissed(sides[1:], line)) {
				missed++
			}
		}
		if !l.Mapped {
			continue
		}
		n := int(l.Last-l.First) + 1
		sum.Lines.Total += n
		switch {
		case l.Count == 0:
			continue
		case l.begunMissed():
			sum.Partly++
		default:
			sum.Partly += missed
		}
		sum.Lines.Covered += n
	}
	for i := range u.merged {
		if r := &u.merged[i]; r.kind == covmap.Code {
			sum.Regions.count(r.count > 0)
		}
	}
	return sum
}

// anyMissed reports whether one of the next sides of a line was not taken.
func anyMissed(sides []Sides, line uint32) bool {
	for i := range sides {
		if sides[i].Start.Line != line {
			return false
		}
		if n, _ := sides[i].Missed(); n > 0 {
			return true
		}
	}
	return false
}

// begunMissed reports whether a region that begins in the line never ran.
func (l *Line) begunMissed() bool {
	return slices.ContainsFunc(l.Segments, func(s Segment) bool { return s.Entry && s.HasCount && !s.Gap && s.Count == 0 })
}
