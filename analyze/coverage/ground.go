package coverage

import (
	"cmp"
	"slices"
)

// ground is which lines functions take of the files that they mention, and what is to be
// laid on one another there.
type ground struct {
	files   []groundFile // as of the coverage
	extents []extent
	ids     []extent // of one function, by file id
}

// groundFile is what several have a share in of a file.
type groundFile struct {
	regions, branches []*Region
	last              extent // of what is no main file
	ends              []int  // of instances: where in regions the next begins
	of                *Function
	id                uint32 // of the last region, and of which function
}

// add adds a region; those of one file id of a function are an instance.
func (g *groundFile) add(f *Function, r *Region) {
	if n := len(g.regions); n > 0 && (g.of != f || g.id != r.File) {
		g.ends = append(g.ends, n)
	}
	g.of, g.id = f, r.File
	g.regions = append(g.regions, r)
}

// extent is the lines from the first to the last that one file id of a function has
// something in.
type extent struct {
	file, function int32 // function: -1 where the file id is not its main one
	first, last    uint32
}

// add adds a function. What it has in other files than its main one is shared.
func (g *ground) add(at int32, f *Function) {
	g.ids = g.ids[:0]
	for id, file := range f.Files {
		e := extent{file: file, function: -1, first: ^uint32(0)}
		if id == f.Main {
			e.function = at
		}
		g.ids = append(g.ids, e)
	}
	for i := range f.Regions {
		r := &f.Regions[i]
		if e := g.take(r); e.function < 0 {
			g.files[e.file].add(f, r)
		}
	}
	for i := range f.Branches {
		b := &f.Branches[i]
		if e := g.take(b); e.function < 0 {
			to := &g.files[e.file].branches
			*to = append(*to, b)
		}
	}
	for i := range g.ids {
		if e := &g.ids[i]; e.first <= e.last && !g.again(e) {
			g.extents = append(g.extents, *e)
		}
	}
}

func (g *ground) take(r *Region) *extent {
	e := &g.ids[r.File]
	e.first, e.last = min(e.first, r.Start.Line), max(e.last, r.End.Line)
	return e
}

// again reports whether an extent tells nothing new: macros are used over and over.
func (g *ground) again(e *extent) bool {
	if e.function >= 0 {
		return false
	}
	last := &g.files[e.file].last
	if last.function < 0 && last.first <= e.first && e.last <= last.last {
		return true
	}
	*last = *e
	return false
}

// share shares what a function has in its main file.
func (g *ground) share(f *Function) {
	file := &g.files[f.Files[f.Main]]
	regions, branches := within(f.Regions, f.Main), within(f.Branches, f.Main)
	for i := range regions {
		file.add(f, &regions[i])
	}
	for i := range branches {
		file.branches = append(file.branches, &branches[i])
	}
}

// alone are the functions that share no line of their main file with anything: laid on
// others, they say of it what they say by themselves.
func (g *ground) alone(functions int) []bool {
	slices.SortFunc(g.extents, func(a, b extent) int {
		if by := cmp.Compare(a.file, b.file); by != 0 {
			return by
		}
		return cmp.Compare(a.first, b.first)
	})
	alone := make([]bool, functions)
	reach := uint32(0) // the last line that is taken of the file so far
	for i := range g.extents {
		e := &g.extents[i]
		begins := i == 0 || g.extents[i-1].file != e.file
		ends := i+1 == len(g.extents) || g.extents[i+1].file != e.file
		if e.function >= 0 && (begins || reach < e.first) && (ends || e.last < g.extents[i+1].first) {
			alone[e.function] = true
		}
		if begins {
			reach = 0
		}
		reach = max(reach, e.last)
	}
	return alone
}
