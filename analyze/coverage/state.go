package coverage

import (
	"iter"
	"slices"

	"proflens/decode/covmap"
)

// State is how much of a line ran.
type State uint8

// The states.
const (
	NoCode     State = iota // nothing of the line is counted
	NotCovered              // nothing of it ran
	Partly                  // it ran, and a region that begins in it, or one side of a condition, did not
	Covered
)

// String is the state in JSON and CSV.
func (s State) String() string {
	return [...]string{"no code", "not covered", "partly", "covered"}[s]
}

// States are the lines of a view in order, each with its state. Lines on end that are
// alike come as one.
func (v *View) States() iter.Seq2[Line, State] {
	return func(yield func(Line, State) bool) {
		untaken := v.untaken()
		for l := range Lines(v.Segments) {
			for len(untaken) > 0 && untaken[0] < l.First {
				untaken = untaken[1:]
			}
			state := stateOf(&l)
			for state == Covered && len(untaken) > 0 && untaken[0] <= l.Last {
				before, at := l, l
				before.Last = untaken[0] - 1
				at.First, at.Last = untaken[0], untaken[0]
				if before.First <= before.Last && !yield(before, Covered) || !yield(at, Partly) {
					return
				}
				l.First, untaken = at.Last+1, untaken[1:]
			}
			if l.First <= l.Last && !yield(l, state) {
				return
			}
		}
	}
}

// stateOf is the state of a line by its regions.
func stateOf(l *Line) State {
	switch {
	case !l.Mapped:
		return NoCode
	case l.Count == 0:
		return NotCovered
	case slices.ContainsFunc(l.Segments, unentered):
		return Partly
	}
	return Covered
}

// unentered reports whether code begins here that did not run.
func unentered(s Segment) bool { return s.HasCount && s.Entry && !s.Gap && s.Count == 0 }

// untaken are the lines of conditions of which one side, that the compiler does not
// know, was never seen: in none of the functions that have the condition.
func (v *View) untaken() []uint32 {
	type place struct{ start, end covmap.Position }
	type sides struct{ yes, no bool }
	open := map[place]sides{}
	for _, b := range v.Branches {
		at := place{b.Start, b.End}
		s, ok := open[at]
		if !ok {
			s = sides{true, true}
		}
		s.yes = s.yes && (b.Count == 0 && !b.TrueFolded)
		s.no = s.no && (b.False == 0 && !b.FalseFolded)
		open[at] = s
	}
	var lines []uint32
	for at, s := range open {
		if s.yes || s.no {
			lines = append(lines, at.start.Line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
