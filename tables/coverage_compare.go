package tables

import (
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/profile/table"
	"proflens/profiledb/covdb"
	"proflens/profiledb/query"
)

// TurnWords are what became of lines, in words.
var TurnWords = map[coverage.Turn]string{
	coverage.Kept: "kept", coverage.NewlyCovered: "newly_covered", coverage.NewlyUncovered: "newly_uncovered",
	coverage.BaseOnly: "only_base", coverage.TestOnly: "only_test",
}

// MatchingWords are how lines were matched.
var MatchingWords = map[coverage.Matching]string{coverage.ByNumber: "number", coverage.ByFunction: "function"}

func matchingCell(m coverage.Matching) table.Cell {
	if m == coverage.Unmatched {
		return table.Null
	}
	return table.Text(MatchingWords[m])
}

// ComparedCoverage is the source files of two profiles. words are the states of moves,
// by bit.
func ComparedCoverage(c *covdb.Comparison, q query.MoveQuery, words []string, o table.Options,
	members []byte) table.Table {
	return Moves(c, q, ComparedCoverageColumns(words),
		[]string{"state", "newly_covered", "newly_uncovered", "base_covered", "test_covered", "not_compared", "file"}, o,
		members)
}

// ComparedCoverageColumns are all columns of it.
func ComparedCoverageColumns(words []string) []table.Column[query.Move[covdb.ComparedFile]] {
	type move = query.Move[covdb.ComparedFile]
	file := func(m *move, test bool) *covdb.File {
		if test {
			return m.Row.Test
		}
		return m.Row.Base
	}
	count := func(name string, of func(f *covdb.ComparedFile) int) table.Column[move] {
		return table.Column[move]{name, 9, func(m *move) table.Cell { return table.Int(uint64(of(&m.Row))) }}
	}
	return slices.Concat(
		[]table.Column[move]{
			moveState[covdb.ComparedFile](words),
			{"file", 0, func(m *move) table.Cell { return table.Text(m.Row.Any().Name) }},
			{"change", 9, func(m *move) table.Cell { return table.Number(m.Change) }},
			count("newly_covered", func(f *covdb.ComparedFile) int { return f.NewlyCovered }),
			count("newly_uncovered", func(f *covdb.ComparedFile) int { return f.NewlyUncovered }),
			count("compared", func(f *covdb.ComparedFile) int { return f.Both }),
			count("not_compared", (*covdb.ComparedFile).Apart),
			{"matched_by", 9, func(m *move) table.Cell { return matchingCell(m.Row.Matching) }},
		},
		moveSides("lines", 9, func(m *move, test bool) table.Cell {
			return table.Int(uint64(file(m, test).Union.Lines.Total))
		}),
		moveSides("covered", 9, func(m *move, test bool) table.Cell {
			return table.Int(uint64(file(m, test).Union.Lines.Covered))
		}),
		moveSides("share", 8, func(m *move, test bool) table.Cell { return table.Ratio(covdb.Share(file(m, test))) }),
		moveSides("not_compared", 9, func(m *move, test bool) table.Cell {
			if test {
				return table.Int(uint64(m.Row.TestOnly.Total))
			}
			return table.Int(uint64(m.Row.BaseOnly.Total))
		}))
}

// comparedLine is a line in two profiles.
type comparedLine struct {
	file *covdb.ComparedFile
	pair *coverage.LinePair
	at   int // lines below the pair's first
}

func (l *comparedLine) line(first uint32) table.Cell {
	if first == 0 {
		return table.Null
	}
	return table.Int(uint64(first) + uint64(l.at))
}

func countOf(r *coverage.Row) table.Cell {
	if r == nil {
		return table.Null
	}
	return table.Count(r.Count)
}

func stateOf(r *coverage.Row) table.Cell {
	if r == nil {
		return table.Null
	}
	return table.Text(r.State.String())
}

var comparedLineColumns = []table.Column[comparedLine]{
	{"file", 24, func(l *comparedLine) table.Cell { return table.Text(l.file.Any().Name) }},
	{"turn", 15, func(l *comparedLine) table.Cell { return table.Text(TurnWords[l.pair.Turn]) }},
	{"base_line", 9, func(l *comparedLine) table.Cell { return l.line(l.pair.Base) }},
	{"test_line", 9, func(l *comparedLine) table.Cell { return l.line(l.pair.Test) }},
	{"base_count", 12, func(l *comparedLine) table.Cell { return countOf(l.pair.BaseRow) }},
	{"test_count", 12, func(l *comparedLine) table.Cell { return countOf(l.pair.TestRow) }},
	{"base_state", 10, func(l *comparedLine) table.Cell { return stateOf(l.pair.BaseRow) }},
	{"test_state", 10, func(l *comparedLine) table.Cell { return stateOf(l.pair.TestRow) }},
}

var comparedLineText = []string{"turn", "base_line", "test_line", "base_count", "test_count", "file"}

// ComparedLines is the lines of a file of two profiles, or of all files with nil, by
// file: those that became covered or uncovered, or all with code.
func ComparedLines(c *covdb.Comparison, only *covdb.ComparedFile, all bool, o table.Options) table.Table {
	files := c.Files
	if only != nil {
		files = []covdb.ComparedFile{*only}
	}
	count := (*covdb.ComparedFile).Turned
	if all {
		count = (*covdb.ComparedFile).All
	}
	total := 0
	for i := range files {
		total += count(&files[i])
	}
	var last *coverage.FileMoves
	of := -1
	read := func(ctx context.Context, offset, limit int) (table.Step[comparedLine], error) {
		step := table.Step[comparedLine]{Total: total}
		if err := covdb.TooManyLines(min(offset, total-1)); err != nil {
			return step, err
		}
		for i := range files {
			f := &files[i]
			n := count(f)
			if offset >= n {
				offset -= n
				continue
			}
			if len(step.Rows) >= limit {
				break
			}
			if of != i {
				var err error
				if last, err = c.Lines(ctx, f); err != nil {
					return step, err
				}
				of = i
			}
			for n := range last.Pairs {
				p := &last.Pairs[n]
				if !all && p.Turn != coverage.NewlyCovered && p.Turn != coverage.NewlyUncovered {
					continue
				}
				for at := min(offset, p.Lines); at < p.Lines && len(step.Rows) < limit; at++ {
					step.Rows = append(step.Rows, comparedLine{f, p, at})
				}
				offset -= min(offset, p.Lines)
			}
		}
		return step, nil
	}
	return &table.List[comparedLine]{Columns: comparedLineColumns, Text: comparedLineText, Quote: o.Quote, Read: read}
}
