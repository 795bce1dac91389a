package covdb

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Decision is a condition made of several, with what was seen of it.
type Decision struct {
	ID        int `col:"id" head:"Number" is:"page,key" help:"in the profile, from 1"`
	Place     `col:"file" head:"Decision" is:"sort,up,words"`
	EndLine   uint32          `col:"end_line" width:"8" is:"script"`
	EndColumn uint32          `col:"end_column" width:"10" is:"script"`
	Metric    coverage.Metric `col:"conditions_"` // its conditions, and how many were shown to matter
	_         column          `col:"mcdc" head:"Shown" is:"sort,up,number,page"`
	_         column          `help:"conditions with a pair" how:"cov-mcdc a condition's pair"`
	_         column          `col:"missing" is:"sort,number,page" help:"conditions without a pair"`
	_         column          `col:"list" is:"script" as:"list CoverageCondition"`
	_         column          `col:"vectors" as:"list" help:"that ran: a letter a condition, and the result"`
	Function  table.Name      `col:"function" head:"Function"`
	_         column          `col:"source_url" is:"script" help:"on another host; null for none"`

	// Seen is what the function has of the decision; like its name, of the rows of a page
	// alone.
	Seen *coverage.Decision
	// Spans are where each of its conditions begins and ends; zero where that is not known.
	Spans []Span
	// Used is where the function uses the macro that has the decision; zero where no macro has it.
	Used Span

	function, number int
}

// Span is a piece of a file.
type Span struct {
	File       *File // nil for nowhere
	Start, End covmap.Position
}

// Decisions is the table of decisions.
var Decisions = table.Declare[Decision](table.Declaration{
	About: "Conditions that form one decision, with the vectors that were seen.",
	Noun:  "decision", Usual: "file", Sought: "file",
	Show: "file function mcdc missing vectors", Text: "line column conditions conditions_covered file demangled",
})

// condition is one as JSON has it.
type condition struct {
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
	Folded bool   `json:"folded"`
	// Pair is the numbers, from 1, of two vectors that show that the condition matters.
	Pair []int `json:"pair"`
}

// Cell implements [table.Celler]. Vectors are written as "TF-=T": a letter a condition, and
// the result.
func (d *Decision) Cell(column string, o *table.Options) table.Cell {
	switch column {
	case "mcdc":
		return table.Ratio(float64(d.Metric.Covered) / float64(max(d.Metric.Total, 1)))
	case "missing":
		return table.Int(d.Metric.Missed())
	case "list":
		list := make([]condition, len(d.Seen.Conditions))
		for i := range d.Seen.Conditions {
			c := &d.Seen.Conditions[i]
			list[i] = condition{c.Start.Line, c.Start.Column, c.Folded, nil}
			if c.Covered() {
				list[i].Pair = c.Pair[:]
			}
		}
		return listCell(list)
	case "vectors":
		list := make([]string, len(d.Seen.Vectors))
		for i := range d.Seen.Vectors {
			v := &d.Seen.Vectors[i]
			for _, value := range v.Values {
				list[i] += string("-FT"[min(value, coverage.IsTrue)])
			}
			list[i] += "=F"
			if v.Result {
				list[i] = strings.TrimSuffix(list[i], "F") + "T"
			}
		}
		return listCell(list)
	}
	return d.Place.Cell(column, o)
}

// listCell is a list of numbers and words.
func listCell(list any) table.Cell {
	b, err := json.Marshal(list)
	if err != nil {
		return table.Null
	}
	return table.JSON(b)
}

// DecisionQuery selects decisions.
type DecisionQuery struct {
	Files     []int // nil for all
	Missing   bool  // with conditions that were not shown to matter
	Instances bool  // of each of a template's instances; else of the one with the most shown
	// Worst has, where no other order is asked for, those with the most missing first, and one's own
	// code before all other.
	Worst bool
}

// DecisionSums are what those that match come to; all decisions of files as llvm-cov counts
// them.
type DecisionSums struct{ Conditions coverage.Metric }

// mcdc is what the decisions of some files come to for llvm-cov: of several instances as
// many as the one with the most has, and nothing of macros. nil is all files.
func (p *Profile) mcdc(files []int) (sum coverage.Metric) {
	if files == nil {
		return p.Overview.Totals.MCDC
	}
	var sums Sums
	for _, f := range files {
		if f >= 0 && f < len(p.files) {
			sums.Add(&p.files[f].Sums)
		}
	}
	return sums.MCDC
}

// FindDecisions finds those that a query selects. Errors are the context's, or about the
// profile.
func (p *Profile) FindDecisions(ctx context.Context, q DecisionQuery) (table.Find, error) {
	all, err := stored.Cached(ctx, p.Profile, "coverage decisions", p.readDecisions)
	if err != nil {
		return nil, err
	}
	var list []*Decision
	wanted := p.fileSet(q.Files)
	for i := range all {
		d := &all[i]
		if wanted != nil && !wanted.Has(uint32(d.File.Index)) ||
			p.functions != nil && !p.functions.Has(uint32(d.function-1)) ||
			p.left.Marks != nil && p.left.Marks(d.File.Index).Condition(d.Line) {
			continue
		}
		if n := len(list) - 1; !q.Instances && n >= 0 && list[n].File == d.File &&
			list[n].Line == d.Line && list[n].Column == d.Column {
			if d.Metric.Covered > list[n].Metric.Covered {
				list[n] = d
			}
			continue
		}
		list = append(list, d)
	}
	if q.Missing {
		list = slices.DeleteFunc(list, func(d *Decision) bool { return d.Metric.Missed() <= 0 })
	}
	if q.Worst {
		slices.SortStableFunc(list, func(a, b *Decision) int {
			return cmp.Or(a.File.Kind.Compare(&b.File.Kind), cmp.Compare(b.Metric.Missed(), a.Metric.Missed()))
		})
	}
	find := Decisions.Within(table.Set{Rows: list, Sorted: true, Matched: func(ids []uint32) any {
		if !q.Missing && !q.Instances && len(ids) == len(list) {
			return &DecisionSums{p.mcdc(q.Files)}
		}
		var sums DecisionSums
		for _, i := range ids {
			sums.Conditions.Add(list[i].Metric)
		}
		return &sums
	}})
	return func(ctx context.Context, t table.Query) (table.Page, error) {
		page, err := find(ctx, t)
		if err != nil {
			return page, err
		}
		rows := make([]Decision, len(page.IDs))
		for i, d := range table.RowsOf[Decision](&page) {
			if rows[i], err = p.decision(ctx, *d); err != nil {
				return page, err
			}
		}
		page.Rows, page.IDs, page.All = rows, nil, len(all)
		return page, nil
	}, nil
}

// decision is one with what its function has of it.
func (p *Profile) decision(ctx context.Context, d Decision) (Decision, error) {
	f, c, err := p.Function(ctx, d.function)
	if err != nil {
		return d, err
	}
	made := &c.Functions[0]
	if d.number >= len(made.Decisions) {
		return d, stored.Damaged("decision %d of %d of function %d", d.number, len(made.Decisions), f.ID)
	}
	d.Seen, d.Function = &made.Decisions[d.number], f.Name
	in := func(s coverage.Span) Span { return Span{&p.files[made.Files[s.File]], s.Start, s.End} }
	for _, s := range made.Spans(d.Seen) {
		if s.Start.Line == 0 {
			d.Spans = append(d.Spans, Span{})
			continue
		}
		d.Spans = append(d.Spans, in(s))
	}
	if used, ok := made.Used(d.Seen); ok {
		d.Used = in(used)
	}
	d.EndLine, d.EndColumn = d.Seen.End.Line, d.Seen.End.Column
	return d, nil
}

// readDecisions reads all, by file and place; of one place the first function first.
func (p *Profile) readDecisions() ([]Decision, int64, error) {
	var list []Decision
	err := p.Walk("coverage_decision", func(row *stored.Row) {
		d := Decision{
			ID: int(row.ID), function: int(row.Int(1)), number: int(row.Int(2)),
			Place:  Place{Line: uint32(row.Uint(4)), Column: uint32(row.Uint(5)), order: len(list)},
			Metric: coverage.Metric{Total: int(row.Int(6)), Covered: int(row.Int(7))},
		}
		file := row.Int(3)
		if d.function < 1 || d.function > p.Overview.Instances || file < 1 || int(file) > len(p.files) || d.number < 0 {
			row.Fail(stored.Damaged("decision %d is of function %d and file %d", row.ID, d.function, file))
			return
		}
		d.File = &p.files[file-1]
		list = append(list, d)
	})
	slices.SortFunc(list, func(a, b Decision) int { return a.Place.Compare(&b.Place) })
	return list, int64(len(list)) * int64(reflect.TypeFor[Decision]().Size()), err
}
