package dcpidb

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"proflens/profile/table"
)

// DiffQuery compares procedures over epochs or hosts: two of them, or all that
// the selection has.
type DiffQuery struct {
	Selection        // By is ByEpoch or ByPlatform
	A, B      string // before and after; both empty: the first and the last of all
	Normalise bool   // every set is scaled to the total of the first
	Range     uint64 // as in FindProcedures
}

// Amount is a figure in a unit.
type Amount struct {
	Of   float64
	Unit Unit
}

// Cell implements [table.Celler].
func (a *Amount) Cell(string, *table.Options) table.Cell { return amount(a.Of, a.Unit) }

// Compare implements [table.Ordered].
func (a *Amount) Compare(other any) int { return cmp.Compare(a.Of, other.(*Amount).Of) }

// Amounts are several, which scripts have as a list.
type Amounts []Amount

// DiffAround is what stands around differences.
type DiffAround struct {
	Unit   Unit      `col:"unit" as:"samples|events|seconds"` // of all figures
	Names  Sets      `col:"set_names" as:"list"`
	Totals Amounts   `col:"totals" as:"list DCPIFigure"` // of the sets, scaled
	Scale  []float64 `col:"scale"`                       // what each set was multiplied by
	Hidden int       // sets that are left out, being too many
}

// Sets are epochs or hosts, before first, after last; scripts have their names.
type Sets []Column

// Cell implements [table.Celler].
func (l *Sets) Cell(string, *table.Options) table.Cell {
	names := make([]string, len(*l))
	for i := range *l {
		names[i] = string(table.AppendString(nil, (*l)[i].Name))
	}
	return table.JSON([]byte("[" + strings.Join(names, ",") + "]"))
}

// DiffRow is a procedure in every set.
type DiffRow struct {
	*Row      `parts:"row,name,procedure,kind,image,address,size"`
	Before    Amount  `col:"before" width:"12" is:"number,sort" help:"in the first column" as:"DCPIFigure"`
	After     Amount  `col:"after" width:"12" is:"number,sort" help:"in the last column" as:"DCPIFigure"`
	Delta     Amount  `col:"delta" width:"12" is:"number,sort" help:"after − before" as:"DCPIFigure"`
	Spread    Amount  `col:"range" width:"12" is:"number,sort" help:"the largest − the smallest" as:"DCPIFigure"`
	Share     float64 `col:"range_share" width:"11" head:"Range ÷ sum" is:"part,sort,range"`
	_         column  `help:"range as a share of the sum"`
	Sum       Amount  `col:"sum" width:"12" is:"number,sort" help:"over all columns" as:"DCPIFigure"`
	OfTotal   float64 `col:"sum_share" width:"9" head:"%" is:"part,range" help:"of the sum over all procedures"`
	Sets      int     `col:"sets" width:"4" head:"Columns" is:"sort,range" help:"in which it has samples"`
	Mean      float64 `col:"mean" width:"12" is:"sort" help:"over all columns"`
	Deviation float64 `col:"deviation" width:"12" is:"sort" help:"standard deviation over the columns"`
	Min       Amount  `col:"min" width:"12" is:"number,sort" as:"DCPIFigure"`
	Max       Amount  `col:"max" width:"12" is:"number,sort" as:"DCPIFigure"`
	Values    Amounts `col:"values" is:"script" help:"by set, scaled" as:"list DCPIFigure"`
}

// Differences is the table of differences.
var Differences = table.Declare[DiffRow](table.Declaration{
	Around: (*DiffAround)(nil),
	About:  "A procedure in several epochs or hosts.",
	Noun:   "procedure", All: true, Usual: "-range",
	Show: "name image delta before after range range_share sum sum_share sets mean deviation",
	Text: "before after delta range_share sum sum_share image procedure",
})

// SetError is returned for an epoch or host that a selection has no profile of.
type SetError struct {
	Name  string
	Known []string
}

// Error names the set.
func (e *SetError) Error() string { return "there is no profile of " + e.Name }

// FindDiff compares procedures. Images are matched by their label, since a program
// that was built again has another id, and procedures by their name. Those that differ
// most come first.
//
// Errors are a *SetError, the context's, or about the file.
func (p *Profile) FindDiff(ctx context.Context, q DiffQuery) (table.Find, error) {
	plan, order, err := p.Overview.diffPlan(&q)
	if err != nil {
		return nil, err
	}
	all, err := p.rowsByName(ctx, plan, q.Range)
	if err != nil {
		return nil, err
	}
	d := newDiffer(plan, order, &q)
	var rows []DiffRow
	for _, row := range p.Overview.byLabel(all) {
		rows = append(rows, d.row(row))
	}
	around := &DiffAround{Unit: d.unit, Scale: d.scale, Totals: d.amounts(d.totals), Hidden: plan.hidden}
	for _, i := range order {
		around.Names = append(around.Names, plan.columns[i])
	}
	return Differences.Within(table.Set{Rows: rows, Around: around}), nil
}

// diffPlan resolves the sets, and gives the columns of the plan in their order:
// before first, after last.
func (o *Overview) diffPlan(q *DiffQuery) (*plan, []int, error) {
	if q.By != ByPlatform {
		q.By = ByEpoch
	}
	s, sets := q.Selection, []string{q.A, q.B}
	if q.A == "" && q.B == "" {
		sets = nil
	} else if q.By == ByEpoch {
		s.Epochs = sets
	} else {
		s.Platforms = sets
	}
	plan := o.plan(&s)
	order := []int{}
	for i := range plan.columns {
		order = append(order, i)
	}
	for n, name := range sets {
		i := slices.IndexFunc(plan.columns, func(c Column) bool { return c.Name == name })
		if i < 0 {
			fault := &SetError{Name: name}
			for _, c := range o.plan(&q.Selection).columns {
				fault.Known = append(fault.Known, c.Name)
			}
			return nil, nil, fault
		}
		order = append(order[:n], i)
	}
	return plan, order, nil
}

// byLabel combines the rows of images that are called alike.
func (o *Overview) byLabel(rows []*Row) []*Row {
	type labelled struct {
		label string
		rowKey
	}
	known := map[labelled]*Row{}
	var list []*Row
	for _, row := range rows {
		k := labelled{o.Images[row.Image].Label, row.key}
		if same := known[k]; same != nil {
			row.addTo(same.Cells)
			continue
		}
		copied := *row
		copied.Cells = slices.Clone(row.Cells)
		known[k] = &copied
		list = append(list, &copied)
	}
	return list
}
