package coverage

import (
	"cmp"
	"iter"
	"slices"

	"proflens/decode/covmap"
)

// View is a file as it is to be shown, or the part of it that is one function's or
// one expansion's (section 8).
type View struct {
	File       int // index of Coverage.Files
	Segments   []Segment
	Branches   []*Region
	Expansions []Expansion
	Decisions  []*Decision

	lines []Line // of a union; nil: as llvm-cov has them
}

// Lines are those of the view.
func (v *View) Lines() iter.Seq[Line] {
	if v.lines != nil {
		return slices.Values(v.lines)
	}
	return Lines(v.Segments)
}

// Expansion is a region that stands for others: a macro or an include.
type Expansion struct {
	Function *Function
	Region   *Region
}

// FileView is all that functions say of a file, by index of Files, as llvm-cov shows it:
// a region lies on what another function has in its place.
func (c *Coverage) FileView(file int) *View {
	v := &View{File: file}
	regions, _ := c.sizes(file)
	s := segmenter{spans: make([]span, 0, regions)}
	c.addTo(v, func(_ *Function, r *Region) { s.add(r) })
	v.Segments = s.build()
	return v
}

// UnionView is FileView with the instances of a function added up line by line: what ran
// in any of them ran, whatever another has in its place. Regions lie on one another only
// where functions are in each other.
func (c *Coverage) UnionView(file int) *View {
	v := &View{File: file}
	var l layers
	c.addTo(v, l.add)
	v.unite(&l)
	return v
}

func (v *View) unite(l *layers) {
	v.Segments = l.build()
	v.lines = slices.AppendSeq([]Line{}, l.lines(v.Segments))
}

// addTo adds to a view what functions have in its file, and gives out their regions.
func (c *Coverage) addTo(v *View, add func(*Function, *Region)) {
	file := v.File
	_, branches := c.sizes(file)
	v.Branches = make([]*Region, 0, branches)
	for _, at := range c.Files[file].functions {
		f := &c.Functions[at]
		here := f.in(file)
		for i := range f.Regions {
			r := &f.Regions[i]
			if int(f.Files[r.File]) != file {
				continue
			}
			add(f, r)
			if here && r.Kind == covmap.Expansion && int(r.File) == f.Main {
				v.Expansions = append(v.Expansions, Expansion{f, r})
			}
		}
		for i := range f.Branches {
			if r := &f.Branches[i]; int(f.Files[r.File]) == file {
				v.Branches = append(v.Branches, r)
			}
		}
		for i := range f.Decisions {
			if d := &f.Decisions[i]; int(f.Files[d.File]) == file {
				v.Decisions = append(v.Decisions, d)
			}
		}
	}
}

// sizes are how many regions and conditions functions have in a file.
func (c *Coverage) sizes(file int) (regions, branches int) {
	for _, at := range c.Files[file].functions {
		f := &c.Functions[at]
		for i := range f.Regions {
			if int(f.Files[f.Regions[i].File]) == file {
				regions++
			}
		}
		for i := range f.Branches {
			if int(f.Files[f.Branches[i].File]) == file {
				branches++
			}
		}
	}
	return regions, branches
}

// FunctionView is a function in its main file; nil when it has none.
func (c *Coverage) FunctionView(f *Function) *View {
	if f.Main < 0 {
		return nil
	}
	v := partView(f, f.Main)
	for i := range f.Decisions {
		if d := &f.Decisions[i]; int(d.File) == f.Main {
			v.Decisions = append(v.Decisions, d)
		}
	}
	return v
}

// FunctionUnion is FunctionView by the rules of [Coverage.UnionView].
func (c *Coverage) FunctionUnion(f *Function) *View {
	v := c.FunctionView(f)
	if v == nil {
		return nil
	}
	var l layers
	main := within(f.Regions, f.Main)
	for i := range main {
		l.add(f, &main[i])
	}
	v.unite(&l)
	return v
}

// ExpansionView is what an expansion stands for.
func (c *Coverage) ExpansionView(e Expansion) *View {
	return partView(e.Function, int(e.Region.Expanded))
}

// partView is what one file id of a function has.
func partView(f *Function, id int) *View {
	v := &View{File: int(f.Files[id])}
	var s segmenter
	regions, branches := within(f.Regions, id), within(f.Branches, id)
	for i := range regions {
		r := &regions[i]
		s.add(r)
		if r.Kind == covmap.Expansion {
			v.Expansions = append(v.Expansions, Expansion{f, r})
		}
	}
	for i := range branches {
		v.Branches = append(v.Branches, &branches[i])
	}
	v.Segments = s.build()
	return v
}

// Span is a piece of the source in one of a function's files.
type Span struct {
	File       uint32 // file id
	Start, End covmap.Position
}

// Spans are where each condition of a decision begins and ends in the decision's own file: where a
// macro has it, the place where that is used. Conditions that have one place there are told apart in
// the text of that macro, or of one that it uses; where they cannot be, since they are in the argument
// of a macro, they are what the function has in its place. Spans are zero where that is not known.
func (f *Function) Spans(d *Decision) []Span {
	ways, taken := make([][]Span, len(d.Conditions)), map[int]bool{} // each from the decision's file inwards
	for i := range d.Conditions {
		for at := range f.Branches {
			b := &f.Branches[at]
			if b.Kind != covmap.MCDCBranch || b.Start != d.Conditions[i].Start || taken[at] {
				continue
			}
			way := f.way(d.File, b)
			if n := len(way); n > 0 && place(way[0].Start) >= place(d.Start) && place(way[0].End) <= place(d.End) {
				ways[i], taken[at] = way, true
				break
			}
		}
	}
	spans, count := make([]Span, len(ways)), map[Span]int{}
	for apart := false; !apart; {
		clear(count)
		for i, way := range ways {
			if len(way) > 0 {
				spans[i] = way[0]
				count[way[0]]++
			}
		}
		apart = true
		for i, way := range ways {
			if len(way) > 1 && count[way[0]] > 1 {
				ways[i], apart = way[1:], false
			}
		}
	}
	if used, ok := f.Used(d); ok {
		for i := range spans {
			if count[spans[i]] > 1 {
				spans[i] = used
			}
		}
	}
	return spans
}

// Used is where the function uses the macro that has a decision; false where the decision stands in
// the function's own text, or nothing leads to it.
func (f *Function) Used(d *Decision) (Span, bool) {
	if f.Main < 0 || int(d.File) == f.Main {
		return Span{}, false
	}
	way := f.way(uint32(f.Main), &Region{File: d.File})
	if len(way) == 0 {
		return Span{}, false
	}
	return way[0], true
}

// way is how a file leads to a region: the expansions that stand in each other, then the region; nil
// where it does not.
func (f *Function) way(file uint32, r *Region) (way []Span) {
	for range f.Files {
		way = append(way, Span{r.File, r.Start, r.End})
		if r.File == file {
			slices.Reverse(way)
			return way
		}
		i := slices.IndexFunc(f.Regions, func(e Region) bool { return e.Kind == covmap.Expansion && e.Expanded == r.File })
		if i < 0 {
			break
		}
		r = &f.Regions[i]
	}
	return nil
}

// Nested is the conditions below an expansion, those of expansions within it first,
// with the expansions that lead there, the outermost first; path is valid until yield
// returns.
//
// Each file id of a function is expanded once; a damaged mapping that says otherwise
// is followed no more often than it has expansions.
func Nested(e Expansion, yield func(path []*Region, branch *Region)) {
	n := nested{f: e.Function, left: len(e.Function.Regions), yield: yield}
	n.walk(e.Region)
}

type nested struct {
	f     *Function
	left  int
	path  []*Region
	yield func(path []*Region, branch *Region)
}

func (n *nested) walk(e *Region) {
	if n.left--; n.left < 0 {
		return
	}
	n.path = append(n.path, e)
	regions, branches := within(n.f.Regions, int(e.Expanded)), within(n.f.Branches, int(e.Expanded))
	for i := range regions {
		if r := &regions[i]; r.Kind == covmap.Expansion {
			n.walk(r)
		}
	}
	for i := range branches {
		n.yield(n.path, &branches[i])
	}
	n.path = n.path[:len(n.path)-1]
}

// Group is the functions that begin at one place of a file: instances of a template
// or a generic function, or an inline function in several units (section 11).
type Group struct {
	Start     covmap.Position
	Functions []*Function
}

// Groups are those of a file, by place.
func (c *Coverage) Groups(file int) []Group {
	var groups []Group
	at := map[covmap.Position]int{}
	for _, n := range c.Files[file].functions {
		f := &c.Functions[n]
		if !f.in(file) {
			continue
		}
		start := f.Start()
		i, ok := at[start]
		if !ok {
			i = len(groups)
			at[start] = i
			groups = append(groups, Group{Start: start})
		}
		groups[i].Functions = append(groups[i].Functions, f)
	}
	slices.SortFunc(groups, func(a, b Group) int { return cmp.Compare(place(a.Start), place(b.Start)) })
	return groups
}

// Count is how often the functions were called in all.
func (g *Group) Count() uint64 {
	sum := uint64(0)
	for _, f := range g.Functions {
		sum += f.Count()
	}
	return sum
}
