package dcpidb

import (
	"context"
	"math"

	"proflens/profile/stored"
	"proflens/profile/table"
)

// MaxHeatCells is how many cells a heat map has at most.
const MaxHeatCells = 4096

// HeatQuery asks for a part of the text of one image as cells of equal size.
type HeatQuery struct {
	Selection        // its Images do not count
	Image     int    // in Overview.Images
	From      uint64 // offset of the first cell, bytes
	Cell      uint64 // bytes of a cell; at least 1
	Cells     int    // at most MaxHeatCells
}

// Heat is a part of an image's text.
type Heat struct {
	Columns []Column // of the whole image
	Hidden  int      // columns that are left out, being too many
	Cells   []HeatCell
	Max     []Cell // the largest of each column among the cells
	Extent  uint64 // offset after the text, or after the last sample where that is further
}

// HeatCell is one cell.
type HeatCell struct {
	Address   uint64         `col:"address" width:"18" is:"address,sort,up,key"`
	Offset    uint64         `col:"offset" width:"10" help:"in the image"`
	Bytes     uint64         `col:"bytes" width:"8"`
	_         column         `col:"name" head:"Procedure" is:"page,sort,up,words" help:"with the most samples in the cell"`
	_         column         `col:"procedure" width:"24" is:"script" help:"with the most samples in the cell"`
	_         column         `col:"procedure_offset" width:"16" is:"number" help:"bytes from its start"`
	Addresses uint64         `col:"counts" width:"8" is:"sort" help:"above zero in the cell, over all profiles"`
	_         column         `col:"samples" is:"sort,range,number,page,script"`
	Cells     []Cell         // by column; nil where there is no sample
	Procedure *CellProcedure // nil where none is known
}

// Cell implements [table.Celler].
func (c *HeatCell) Cell(column string, _ *table.Options) table.Cell {
	switch {
	case column == "samples":
		return table.Count(c.Cells[0].Samples)
	case c.Procedure == nil:
		return table.Null
	case column == "procedure_offset":
		return table.Count(c.Procedure.Inside)
	}
	return table.Text(c.Procedure.Name)
}

// Figures implements [Figured].
func (c *HeatCell) Figures() []Cell { return c.Cells }

// HeatCells is the table of the cells of a heat map that have samples.
var HeatCells = table.Declare[HeatCell](table.Declaration{
	Others: "DCPIFigure", Around: (*HeatAround)(nil),
	About: "A cell with samples, and two members per column.",
	Noun:  "cell", Sought: "procedure", Usual: "address", Show: "address name counts *",
})

// HeatAround is what stands around them.
type HeatAround struct {
	Extent uint64 `col:"extent"`
	From   uint64 `col:"from"`
	Cells  int    `col:"cells"`
	Around
	Heat  *Heat
	Query HeatQuery
}

// FindHeat finds those of a heat map.
func (p *Profile) FindHeat(ctx context.Context, q HeatQuery) (*table.Declaration, table.Find, error) {
	h, err := p.HeatMap(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	var cells []HeatCell
	for _, c := range h.Cells {
		if c.Cells != nil {
			cells = append(cells, c)
		}
	}
	plan := &plan{columns: h.Columns, hidden: h.Hidden}
	d := plan.declare(HeatCells, false)
	around := &HeatAround{Extent: h.Extent, From: q.From, Cells: len(h.Cells), Around: *plan.around(), Heat: h, Query: q}
	return d, plan.within(d, table.Set{Rows: cells, Sorted: true, Around: around}), nil
}

// HeatMap adds up samples in cells of an image's text; the procedures in them are named where
// symbols are known.
// Errors are stored.ErrNoPart for an image that there is not, the context's, or
// about the file.
func (p *Profile) HeatMap(ctx context.Context, q HeatQuery) (*Heat, error) {
	if q.Image < 0 || q.Image >= len(p.Overview.Images) {
		return nil, stored.ErrNoPart
	}
	q.Images = []int{q.Image}
	plan := p.Overview.plan(&q.Selection)
	h := &Heat{Columns: plan.columns, Hidden: plan.hidden, Max: make([]Cell, len(plan.columns))}
	var err error
	if h.Extent, err = p.HeatExtent(ctx, q.Image); err != nil {
		return nil, err
	}
	q.Cell = max(q.Cell, 1)
	left := uint64(0)
	if q.From < h.Extent {
		left = (h.Extent-q.From-1)/q.Cell + 1
	}
	h.Cells = make([]HeatCell, min(left, uint64(max(q.Cells, 0)), MaxHeatCells))
	for i := range h.Cells {
		c := &h.Cells[i]
		c.Offset, c.Bytes = q.From+uint64(i)*q.Cell, q.Cell
		c.Address = p.Overview.Images[q.Image].Base + c.Offset
	}
	if len(h.Cells) == 0 {
		return h, nil
	}
	return h, p.fillHeat(ctx, h, plan, &q)
}

func (p *Profile) fillHeat(ctx context.Context, h *Heat, plan *plan, q *HeatQuery) error {
	last := h.Cells[len(h.Cells)-1].Offset
	last += min(q.Cell-1, math.MaxUint64-last)
	names, err := p.newHeatNames(ctx, q.Image, plan.shift)
	if err != nil {
		return err
	}
	for _, f := range plan.profiles {
		count := names.counter(f.column)
		err := p.eachCount(ctx, f.EventProfile, q.From, last, func(offset uint64, samples uint32) {
			at := (offset - q.From) / q.Cell
			cell := &h.Cells[at]
			count(int(at), offset, samples)
			if cell.Cells == nil {
				cell.Cells = make([]Cell, len(plan.columns))
			}
			cell.Cells[f.column].add(uint64(samples), &f.DCPIRate)
			cell.Addresses++
		})
		if err != nil {
			return err
		}
	}
	names.name(h)
	for i := range h.Cells {
		for column := range h.Cells[i].Cells {
			c, most := &h.Cells[i].Cells[column], &h.Max[column]
			most.Samples = max(most.Samples, c.Samples)
			most.Events, most.Seconds = max(most.Events, c.Events), max(most.Seconds, c.Seconds)
		}
	}
	return nil
}

// HeatExtent is the offset after an image's text, or after its last sample where
// that is further.
func (p *Profile) HeatExtent(_ context.Context, image int) (uint64, error) {
	extent := p.Overview.Images[image].TextSize
	for i := range p.Overview.Profiles {
		f := &p.Overview.Profiles[i]
		if f.Image != image || f.blocks == 0 {
			continue
		}
		last, err := p.lastOffset(f)
		if err != nil {
			return 0, err
		}
		if end := last + max(f.Stride, 1); end > last {
			extent = max(extent, end)
		}
	}
	return extent, nil
}
