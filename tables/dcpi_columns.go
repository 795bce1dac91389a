package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"proflens/profiledb/dcpidb"
)

// DCPIFigure is a figure in a unit: samples and events are whole numbers,
// seconds are not.
func DCPIFigure(v float64, unit dcpidb.Unit) Cell {
	if unit == dcpidb.UnitSeconds || v != math.Trunc(v) && unit == dcpidb.UnitSamples {
		return Number(v)
	}
	return BigCount(strconv.FormatFloat(v, 'f', 0, 64))
}

// dcpiValue is a cell of a column; null where seconds are asked of what has none.
func dcpiValue(c *dcpidb.Column, cell *dcpidb.Cell) Cell {
	switch {
	case c.NoTime:
		return Null
	case c.Unit == dcpidb.UnitSamples:
		return Count(cell.Samples)
	}
	return DCPIFigure(cell.Value(c.Unit), c.Unit)
}

// dcpiShare is a cell's part of its column's total.
func dcpiShare(c *dcpidb.Column, cell *dcpidb.Cell) Cell {
	total := c.Total.Value(c.Unit)
	if c.NoTime || total == 0 {
		return Null
	}
	return Ratio(cell.Value(c.Unit) / total)
}

// dcpiColumns are a pair of columns for each of a selection's: the figure, by
// the name of the event, epoch or host, and its share. A name that fixed columns
// have has "column_" before it.
func dcpiColumns[T any](columns []dcpidb.Column, fixed []Column[T], cells func(*T) []dcpidb.Cell) []Column[T] {
	taken := ColumnNames(fixed)
	var list []Column[T]
	for i := range columns {
		c := &columns[i]
		name := c.Name
		for slices.Contains(taken, name) || slices.Contains(taken, name+"_share") {
			name = "column_" + name
		}
		taken = append(taken, name, name+"_share")
		none := &dcpidb.Cell{}
		cell := func(row *T) *dcpidb.Cell {
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
func dcpiEnvelope(b []byte, columns []dcpidb.Column, hidden int, quote bool) []byte {
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
		b = appendCell(append(b, `,"events":`...), DCPIFigure(c.Total.Events, dcpidb.UnitEvents), quote)
		b = append(b, `,"period":`...)
		if c.Unit == dcpidb.UnitSamples {
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
func imageCells[T any](o *dcpidb.Overview, image func(*T) int) []Column[T] {
	return []Column[T]{
		{"image", 16, func(row *T) Cell { return Text(o.Images[image(row)].Label) }},
		{"image_id", 20, func(row *T) Cell { return Text(o.Images[image(row)].ID) }},
	}
}

func addressCell(address uint64) Cell { return Text(fmt.Sprintf("0x%x", address)) }
