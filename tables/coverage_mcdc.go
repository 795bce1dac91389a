package tables

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	"proflens/profile/table"
	"proflens/profiledb/covdb"
)

// coveredDecision is a decision of MC/DC.
type coveredDecision struct {
	*covdb.Decision
	named
}

var coverageDecisionColumns = slices.Concat(
	[]table.Column[coveredDecision]{
		{"file", 24, func(d *coveredDecision) table.Cell { return table.Text(d.File.Name) }},
		{"line", 7, func(d *coveredDecision) table.Cell { return table.Int(uint64(d.Start.Line)) }},
		{"column", 6, func(d *coveredDecision) table.Cell { return table.Int(uint64(d.Start.Column)) }},
		{"end_line", 8, func(d *coveredDecision) table.Cell { return table.Int(uint64(d.End.Line)) }},
		{"end_column", 10, func(d *coveredDecision) table.Cell { return table.Int(uint64(d.End.Column)) }},
	},
	metricCells("conditions", func(d *coveredDecision) coverage.Metric { return d.Metric }),
	[]table.Column[coveredDecision]{
		{"list", 0, func(d *coveredDecision) table.Cell { return conditionsCell(&d.Decision.Decision) }},
		{"vectors", 0, func(d *coveredDecision) table.Cell { return vectorsCell(&d.Decision.Decision) }},
	},
	nameColumns(func(d *coveredDecision) *named { return &d.named }),
)

var coverageDecisionText = []string{"line", "column", "conditions", "conditions_covered", "file", "demangled"}

// condition is one as JSON has it.
type condition struct {
	Line   uint32 `json:"line"`
	Column uint32 `json:"column"`
	Folded bool   `json:"folded"`
	// Pair is the numbers, from 1, of two vectors that show that the condition matters.
	Pair []int `json:"pair"`
}

func conditionsCell(d *coverage.Decision) table.Cell {
	list := make([]condition, len(d.Conditions))
	for i := range d.Conditions {
		c := &d.Conditions[i]
		list[i] = condition{c.Start.Line, c.Start.Column, c.Folded, nil}
		if c.Covered() {
			list[i].Pair = c.Pair[:]
		}
	}
	return marshalled(list)
}

// vectorsCell writes vectors as "TF-=T": a letter a condition, and the result.
func vectorsCell(d *coverage.Decision) table.Cell {
	list := make([]string, len(d.Vectors))
	for i := range d.Vectors {
		var b strings.Builder
		for _, v := range d.Vectors[i].Values {
			b.WriteByte("-FT"[min(v, coverage.IsTrue)])
		}
		b.WriteByte('=')
		if d.Vectors[i].Result {
			b.WriteByte('T')
		} else {
			b.WriteByte('F')
		}
		list[i] = b.String()
	}
	return marshalled(list)
}

func marshalled(v any) table.Cell {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers and words only
	}
	return table.JSON(b)
}

func openCoverageDecisions(_ context.Context, p *covdb.Profile, o table.Options) (table.Table, error) {
	return CoverageDecisions(p, covdb.DecisionQuery{}, o), nil
}

// CoverageDecisions is the decisions of MC/DC that a query selects, in its order; its
// Offset and Limit do not count.
func CoverageDecisions(p *covdb.Profile, q covdb.DecisionQuery, o table.Options) table.Table {
	columns := append(slices.Clip(coverageDecisionColumns),
		sourceURL(o, func(d *coveredDecision) (*covdb.File, uint32) { return d.File, d.Start.Line }))
	return &table.List[coveredDecision]{Columns: columns, Text: coverageDecisionText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (table.Step[coveredDecision], error) {
			q.Offset, q.Limit = offset, limit
			page, err := p.Decisions(ctx, q)
			if err != nil {
				return table.Step[coveredDecision]{}, err
			}
			rows := make([]coveredDecision, len(page.Rows))
			for i := range page.Rows {
				d := &page.Rows[i]
				rows[i] = coveredDecision{d, newNamed(d.Function.NameRef, []byte(d.Function.Linkage), o.Demangle)}
			}
			return table.Step[coveredDecision]{Rows: rows, Total: page.Matching}, nil
		}}
}
