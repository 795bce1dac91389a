package dcpidb

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// RowKind says what a row of the table of procedures is.
type RowKind string

// The kinds of rows.
const (
	RowProcedure RowKind = "procedure"
	RowRange     RowKind = "range" // of addresses, in an image whose procedures are not known
	RowNone      RowKind = "none"  // samples outside all procedures of an image
)

// DefaultRange is how many bytes a row has in an image without symbols.
const DefaultRange = 1024

// Row is a procedure, or what stands in for one, with its samples.
type Row struct {
	_     column  `col:"row" is:"key,page,script"`
	_     column  `col:"name" head:"Procedure" is:"page,sort,up,words"`
	_     column  `col:"procedure" width:"24" is:"script" help:"null of a range, and outside all procedures"`
	Kind  RowKind `col:"kind" width:"9" is:"sort,up" as:"procedure|range|none"`
	Image int     // in Overview.Images, In the same
	In    *Image  `col:"image" head:"Image" parts:"image,image_id" is:"sort,up" as:"!"`
	At    *uint64 `col:"address" width:"18" is:"address,sort,up"` // Address; nil outside all procedures
	// Size is in bytes; 0: not known, and of samples outside all procedures.
	Size    uint64 `col:"size" width:"8" is:"omitzero,sort,range,bytes"`
	_       column `col:"samples" is:"sort,range,number,page,script"`
	Name    string // of a procedure
	Address uint64
	Cells   []Cell // by column

	key rowKey
}

// Cell implements [table.Celler].
func (r *Row) Cell(column string, _ *table.Options) table.Cell {
	switch {
	case column == "samples" && len(r.Cells) > 0:
		return table.Count(r.Cells[0].Samples)
	case column == "row":
		return table.Text(r.ID())
	case column != "samples" && r.Kind == RowProcedure:
		return table.Text(r.Name)
	}
	return table.Null
}

// ID tells the row from others.
func (r *Row) ID() string {
	if r.Kind == RowNone {
		return r.In.Key + ":none"
	}
	return fmt.Sprintf("%s:0x%x", r.In.Key, r.Address)
}

// Figures implements [Figured].
func (r *Row) Figures() []Cell { return r.Cells }

// Procedure is the row within one that has more columns.
func (r *Row) Procedure() *Row { return r }

// Label names the row for people; empty outside all procedures.
func (r *Row) Label() string {
	if r.Kind == RowRange {
		return fmt.Sprintf("0x%x–0x%x", r.Address, r.Address+r.Size-1)
	}
	return r.Name
}

// ProcedureRow is a row in an order.
type ProcedureRow struct {
	Rank int `col:"rank" head:"#" is:"page"`
	*Row
	Source Place   `col:"source" head:"Source" parts:"none" help:"the line that it begins on"`
	Cum    float64 `col:"cum_share" width:"9" head:"Cum. %" is:"part"`
	_      column  `help:"of the column that orders: this row and those above"`
}

// Procedures is the table of procedures.
var Procedures = table.Declare[ProcedureRow](table.Declaration{
	Others: "DCPIFigure", Around: (*Around)(nil),
	About: "A procedure, a range of addresses, or everything outside known procedures, and two members per column.",
	Noun:  "procedure", All: true, Show: "rank name image source * cum_share",
})

// FindProcedures finds the procedures that a selection has samples of. Samples outside all
// procedures are a row of each image, and images whose procedures are not known have ranges
// of addresses, of size bytes; 0 is DefaultRange: columns add up to what the profiles hold.
// The order is by the first column, descending, and then by name.
func (p *Profile) FindProcedures(ctx context.Context, s Selection,
	size uint64) (*table.Declaration, table.Find, error) {
	plan := p.Overview.plan(&s)
	rows, err := p.rowsByName(ctx, plan, size)
	if err != nil {
		return nil, nil, err
	}
	places, err := p.places(ctx)
	if err != nil {
		return nil, nil, err
	}
	list := make([]ProcedureRow, len(rows))
	for i, row := range rows {
		list[i].Row = row
	}
	d := plan.declare(p.Overview.telling(Procedures, places), true)
	main := 0
	find := d.Within(table.Set{Rows: list, Matched: func(ids []uint32) any {
		around, sum := plan.around(), 0.0
		for n, id := range ids {
			r := &list[id]
			r.addTo(around.Totals)
			sum += r.Cells[main].Value(plan.columns[main].adding())
			r.Rank, r.Cum = n+1, plan.columns[main].share(sum)
		}
		return around
	}})
	return d, func(ctx context.Context, q table.Query) (table.Page, error) {
		main = plan.ask(&q)
		page, err := find(ctx, q)
		for _, id := range page.IDs {
			list[id].Source.File, list[id].Source.Line = places.of(list[id].Image, list[id].Address)
		}
		return page, err
	}, nil
}

// ProcedureQuery asks for procedures without a table around them.
type ProcedureQuery struct {
	Selection
	Text, Regexp string // over the name
	Limit        int
}

// ProcedurePage is the first of them in the usual order.
type ProcedurePage struct {
	Around
	Of            *table.Declaration
	Rows          []ProcedureRow
	All, Matching int
}

// Procedures are those of FindProcedures.
func (p *Profile) Procedures(ctx context.Context, q ProcedureQuery) (*ProcedurePage, error) {
	d, find, err := p.FindProcedures(ctx, q.Selection, 0)
	if err != nil {
		return nil, err
	}
	found, err := find(ctx, table.Query{RowQuery: query.RowQuery{Text: q.Text, Regexp: q.Regexp, Limit: q.Limit}})
	if err != nil {
		return nil, err
	}
	page := &ProcedurePage{Around: *found.Around.(*Around), Of: d, All: found.All, Matching: found.Matching}
	for _, row := range table.RowsOf[ProcedureRow](&found) {
		page.Rows = append(page.Rows, *row)
	}
	return page, nil
}

// rowsByName are the rows of a plan in the order that ties keep.
func (p *Profile) rowsByName(ctx context.Context, plan *plan, size uint64) ([]*Row, error) {
	all, err := p.procedureRows(ctx, plan, size)
	if err != nil {
		return nil, err
	}
	return stored.Cached(ctx, p.Profile, query.CacheKey("dcpi procedures by name", plan.key, size),
		func() ([]*Row, int64, error) {
			rows := slices.Clone(all)
			slices.SortStableFunc(rows, func(a, b *Row) int {
				return cmp.Or(cmp.Compare(a.Name, b.Name), a.In.Compare(b.In), cmp.Compare(a.Address, b.Address))
			})
			return rows, int64(len(rows)) * 8, nil
		})
}

// Place is a line of source.
type Place struct {
	File string `col:"file" width:"32" is:"omitzero"`
	Line uint32 `col:"line" width:"7" is:"omitzero"`
}

// At implements [table.Located].
func (p *Place) At() (file string, line uint32, other string) { return p.File, p.Line, "" }

// telling is a table that shows lines of source where any are known, and images where there
// are several.
func (o *Overview) telling(d *table.Declaration, of *places) *table.Declaration {
	plain := *d
	if of == nil {
		plain.Show = strings.Replace(plain.Show, " source", "", 1)
	}
	if len(o.Images) == 1 {
		plain.Show = strings.Replace(plain.Show, " image", "", 1)
	}
	return &plain
}
