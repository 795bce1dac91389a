package coverage

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"

	"proflens/decode/covmap"
)

// The labels of a profile with the words of what its totals leave out, and with the kinds of files
// (of [sources.Others]), where a request says nothing.
const (
	ExcludeLabel = "coverage_exclude"
	WithoutLabel = "coverage_without"
)

// The words for what [Without] leaves out.
const (
	ExcludeMarkers = "markers" // what markers in sources name
	ExcludeMacros  = "macros"  // what stands in expansions of macros
)

// Excludable are those words.
var Excludable = []string{ExcludeMarkers, ExcludeMacros}

// Without is what is left out of a coverage on request.
type Without struct {
	Marks  func(file int) *Marks // what the markers of a file say; nil for none
	Macros bool                  // what stands in expansions of macros and in included files
}

// Marks are the lines that markers in the text of a file leave out: those of LCOV
// (LCOV_EXCL_LINE, _START, _STOP, and _BR_LINE, _BR_START, _BR_STOP for branches alone) and of
// gcovr, which begin with GCOVR or GCOV and have _FUNCTION too.
type Marks struct {
	lines     []marked // rising
	branches  []uint32 // lines whose branches are left out, rising
	functions []uint32 // lines on which functions begin that are left out, rising
	// Open is the line of a marker that starts what nothing stops; 0: none. What follows it
	// is left out up to the end.
	Open uint32
}

// marked is a line, and the column behind its end.
type marked struct{ line, end uint32 }

var marker = regexp.MustCompile(`\b(?:LCOV|GCOVR?)_EXCL_(?:(BR_)?(LINE|START|STOP)|(FUNCTION))\b`)

// MarksOf reads the markers of the lines of a text; nil where there are none.
func MarksOf(text [][]byte) *Marks {
	m := &Marks{}
	var lines, branches uint32 // where what is left out started; 0: nothing is
	for i, line := range text {
		number := uint32(i) + 1
		out, without := lines > 0, branches > 0
		for _, found := range markersIn(line) {
			since, is := &lines, &out
			if len(found[1]) > 0 {
				since, is = &branches, &without
			}
			switch string(found[2]) {
			case "":
				m.functions = append(m.functions, number)
				continue
			case "START":
				*since = number
			case "STOP":
				*since = 0
			}
			*is = true
		}
		if out {
			m.lines = append(m.lines, marked{number, uint32(max(len(line)+1, 2))})
		}
		if without {
			m.branches = append(m.branches, number)
		}
	}
	if m.Open = max(lines, branches); len(m.lines)+len(m.branches)+len(m.functions) == 0 {
		return nil
	}
	return m
}

// markersIn are the markers of a line with their parts.
func markersIn(line []byte) [][][]byte {
	if !bytes.Contains(line, []byte("_EXCL_")) {
		return nil
	}
	return marker.FindAllSubmatch(line, -1)
}

// line reports whether a line is left out.
func (m *Marks) line(line uint32) bool {
	_, found := slices.BinarySearchFunc(m.lines, line, func(l marked, line uint32) int { return int(l.line) - int(line) })
	return found
}

// Condition reports whether the conditions of a line are left out.
func (m *Marks) Condition(line uint32) bool {
	if m == nil {
		return false
	}
	_, found := slices.BinarySearch(m.branches, line)
	return found || m.line(line)
}

// Without is the coverage without some of it. Lines that are left out have no code; a function of
// which nothing else is left is left out as a whole. left are those that are not, by index.
func (c *Coverage) Without(w Without) (all *Coverage, left []uint32) {
	marks := make([]*Marks, len(c.Files))
	names := make([]string, len(c.Files))
	for i := range c.Files {
		if names[i] = c.Files[i].Name; w.Marks != nil {
			marks[i] = w.Marks(i)
		}
	}
	var kept []Function
	for i := range c.Functions {
		if f := c.Functions[i]; f.leave(marks, w.Macros) {
			kept, left = append(kept, f), append(left, uint32(i))
		}
	}
	all = New(names, kept)
	all.SingleByte, all.Misfits = c.SingleByte, c.Misfits
	return all, left
}

// leave leaves out what marks say, and macros, and reports whether something is left.
func (f *Function) leave(marks []*Marks, macros bool) bool {
	outside := func(id uint32) bool { return macros && int(id) != f.Main }
	in := func(id uint32) *Marks {
		if m := marks[f.Files[id]]; m != nil {
			return m
		}
		return &Marks{}
	}
	if f.Main >= 0 && slices.Contains(in(uint32(f.Main)).functions, f.Start().Line) {
		return false
	}
	var regions []Region
	left, entry := false, false // code is left, and that which counts the calls
	for i := range f.Regions {
		r := &f.Regions[i]
		out := outside(r.File) || macros && r.Kind == covmap.Expansion || in(r.File).line(r.Start.Line)
		if out && i > 0 {
			continue
		}
		entry = entry || out
		left = left || !out && r.Kind == covmap.Code
		regions = append(regions, *r)
	}
	if !left && len(f.Regions) > 0 {
		return false
	}
	if entry { // it says how often the function ran, and is no code
		regions[0].Kind = covmap.Gap
	}
	f.Regions = append(regions, f.blanks(in, outside)...)
	slices.SortStableFunc(f.Regions, func(a, b Region) int { return cmp.Compare(a.File, b.File) })
	f.Branches = slices.DeleteFunc(slices.Clone(f.Branches), func(b Region) bool {
		return outside(b.File) || in(b.File).Condition(b.Start.Line)
	})
	f.Decisions = slices.DeleteFunc(slices.Clone(f.Decisions), func(d Decision) bool {
		return outside(d.File) || in(d.File).Condition(d.Start.Line)
	})
	return true
}

// blanks are regions without code, one for each line of the function that is left out: what is
// around them does not count them.
func (f *Function) blanks(in func(id uint32) *Marks, outside func(id uint32) bool) (list []Region) {
	for id := range f.Files {
		if outside(uint32(id)) {
			continue
		}
		first, last := ^uint32(0), uint32(0)
		for _, r := range within(f.Regions, id) {
			first, last = min(first, r.Start.Line), max(last, r.End.Line)
		}
		for _, l := range in(uint32(id)).lines {
			if first <= l.line && l.line <= last {
				list = append(list, Region{
					Kind: covmap.Skipped, File: uint32(id), Start: covmap.Position{Line: l.line, Column: 1},
					End: covmap.Position{Line: l.line, Column: l.end},
				})
			}
		}
	}
	return list
}
