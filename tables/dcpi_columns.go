package tables

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"proflens/decode/dcpi"
	"proflens/store"
)

// dcpiProfile is what the tables of DCPI's samples read.
type dcpiProfile interface {
	DCPIColumnsOf(ctx context.Context, s store.DCPISelection) (columns []store.DCPIColumn, hidden int, err error)
	Procedures(ctx context.Context, q store.ProcedureQuery) (*store.ProcedurePage, error)
	Addresses(ctx context.Context, q store.AddressQuery) (*store.AddressPage, error)
	DCPITotals(ctx context.Context, s store.DCPISelection, of store.DCPIOf) ([]store.DCPITotal, []store.DCPIColumn, error)
	Diff(ctx context.Context, q store.DiffQuery) (*store.DiffPage, error)
	HeatExtent(ctx context.Context, image int) (uint64, error)
	DCPILines(ctx context.Context, n int) ([]dcpi.Line, error)
	HeatMap(ctx context.Context, q store.HeatQuery) (*store.Heat, error)
}

// dcpiOverview is the database of an opened profile; ErrNotFound in other
// families.
func dcpiOverview(ctx context.Context, p Profile) (*store.DCPIOverview, error) {
	o, err := p.Overview(ctx)
	if err != nil {
		return nil, err
	}
	if o.DCPI == nil {
		return nil, store.ErrNotFound
	}
	return o.DCPI, nil
}

// DCPIFigure is a figure in a unit: samples and events are whole numbers,
// seconds are not.
func DCPIFigure(v float64, unit store.DCPIUnit) Cell {
	if unit == store.UnitSeconds || v != math.Trunc(v) && unit == store.UnitSamples {
		return Number(v)
	}
	return BigCount(strconv.FormatFloat(v, 'f', 0, 64))
}

// dcpiValue is a cell of a column; null where seconds are asked of what has none.
func dcpiValue(c *store.DCPIColumn, cell *store.DCPICell) Cell {
	switch {
	case c.NoTime:
		return Null
	case c.Unit == store.UnitSamples:
		return Count(cell.Samples)
	}
	return DCPIFigure(cell.Value(c.Unit), c.Unit)
}

// dcpiShare is a cell's part of its column's total.
func dcpiShare(c *store.DCPIColumn, cell *store.DCPICell) Cell {
	total := c.Total.Value(c.Unit)
	if c.NoTime || total == 0 {
		return Null
	}
	return Ratio(cell.Value(c.Unit) / total)
}

// dcpiColumns are a pair of columns for each of a selection's: the figure, by
// the name of the event, epoch or host, and its share. A name that fixed columns
// have has "column_" before it.
func dcpiColumns[T any](columns []store.DCPIColumn, fixed []Column[T], cells func(*T) []store.DCPICell) []Column[T] {
	taken := ColumnNames(fixed)
	var list []Column[T]
	for i := range columns {
		c := &columns[i]
		name := c.Name
		for slices.Contains(taken, name) || slices.Contains(taken, name+"_share") {
			name = "column_" + name
		}
		taken = append(taken, name, name+"_share")
		none := &store.DCPICell{}
		cell := func(row *T) *store.DCPICell {
			if all := cells(row); i < len(all) {
				return &all[i]
			}
			return none
		}
		list = append(list,
			Column[T]{name, max(12, len(name)), func(row *T) Cell { return dcpiValue(c, cell(row)) }},
			Column[T]{name + "_share", len(name) + 6, func(row *T) Cell { return dcpiShare(c, cell(row)) }})
	}
	return list
}

// dcpiEnvelope says of each column what it shows, and its total.
func dcpiEnvelope(b []byte, columns []store.DCPIColumn, hidden int, quote bool) []byte {
	b = append(b, `,"columns":[`...)
	for i := range columns {
		c := &columns[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendString(append(b, `{"name":`...), c.Name)
		b = AppendString(append(b, `,"event":`...), c.Event)
		b = fmt.Appendf(b, `,"unit":"%s","total":`, c.Unit)
		b = appendCell(b, dcpiValue(c, &c.Total), quote)
		b = AppendCount(append(b, `,"samples":`...), c.Total.Samples, quote)
		b = appendCell(append(b, `,"events":`...), DCPIFigure(c.Total.Events, store.UnitEvents), quote)
		b = append(b, `,"period":`...)
		if c.Unit == store.UnitSamples {
			b = strconv.AppendUint(b, c.Rate.Period, 10)
		} else {
			b = append(b, "null"...)
		}
		b = append(b, '}')
	}
	b = append(b, ']')
	if hidden > 0 {
		b = fmt.Appendf(b, `,"hidden_columns":%d`, hidden)
	}
	return b
}

// imageCells are the columns that say of which image a row is.
func imageCells[T any](o *store.DCPIOverview, image func(*T) int) []Column[T] {
	return []Column[T]{
		{"image", 16, func(row *T) Cell { return Text(o.Images[image(row)].Label) }},
		{"image_id", 20, func(row *T) Cell { return Text(o.Images[image(row)].ID) }},
	}
}

func addressCell(address uint64) Cell { return Text(fmt.Sprintf("0x%x", address)) }
