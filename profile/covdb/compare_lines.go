package covdb

import (
	"context"

	"proflens/analyze/coverage"
	"proflens/profile/table"
)

// turnWords are what became of lines, in words.
var turnWords = map[coverage.Turn]string{
	coverage.Kept: "kept", coverage.NewlyCovered: "newly_covered", coverage.NewlyUncovered: "newly_uncovered",
	coverage.BaseOnly: "only_base", coverage.TestOnly: "only_test",
}

// comparedLine is a line of two profiles; 0 and nil in one that does not have it.
type comparedLine struct {
	File      string          `col:"file" width:"24"`
	Turn      string          `col:"turn" width:"15"`
	BaseLine  uint32          `col:"base_line" width:"9" is:"omitzero"`
	TestLine  uint32          `col:"test_line" width:"9" is:"omitzero"`
	BaseCount *uint64         `col:"base_count" width:"12"`
	TestCount *uint64         `col:"test_count" width:"12"`
	BaseState *coverage.State `col:"base_state" width:"10"`
	TestState *coverage.State `col:"test_state" width:"10"`
}

var comparedLines = table.Declare[comparedLine](table.Declaration{
	Text: "turn base_line test_line base_count test_count file",
})

// Table is the table of the lines of a file, or of all files with nil, by file: those that became
// covered or uncovered, or all with code.
func (c *Comparison) Table(only *ComparedFile, all bool, o table.Options) table.Table {
	files := c.Files
	if only != nil {
		files = []*ComparedFile{only}
	}
	count := func(f **ComparedFile) int {
		if all {
			return (*f).All()
		}
		return (*f).Moved.Turned()
	}
	view := func(ctx context.Context, f **ComparedFile) (*coverage.FileMoves, error) { return c.Lines(ctx, *f) }
	return comparedLines.Open(perFile(comparedLines, files, count, view,
		func(f **ComparedFile, m *coverage.FileMoves, from, n int) (list []comparedLine) {
			for i := range m.Pairs {
				p := &m.Pairs[i]
				if !all && p.Turn != coverage.NewlyCovered && p.Turn != coverage.NewlyUncovered {
					continue
				}
				line := comparedLine{File: (*f).Any().Name, Turn: turnWords[p.Turn]}
				if p.BaseRow != nil {
					line.BaseCount, line.BaseState = &p.BaseRow.Count, &p.BaseRow.State
				}
				if p.TestRow != nil {
					line.TestCount, line.TestState = &p.TestRow.Count, &p.TestRow.State
				}
				for at := min(from, p.Lines); at < p.Lines && len(list) < n; at++ {
					if p.Base > 0 {
						line.BaseLine = p.Base + uint32(at)
					}
					if p.Test > 0 {
						line.TestLine = p.Test + uint32(at)
					}
					list = append(list, line)
				}
				from -= min(from, p.Lines)
			}
			return list
		}), table.Query{}, o, true)
}
