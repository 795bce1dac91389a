package covdb

import (
	"cmp"
	"context"

	"proflens/analyze/coverage"
	"proflens/profiledb/budget"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// The states that files have besides those of all moves; any of them.
const (
	NewlyCovered   query.MoveState = query.MoveOwn << iota // it has lines that ran in the test profile alone
	NewlyUncovered                                         // it has lines that ran in the base profile alone
)

// The columns that compared files can be sorted by besides those of all moves.
const (
	CompareCovered   query.Column = "newly_covered"   // lines
	CompareUncovered query.Column = "newly_uncovered" // lines
	CompareShare     query.Column = "share_change"    // of the share of its lines that ran
	CompareApart     query.Column = "not_compared"    // lines of both
)

// ComparedFile is a source file in both profiles; nil in one that does not have it.
type ComparedFile struct {
	Base, Test *File
	Matching   coverage.Matching
	coverage.Moved
}

// Any is the file of the test profile, or that of the base where the test profile does
// not have it.
func (f *ComparedFile) Any() *File {
	if f.Test != nil {
		return f.Test
	}
	return f.Base
}

// Apart is how many lines of both have nothing to compare them with.
func (f *ComparedFile) Apart() int { return f.BaseOnly.Total + f.TestOnly.Total }

// Share is how much of a file ran, lines as its page counts them; 0 of none.
func Share(f *File) float64 {
	if f == nil {
		return 0
	}
	return f.Union.Lines.Percent() / 100
}

// Comparison is the lines of two profiles side by side, as long as both are open.
type Comparison struct {
	*comparison
	base, test *Profile
}

// comparison outlives them.
type comparison struct {
	*query.Moves[ComparedFile]
	Files      []ComparedFile  // those of the base by name, then those of the test profile alone
	Sum        coverage.Moved  // of all
	Base, Test coverage.Metric // lines
}

// Compare lays the lines of two profiles on each other, file by file: those of one
// recorded name, or else of one path. The error is the context's, or about the profiles.
func Compare(ctx context.Context, base, test *Profile) (*Comparison, error) {
	both := &Comparison{nil, base, test}
	var err error
	both.comparison, err = stored.Cached(ctx, base.Profile, query.CacheKey("coverage compared", test.ID()),
		func() (*comparison, int64, error) {
			c := &comparison{Base: base.Overview.Totals.Union.Lines, Test: test.Overview.Totals.Union.Lines}
			moves := make([]query.Move[ComparedFile], 0, len(base.files))
			if err := budget.Take(ctx, int64(len(base.files)+len(test.files))*comparedBytes); err != nil {
				return nil, 0, err
			}
			for _, pair := range pairFiles(base, test) {
				if ctx.Err() != nil {
					return nil, 0, ctx.Err()
				}
				f := ComparedFile{Base: pair[0], Test: pair[1], Matching: coverage.Unmatched}
				state := query.MoveMatched
				switch {
				case f.Test == nil:
					state, f.BaseOnly = query.MoveOnlyBase, f.Base.Union.Lines
				case f.Base == nil:
					state, f.TestOnly = query.MoveOnlyTest, f.Test.Union.Lines
				default:
					m, err := both.Lines(ctx, &f)
					if err != nil {
						return nil, 0, err
					}
					if f.Matching, f.Moved = m.Matching, m.Moved; f.Apart() > 0 {
						state = query.MoveChanged
					}
				}
				if f.NewlyCovered > 0 {
					state |= NewlyCovered
				}
				if f.NewlyUncovered > 0 {
					state |= NewlyUncovered
				}
				c.Sum.Add(f.Moved)
				c.Files = append(c.Files, f)
				ran := func(f *File) float64 {
					if f == nil {
						return 0
					}
					return float64(f.Union.Lines.Covered)
				}
				move := query.NewMove(f, []byte(f.Any().Path), state, ran(f.Base), ran(f.Test))
				move.Turned = float64(f.Turned())
				moves = append(moves, move)
			}
			c.Moves = query.NewMoves(moves, map[query.Column]func(*query.Move[ComparedFile]) float64{
				CompareCovered:   func(m *query.Move[ComparedFile]) float64 { return float64(m.Row.NewlyCovered) },
				CompareUncovered: func(m *query.Move[ComparedFile]) float64 { return float64(m.Row.NewlyUncovered) },
				CompareShare:     func(m *query.Move[ComparedFile]) float64 { return Share(m.Row.Test) - Share(m.Row.Base) },
				CompareApart:     func(m *query.Move[ComparedFile]) float64 { return float64(m.Row.Apart()) },
			})
			return c, int64(len(moves)) * comparedBytes, ctx.Err()
		})
	return both, err
}

// comparedBytes is what a file takes in a comparison.
const comparedBytes = 600

// pairFiles pairs files by name, and what is left by path.
func pairFiles(base, test *Profile) [][2]*File {
	of := func(key func(*File) string) map[string]*File {
		m := make(map[string]*File, len(test.files))
		for i := range test.files {
			m[key(&test.files[i])] = &test.files[i]
		}
		return m
	}
	names, paths := of(func(f *File) string { return f.Name }), of(func(f *File) string { return f.Path })
	taken := make([]bool, len(test.files))
	pairs := make([][2]*File, len(base.files))
	for _, by := range []func(*File) *File{
		func(f *File) *File { return names[f.Name] }, func(f *File) *File { return paths[f.Path] },
	} {
		for i := range base.files {
			pairs[i][0] = &base.files[i]
			if t := by(&base.files[i]); pairs[i][1] == nil && t != nil && !taken[t.Index] {
				pairs[i][1], taken[t.Index] = t, true
			}
		}
	}
	for i := range test.files {
		if !taken[i] {
			pairs = append(pairs, [2]*File{nil, &test.files[i]})
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
		file *File
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
	find := func(is func(f *File) bool, of func(f *ComparedFile) *File) *ComparedFile {
		for i := range c.Files {
			if f := of(&c.Files[i]); f != nil && is(f) {
				return &c.Files[i]
			}
		}
		return nil
	}
	ofTest, ofBase := func(f *ComparedFile) *File { return f.Test }, func(f *ComparedFile) *File { return f.Base }
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
