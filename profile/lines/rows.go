package lines

import (
	"context"
	"slices"
	"sort"

	"proflens/profile/table"
)

// Line is a line of a source file with its figures.
type Line struct {
	File  string `col:"file" width:"40"`
	Line  uint32 `col:"line" width:"7" is:"omitzero"` // 0 where it is not known
	cells []uint64
}

var (
	fileRows = table.Declare[File](table.Declaration{
		About: "A source file with its figures.", Noun: "file", Show: "file *",
	})
	lineRows = table.Declare[Line](table.Declaration{
		About: "A source line with its figures.", Noun: "line", Show: "file line *",
	})
)

// figures are the table's columns of rows that have them.
func figures[R any](t *Table, of func(row *R) []uint64) []table.Made {
	list := make([]table.Made, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		list[i] = table.Made{Name: c.Key, Head: c.Label, Help: c.Title, Width: 13, Is: "sort,range,number",
			Cell: func(row any, _ *table.Options) table.Cell { return table.Count(of(row.(*R))[i]) }}
	}
	return list
}

// FileRows is the table of files, the heaviest first.
func (t *Table) FileRows() *table.Declaration {
	usual := "file"
	if len(t.Columns) > 0 {
		usual = "-" + t.Columns[t.Weight()].Key
	}
	return fileRows.With(usual, figures(t, func(f *File) []uint64 { return f.Sums }))
}

// Weight is the first column that does not only count what is there, or the first of all.
func (t *Table) Weight() int {
	return max(0, slices.IndexFunc(t.Columns, func(c Column) bool { return !c.Counts }))
}

// FindLines is the table of the lines of some of its files that have a figure.
func (t *Table) FindLines(files []File) (*table.Declaration, table.Find) {
	ends := make([]int, len(files)) // rows up to the end of each file
	total := 0
	for i := range files {
		total += len(files[i].Lines)
		ends[i] = total
	}
	return lineRows.With("", figures(t, func(l *Line) []uint64 { return l.cells })),
		func(_ context.Context, q table.Query) (table.Page, error) {
			var rows []Line
			offset := q.Offset
			for i := sort.SearchInts(ends, offset+1); i < len(files) && len(rows) < q.Limit; i++ {
				f := &files[i]
				for n := offset - (ends[i] - len(f.Lines)); n < len(f.Lines) && len(rows) < q.Limit; n++ {
					rows = append(rows, Line{f.Name, f.Lines[n], f.At(n)})
					offset++
				}
			}
			return table.Page{Set: table.Set{Rows: rows}, All: total, Matching: total}, nil
		}
}
