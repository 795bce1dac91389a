package tables

import (
	"context"

	"proflens/analyze/coverage"
	"proflens/profile/covdb"
	"proflens/profile/table"
)

// TurnWords are what became of lines, in words.
var TurnWords = map[coverage.Turn]string{
	coverage.Kept: "kept", coverage.NewlyCovered: "newly_covered", coverage.NewlyUncovered: "newly_uncovered",
	coverage.BaseOnly: "only_base", coverage.TestOnly: "only_test",
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
		files = []*covdb.ComparedFile{only}
	}
	count := func(f *covdb.ComparedFile) int { return f.Moved.Turned() }
	if all {
		count = func(f *covdb.ComparedFile) int { return f.All() }
	}
	total := 0
	for i := range files {
		total += count(files[i])
	}
	var last *coverage.FileMoves
	of := -1
	read := func(ctx context.Context, offset, limit int) (table.Step[comparedLine], error) {
		step := table.Step[comparedLine]{Total: total}
		if err := covdb.TooManyLines(min(offset, total-1)); err != nil {
			return step, err
		}
		for i := range files {
			f := files[i]
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
