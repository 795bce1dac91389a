package covdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Decision is a condition made of several, with what was seen of it.
type Decision struct {
	ID              int // from 1
	Function        *Function
	File            *File
	coverage.Metric // its conditions, and how many were shown to matter
	coverage.Decision
}

// DecisionQuery selects, orders and pages decisions: by file and line, or by what was
// not shown.
type DecisionQuery struct {
	Files     []int       // nil for all
	Function  int         // that they are of, by id; 0 for all
	Missing   bool        // with conditions that were not shown to matter
	Instances bool        // of each of a template's instances; else of the one with the most shown
	Sort      []query.Key // empty is by file and line
	Offset    int
	Limit     int
}

// DecisionColumns are what decisions can be sorted by.
var DecisionColumns = []query.Column{ColFile, ColMCDC, ColMissing}

// DecisionPage is one page of decisions.
type DecisionPage struct {
	Rows     []Decision
	All      int // of the profile
	Matching int
	Totals   coverage.Metric // of those that match; of all decisions of files as llvm-cov counts them
}

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

// decision is a row of the table.
type decision struct {
	id, function, number, file int32
	at                         uint64 // line and column
	covered, conditions        int32
}

// Decisions returns one page of decisions. Errors are a *query.ColumnError, the
// context's, or about the profile.
func (p *Profile) Decisions(ctx context.Context, q DecisionQuery) (*DecisionPage, error) {
	all, err := stored.Cached(ctx, p.Profile, "coverage decisions", p.readDecisions)
	if err != nil {
		return nil, err
	}
	page := &DecisionPage{All: len(all)}
	var list []decision
	for _, d := range all {
		if q.Files != nil && !slices.Contains(q.Files, int(d.file)) || q.Function > 0 && int(d.function) != q.Function-1 {
			continue
		}
		if n := len(list); !q.Instances && q.Function == 0 && n > 0 && list[n-1].file == d.file && list[n-1].at == d.at {
			if d.covered > list[n-1].covered {
				list[n-1] = d
			}
			continue
		}
		list = append(list, d)
	}
	if q.Missing {
		list = slices.DeleteFunc(list, func(d decision) bool { return d.covered >= d.conditions })
	}
	if !q.Missing && !q.Instances && q.Function == 0 {
		page.Totals = p.mcdc(q.Files)
	} else {
		for _, d := range list {
			page.Totals.Total += int(d.conditions)
			page.Totals.Covered += int(d.covered)
		}
	}
	ids := query.All(len(list))
	err = query.Sort(ctx, ids, q.Sort, func(c query.Column) (query.Value, error) {
		switch c {
		case ColFile:
			return query.Value{At: func(i uint32) uint64 { return uint64(i) }}, nil
		case ColMissing:
			return query.Value{At: func(i uint32) uint64 { return uint64(list[i].conditions - list[i].covered) }}, nil
		case ColMCDC:
			return query.Real(func(i uint32) float64 { return float64(list[i].covered) / float64(max(list[i].conditions, 1)) }),
				nil
		}
		return query.Value{}, &query.ColumnError{Column: c, Known: DecisionColumns}
	})
	if err != nil {
		return nil, err
	}
	page.Matching = len(ids)
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		d := &list[i]
		f, c, err := p.Function(ctx, int(d.function)+1)
		if err != nil {
			return nil, err
		}
		made := &c.Functions[0]
		if int(d.number) >= len(made.Decisions) {
			return nil, stored.Damaged("decision %d of %d of function %d", d.number, len(made.Decisions), f.ID)
		}
		page.Rows = append(page.Rows, Decision{
			ID: int(d.id), Function: f, File: &p.files[d.file],
			Metric:   coverage.Metric{Total: int(d.conditions), Covered: int(d.covered)},
			Decision: made.Decisions[d.number],
		})
	}
	return page, nil
}

// readDecisions reads all, by file and place; of one place the first function first.
func (p *Profile) readDecisions() ([]decision, int64, error) {
	var list []decision
	err := p.Walk("coverage_decision", func(row *stored.Row) {
		d := decision{id: int32(row.ID), function: int32(row.Int(1)) - 1, number: int32(row.Int(2)),
			file: int32(row.Int(3)) - 1,
			at:   row.Uint(4)<<32 | row.Uint(5)&(1<<32-1), conditions: int32(row.Int(6)), covered: int32(row.Int(7))}
		if d.function < 0 || int(d.function) >= p.Overview.Instances || d.file < 0 || int(d.file) >= len(p.files) ||
			d.number < 0 {
			row.Fail(stored.Damaged("decision %d is of function %d and file %d", row.ID, d.function+1, d.file+1))
		}
		list = append(list, d)
	})
	slices.SortStableFunc(list, func(a, b decision) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.at, b.at))
	})
	return list, int64(len(list)) * 40, err
}
