package store

import (
	"context"
	"math"
)

// MaxHeatCells is how many cells a heat map has at most.
const MaxHeatCells = 4096

// HeatQuery asks for a part of the text of one image as cells of equal size.
type HeatQuery struct {
	DCPISelection        // its Images do not count
	Image         int    // in DCPIOverview.Images
	From          uint64 // offset of the first cell, bytes
	Cell          uint64 // bytes of a cell; at least 1
	Cells         int    // at most MaxHeatCells
}

// Heat is a part of an image's text.
type Heat struct {
	Columns []DCPIColumn // of the whole image
	Hidden  int          // columns that are left out, being too many
	Cells   []HeatCell
	Max     []DCPICell // the largest of each column among the cells
	Extent  uint64     // offset after the text, or after the last sample where that is further
}

// HeatCell is one cell.
type HeatCell struct {
	Offset    uint64
	Addresses uint64     // counts above zero in it, of all profiles
	Cells     []DCPICell // by column; nil where there is no sample
}

// HeatMap adds up samples in cells of an image's text; it needs no symbols.
// Errors are ErrNotFound for a profile of another family or an image that there
// is not, the context's, or about the file.
func (p *Profile) HeatMap(ctx context.Context, q HeatQuery) (*Heat, error) {
	o, err := p.dcpi(ctx)
	if err != nil {
		return nil, err
	}
	if q.Image < 0 || q.Image >= len(o.Images) {
		return nil, ErrNotFound
	}
	q.Images = []int{q.Image}
	plan, err := p.plan(ctx, &q.DCPISelection)
	if err != nil {
		return nil, err
	}
	h := &Heat{Columns: plan.columns, Hidden: plan.hidden, Max: make([]DCPICell, len(plan.columns))}
	if h.Extent, err = p.HeatExtent(ctx, q.Image); err != nil {
		return nil, err
	}
	q.Cell = max(q.Cell, 1)
	n := min(max(q.Cells, 0), MaxHeatCells)
	if q.From < h.Extent {
		left := (h.Extent - q.From) / q.Cell
		if (h.Extent-q.From)%q.Cell > 0 {
			left++
		}
		n = int(min(uint64(n), left))
	} else {
		n = 0
	}
	h.Cells = make([]HeatCell, n)
	for i := range h.Cells {
		h.Cells[i].Offset = q.From + uint64(i)*q.Cell
	}
	if n == 0 {
		return h, nil
	}
	return h, p.fillHeat(ctx, h, plan, &q)
}

func (p *Profile) fillHeat(ctx context.Context, h *Heat, plan *dcpiPlan, q *HeatQuery) error {
	last := uint64(math.MaxUint64) // of the cells
	if size := uint64(len(h.Cells)) * q.Cell; size/q.Cell == uint64(len(h.Cells)) && q.From+size > q.From {
		last = q.From + size - 1
	}
	for i := range plan.profiles {
		f := &plan.profiles[i]
		err := p.eachCount(ctx, f.DCPIProfile, q.From, last, func(offset uint64, count uint32) {
			cell := &h.Cells[(offset-q.From)/q.Cell]
			if cell.Cells == nil {
				cell.Cells = make([]DCPICell, len(plan.columns))
			}
			cell.Cells[f.column].add(uint64(count), &f.DCPIRate)
			cell.Addresses++
		})
		if err != nil {
			return err
		}
	}
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
func (p *Profile) HeatExtent(ctx context.Context, image int) (uint64, error) {
	o, err := p.dcpi(ctx)
	if err != nil {
		return 0, err
	}
	extent := o.Images[image].TextSize
	for i := range o.Profiles {
		f := &o.Profiles[i]
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
