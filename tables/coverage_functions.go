package tables

import (
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/profile/table"
	"proflens/profiledb/covdb"
)

// coveredFunction is a function, or the instances of one.
type coveredFunction struct {
	*covdb.Function
	named
}

var coverageFunctionColumns = slices.Concat(
	nameColumns(func(f *coveredFunction) *named { return &f.named }),
	[]table.Column[coveredFunction]{
		{"id", 8, func(f *coveredFunction) table.Cell { return table.Int(uint64(f.ID)) }},
		{"file", 24, func(f *coveredFunction) table.Cell {
			if f.File == nil {
				return table.Null
			}
			return table.Text(f.File.Name)
		}},
		{"line", 7, func(f *coveredFunction) table.Cell { return table.Int(uint64(f.Start.Line)) }},
		{"end_line", 8, func(f *coveredFunction) table.Cell { return table.Int(uint64(f.EndLine)) }},
		{"func_hash", 16, func(f *coveredFunction) table.Cell { return table.Hex(f.Hash) }},
		{"count", 12, func(f *coveredFunction) table.Cell { return table.Count(f.Count) }},
		{"instances", 9, func(f *coveredFunction) table.Cell { return table.Int(uint64(max(f.Instances, 1))) }},
		{"instances_ran", 9, func(f *coveredFunction) table.Cell {
			if f.Instances == 0 && f.Count > 0 {
				return table.Int(1)
			}
			return table.Int(uint64(f.Ran))
		}},
	},
	functionMetrics(func(f *coveredFunction) *coverage.Summary { return &f.Summary }),
)

var coverageFunctionText = []string{
	"count", "lines", "lines_covered", "lines_share", "branches_share", "line", "demangled",
}

func openCoverageFunctions(_ context.Context, p *covdb.Profile, o table.Options) (table.Table, error) {
	return CoverageFunctions(p, covdb.FunctionQuery{}, o), nil
}

// CoverageFunctions is the functions that a query selects, in its order; its Offset and
// Limit do not count.
func CoverageFunctions(p *covdb.Profile, q covdb.FunctionQuery, o table.Options) table.Table {
	columns := append(slices.Clip(coverageFunctionColumns),
		sourceURL(o, func(f *coveredFunction) (*covdb.File, uint32) { return f.File, f.Start.Line }))
	return &table.List[coveredFunction]{Columns: columns, Text: coverageFunctionText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (table.Step[coveredFunction], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.Functions(ctx, q)
			if err != nil {
				return table.Step[coveredFunction]{}, err
			}
			rows := make([]coveredFunction, len(page.Rows))
			for i := range page.Rows {
				f := &page.Rows[i]
				rows[i] = coveredFunction{f, newNamed(f.NameRef, []byte(f.Linkage), o.Demangle)}
			}
			return table.Step[coveredFunction]{Rows: rows, Total: page.Matching, Unsettled: !page.Complete}, nil
		}}
}
