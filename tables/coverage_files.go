package tables

import (
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/profile/table"
	"proflens/profiledb/covdb"
)

func openCoverageFiles(_ context.Context, p *covdb.Profile, o table.Options) (table.Table, error) {
	return CoverageFiles(p, covdb.FileQuery{}, o), nil
}

// metricCells are a metric's columns: how many there are, how many were covered, and
// the share; null of nothing.
func metricCells[T any](name string, of func(*T) coverage.Metric) []table.Column[T] {
	return []table.Column[T]{
		{name, 8, func(row *T) table.Cell { return table.Int(uint64(of(row).Total)) }},
		{name + "_covered", 8, func(row *T) table.Cell { return table.Int(uint64(of(row).Covered)) }},
		{name + "_share", 8, func(row *T) table.Cell {
			m := of(row)
			if m.Total == 0 {
				return table.Null
			}
			return table.Ratio(float64(m.Covered) / float64(m.Total))
		}},
	}
}

// functionMetrics are what functions have, and files too.
func functionMetrics[T any](of func(*T) *coverage.Summary) []table.Column[T] {
	return slices.Concat(
		metricCells("lines", func(row *T) coverage.Metric { return of(row).Lines }),
		metricCells("regions", func(row *T) coverage.Metric { return of(row).Regions }),
		metricCells("branches", func(row *T) coverage.Metric { return of(row).Branches }),
		metricCells("mcdc", func(row *T) coverage.Metric { return of(row).MCDC }),
	)
}

var coverageFileColumns = slices.Concat(
	[]table.Column[covdb.File]{{"file", 0, func(f *covdb.File) table.Cell { return table.Text(f.Name) }}},
	functionMetrics(func(f *covdb.File) *coverage.Summary { return &f.Summary }),
	metricCells("functions", func(f *covdb.File) coverage.Metric { return f.Functions }),
	metricCells("instantiations", func(f *covdb.File) coverage.Metric { return f.Instantiations }),
	metricCells("union_lines", func(f *covdb.File) coverage.Metric { return f.Union.Lines }),
	metricCells("union_regions", func(f *covdb.File) coverage.Metric { return f.Union.Regions }),
	metricCells("union_branches", func(f *covdb.File) coverage.Metric { return f.Union.Branches }),
	[]table.Column[covdb.File]{{"lines_partly", 8, func(f *covdb.File) table.Cell { return table.Int(uint64(f.Partly)) }}},
)

var coverageFileText = []string{
	"lines", "lines_covered", "lines_share", "regions_share", "branches_share", "functions_share", "mcdc_share", "file",
}

// CoverageFiles is the source files that a query selects, in its order; its Offset and
// Limit do not count.
func CoverageFiles(p *covdb.Profile, q covdb.FileQuery, o table.Options) table.Table {
	columns := append(slices.Clip(coverageFileColumns),
		sourceURL(o, func(f *covdb.File) (*covdb.File, uint32) { return f, 0 }))
	return &table.List[covdb.File]{Columns: columns, Text: coverageFileText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (table.Step[covdb.File], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.Files(ctx, q)
			if err != nil {
				return table.Step[covdb.File]{}, err
			}
			return table.Step[covdb.File]{Rows: page.Rows, Total: page.Matching}, nil
		}}
}
