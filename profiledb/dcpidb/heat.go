package dcpidb

import (
	"context"
	"math"

	"proflens/profiledb/query"
	"proflens/profiledb/stored"
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
	Text      string // of the cells that are listed, see [Heat.Sampled]; so is
	Sort      []query.Key
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
	Offset    uint64
	Addresses uint64         // counts above zero in it, of all profiles
	Cells     []Cell         // by column; nil where there is no sample
	Procedure *CellProcedure // nil where none is known
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
		h.Cells[i].Offset = q.From + uint64(i)*q.Cell
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
