package memprofview

import (
	"slices"

	"proflens/profile/memprofdb"
)

// differing is, by row, the frames that tell it from the rows that would read like it, callers or, where
// all of these are the same, what is called; none where nothing reads like it. A function reads as short says.
func differing(rows []memprofdb.Row, short func(f *memprofdb.Function) string) [][]memprofdb.Frame {
	n, alike := len(rows), map[[3]any][]int{}
	stacks, parts, few := make([][]memprofdb.Frame, n), make([][]memprofdb.Frame, n), make([][]memprofdb.Frame, n)
	for i := range rows {
		if r := &rows[i]; len(r.Stack) > 0 {
			below := slices.Clone(r.Stack[:r.Own])
			slices.Reverse(below)
			stacks[i] = slices.Concat(r.Stack[r.Own+1:], []memprofdb.Frame{{}}, below)
			key := [3]any{shown(r.Stack[r.Own]), short(r.Stack[0].Function), short(r.User)}
			alike[key] = append(alike[key], i)
		}
	}
	for _, group := range alike {
		part(stacks, group, 0, func(i int, f memprofdb.Frame, all bool) {
			if !all && f.Function != nil {
				parts[i] = append(parts[i], f)
			}
		})
		for _, i := range group {
			slices.Reverse(parts[i])
		}
		// Of where they part, only as much as tells them apart.
		part(parts, group, 0, func(i int, f memprofdb.Frame, _ bool) { few[i] = append(few[i], f) })
	}
	return few
}

// part notes the frames of the lists of a group, each as far as another has the same up to there, and
// whether all of these have this one too.
func part(lists [][]memprofdb.Frame, group []int, depth int, note func(i int, f memprofdb.Frame, all bool)) {
	by := map[memprofdb.Frame][]int{}
	for _, i := range group {
		if len(group) > 1 && depth < len(lists[i]) {
			frame := shown(lists[i][depth])
			by[frame] = append(by[frame], i)
		}
	}
	for frame, some := range by {
		for _, i := range some {
			note(i, frame, len(some) == len(group))
		}
		part(lists, some, depth+1, note)
	}
}

// shown is a frame without what a row does not say of it.
func shown(f memprofdb.Frame) memprofdb.Frame {
	f.Discriminator, f.Inline = 0, false
	return f
}
