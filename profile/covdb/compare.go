package covdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/profile/budget"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// The states that files have besides those of all comparisons; any of them.
const (
	NewlyCovered   table.State = table.OwnState << iota // it has lines that ran in the test profile alone
	NewlyUncovered                                      // it has lines that ran in the base profile alone
)

// The columns that compared files are sorted by in lists.
const (
	CompareCovered   query.Column = "newly_covered"   // lines
	CompareUncovered query.Column = "newly_uncovered" // lines
	CompareApart     query.Column = "not_compared"    // lines of both
)

// ComparedFile is a source file in both profiles.
type ComparedFile struct {
	table.State `col:"state" width:"12" head:"What changed"`
	Path        table.Label `col:"name" head:"File" is:"page,sort,up,words"`
	Name        string      `col:"file" is:"script,key"`
	table.Move  `col:"change" width:"9"`
	coverage.Moved
	NotCompared int     `col:"not_compared" width:"9" is:"sort,range"`
	_           column  `help:"lines of A and of B with code that the other does not have"`
	ShareChange float64 `col:"share_change" head:"Share" is:"page,sort,part,signed"`
	_           column  `help:"change of the share, in percentage points"`
	Matching    coverage.Matching
	_           column `col:"matched_by" width:"9" help:"how its lines were matched"`

	table.Sides[ComparedSide] `pair:"lines,covered,share,not_compared"`
}

// ComparedSide is a source file in one of the two profiles.
type ComparedSide struct {
	*File       `parts:"-"`
	Lines       int     `col:"lines" width:"9" is:"sort,range" help:"with code"`
	Covered     int     `col:"covered" width:"9" is:"sort,range" help:"lines that ran"`
	Share       float64 `col:"share" width:"8" is:"part,sort,range" help:"of its lines that ran"`
	NotCompared int     `col:"not_compared" width:"9" is:"sort,range" help:"lines with code that the other does not have"`
}

// matchings are how lines were matched.
var matchings = map[coverage.Matching]string{coverage.ByNumber: "number", coverage.ByFunction: "function"}

// Cell implements [table.Celler].
func (f *ComparedFile) Cell(string, *table.Options) table.Cell {
	if f.Matching == coverage.Unmatched {
		return table.Null
	}
	return table.Text(matchings[f.Matching])
}

// Any is the file of the test profile, or that of the base where the test profile does
// not have it.
func (f *ComparedFile) Any() *File {
	if f.Test != nil {
		return f.Test.File
	}
	return f.Base.File
}

// ComparedFiles is the table of files in two profiles.
var ComparedFiles = table.Declare[ComparedFile](table.Declaration{
	About: "A source file in two profiles.", Noun: "file", All: true, Usual: "-abs_change",
	Better: "more",
	Show:   "name change newly_covered newly_uncovered base test share_change not_compared state",
	Text:   "state newly_covered newly_uncovered base_covered test_covered not_compared file",
	States: slices.Concat(table.States, []table.StateWord{
		{Word: "newly_covered", Label: "newly covered lines"}, {Word: "newly_uncovered", Label: "newly uncovered lines"},
	}),
})

// Comparison is the lines of two profiles side by side, as long as both are open.
type Comparison struct {
	*comparison
	base, test *Profile
}

// comparison outlives them.
type comparison struct {
	*table.Moves[*ComparedFile]
	Files      []*ComparedFile // those of the base by name, then those of the test profile alone
	Sum        coverage.Moved  // of all
	Base, Test coverage.Metric // lines
	// Union reports whether llvm-cov report counts other lines: a template's instantiations count
	// together here.
	Union bool
}

// Compare lays the lines of two profiles on each other, file by file: those of one
// recorded name, or else of one path. The error is the context's, or about the profiles.
func Compare(ctx context.Context, base, test *Profile) (*Comparison, error) {
	both := &Comparison{nil, base, test}
	var err error
	key := query.CacheKey("coverage compared", base.without, base.out, test.ID(), test.without, test.out)
	both.comparison, err = stored.Cached(ctx, base.Profile, key,
		func() (*comparison, int64, error) {
			c := &comparison{Base: base.Overview.Totals.Union.Lines, Test: test.Overview.Totals.Union.Lines}
			c.Union = c.Base != base.Overview.Totals.Lines || c.Test != test.Overview.Totals.Lines
			if err := budget.Take(ctx, int64(len(base.files)+len(test.files))*comparedBytes); err != nil {
				return nil, 0, err
			}
			for _, pair := range pairFiles(base, test) {
				if ctx.Err() != nil {
					return nil, 0, ctx.Err()
				}
				f := &ComparedFile{Sides: pair, Matching: coverage.Unmatched}
				f.State = pair.State()
				switch {
				case f.Test == nil:
					f.BaseOnly = f.Base.Union.Lines
				case f.Base == nil:
					f.TestOnly = f.Test.Union.Lines
				default:
					m, err := both.Lines(ctx, f)
					if err != nil {
						return nil, 0, err
					}
					f.Matching, f.Moved = m.Matching, m.Moved
				}
				f.measure()
				c.Sum.Add(f.Moved)
				c.Files = append(c.Files, f)
			}
			c.Moves = table.NewMoves(ComparedFiles, c.Files)
			return c, int64(len(c.Files)) * comparedBytes, ctx.Err()
		})
	return both, err
}

// CompareCounted compares two profiles as those count who opened them, see [Counted].
func CompareCounted(ctx context.Context, base, test *stored.Profile) (*Comparison, error) {
	b, err := Counted(ctx, base)
	if err != nil {
		return nil, err
	}
	t, err := Counted(ctx, test)
	if err != nil {
		return nil, err
	}
	return Compare(ctx, b, t)
}

// LeftOut says what the two are compared without; empty for nothing.
func (c *Comparison) LeftOut() string {
	base, test := c.base.Overview.LeftOut, c.test.Overview.LeftOut
	switch {
	case base == test:
		return base
	case test == "":
		return "In A: " + base
	case base == "":
		return "In B: " + test
	}
	return "In A: " + base + " In B: " + test
}

// comparedBytes is what a file takes in a comparison.
const comparedBytes = 800

// measure has the file's columns from its lines.
func (f *ComparedFile) measure() {
	any := f.Any()
	f.Path, f.Name, f.NotCompared = table.Label(any.Path), any.Name, f.BaseOnly.Total+f.TestOnly.Total
	if f.State == table.Matched && f.NotCompared > 0 {
		f.State = table.Changed
	}
	if f.NewlyCovered > 0 {
		f.State |= NewlyCovered
	}
	if f.NewlyUncovered > 0 {
		f.State |= NewlyUncovered
	}
	for i, s := range []*ComparedSide{f.Base, f.Test} {
		if s != nil {
			of := s.Union.Lines
			s.Lines, s.Covered, s.Share = of.Total, of.Covered, of.Percent()/100
			s.NotCompared = []int{f.BaseOnly.Total, f.TestOnly.Total}[i]
		}
	}
	f.Move = f.Sides.Move(func(s *ComparedSide) float64 { return float64(s.Covered) })
	f.Move.Turned = float64(f.Moved.Turned())
	shares := f.Sides.Move(func(s *ComparedSide) float64 { return s.Share })
	f.ShareChange = shares.InTest - shares.InBase
}

// pairFiles pairs files by name, and what is left by path.
func pairFiles(base, test *Profile) []table.Sides[ComparedSide] {
	of := func(key func(*File) string) map[string]*File {
		m := make(map[string]*File, len(test.files))
		for f := range test.counted() {
			m[key(f)] = f
		}
		return m
	}
	names, paths := of(func(f *File) string { return f.Name }), of(func(f *File) string { return f.Path })
	taken := make([]bool, len(test.files))
	var pairs []table.Sides[ComparedSide]
	for f := range base.counted() {
		pairs = append(pairs, table.Sides[ComparedSide]{Base: &ComparedSide{File: f}})
	}
	for _, by := range []func(*File) *File{
		func(f *File) *File { return names[f.Name] }, func(f *File) *File { return paths[f.Path] },
	} {
		for i := range pairs {
			if t := by(pairs[i].Base.File); pairs[i].Test == nil && t != nil && !taken[t.Index] {
				pairs[i].Test, taken[t.Index] = &ComparedSide{File: t}, true
			}
		}
	}
	for f := range test.counted() {
		if !taken[f.Index] {
			pairs = append(pairs, table.Sides[ComparedSide]{Test: &ComparedSide{File: f}})
		}
	}
	return pairs
}

// Lines are the lines of a file of the comparison; those of a file that one profile
// lacks are of the other alone. The error is the context's, or about the profiles.
func (c *Comparison) Lines(ctx context.Context, f *ComparedFile) (*coverage.FileMoves, error) {
	var sides [2]*coverage.Coverage
	var at [2]int
	for i, side := range []struct {
		of   *Profile
		file *ComparedSide
	}{{c.base, f.Base}, {c.test, f.Test}} {
		if side.file == nil {
			continue
		}
		var err error
		if sides[i], at[i], err = side.of.File(ctx, side.file.Index); err != nil {
			return nil, err
		}
	}
	return coverage.CompareFiles(sides[0], at[0], sides[1], at[1]), nil
}

// FileOf is the file of a path or a recorded name, of either profile, or else what the
// test profile or the base takes it for; stored.ErrNoPart when there is none.
func (c *Comparison) FileOf(name string) (*ComparedFile, error) {
	find := func(is func(f *File) bool, of func(f *ComparedFile) *ComparedSide) *ComparedFile {
		for _, f := range c.Files {
			if side := of(f); side != nil && is(side.File) {
				return f
			}
		}
		return nil
	}
	ofTest := func(f *ComparedFile) *ComparedSide { return f.Test }
	ofBase := func(f *ComparedFile) *ComparedSide { return f.Base }
	named := func(f *File) bool { return f.Path == name || f.Name == name }
	if f := cmp.Or(find(named, ofTest), find(named, ofBase)); f != nil {
		return f, nil
	}
	if t, err := c.test.FileOf(name); err == nil {
		return find(func(f *File) bool { return f.Index == t.Index }, ofTest), nil
	}
	b, err := c.base.FileOf(name)
	if err != nil {
		return nil, err
	}
	return find(func(f *File) bool { return f.Index == b.Index }, ofBase), nil
}
