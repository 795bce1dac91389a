package tables

import (
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/profile/table"
	"proflens/profiledb/covdb"
)

// coveredBranch is a condition of a file.
type coveredBranch struct {
	file *covdb.File
	*coverage.Sides
}

// sideCell is how often a side was taken; null where the compiler knows that it never can be.
func sideCell(count uint64, folded bool) table.Cell {
	if folded {
		return table.Null
	}
	return table.Count(count)
}

var coverageBranchColumns = []table.Column[coveredBranch]{
	{"file", 24, func(b *coveredBranch) table.Cell { return table.Text(b.file.Name) }},
	{"line", 7, func(b *coveredBranch) table.Cell { return table.Int(uint64(b.Start.Line)) }},
	{"column", 6, func(b *coveredBranch) table.Cell { return table.Int(uint64(b.Start.Column)) }},
	{"end_line", 8, func(b *coveredBranch) table.Cell { return table.Int(uint64(b.End.Line)) }},
	{"end_column", 10, func(b *coveredBranch) table.Cell { return table.Int(uint64(b.End.Column)) }},
	{"true", 12, func(b *coveredBranch) table.Cell { return sideCell(b.True, b.TrueFolded) }},
	{"false", 12, func(b *coveredBranch) table.Cell { return sideCell(b.False, b.FalseFolded) }},
	{"constant", 8, func(b *coveredBranch) table.Cell { return table.Bool(b.Constant) }},
}

var coverageBranchText = []string{"line", "column", "true", "false", "file"}

func openCoverageBranches(_ context.Context, p *covdb.Profile, o table.Options) (table.Table, error) {
	return CoverageBranches(p, nil, o), nil
}

// CoverageBranches is the conditions of a file, or of all files with nil, those of all
// functions added up by place.
func CoverageBranches(p *covdb.Profile, file *covdb.File, o table.Options) table.Table {
	read := perFile(p, file, func(f *covdb.File) int { return f.Conditions },
		func(f *covdb.File, v *coverage.View, from, n int) []coveredBranch {
			sides := coverage.SidesOf(v.Branches)
			list := make([]coveredBranch, 0, n)
			for i := from; i < min(from+n, len(sides)); i++ {
				list = append(list, coveredBranch{f, &sides[i]})
			}
			return list
		})
	columns := append(slices.Clip(coverageBranchColumns),
		sourceURL(o, func(b *coveredBranch) (*covdb.File, uint32) { return b.file, b.Start.Line }))
	return &table.List[coveredBranch]{Columns: columns, Text: coverageBranchText, Quote: o.Quote, Read: read}
}
