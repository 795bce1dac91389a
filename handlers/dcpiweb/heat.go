package dcpiweb

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
	"proflens/views/chart"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// How many cells a picture of a whole image has at most, and any picture on a page:
// each is a link, and a page stays below half a megabyte.
const (
	heatCells    = 1024
	maxPageCells = 1536
)

// fittingCell is the least size of cells, a power of two from a cache line on,
// at which so much text fits into so many.
func fittingCell(bytes, cells uint64) uint64 {
	cell := uint64(cacheLine)
	for bytes/cell >= cells && cell < 1<<62 {
		cell *= 2
	}
	return cell
}

// finerCell is the size of the cells into which one is taken apart: pages, then
// cache lines, then instructions; larger ones where that were too many for one picture.
// 0 is no finer one.
func finerCell(cell, stride uint64) uint64 {
	for _, size := range []uint64{alphaPage, cacheLine, stride} {
		if cell > size {
			for cell/size > heatCells {
				size *= 2
			}
			return size
		}
	}
	return 0
}

// How the drawing of cells is made: units of a cell, with a gap of one, and how
// many addresses stand beside its rows.
const (
	heatUnit   = 10
	heatLabels = 6
)

// heatPicture draws cells row by row, of the first column. Those without samples
// are the ground.
func (d *dcpiPage) heatPicture(heat *dcpidb.Heat, q *dcpidb.HeatQuery) dcpiview.HeatPicture {
	base := d.db.Images[q.Image].Base
	columns := 16 // a power of two, so that rows begin at round addresses
	for columns < 64 && len(heat.Cells) > 4*columns {
		columns *= 2
	}
	rows := (len(heat.Cells) + columns - 1) / columns
	bands := procedureBands(heat.Cells, columns)
	pitch := heatUnit
	if bands != nil {
		pitch += bandStrip * columns / 64
	}
	first := &heat.Columns[0]
	unit := first.Unit
	if first.NoTime {
		unit = dcpidb.UnitSamples
	}
	p := dcpiview.HeatPicture{
		Width: strconv.Itoa(columns * heatUnit), Height: strconv.Itoa(rows * pitch),
		Row:    humanize.Bytes(uint64(columns) * q.Cell).Text,
		From:   fmt.Sprintf("0x%x", base+q.From),
		To:     fmt.Sprintf("0x%x", base+min(q.From+uint64(len(heat.Cells))*q.Cell, heat.Extent)-1),
		Legend: []int{1, 2, 3, 4, 5, 6, 7, 8},
		Most:   dcpiNumber(heat.Max[0].Value(unit), unit) + " " + string(unit) + " of " + humanize.Printable(first.Event),
	}
	p.Label = "Heat map of " + humanize.Printable(d.db.Images[q.Image].Label) + " from " + p.From + " to " + p.To +
		", up to " + p.Most
	for row := 0; row < rows; row += (rows + heatLabels - 1) / heatLabels {
		at := percentOf((float64(row+1)*float64(pitch) - heatUnit/2) / float64(rows*pitch))
		p.Rows = append(p.Rows, chart.Tick{At: at, Label: fmt.Sprintf("0x%x", base+heat.Cells[row*columns].Offset)})
	}
	largest := heat.Max[0].Value(unit)
	least := largest
	for i := range heat.Cells {
		if c := heat.Cells[i].Cells; c != nil && c[0].Samples > 0 {
			least = min(least, c[0].Value(unit))
		}
	}
	p.Least = dcpiNumber(least, unit)
	for i := range heat.Cells {
		c := &heat.Cells[i]
		if c.Cells == nil || c.Cells[0].Samples == 0 {
			continue
		}
		p.Cells = append(p.Cells, dcpiview.HeatCell{
			X: strconv.Itoa(i % columns * heatUnit), Y: strconv.Itoa((i/columns+1)*pitch - heatUnit),
			Size: strconv.Itoa(heatUnit - 1),
			Step: chart.SpanStep(c.Cells[0].Value(unit), least, largest), URL: d.finer(c.Offset, q),
			Label: fmt.Sprintf("0x%x: ", base+c.Offset) + dcpiNumber(c.Cells[0].Value(unit), unit) + " " + string(unit) +
				d.inProcedure(c.Procedure),
		})
	}
	if p.Bands = d.drawBands(bands, q, columns, rows, pitch); bands == nil {
		p.Names = d.rowNames(heat, q, columns, rows)
	}
	return p
}

func rounded(v float64) uint64 {
	if v >= math.MaxInt64 {
		return math.MaxInt64
	}
	return uint64(math.Ceil(v))
}

// bytesOf says a size of cells.
func bytesOf(cell uint64) string {
	switch cell {
	case cacheLine:
		return "64 bytes, a cache line"
	case alphaPage:
		return "8 KiB, a page"
	case minHeatCell:
		return "4 bytes, an instruction"
	}
	return humanize.Bytes(cell).Text
}

// stride is the distance of counts of an image.
func (d *dcpiPage) stride(image int) uint64 {
	for i := range d.db.Profiles {
		if f := &d.db.Profiles[i]; f.Image == image && f.Stride < minHeatCell && f.Stride > 0 {
			return f.Stride
		}
	}
	return minHeatCell
}

// finer is where a cell leads, relative to the page, for there are many cells: to
// its own picture, or of an instruction to its row among the addresses.
func (d *dcpiPage) finer(offset uint64, q *dcpidb.HeatQuery) string {
	address := d.db.Images[q.Image].Base + offset
	from := fmt.Sprintf("0x%x", address)
	if cell := finerCell(q.Cell, d.stride(q.Image)); cell > 0 {
		a := d.address.FirstPage().With("from", from).With("cell", strconv.FormatUint(cell, 10)).With("cells",
			strconv.FormatUint(min(q.Cell/cell, dcpidb.MaxHeatCells), 10))
		return "heat" + strings.TrimPrefix(a.String(), d.address.Path)
	}
	a := d.to("/addresses").With("image", d.db.ImageKey(q.Image)).With("from", from).With(
		"to", fmt.Sprintf("0x%x", address+q.Cell-1))
	return strings.TrimPrefix(a.String(), d.base+"/")
}

// cellSwitch chooses the size of cells in the part that is shown.
func (d *dcpiPage) cellSwitch(heat *dcpidb.Heat, q *dcpidb.HeatQuery) []dcpiview.Switch {
	s := dcpiview.Switch{Label: "Cells"}
	bytes := heat.Extent - min(q.From, heat.Extent)
	if d.address.Query.Get("cells") != "" {
		bytes = min(bytes, uint64(len(heat.Cells))*q.Cell)
	}
	sizes := []uint64{d.stride(q.Image), cacheLine, alphaPage, fittingCell(bytes, heatCells)}
	slices.Sort(sizes)
	for _, size := range slices.Compact(sizes) {
		cells := min((bytes+size-1)/size, heatCells)
		a := d.address.FirstPage().With("cell", strconv.FormatUint(size, 10)).With(
			"cells", strconv.FormatUint(max(cells, 1), 10))
		label := humanize.Bytes(size).Text
		s.Segments = append(s.Segments, page.Segment{
			Label: label, URL: a.String(), Title: bytesOf(size), Current: size == q.Cell,
		})
	}
	return []dcpiview.Switch{s}
}

// heatCrumbs lead out again, and on through the text.
func (d *dcpiPage) heatCrumbs(heat *dcpidb.Heat, q *dcpidb.HeatQuery) []page.Link {
	whole := d.address.FirstPage("from", "cell", "cells")
	base := d.db.Images[q.Image].Base
	crumbs := []page.Link{{Label: humanize.Printable(d.db.Images[q.Image].Label), URL: whole.String()}}
	size := uint64(len(heat.Cells)) * q.Cell
	if q.From == 0 && size >= heat.Extent {
		crumbs[0].URL = ""
		return crumbs
	}
	at := func(from uint64) string {
		return d.address.FirstPage().With("from", fmt.Sprintf("0x%x", base+from)).String()
	}
	if size < alphaPage && q.Cell < cacheLine && heat.Extent > alphaPage {
		from := q.From - q.From%alphaPage
		crumbs = append(crumbs, page.Link{
			Label: fmt.Sprintf("page 0x%x", base+from),
			URL: d.address.FirstPage().With("from", fmt.Sprintf("0x%x", base+from)).With("cell",
				strconv.Itoa(cacheLine)).With("cells", strconv.Itoa(alphaPage/cacheLine)).String(),
		})
	}
	crumbs = append(crumbs, page.Link{Label: fmt.Sprintf("0x%x–0x%x", base+q.From, base+q.From+max(size, 1)-1)})
	if q.From > 0 && size > 0 { // by all cells that were asked for, of which the end of the text has fewer
		crumbs = append(crumbs, page.Link{Label: "before", URL: at(q.From - min(uint64(q.Cells)*q.Cell, q.From))})
	}
	if size > 0 && q.From+size < heat.Extent {
		crumbs = append(crumbs, page.Link{Label: "after", URL: at(q.From + size)})
	}
	return crumbs
}
