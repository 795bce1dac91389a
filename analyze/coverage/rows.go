package coverage

import (
	"cmp"
	"slices"

	"proflens/decode/covmap"
)

// State is what is known of a line.
type State uint8

// The states.
const (
	Unmapped State = iota // no code
	Missed                // never ran
	Partly                // ran, but a region that begins in it or a side of a condition never did
	Ran
)

// String is the state in one word, empty without code.
func (s State) String() string { return [...]string{"", "missed", "partly", "covered"}[min(s, Ran)] }

// Row is a line of a view, or several on end that are alike, with what begins there.
type Row struct {
	Line
	State      State
	Sides      []Sides
	Expansions []Expansion // the functions that share one follow each other
	Decisions  []*Decision
}

// Sides is a condition of a line, those of all functions added up.
type Sides struct {
	Start, End  covmap.Position
	True, False uint64
	// A side that the compiler knows in every function counts nowhere; the other does. A
	// condition is Constant where each of them has a side that it knows.
	TrueFolded, FalseFolded, Constant bool
}

// Missed are how many sides could have been taken and were not, and of how many.
func (s *Sides) Missed() (missed, of int) {
	for _, side := range [2]struct {
		count  uint64
		folded bool
	}{{s.True, s.TrueFolded}, {s.False, s.FalseFolded}} {
		if side.folded {
			continue
		}
		if of++; side.count == 0 {
			missed++
		}
	}
	return missed, of
}

// Rows are the lines of a view from its first to its last.
func (v *View) Rows() []Row {
	var rows []Row
	b := begins{sides: SidesOf(v.Branches), expansions: slices.Clone(v.Expansions), decisions: slices.Clone(v.Decisions)}
	slices.SortStableFunc(b.expansions, func(x, y Expansion) int {
		return cmp.Compare(place(x.Region.Start), place(y.Region.Start))
	})
	slices.SortStableFunc(b.decisions, func(x, y *Decision) int { return cmp.Compare(place(x.Start), place(y.Start)) })
	for l := range v.Lines() {
		for {
			first, last := b.next(l.First, l.Last)
			part := l
			part.First, part.Last = first, last
			r := Row{Line: part}
			b.take(&r)
			r.State = r.state()
			rows = append(rows, r)
			if last == l.Last {
				break
			}
			l.First = last + 1
		}
	}
	return rows
}

// state is that of a row with all that begins in it.
func (r *Row) state() State {
	switch {
	case !r.Mapped:
		return Unmapped
	case r.Count == 0:
		return Missed
	}
	if r.begunMissed() {
		return Partly
	}
	for i := range r.Sides {
		if missed, _ := r.Sides[i].Missed(); missed > 0 {
			return Partly
		}
	}
	return Ran
}

// begins is what is still to be given to a row, by place.
type begins struct {
	sides      []Sides
	expansions []Expansion
	decisions  []*Decision
}

// next is the first lines of some that nothing divides.
func (b *begins) next(first, last uint32) (uint32, uint32) {
	nearest := ^uint32(0)
	if len(b.sides) > 0 {
		nearest = min(nearest, b.sides[0].Start.Line)
	}
	if len(b.expansions) > 0 {
		nearest = min(nearest, b.expansions[0].Region.Start.Line)
	}
	if len(b.decisions) > 0 {
		nearest = min(nearest, b.decisions[0].Start.Line)
	}
	switch {
	case nearest <= first:
		return first, first
	case nearest <= last:
		return first, nearest - 1
	}
	return first, last
}

// take gives a row all that begins in it, and leaves out what begins before it, in a line
// without code.
func (b *begins) take(r *Row) {
	r.Sides, b.sides = beginning(r, b.sides, func(s *Sides) uint32 { return s.Start.Line })
	r.Expansions, b.expansions = beginning(r, b.expansions, func(e *Expansion) uint32 { return e.Region.Start.Line })
	r.Decisions, b.decisions = beginning(r, b.decisions, func(d **Decision) uint32 { return (*d).Start.Line })
}

// beginning is the first of a list, which begin in a row, and what follows them.
func beginning[T any](r *Row, list []T, line func(*T) uint32) (here, rest []T) {
	from := 0
	for from < len(list) && line(&list[from]) < r.First {
		from++
	}
	to := from
	for to < len(list) && line(&list[to]) <= r.Last {
		to++
	}
	return list[from:to:to], list[to:]
}

// SidesOf adds up the conditions of one place.
func SidesOf(branches []*Region) []Sides { return appendSides(nil, slices.Clone(branches)) }

// appendSides is SidesOf, which may sort the branches, with a list that is used again.
func appendSides(list []Sides, branches []*Region) []Sides {
	slices.SortStableFunc(branches, func(a, b *Region) int {
		if by := cmp.Compare(place(a.Start), place(b.Start)); by != 0 {
			return by
		}
		return cmp.Compare(place(a.End), place(b.End))
	})
	for _, r := range branches {
		n := len(list) - 1
		if n < 0 || list[n].Start != r.Start || list[n].End != r.End {
			list = append(list, Sides{Start: r.Start, End: r.End, TrueFolded: true, FalseFolded: true, Constant: true})
			n++
		}
		s := &list[n]
		s.True, s.False = s.True+r.Count, s.False+r.False
		s.TrueFolded, s.FalseFolded = s.TrueFolded && r.TrueFolded, s.FalseFolded && r.FalseFolded
		s.Constant = s.Constant && (r.TrueFolded || r.FalseFolded)
	}
	return list
}

// Gap is rows on end of which none ran whole, but for lines without code.
type Gap struct {
	First, Last uint32
	Lines       int  // with code
	Missed      bool // one of them never ran
}

// Gaps are those of some rows, in order.
func Gaps(rows []Row) []Gap {
	var list []Gap
	open := false
	for i := range rows {
		r := &rows[i]
		switch r.State {
		case Ran:
			open = false
		case Missed, Partly:
			if !open {
				list, open = append(list, Gap{First: r.First}), true
			}
			g := &list[len(list)-1]
			g.Last = r.Last
			g.Lines += int(r.Last-r.First) + 1
			g.Missed = g.Missed || r.State == Missed
		}
	}
	return list
}
