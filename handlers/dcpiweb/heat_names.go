package dcpiweb

import (
	"fmt"
	"strconv"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// How procedures are drawn into a heat map.
const (
	bandStrip = 7   // units above the cells of a row of 64, for names
	bandCells = 3   // of a procedure on average, from which on they are bands
	bandChars = 160 // that fit above a whole row
	leastName = 5   // characters that are worth writing
	rowChars  = 26  // beside a row
)

// inProcedure says where a cell is, after its samples.
func (d *dcpiPage) inProcedure(p *dcpidb.CellProcedure) string {
	if p == nil {
		return ""
	}
	text := ", in " + d.inside(p.Name, p.Inside).Full
	if p.Others > 0 {
		text += " and " + humanize.Plural(p.Others, "other procedure")
	}
	return text
}

// cellProcedure is the same in the table, and leads to a finer picture of the cell.
func (d *dcpiPage) cellProcedure(p *dcpidb.CellProcedure, finer string) page.GridCell {
	if p == nil {
		return page.GridCell{Text: "(no symbol)"}
	}
	name := d.inside(p.Name, p.Inside)
	if p.Others > 0 {
		name.Base += ", …"
		name.Full += humanize.Say("\nand {other procedure has|other procedures have} samples in the cell", p.Others)
	}
	return page.GridCell{Name: &name, URL: finer}
}

// band is a stretch of cells of one procedure in one row.
type band struct {
	from, to  int
	procedure *dcpidb.CellProcedure
}

// procedureBands divides cells by procedure and row; nil where that were too many.
func procedureBands(cells []dcpidb.HeatCell, columns int) []band {
	var list []band
	known, procedures := 0, 0
	for i := range cells {
		p := cells[i].Procedure
		if p == nil {
			continue
		}
		known++
		last := len(list) - 1
		same := last >= 0 && list[last].to == i && list[last].procedure.Address == p.Address
		if !same {
			procedures++
		}
		if same && i%columns != 0 {
			list[last].to++
		} else {
			list = append(list, band{i, i + 1, p})
		}
	}
	if known < bandCells*procedures {
		return nil
	}
	return list
}

func (d *dcpiPage) drawBands(bands []band, q *dcpidb.HeatQuery, columns, rows, pitch int) []dcpiview.HeatBand {
	var list []dcpiview.HeatBand
	for i, b := range bands {
		of := d.symbols.Name([]byte(b.procedure.Name), 0)
		title := fmt.Sprintf("%s from 0x%x", of.Full, b.procedure.Address)
		chars := (b.to - b.from) * bandChars / columns
		name := cutName(site.ShortName(of), chars)
		if chars < leastName {
			name = ""
		}
		height := float64(rows * pitch)
		list = append(list, dcpiview.HeatBand{
			X:     percentOf(float64(b.from%columns) / float64(columns)),
			Width: percentOf((float64(b.to-b.from) - 0.1) / float64(columns)),
			Y:     percentOf(float64(b.from/columns*pitch) / height), Height: percentOf(float64(pitch-heatUnit) / height),
			Name: name, Title: title, URL: d.procedureAt(b.procedure, q.Image),
			Again: i > 0 && bands[i-1].to == b.from && bands[i-1].procedure.Address == b.procedure.Address,
		})
	}
	return list
}

// rowNames name rows by the procedures of their hottest cells.
func (d *dcpiPage) rowNames(heat *dcpidb.Heat, q *dcpidb.HeatQuery, columns, rows int) []dcpiview.HeatName {
	var list []dcpiview.HeatName
	for row := range rows {
		var hottest *dcpidb.HeatCell
		for i := row * columns; i < min((row+1)*columns, len(heat.Cells)); i++ {
			if c := &heat.Cells[i]; c.Cells != nil && c.Procedure != nil &&
				(hottest == nil || c.Cells[0].Samples > hottest.Cells[0].Samples) {
				hottest = c
			}
		}
		if hottest != nil {
			name := d.symbols.Name([]byte(hottest.Procedure.Name), 0)
			list = append(list, dcpiview.HeatName{
				At: percentOf((float64(row) + 0.5) / float64(rows)), Name: cutName(site.ShortName(name), rowChars),
				Title: name.Full + ", in the hottest cell of the row", URL: d.procedureAt(hottest.Procedure, q.Image),
			})
		}
	}
	return list
}

// procedureAt is the addresses of a procedure, as far as they are known to be its.
func (d *dcpiPage) procedureAt(p *dcpidb.CellProcedure, image int) string {
	return d.to("/procedures").With("image", d.db.ImageKey(image)).With("q", p.Name).String()
}

// cutName leaves the beginning of a name that has no room.
func cutName(name string, chars int) string {
	if r := []rune(name); len(r) > chars {
		return string(r[:max(chars-1, 0)]) + "…"
	}
	return name
}

func percentOf(part float64) string { return strconv.FormatFloat(100*part, 'f', 2, 64) + "%" }
