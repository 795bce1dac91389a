package coverage

import (
	"sort"
	"strings"

	"proflens/decode/covmap"
)

// Region is a piece of source, from Start up to and without End, and how often it ran.
type Region struct {
	Start, End     covmap.Position
	Count, False   uint64 // False: how often a condition was false
	File, Expanded uint32 // file ids: indices of Function.Files; Expanded of expansions alone
	Kind           covmap.Kind
	// The compiler knows this side of a condition and counts it not.
	TrueFolded, FalseFolded bool
}

// Folded reports whether a condition is known on both sides.
func (r *Region) Folded() bool { return r.TrueFolded && r.FalseFolded }

// Function is a function record joined with its counters.
type Function struct {
	Name      string // as llvm-cov shows it: without the file that stands before a static function's
	Linkage   string // as mapping and profile have it
	Hash      uint64
	Object    int     // index of the objects joined
	Files     []int32 // by file id: index of Coverage.Files
	Main      int     // the file id that nothing expands to, where the function stands; -1: none
	Regions   []Region
	Branches  []Region // conditions
	Decisions []Decision
	Dummy     bool // of a unit that saw the function and did not emit it
	Profiled  bool // the profile has a record of it

	unread bool   // the profile has not the bitmap of its decisions, which are left out
	brief  *brief // in place of regions; nil where these are kept
}

// Count is how often the function was called: the count of its first region.
func (f *Function) Count() uint64 {
	if f.brief != nil {
		return f.brief.count
	}
	if len(f.Regions) == 0 {
		return 0
	}
	return f.Regions[0].Count
}

// Start is where the function begins in its main file.
func (f *Function) Start() covmap.Position {
	if f.brief != nil {
		return f.brief.start
	}
	if main := within(f.Regions, f.Main); len(main) > 0 {
		return main[0].Start
	}
	return covmap.Position{}
}

// within is the regions, or conditions, that stand in one file id of their function. A mapping
// has them one file id after the other (covmap.md, section 4).
func within(regions []Region, id int) []Region {
	from := sort.Search(len(regions), func(i int) bool { return int(regions[i].File) >= id })
	n := sort.Search(len(regions)-from, func(i int) bool { return int(regions[from+i].File) > id })
	return regions[from : from+n]
}

// in reports whether the function stands in a file.
func (f *Function) in(file int) bool { return f.Main >= 0 && int(f.Files[f.Main]) == file }

// mainOf is the lowest file id that no expansion becomes.
func mainOf(regions []Region, files int) int {
	expanded := make([]bool, files)
	for i := range regions {
		if r := &regions[i]; r.Kind == covmap.Expansion {
			expanded[r.Expanded] = true
		}
	}
	for id, is := range expanded {
		if !is {
			return id
		}
	}
	return -1
}

// shownName is a name without the file before it.
func shownName(name, file string) string {
	if file != "" && len(name) > len(file) && strings.HasPrefix(name, file) {
		return name[len(file)+1:]
	}
	return name
}
