package dcpiweb

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
	"proflens/views/chart"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// draws makes the cells of columns by event, epoch or host, and of those that all tables
// have. Bars of shares have one scale: that of the largest of any column among the rows.
func (d *dcpiPage) draws(v *lists.Request, columns []dcpidb.Column) lists.Draws {
	largest := 0.0
	for n := range v.Found.Len() {
		row := v.Found.Row(n).Addr().Interface().(dcpidb.Figured)
		for i := range columns {
			largest = max(largest, columns[i].Share(&row.Figures()[i]))
		}
	}
	draw := lists.Draws{}
	for i := range columns {
		c := &columns[i]
		cell := func(row any) *dcpidb.Cell { return &row.(dcpidb.Figured).Figures()[i] }
		draw[c.Key] = func(row any) page.GridCell { return figureCell(c, cell(row)) }
		draw[c.Key+dcpidb.ShareOf] = func(row any) page.GridCell { return shareCell(c, cell(row), largest) }
	}
	for _, i := range dcpidb.Ratios(columns) {
		draw[columns[i].Key+dcpidb.RatioOf] = func(row any) page.GridCell {
			return ratioCell(row.(dcpidb.Figured).Figures(), i)
		}
	}
	return draw
}

func figureCell(c *dcpidb.Column, cell *dcpidb.Cell) page.GridCell {
	if c.NoTime {
		return page.GridCell{Text: "–", Title: "cycles convert to time only if the processor's speed is known"}
	}
	return page.GridCell{
		Number: humanize.Number{
			Text: dcpiNumber(cell.Value(c.Unit), c.Unit), Exact: humanize.Plural(cell.Samples, "sample"),
		},
	}
}

func shareCell(c *dcpidb.Column, cell *dcpidb.Cell, largest float64) page.GridCell {
	if c.NoTime {
		return page.GridCell{}
	}
	share := c.Share(cell)
	return page.GridCell{
		Number: humanize.Number{Text: humanize.Percent(share, 2)}, Bar: new(chart.ShareBar(share, largest)),
	}
}

func ratioCell(cells []dcpidb.Cell, i int) page.GridCell {
	ratio, ok := dcpidb.PerCycles(cells, i)
	if !ok {
		return page.GridCell{Text: "–"}
	}
	return page.GridCell{Number: humanize.Number{Text: strconv.FormatFloat(ratio, 'f', 2, 64)}}
}

// percent is a part with two digits.
func percent(part float64) page.GridCell {
	return page.GridCell{Number: humanize.Number{Text: humanize.Percent(part, 2)}}
}

// imageCell leads from an image to its heat map.
func (d *dcpiPage) imageCell(i *dcpidb.Image) page.GridCell {
	return page.GridCell{
		Text: humanize.Printable(i.Label), Title: "heat map of the image", URL: d.to("/heat").With("image", i.Key).String(),
	}
}

// aroundProcedures draws procedures, which lead to their addresses.
func (s *handler) aroundProcedures(r *http.Request, v *lists.Request, g *page.Grid) error {
	d, _, err := s.pageOf(r, v)
	if err != nil {
		return err
	}
	around := v.Found.Around.(*dcpidb.Around)
	rows := procedureRows(v)
	var series *chart.SeriesChart
	if v.View == site.EpochsView && len(rows) > 0 {
		series = d.procedureSeries(rows, around.Columns)
	}
	d.adorn(v, g, around, series)
	if notes := d.rangeNote(rows); notes != nil {
		g.Note = notes[0]
	}
	d.drawProcedures(v)
	v.Draw["cum_share"] = func(row any) page.GridCell { return percent(row.(*dcpidb.ProcedureRow).Cum) }
	return nil
}

// rangeNote says why there are ranges in the place of procedures.
func (d *dcpiPage) rangeNote(rows []dcpidb.ProcedureRow) []string {
	for i := range rows {
		if rows[i].Kind == dcpidb.RowRange {
			return []string{
				"Images without symbols show address ranges in place of procedures. Add the executable or its nm listing for " +
					"names.",
			}
		}
	}
	return nil
}

// procedureCell names a row and leads to its addresses.
func (d *dcpiPage) procedureCell(row *dcpidb.Row) page.GridCell {
	cell := page.GridCell{Text: row.Label()}
	switch row.Kind {
	case dcpidb.RowNone:
		cell.Text, cell.Title = "(no symbol)", "samples outside known procedures"
		return cell
	case dcpidb.RowProcedure:
		cell = page.GridCell{Name: new(d.symbols.Name([]byte(row.Name), 0))}
	}
	cell.Title = "from 0x" + strconv.FormatUint(row.Address, 16)
	a := d.to("/addresses").With("image", row.In.Key).With("from", fmt.Sprintf("0x%x", row.Address))
	if row.Size > 0 {
		a = a.With("to", fmt.Sprintf("0x%x", row.Address+row.Size-1))
		cell.Title += ", " + humanize.Plural(row.Size, "byte")
	}
	cell.URL = a.String()
	return cell
}

// short is the label of a row, of a procedure without the scopes around it.
func (d *dcpiPage) short(row *dcpidb.Row) string {
	if row.Kind == dcpidb.RowProcedure {
		return site.ShortName(d.symbols.Name([]byte(row.Name), 0))
	}
	return row.Label()
}

// inside names an address so many bytes into a procedure, whose arguments give way to them.
func (d *dcpiPage) inside(procedure string, bytes uint64) humanize.Name {
	n := d.symbols.Name([]byte(procedure), 0)
	at := fmt.Sprintf(" + 0x%x", bytes)
	return humanize.Name{Namespace: n.Namespace, Base: n.Base + at, Full: n.Full + at}
}

func procedureRows(v *lists.Request) []dcpidb.ProcedureRow {
	rows := make([]dcpidb.ProcedureRow, v.Found.Len())
	for i := range rows {
		rows[i] = *v.Found.Row(i).Addr().Interface().(*dcpidb.ProcedureRow)
	}
	return rows
}

// drawProcedures draws names and images of rows that are procedures.
func (d *dcpiPage) drawProcedures(v *lists.Request) {
	of := func(row any) *dcpidb.Row { return row.(interface{ Procedure() *dcpidb.Row }).Procedure() }
	v.Draw["name"] = func(row any) page.GridCell { return d.procedureCell(of(row)) }
	v.Draw["image"] = func(row any) page.GridCell { return d.imageCell(of(row).In) }
}

// aroundAddresses draws addresses, which lead to their cache lines in the heat map.
func (s *handler) aroundAddresses(r *http.Request, v *lists.Request, g *page.Grid) error {
	d, _, err := s.pageOf(r, v)
	if err != nil {
		return err
	}
	d.adorn(v, g, v.Found.Around.(*dcpidb.Around), nil)
	v.Draw["address"] = func(row any) page.GridCell {
		a := row.(*dcpidb.AddressRow)
		return page.GridCell{Text: fmt.Sprintf("0x%x", a.Address), Title: "its cache line in the heat map", URL: d.heatAt(a)}
	}
	v.Draw["procedure"] = func(row any) page.GridCell {
		a := row.(*dcpidb.AddressRow)
		if !a.HasProcedure {
			return page.GridCell{Text: "(no symbol)"}
		}
		return page.GridCell{Name: new(d.inside(a.Procedure, a.Inside)), URL: d.heatAt(a)}
	}
	v.Draw["image"] = func(row any) page.GridCell { return d.imageCell(row.(*dcpidb.AddressRow).In) }
	v.Draw["cum_share"] = func(row any) page.GridCell { return percent(row.(*dcpidb.AddressRow).Cum) }
	return nil
}

// heatAt is the cache line of an address in the heat map.
func (d *dcpiPage) heatAt(a *dcpidb.AddressRow) string {
	return d.to("/heat").With("image", a.In.Key).With("from",
		fmt.Sprintf("0x%x", a.Address-a.Offset%cacheLine)).With("cell", "4").With("cells", "16").String()
}

// aroundTotals draws images, epochs and hosts, which lead to their procedures.
func (s *handler) aroundTotals(r *http.Request, v *lists.Request, g *page.Grid) error {
	d, _, err := s.pageOf(r, v)
	if err != nil {
		return err
	}
	around := v.Found.Around.(*dcpidb.Around)
	var series *chart.SeriesChart
	if v.Found.Len() > 0 {
		series = d.totalSeries(v, around.Columns)
	}
	d.adorn(v, g, around, series)
	d.drawTotals(v)
	return nil
}

func (d *dcpiPage) drawTotals(v *lists.Request) {
	v.Draw["name"] = func(row any) page.GridCell {
		switch t := row.(type) {
		case *dcpidb.EpochTotal:
			return page.GridCell{Text: epochLabel(t.Epoch), URL: d.to("/procedures").With("epoch", t.Epoch).String()}
		case *dcpidb.PlatformTotal:
			return page.GridCell{Text: humanize.Printable(t.Host), URL: d.to("/procedures").With("platform", t.Host).String()}
		}
		i := row.(*dcpidb.ImageTotal).Image
		return page.GridCell{
			Text: humanize.Printable(i.Label), Title: "id " + i.ID + " " + humanize.Printable(strings.Join(i.Paths, " ")),
			URL: d.to("/procedures").With("image", i.Key).String(),
		}
	}
	v.Draw["address"] = func(row any) page.GridCell {
		i := row.(*dcpidb.ImageTotal).Image
		if !i.HasTextStart {
			return page.GridCell{Text: "not known"}
		}
		return page.GridCell{
			Text: fmt.Sprintf("0x%x", i.TextStart), Title: "heat map", URL: d.to("/heat").With("image", i.Key).String(),
		}
	}
}

// aroundDiff draws how far procedures are apart.
func (s *handler) aroundDiff(r *http.Request, v *lists.Request, g *page.Grid) error {
	d, db, err := s.pageOf(r, v)
	if err != nil {
		return err
	}
	diff := v.Found.Around.(*dcpidb.DiffAround)
	q, err := (&asked{&d.params, db, d.sel}).diff()
	if err != nil {
		return err
	}
	d.By = q.By
	above := dcpiview.Samples{
		Selection: d.form("a", "b", "normalise"), Switches: append(d.epochSwitches(showDifference), d.switches(false)...),
	}
	above.Selection.Selects = append(above.Selection.Selects, d.setSelects(diff)...)
	set := setWord(d.By)
	g.Says = "How far " + humanize.Plural(len(diff.Names), set+" differs", set+"s differ") + ", in " + string(diff.Unit) +
		". Images and procedures are matched by name."
	if len(diff.Names) > 0 {
		first, last := &diff.Names[0], &diff.Names[len(diff.Names)-1]
		g.Says = "From " + first.Label() + " to " + last.Label() + ", of " + first.Event + ". " + g.Says
	}
	if d.Normalise {
		above.Notes = append(above.Notes, "Every "+set+" is scaled to the total of the first.")
	}
	d.above(g, above)
	largest := 0.0
	for i := range v.Found.Len() {
		delta := v.Found.Row(i).Addr().Interface().(*dcpidb.DiffRow).Delta.Of
		largest = max(largest, delta, -delta)
	}
	v.Draw = lists.Draws{"delta": func(row any) page.GridCell {
		delta := row.(*dcpidb.DiffRow).Delta
		return page.GridCell{Change: new(page.ChangeBarOf(delta.Of, largest, signed(delta.Of, delta.Unit)))}
	}}
	d.drawProcedures(v)
	return nil
}

// aroundHeat draws the cells row by row; those without samples are the ground.
func (s *handler) aroundHeat(r *http.Request, v *lists.Request, g *page.Grid) error {
	d, _, err := s.pageOf(r, v)
	if err != nil {
		return err
	}
	around := v.Found.Around.(*dcpidb.HeatAround)
	heat, q := around.Heat, &around.Query
	image := &d.db.Images[q.Image]
	form := d.form()
	for i := range form.Selects {
		if s := &form.Selects[i]; s.Name == "image" { // there is always one
			s.Options = s.Options[1:]
			for n := range s.Options {
				s.Options[n].Selected = s.Options[n].Value == image.Key
			}
		}
	}
	d.above(g, dcpiview.Samples{})
	d.address = d.address.With("image", image.Key)
	above := dcpiview.HeatMap{
		Samples: dcpiview.Samples{
			Selection: form, Switches: append(d.cellSwitch(heat, q), d.switches(false)...), Notes: d.notes(heat.Columns),
		},
		Crumbs: d.heatCrumbs(heat, q),
	}
	g.Title = "Heat map of " + humanize.Printable(image.Label)
	g.Says = humanize.Plural(len(heat.Cells), "cell") + " of " + bytesOf(q.Cell) + ". " +
		d.says(heat.Columns, heat.Hidden)
	g.Status = []string{humanize.Say("{} of {} cells have samples", v.Found.All, len(heat.Cells))}
	if heat.Max[0].Samples > 0 {
		above.Picture = new(d.heatPicture(heat, q))
	}
	g.Above = dcpiview.HeatAbove(above)
	v.Draw = d.draws(v, heat.Columns)
	v.Draw["address"] = func(row any) page.GridCell {
		c := row.(*dcpidb.HeatCell)
		return page.GridCell{Text: fmt.Sprintf("0x%x", c.Address), URL: d.finer(c.Offset, q)}
	}
	v.Draw["name"] = func(row any) page.GridCell {
		c := row.(*dcpidb.HeatCell)
		return d.cellProcedure(c.Procedure, d.finer(c.Offset, q))
	}
	return nil
}
