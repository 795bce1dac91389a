package coverage

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Turn is what became of a line between a base and a test profile.
type Turn uint8

// The turns.
const (
	Kept           Turn = iota // it ran in both, or in neither
	NewlyCovered               // it ran in the test profile alone
	NewlyUncovered             // it ran in the base profile alone
	BaseOnly                   // code of the base profile with nothing to compare it with
	TestOnly                   // and of the test profile
)

// Matching is how the lines of two builds are told to be the same.
type Matching uint8

// The ways.
const (
	ByNumber   Matching = iota // both map the same lines
	ByFunction                 // by function, and place in it; the rest is not compared
	Unmatched                  // one of them does not have the file
)

// LinePair is a line in two profiles, or several on end that are alike.
type LinePair struct {
	Turn       Turn
	Base, Test uint32 // the first line; 0 where there is nothing to compare with
	Lines      int
	// BaseRow and TestRow are what a side says of the lines; nil where its line is 0.
	BaseRow, TestRow *Row
}

// FileMoves is a file in two profiles.
type FileMoves struct {
	Matching Matching
	// Pairs are the lines with code on a side, by line of the test profile; those of
	// the base profile alone stand where they would.
	Pairs []LinePair
	Moved
}

// Moved counts lines by what became of them.
type Moved struct {
	NewlyCovered       int      `col:"newly_covered" width:"9" head:"▴ Newly covered" is:"sort,range"` // of Both
	_                  struct{} `help:"lines that ran in B and not in A"`
	NewlyUncovered     int      `col:"newly_uncovered" width:"9" head:"▾ Newly uncovered" is:"sort,range"` // likewise
	_                  struct{} `help:"lines that ran in A and not in B"`
	Both               int      `col:"compared" width:"9" is:"sort,range" help:"lines that both have"`
	BaseOnly, TestOnly Metric
}

// Add adds others up.
func (m *Moved) Add(o Moved) {
	m.Both += o.Both
	m.NewlyCovered += o.NewlyCovered
	m.NewlyUncovered += o.NewlyUncovered
	m.BaseOnly.Add(o.BaseOnly)
	m.TestOnly.Add(o.TestOnly)
}

// Turned is how many lines became covered, or uncovered.
func (m *Moved) Turned() int { return m.NewlyCovered + m.NewlyUncovered }

// All is how many lines stand in Pairs.
func (m *Moved) All() int { return m.Both + m.BaseOnly.Total + m.TestOnly.Total }

func (m *Moved) count(p *LinePair) {
	side := func(of *Metric, row *Row) {
		of.Total += p.Lines
		if row.Count > 0 {
			of.Covered += p.Lines
		}
	}
	switch p.Turn {
	case BaseOnly:
		side(&m.BaseOnly, p.BaseRow)
		return
	case TestOnly:
		side(&m.TestOnly, p.TestRow)
		return
	case NewlyCovered:
		m.NewlyCovered += p.Lines
	case NewlyUncovered:
		m.NewlyUncovered += p.Lines
	}
	m.Both += p.Lines
}

// CompareFiles compares a file of one coverage with a file of another, line by line.
// Where both map the same lines, these are the same. Elsewhere lines are the same that
// stand at one place in a function of one name, one hash and one shape; what no function
// tells, or two tell differently, is not compared. A side is nil where it does not have
// the file.
func CompareFiles(base *Coverage, baseFile int, test *Coverage, testFile int) *FileMoves {
	b, t := withCode(base, baseFile), withCode(test, testFile)
	m := &FileMoves{}
	var shifts []shift
	switch {
	case base == nil || test == nil:
		m.Matching = Unmatched
	case sameLines(b, t):
		shifts = []shift{{first: 0, last: math.MaxUint32}}
	default:
		m.Matching = ByFunction
		shifts = shiftsOf(base, baseFile, test, testFile)
	}
	m.pair(b, t, shifts)
	return m
}

func withCode(c *Coverage, file int) []Row {
	if c == nil {
		return nil
	}
	return slices.DeleteFunc(c.UnionView(file).Rows(), func(r Row) bool { return r.State == Unmapped })
}

// sameLines reports whether two lists of rows are of the same lines.
func sameLines(a, b []Row) bool {
	next := func(rows []Row) (first, last uint32, rest []Row) {
		first, last, rest = rows[0].First, rows[0].Last, rows[1:]
		for len(rest) > 0 && rest[0].First == last+1 {
			last, rest = rest[0].Last, rest[1:]
		}
		return first, last, rest
	}
	for len(a) > 0 && len(b) > 0 {
		var af, al, bf, bl uint32
		af, al, a = next(a)
		if bf, bl, b = next(b); af != bf || al != bl {
			return false
		}
	}
	return len(a) == len(b)
}

// shift says that lines of one side are those of the other so many further down.
type shift struct {
	first, last uint32
	by          int64
}

// changed, as a shift's by, says that nothing can be said of the lines.
const changed = math.MinInt64

// maxNamesakes bounds how many functions of one name in a file are told apart.
const maxNamesakes = 16

// shiftsOf are the lines of a file that functions say to be the same, by line of the
// base. No line stands in two of them, on neither side.
func shiftsOf(base *Coverage, baseFile int, test *Coverage, testFile int) []shift {
	named := map[string][]*Function{}
	for _, at := range base.Mentions(baseFile) {
		f := &base.Functions[at]
		named[f.Name] = append(named[f.Name], f)
	}
	others := map[string][]*Function{}
	for _, at := range test.Mentions(testFile) {
		f := &test.Functions[at]
		if named[f.Name] != nil {
			others[f.Name] = append(others[f.Name], f)
		}
	}
	var here, there []shift // by line of the base, and of the test profile
	for name, list := range others {
		agreed := false
		if len(list) <= maxNamesakes && len(named[name]) <= maxNamesakes {
			for _, b := range named[name] {
				for _, t := range list {
					if b.Hash == t.Hash {
						found, ok := alike(b, baseFile, t, testFile)
						here, agreed = append(here, found...), agreed || ok
					}
				}
			}
		}
		if agreed {
			continue
		}
		for _, b := range named[name] {
			here = append(here, extentIn(b, baseFile)...)
		}
		for _, t := range list {
			there = append(there, extentIn(t, testFile)...)
		}
	}
	for _, s := range agreedOn(here) {
		there = append(there, shift{uint32(int64(s.first) + s.by), uint32(int64(s.last) + s.by), -s.by})
	}
	shifts := agreedOn(there)
	for i, s := range shifts {
		shifts[i] = shift{uint32(int64(s.first) + s.by), uint32(int64(s.last) + s.by), -s.by}
	}
	slices.SortFunc(shifts, func(a, b shift) int { return cmp.Compare(a.first, b.first) })
	return shifts
}

// alike is how far down each part of a function in a file stands from that of the other;
// false where one is shaped otherwise. A function has a part in a file for each of its
// file ids there: its body, and the macros of that file that it uses.
func alike(b *Function, baseFile int, t *Function, testFile int) ([]shift, bool) {
	if len(b.Files) != len(t.Files) || len(b.Regions) != len(t.Regions) || len(b.Branches) != len(t.Branches) ||
		b.Main != t.Main {
		return nil, false
	}
	parts := map[uint32]shift{} // by file id
	for _, lists := range [][2][]Region{{b.Regions, t.Regions}, {b.Branches, t.Branches}} {
		for i := range lists[0] {
			x, y := &lists[0][i], &lists[1][i]
			if x.Kind != y.Kind || x.File != y.File {
				return nil, false
			}
			inBase, inTest := int(b.Files[x.File]) == baseFile, int(t.Files[y.File]) == testFile
			if inBase != inTest {
				return nil, false
			}
			if !inBase {
				continue
			}
			by := int64(y.Start.Line) - int64(x.Start.Line)
			p, known := parts[x.File]
			if !known {
				p = shift{x.Start.Line, x.End.Line, by}
			}
			if p.by != by || int64(y.End.Line)-int64(x.End.Line) != by {
				return nil, false
			}
			parts[x.File] = shift{min(p.first, x.Start.Line), max(p.last, x.End.Line), by}
		}
	}
	return slices.Collect(maps.Values(parts)), true
}

// extentIn is the lines of a function that stands in a file, as changed.
func extentIn(f *Function, file int) []shift {
	if !f.in(file) {
		return nil
	}
	s := shift{math.MaxUint32, 0, changed}
	for _, r := range within(f.Regions, f.Main) {
		s.first, s.last = min(s.first, r.Start.Line), max(s.last, r.End.Line)
	}
	return []shift{s}
}

// agreedOn cuts out the lines of which all that say something say the same.
func agreedOn(list []shift) []shift {
	type edge struct {
		at    uint64
		by    int64
		count int
	}
	edges := make([]edge, 0, 2*len(list))
	for _, s := range list {
		if s.first <= s.last {
			edges = append(edges, edge{uint64(s.first), s.by, 1}, edge{uint64(s.last) + 1, s.by, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	said := map[int64]int{}
	var agreed []shift
	for i, e := range edges {
		if said[e.by] += e.count; said[e.by] == 0 {
			delete(said, e.by)
		}
		if i+1 == len(edges) || edges[i+1].at == e.at || len(said) != 1 {
			continue
		}
		for by := range said {
			last := uint32(edges[i+1].at - 1)
			if n := len(agreed) - 1; n >= 0 && agreed[n].by == by && uint64(agreed[n].last)+1 == e.at {
				agreed[n].last = last
			} else if by != changed {
				agreed = append(agreed, shift{uint32(e.at), last, by})
			}
		}
	}
	return agreed
}

// piece is lines of the base profile, at the lines that they are in the test profile.
type piece struct {
	first, last uint32
	by          int64
	row         *Row
}

// pair lays the rows of both on each other.
func (m *FileMoves) pair(base, test []Row, shifts []shift) {
	var only []LinePair // of the base
	alone := func(first, last uint32, row *Row) {
		if first <= last {
			only = append(only, LinePair{Turn: BaseOnly, Base: first, Lines: int(last-first) + 1, BaseRow: row})
		}
	}
	var pieces []piece
	at := 0
	for i := range base {
		r := &base[i]
		first := uint64(r.First)
		for at < len(shifts) && uint64(shifts[at].last) < first {
			at++
		}
		for n := at; n < len(shifts) && shifts[n].first <= r.Last && first <= uint64(r.Last); n++ {
			s := &shifts[n]
			from, to := max(uint32(first), s.first), min(r.Last, s.last)
			if uint64(from) > first {
				alone(uint32(first), from-1, r)
			}
			pieces = append(pieces, piece{uint32(int64(from) + s.by), uint32(int64(to) + s.by), s.by, r})
			first = uint64(to) + 1
		}
		if first <= uint64(r.Last) {
			alone(uint32(first), r.Last, r)
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.first, b.first) })
	var list []LinePair
	for i := range test {
		r := &test[i]
		first := uint64(r.First)
		fresh := func(upTo uint64) {
			if first < upTo {
				list = append(list, LinePair{Turn: TestOnly, Test: uint32(first), Lines: int(upTo - first), TestRow: r})
				first = upTo
			}
		}
		for len(pieces) > 0 && pieces[0].first <= r.Last {
			p := &pieces[0]
			if uint64(p.first) < first { // its first lines have no code in the test profile
				to := min(uint64(p.last), first-1)
				alone(uint32(int64(p.first)-p.by), uint32(int64(to)-p.by), p.row)
				if to == uint64(p.last) {
					pieces = pieces[1:]
					continue
				}
				p.first = uint32(to + 1)
			}
			fresh(uint64(p.first))
			to := min(p.last, r.Last)
			list = append(list, LinePair{
				Turn: turnOf(p.row, r), Base: uint32(int64(p.first) - p.by), Test: p.first, Lines: int(to-p.first) + 1,
				BaseRow: p.row, TestRow: r,
			})
			if first = uint64(to) + 1; to < p.last {
				p.first = to + 1
				break
			}
			pieces = pieces[1:]
		}
		fresh(uint64(r.Last) + 1)
	}
	for _, p := range pieces {
		alone(uint32(int64(p.first)-p.by), uint32(int64(p.last)-p.by), p.row)
	}
	slices.SortFunc(only, func(a, b LinePair) int { return cmp.Compare(a.Base, b.Base) })
	m.Pairs = make([]LinePair, 0, len(list)+len(only))
	for i := range list {
		for len(only) > 0 && list[i].Base > only[0].Base {
			m.Pairs, only = append(m.Pairs, only[0]), only[1:]
		}
		m.Pairs = append(m.Pairs, list[i])
	}
	m.Pairs = append(m.Pairs, only...)
	for i := range m.Pairs {
		m.count(&m.Pairs[i])
	}
}

func turnOf(base, test *Row) Turn {
	switch {
	case base.Count == 0 && test.Count > 0:
		return NewlyCovered
	case base.Count > 0 && test.Count == 0:
		return NewlyUncovered
	}
	return Kept
}
