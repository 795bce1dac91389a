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
	Partly int // lines that ran, with a region or a side of a condition that did not
	// How many rows a table of lines and one of conditions has.
	LineRows, BranchRows int
}

// Unions are those of every file.
func (c *Coverage) Unions() []FileUnion {
	list := make([]FileUnion, len(c.Files))
	regions, branches := c.byFile(func(f *Function) []Region { return f.Regions }), c.byFile(func(f *Function) []Region { return f.Branches })
	var u unifier
	for i := range list {
		list[i] = u.of(regions(i), branches(i))
	}
	return list
}

// byFile sorts regions of all functions by file.
func (c *Coverage) byFile(of func(*Function) []Region) func(file int) []*Region {
	ends := make([]int, len(c.Files)+1)
	for i := range c.Functions {
		f := &c.Functions[i]
		for r := range of(f) {
			ends[f.Files[of(f)[r].File]+1]++
		}
	}
	for i := range c.Files {
		ends[i+1] += ends[i]
	}
	all := make([]*Region, ends[len(c.Files)])
	next := slices.Clone(ends)
	for i := range c.Functions {
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
type unifier struct {
	segmenter
}

func (u *unifier) of(regions, branches []*Region) (sum FileUnion) {
	for _, r := range regions {
		u.add(r)
	}
	merged := UnifyBranches(branches)
	sum.BranchRows = len(merged)
	missed := map[uint32]bool{}
	for i := range merged {
		b := &merged[i]
		if !b.TrueFolded {
			sum.Branches.count(b.Count > 0)
		}
		if !b.FalseFolded {
			sum.Branches.count(b.False > 0)
		}
		if !b.TrueFolded && b.Count == 0 || !b.FalseFolded && b.False == 0 {
			missed[b.Start.Line] = true
		}
	}
	for l := range Lines(u.build()) {
		if !l.Mapped {
			continue
		}
		n := int(l.Last-l.First) + 1
		sum.Lines.Total += n
		if l.Count == 0 {
			continue
		}
		sum.Lines.Covered += n
		if l.Partly() || n == 1 && missed[l.First] {
			sum.Partly++
		}
	}
	sum.LineRows = sum.Lines.Total
	for i := range u.merged {
		if r := &u.merged[i]; r.kind == covmap.Code {
			sum.Regions.count(r.count > 0)
		}
	}
	return sum
}

// Partly reports whether a region that begins in the line never ran, where the line did.
func (l *Line) Partly() bool {
	return l.Count > 0 && slices.ContainsFunc(l.Segments, func(s Segment) bool { return s.HasCount && s.Entry && !s.Gap && s.Count == 0 })
}

// UnifyBranches adds up conditions of one place, in the order of the source. A side
// that the compiler knows in an instance counts nothing there.
func UnifyBranches(branches []*Region) []Region {
	sorted := slices.Clone(branches)
	slices.SortStableFunc(sorted, func(a, b *Region) int {
		return cmp.Or(cmp.Compare(place(a.Start), place(b.Start)), cmp.Compare(place(a.End), place(b.End)))
	})
	list := make([]Region, 0, len(sorted))
	for _, b := range sorted {
		if n := len(list); n > 0 && list[n-1].Start == b.Start && list[n-1].End == b.End {
			last := &list[n-1]
			last.Count, last.False = last.Count+b.Count, last.False+b.False
			last.TrueFolded, last.FalseFolded = last.TrueFolded && b.TrueFolded, last.FalseFolded && b.FalseFolded
			continue
		}
		list = append(list, *b)
	}
	return list
}
