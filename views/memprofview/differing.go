package memprofview

import (
	"slices"

	"proflens/profile/memprofdb"
)

// spot is a frame of a row, and its number in the stack, which is said where the frame alone does not
// tell the row from others.
type spot struct {
	memprofdb.Frame
	number int
}

const unsaid = -1

// How many spots of a row are tried: two for each place where it parts from another.
const tried = 256

// differing is, by row, the frames that tell it from rows of the same blame frame, as few as it takes and
// what tells most first: callers or, where all of these are the same, what is called.
func differing(rows []memprofdb.Row) [][]spot {
	n, alike := len(rows), map[memprofdb.Frame][]int{}
	stacks, parts, few := make([][]spot, n), make([][]spot, n), make([][]spot, n)
	for i := range rows {
		r := &rows[i]
		for number := range r.Stack {
			stacks[i] = append(stacks[i], spot{shown(r.Stack[number]), number})
		}
		if len(r.Stack) > 0 {
			alike[stacks[i][r.Own].Frame] = append(alike[stacks[i][r.Own].Frame], i)
			below := stacks[i][:r.Own]
			slices.Reverse(below)
			stacks[i] = slices.Concat(stacks[i][r.Own+1:], []spot{{}}, below)
		}
	}
	for _, group := range alike {
		part(stacks, group, parts)
		have := map[spot][]int{}
		for _, i := range group {
			for _, s := range parts[i] {
				have[s] = append(have[s], i)
			}
		}
		for _, i := range group {
			few[i] = fewest(parts[i], group, have)
		}
	}
	return few
}

// fewest are spots of a row, each the one that leaves fewest of the rows that have all of these.
func fewest(of []spot, rows []int, have map[spot][]int) (few []spot) {
	for left := rows; ; rows = left {
		var tells spot
		for _, s := range of[:min(len(of), tried)] {
			with := slices.DeleteFunc(slices.Clone(rows), func(i int) bool {
				_, has := slices.BinarySearch(have[s], i)
				return !has
			})
			if len(with) < len(left) {
				left, tells = with, s
			}
		}
		if len(left) == len(rows) {
			return few
		}
		few = append(few, tells)
	}
}

// part adds to the parts of each row of a group the frames where its stack parts from that of another.
func part(stacks [][]spot, group []int, parts [][]spot) {
	for depth, together := 0, [][]int{group}; len(together) > 0; depth++ { // the rows that are the same so far
		var deeper [][]int
		for _, rows := range together {
			by := map[memprofdb.Frame][]int{}
			for _, i := range rows {
				if depth < len(stacks[i]) {
					frame := stacks[i][depth].Frame
					by[frame] = append(by[frame], i)
				}
			}
			for frame, some := range by {
				for _, i := range some {
					if len(some) < len(rows) && frame.Function != nil {
						parts[i] = append(parts[i], spot{frame, unsaid}, stacks[i][depth])
					}
				}
				if len(some) > 1 {
					deeper = append(deeper, some)
				}
			}
		}
		together = deeper
	}
}

// shown is a frame without what a row does not say of it.
func shown(f memprofdb.Frame) memprofdb.Frame {
	f.Discriminator, f.Inline = 0, false
	return f
}
