package tables

import (
	"context"
	"fmt"
	"slices"

	"proflens/analyze/coverage"
	"proflens/decode/model"
	"proflens/profile/table"
	"proflens/profiledb/covdb"
)

// coveredLine is a line of a file with code.
type coveredLine struct {
	file *covdb.File
	line uint32
	row  *coverage.Row
}

// stateWords are those of lines.
var stateWords = map[coverage.State]string{
	coverage.Missed: "missed", coverage.Partly: "partly", coverage.Ran: "covered",
}

var coverageLineColumns = []table.Column[coveredLine]{
	{"file", 24, func(l *coveredLine) table.Cell { return table.Text(l.file.Name) }},
	{"line", 7, func(l *coveredLine) table.Cell { return table.Int(uint64(l.line)) }},
	{"count", 12, func(l *coveredLine) table.Cell { return table.Count(l.row.Count) }},
	{"state", 7, func(l *coveredLine) table.Cell { return table.Text(stateWords[l.row.State]) }},
	{"branches", 8, func(l *coveredLine) table.Cell { return table.Int(uint64(l.sides().Total)) }},
	{"branches_covered", 8, func(l *coveredLine) table.Cell { return table.Int(uint64(l.sides().Covered)) }},
}

var coverageLineText = []string{"line", "count", "state", "file"}

// sides are those of the conditions that begin in the line.
func (l *coveredLine) sides() (m coverage.Metric) {
	for i := range l.row.Sides {
		missed, of := l.row.Sides[i].Missed()
		m.Total, m.Covered = m.Total+of, m.Covered+of-missed
	}
	return m
}

func openCoverageLines(_ context.Context, p *covdb.Profile, o table.Options) (table.Table, error) {
	return CoverageLines(p, nil, o), nil
}

// CoverageLines is the lines with code of a file, or of all files with nil: what the
// functions say of them together.
func CoverageLines(p *covdb.Profile, file *covdb.File, o table.Options) table.Table {
	read := perFile(p, file, func(f *covdb.File) int { return f.Union.Lines.Total },
		func(f *covdb.File, v *coverage.View, from, n int) []coveredLine {
			var list []coveredLine
			rows := v.Rows()
			for i := range rows {
				row := &rows[i]
				lines := int(row.Last-row.First) + 1
				switch {
				case row.State == coverage.Unmapped:
				case from >= lines:
					from -= lines
				default:
					for at := from; at < lines && len(list) < n; at++ {
						list = append(list, coveredLine{f, row.First + uint32(at), row})
					}
					from = 0
				}
			}
			return list
		})
	columns := append(slices.Clip(coverageLineColumns),
		sourceURL(o, func(l *coveredLine) (*covdb.File, uint32) { return l.file, l.line }))
	return &table.List[coveredLine]{Columns: columns, Text: coverageLineText, Quote: o.Quote, Read: read}
}

// maxLines is how many rows of lines a table gives: a damaged mapping can claim four
// milliards in a few bytes.
const maxLines = 50_000_000

// tooManyLines is the error for rows from a position on, that nobody wrote.
func tooManyLines(offset int) error {
	if offset < maxLines {
		return nil
	}
	return &model.FormatError{
		Kind: model.KindTooLarge, Section: "coverage mapping", Msg: "the mapping claims more lines than any program has",
		Expected: fmt.Sprintf("at most %d lines", maxLines),
	}
}

// perFile reads rows file after file: count is how many a file has, make gives up to n
// of them from one on. It keeps the view of the last file.
func perFile[T any](p *covdb.Profile, only *covdb.File, count func(*covdb.File) int,
	make func(f *covdb.File, v *coverage.View, from, n int) []T) func(ctx context.Context, offset,
	limit int) (table.Step[T], error) {
	var files []*covdb.File
	total := 0
	for i := range p.Overview.Files {
		if f, err := p.FileAt(i); err == nil && (only == nil || only.Index == i) {
			files = append(files, f)
			total += count(f)
		}
	}
	var last *coverage.View
	of := -1
	return func(ctx context.Context, offset, limit int) (table.Step[T], error) {
		step := table.Step[T]{Total: total}
		if err := tooManyLines(min(offset, total-1)); err != nil {
			return step, err
		}
		for _, f := range files {
			n := count(f)
			if offset >= n {
				offset -= n
				continue
			}
			if len(step.Rows) >= limit {
				break
			}
			if of != f.Index {
				c, at, err := p.File(ctx, f.Index)
				if err != nil {
					return step, err
				}
				last, of = c.UnionView(at), f.Index
			}
			step.Rows = append(step.Rows, make(f, last, offset, min(n-offset, limit-len(step.Rows)))...)
			offset = 0
		}
		return step, nil
	}
}
