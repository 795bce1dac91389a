package coverage

import (
	"slices"

	"proflens/decode/covmap"
)

// Union is the numbers of a file with the instances of its functions added up, line by
// line: what ran in any of them ran. They do not hide one another's gaps, as they do where
// the largest counts, nor what another ran.
type Union struct {
	Lines    Metric `api:"lines" col:"lines_" head:"Covered, union" is:"sort,up" help:"lines that any instance ran"`
	Regions  Metric `api:"regions" col:"regions_" head:"Regions, union" is:"sort,up"`
	Branches Metric `api:"branches" col:"branches_" head:"Branches, union" is:"sort,up" help:"sides of conditions"`
}

// Add adds another up.
func (u *Union) Add(o Union) {
	u.Lines.Add(o.Lines)
	u.Regions.Add(o.Regions)
	u.Branches.Add(o.Branches)
}

// FileUnion is what the functions say of a file together.
type FileUnion struct {
	Union
	Partly     int // lines that ran, with a region or a side of a condition that did not
	Conditions int // places of conditions
}

// Totals are the numbers of every function, and those of every file with all functions
// laid on one another.
//
// Most functions share no line of their file with another: what the union has of such a
// one is found on the way to its own numbers, and only the rest is added up.
func (c *Coverage) Totals() ([]Summary, []FileUnion) {
	summaries, owns := make([]Summary, len(c.Functions)), make([]FileUnion, len(c.Functions))
	var u unifier
	ground := ground{files: make([]groundFile, len(c.Files))}
	for i := range c.Functions {
		summaries[i], owns[i] = u.function(&c.Functions[i])
		ground.add(int32(i), &c.Functions[i])
	}
	alone := ground.alone(len(c.Functions))
	unions := make([]FileUnion, len(c.Files))
	for i := range c.Functions {
		f := &c.Functions[i]
		switch {
		case alone[i]:
			unions[f.Files[f.Main]].add(&owns[i])
		case f.Main >= 0:
			ground.share(f)
		}
	}
	for i := range unions {
		shared := &ground.files[i]
		u.layers.regions, u.layers.ends = shared.regions, shared.ends
		union := u.union(u.layers.build(), shared.branches)
		unions[i].add(&union)
	}
	return summaries, unions
}

func (f *FileUnion) add(o *FileUnion) {
	f.Add(o.Union)
	f.Partly += o.Partly
	f.Conditions += o.Conditions
}

// unifier works out one function or file after the other.
type unifier struct {
	summarizer
	layers layers
	main   []*Region
	sides  []Sides
}

// function is the numbers of a function, and those of its main file as if it had no other.
func (u *unifier) function(f *Function) (Summary, FileUnion) {
	u.layers.reset()
	sum := u.begin(f)
	if f.Main < 0 {
		return sum, FileUnion{}
	}
	odd := false // here llvm-cov has other lines than the union
	regions, branches := within(f.Regions, f.Main), within(f.Branches, f.Main)
	for i := range regions {
		r := &regions[i]
		u.layers.add(f, r)
		odd = odd || r.Start == r.End || r.End.Column <= 1
	}
	u.main = u.main[:0]
	for i := range branches {
		u.main = append(u.main, &branches[i])
	}
	own := u.union(u.layers.build(), u.main)
	if sum.Lines = own.Lines; odd {
		sum.Lines = u.lines()
	}
	u.spans = u.spans[:0]
	u.conditions(f, &sum)
	return sum, own
}

// union is the numbers of what was laid on one another, and of branches, which it sorts.
func (u *unifier) union(segments []Segment, branches []*Region) (sum FileUnion) {
	u.sides = appendSides(u.sides[:0], branches)
	sides := u.sides
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
	for l := range u.layers.lines(segments) {
		missed := 0 // lines with a side that was not taken
		for ; len(sides) > 0 && sides[0].Start.Line <= l.Last; sides = sides[1:] {
			line := sides[0].Start.Line
			if n, _ := sides[0].Missed(); n > 0 && line >= l.First &&
				(len(sides) == 1 || sides[1].Start.Line != line || !anyMissed(sides[1:], line)) {
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
	for _, r := range u.layers.places() {
		if r.kind == covmap.Code {
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
