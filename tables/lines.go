package tables

import (
	"context"
	"sort"

	"proflens/profile/table"
	"proflens/profiledb/lines"
)

// fileLine is a line of a source file with its figures, or a file.
type fileLine struct {
	file  string
	line  uint32 // 0 where it is not known, and of a file
	cells []uint64
}

// figureColumns are the columns of figures by line.
func figureColumns(t *lines.Table) []table.Column[fileLine] {
	list := make([]table.Column[fileLine], len(t.Columns))
	for i := range t.Columns {
		list[i] = table.Column[fileLine]{
			t.Columns[i].Key, 13, func(l *fileLine) table.Cell { return table.Count(l.cells[i]) },
		}
	}
	return list
}

var fileColumn = table.Column[fileLine]{"file", 40, func(l *fileLine) table.Cell { return table.Text(l.file) }}

// SourceFiles is the files of a table with their figures: those picked, in order.
func SourceFiles(t *lines.Table, picked []uint32, o table.Options) table.Table {
	return &table.List[fileLine]{
		Columns: append([]table.Column[fileLine]{fileColumn}, figureColumns(t)...), Quote: o.Quote,
		Read: func(_ context.Context, offset, limit int) (table.Step[fileLine], error) {
			step := table.Step[fileLine]{Total: len(picked)}
			for _, i := range picked[min(offset, len(picked)):min(offset+limit, len(picked))] {
				step.Rows = append(step.Rows, fileLine{file: t.Files[i].Name, cells: t.Files[i].Sums})
			}
			return step, nil
		},
	}
}

// SourceLines is the lines of files that have a figure.
func SourceLines(t *lines.Table, files []lines.File, o table.Options) table.Table {
	ends := make([]int, len(files)) // rows up to the end of each file
	total := 0
	for i := range files {
		total += len(files[i].Lines)
		ends[i] = total
	}
	line := table.Column[fileLine]{"line", 7, func(l *fileLine) table.Cell {
		if l.line == 0 {
			return table.Null
		}
		return table.Int(uint64(l.line))
	}}
	return &table.List[fileLine]{
		Columns: append([]table.Column[fileLine]{fileColumn, line}, figureColumns(t)...), Quote: o.Quote,
		Read: func(_ context.Context, offset, limit int) (table.Step[fileLine], error) {
			step := table.Step[fileLine]{Total: total}
			for i := sort.SearchInts(ends, offset+1); i < len(files) && len(step.Rows) < limit; i++ {
				f := &files[i]
				for n := offset - (ends[i] - len(f.Lines)); n < len(f.Lines) && len(step.Rows) < limit; n++ {
					step.Rows = append(step.Rows, fileLine{f.Name, f.Lines[n], f.At(n)})
					offset++
				}
			}
			return step, nil
		},
	}
}

// openLines makes the table of the lines that a family has figures of.
func openLines[P any](figures func(P, context.Context) (*lines.Table, error)) func(context.Context, P,
	table.Options) (table.Table, error) {
	return func(ctx context.Context, p P, o table.Options) (table.Table, error) {
		t, err := figures(p, ctx)
		if err != nil {
			return nil, err
		}
		if t == nil {
			t = &lines.Table{}
		}
		return SourceLines(t, t.Files, o), nil
	}
}
