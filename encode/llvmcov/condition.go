package llvmcov

import (
	"cmp"
	"slices"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

// condition is one that is not known on both sides.
type condition struct {
	// path is the places where the expansions begin that it stands in, the outermost
	// first, or its own: two of one macro have one path.
	path   []covmap.Position
	number int
	yes    uint64 // how often it was true
	no     uint64
	folded [2]bool // true, false: the compiler knows this side
}

// conditionsOf are those of a view and of all that its expansions stand for, by path.
// Those of one path are added up if they are to be unified.
func conditionsOf(v *coverage.View, unify bool) []condition {
	list := make([]condition, 0, len(v.Branches))
	add := func(path []covmap.Position, number int, b *coverage.Region) {
		if !b.Folded() {
			list = append(list, condition{path, number, b.Count, b.False, [2]bool{b.TrueFolded, b.FalseFolded}})
		}
	}
	starts := make([]covmap.Position, len(v.Branches))
	for i, b := range v.Branches {
		starts[i] = b.Start
		add(starts[i:i+1:i+1], i, b)
	}
	number := 0
	for _, e := range v.Expansions {
		coverage.Nested(e, func(path []*coverage.Region, b *coverage.Region) {
			at := make([]covmap.Position, len(path))
			for i, r := range path {
				at[i] = r.Start
			}
			add(at, number, b)
			number++
		})
	}
	slices.SortStableFunc(list, func(a, b condition) int {
		if by := slices.CompareFunc(a.path, b.path, byPlace); by != 0 {
			return by
		}
		return cmp.Compare(a.number, b.number)
	})
	if !unify {
		return list
	}
	n := 0
	for _, c := range list {
		if n > 0 && slices.Equal(list[n-1].path, c.path) {
			sum := &list[n-1]
			sum.yes += c.yes
			sum.no += c.no
			sum.folded = [2]bool{sum.folded[0] && c.folded[0], sum.folded[1] && c.folded[1]}
			continue
		}
		list[n] = c
		n++
	}
	return list[:n]
}

func byPlace(a, b covmap.Position) int {
	if a.Line != b.Line {
		return cmp.Compare(a.Line, b.Line)
	}
	return cmp.Compare(a.Column, b.Column)
}
