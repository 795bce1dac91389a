package covdb

import (
	"cmp"
	"context"
	"fmt"
	"reflect"

	"proflens/analyze/coverage"
	"proflens/decode/model"
	"proflens/profile/budget"
	"proflens/profile/table"
)

// Place is where something begins in the source: one column of pages, three of scripts.
type Place struct {
	_      column `col:"file" width:"24" help:"as recorded"`
	Line   uint32 `col:"line" width:"7"`
	Column uint32 `col:"column" width:"6"`
	File   *File  // nil for nowhere
	order  int    // of what begins at one place
}

// Cell implements [table.Celler], also for where the place is on another host.
func (p *Place) Cell(column string, o *table.Options) table.Cell {
	switch {
	case p.File == nil:
		return table.Null
	case column == "source_url":
		return o.SourceURL(p.File.Name, p.File.Path, p.Line)
	}
	return table.Text(p.File.Name)
}

// Words implements [table.Sought].
func (p *Place) Words(show func([]byte)) {
	if p.File != nil {
		show([]byte(p.File.Path))
	}
}

// Compare implements [table.Ordered].
func (p *Place) Compare(other any) int {
	o := other.(*Place)
	if p.File == nil || o.File == nil {
		return 0
	}
	return cmp.Or(cmp.Compare(p.File.Index, o.File.Index), cmp.Compare(p.Line, o.Line), cmp.Compare(p.Column, o.Column),
		cmp.Compare(p.order, o.order))
}

// Missing implements [table.Missing].
func (p *Place) Missing() bool { return p.File == nil }

// Line is a line of a file with code: what the functions say of it together.
type Line struct {
	Place `col:"file" parts:"file,line" head:"Line" is:"sort,up,words"`
	Count uint64          `col:"count" width:"12" is:"sort,range" help:"how often it ran"`
	State coverage.State  `col:"state" width:"7" is:"sort,up" help:"missed, partly or covered" as:"missed|partly|covered"`
	Sides coverage.Metric `col:"branches_" parts:"total,covered" help:"sides of the conditions that begin in it"`
	_     column          `col:"source_url" is:"script" help:"on another host; null for none"`
}

// Lines is the table of lines.
var Lines = table.Declare[Line](table.Declaration{
	About: "A line of a source file with its count.", Noun: "line", Sought: "file",
	Show: "file count state", Text: "line count state file",
})

// Branch is a condition of a file, those of all functions added up.
type Branch struct {
	Place     `col:"file" head:"Condition" is:"sort,up,words"`
	EndLine   uint32  `col:"end_line" width:"8"`
	EndColumn uint32  `col:"end_column" width:"10"`
	True      *uint64 `col:"true" width:"12" is:"sort,range" help:"how often it was; null where it never can be"`
	False     *uint64 `col:"false" width:"12" is:"sort,range" help:"how often it was; null where it never can be"`
	Constant  bool    `col:"constant" width:"8" help:"every function has a side of it that the compiler knows"`
	_         column  `col:"source_url" is:"script" help:"on another host; null for none"`
}

// Branches is the table of conditions.
var Branches = table.Declare[Branch](table.Declaration{
	About: "A condition with how often each side was taken.", Noun: "condition", Sought: "file",
	Show: "file true false", Text: "line column true false file",
})

// FindLines finds the lines with code of a file, or of all files with nil.
func (p *Profile) FindLines(file *File) table.Find {
	return perFile(Lines, p.only(file), func(f *File) int { return f.Union.Lines.Total }, p.view,
		func(f *File, v *coverage.View, from, n int) (list []Line) {
			rows := v.Rows()
			for i := range rows {
				row := &rows[i]
				lines := int(row.Last-row.First) + 1
				if row.State == coverage.Unmapped {
					continue
				}
				line := Line{Count: row.Count, State: row.State}
				for at := range row.Sides {
					missed, of := row.Sides[at].Missed()
					line.Sides.Total, line.Sides.Covered = line.Sides.Total+of, line.Sides.Covered+of-missed
				}
				for at := min(from, lines); at < lines && len(list) < n; at++ {
					line.Place = Place{File: f, Line: row.First + uint32(at)}
					list = append(list, line)
				}
				from -= min(from, lines)
			}
			return list
		})
}

// FindBranches finds the conditions of a file, or of all files with nil.
func (p *Profile) FindBranches(file *File) table.Find {
	return perFile(Branches, p.only(file), func(f *File) int { return f.Conditions }, p.view,
		func(f *File, v *coverage.View, from, n int) (list []Branch) {
			sides := coverage.SidesOf(v.Branches)
			for i := from; i < min(from+n, len(sides)); i++ {
				s := &sides[i]
				b := Branch{
					Place: Place{File: f, Line: s.Start.Line, Column: s.Start.Column}, EndLine: s.End.Line, EndColumn: s.End.Column,
					True: &s.True, False: &s.False, Constant: s.Constant,
				}
				if s.TrueFolded {
					b.True = nil
				}
				if s.FalseFolded {
					b.False = nil
				}
				list = append(list, b)
			}
			return list
		})
}

// maxLines is how many rows of lines a table gives: a damaged mapping can claim four
// milliards in a few bytes.
const maxLines = 50_000_000

// tooManyLines is the error for rows of lines from a position on, that nobody wrote.
func tooManyLines(offset int) error {
	if offset < maxLines {
		return nil
	}
	return &model.FormatError{
		Kind: model.KindTooLarge, Section: "coverage mapping", Msg: "the mapping claims more lines than any program has",
		Expected: fmt.Sprintf("at most %d lines", maxLines),
	}
}

// only are a file, or all files with nil.
func (p *Profile) only(file *File) []File {
	if file == nil {
		return p.files
	}
	return p.files[file.Index : file.Index+1]
}

// view is a file, with all instances of a function as one.
func (p *Profile) view(ctx context.Context, f *File) (*coverage.View, error) {
	c, at, err := p.File(ctx, f.Index)
	if err != nil {
		return nil, err
	}
	return c.UnionView(at), nil
}

// perFile finds rows file after file: count is how many a file has, view what they are made from,
// make gives up to n of them from one on. Where a query leaves them as they are, those of its page alone are made,
// and the view of the last file is kept.
func perFile[F, V, R any](d *table.Declaration, files []F, count func(*F) int,
	view func(context.Context, *F) (V, error), make func(f *F, v V, from, n int) []R) table.Find {
	total := 0
	for i := range files {
		total += count(&files[i])
	}
	var last V
	var of *F
	read := func(ctx context.Context, offset, limit int) (rows []R, err error) {
		if err := tooManyLines(min(offset, total-1)); err != nil {
			return nil, err
		}
		for i := range files {
			f := &files[i]
			n := count(f)
			if offset >= n {
				offset -= n
				continue
			}
			if len(rows) >= limit {
				break
			}
			if of != f {
				if last, err = view(ctx, f); err != nil {
					return rows, err
				}
				of = f
			}
			rows = append(rows, make(f, last, offset, min(n-offset, limit-len(rows)))...)
			offset = 0
		}
		return rows, nil
	}
	var find table.Find
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		if q.Plain() {
			rows, err := read(ctx, q.Offset, q.Limit)
			return table.Page{Set: table.Set{Rows: rows}, All: total, Matching: total}, err
		}
		if find == nil {
			err := tooManyLines(total - 1)
			if err == nil {
				err = budget.Take(ctx, int64(total)*int64(reflect.TypeFor[R]().Size()))
			}
			if err != nil {
				return table.Page{}, err
			}
			rows, err := read(ctx, 0, total)
			if err != nil {
				return table.Page{}, err
			}
			find = d.Within(table.Set{Rows: rows})
		}
		return find(ctx, q)
	}
}
