package dcpiweb

import (
	"fmt"
	"net/http"

	"proflens/handlers/lists"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
	"proflens/profile/query"
	"proflens/views/chart"
	"proflens/views/page"
)

// How many addresses the inspector lists of a procedure, and how far around one.
const (
	inspectedAddresses = 12
	inspectedBytes     = 32
)

// figures are those of a row, a column each, with their shares.
func (d *dcpiPage) figures(columns []dcpidb.Column, cells []dcpidb.Cell) page.Facts {
	var list page.Facts
	for i := range columns {
		c, f := &columns[i], page.Fact{Term: columns[i].Label(), Value: "–"}
		if !c.NoTime {
			f.Value, f.Note = dcpiNumber(cells[i].Value(c.Unit), c.Unit), humanize.Percent(c.Share(&cells[i]), 2)
		}
		list = append(list, f)
	}
	for _, i := range dcpidb.Ratios(columns) {
		if ratio, ok := dcpidb.PerCycles(cells, i); ok {
			list.Add(columns[i].Label()+" / 1000 cycles", fmt.Sprintf("%.2f", ratio), "estimated")
		}
	}
	return list
}

// nameOf is the name in a cell, or its text where it has none.
func nameOf(c *page.GridCell) humanize.Name {
	if c.Name != nil {
		return *c.Name
	}
	return humanize.Name{Base: c.Text}
}

// inspectTotal calls an image, an epoch or a host by its name, which leads away; of an image where
// its text starts is a fact.
func inspectTotal(_ *http.Request, v *lists.Request, in *page.Inspector, row any) error {
	if start := in.Name.Base; start != "" {
		in.Facts.Add("Text", start)
	}
	cell := v.Draw["name"](row)
	in.Name = nameOf(&cell)
	return nil
}

// inspectProcedure shows a procedure, or a range, with its addresses of the most samples.
func (s *handler) inspectProcedure(req *http.Request, v *lists.Request, in *page.Inspector, row any) error {
	r, columns := row.(*dcpidb.ProcedureRow).Row, v.Found.Around.(*dcpidb.Around).Columns
	d, db, err := s.pageOf(req, v)
	if err != nil {
		return err
	}
	cell, image := d.procedureCell(r), r.In
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Name: nameOf(&cell), Place: humanize.Printable(image.Label),
		URL:   cell.URL,
		Open:  "Addresses",
		Facts: d.figures(columns, r.Cells),
		Links: []page.Segment{
			{Label: "Heat map", Title: "of the image", URL: d.to("/heat").With("image", image.Key).String()},
		},
	}
	if r.Kind == dcpidb.RowNone {
		return nil
	}
	end := fmt.Sprintf("0x%x", r.Address)
	if r.Size > 0 {
		end += fmt.Sprintf("–0x%x", r.Address+r.Size-1)
		in.Facts.Add("Bytes", humanize.Int(r.Size))
	}
	in.Facts.Add("Addresses", end)
	if r.Size == 0 {
		return nil
	}
	q := dcpidb.AddressQuery{Selection: d.sel, From: r.Address, To: r.Address + r.Size - 1, Limit: inspectedAddresses}
	q.Images = []int{r.Image}
	hottest, err := db.Addresses(req.Context(), q)
	if err != nil {
		return err
	}
	list := d.lines(hottest, r.Address)
	list.Title, list.Note = "Addresses", "most samples first"
	if more := hottest.Matching - len(list.List); more > 0 {
		list.More = humanize.Say("{more address|more addresses} with samples", more)
	}
	in.Lists = []page.Lines{list}
	return nil
}

// inspectAddress shows an address with those around it.
func (s *handler) inspectAddress(req *http.Request, v *lists.Request, in *page.Inspector, row any) error {
	r, columns := row.(*dcpidb.AddressRow), v.Found.Around.(*dcpidb.Around).Columns
	d, db, err := s.pageOf(req, v)
	if err != nil {
		return err
	}
	at, within := fmt.Sprintf("0x%x", r.Address), v.Draw["procedure"](row)
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Name: humanize.Name{Base: at}, Place: humanize.Printable(r.In.Label),
		URL:   d.heatAt(r),
		Open:  "Heat map",
		Facts: append(page.Facts{{Term: "Procedure", Value: nameOf(&within).Whole()}}, d.figures(columns, r.Cells)...),
	}
	q := dcpidb.AddressQuery{
		Selection: d.sel, From: r.Address - min(inspectedBytes, r.Address), To: r.Address + min(inspectedBytes, ^r.Address),
		Sort: []query.Key{{Column: dcpidb.ColAddress}}, Limit: 2*inspectedBytes + 1,
	}
	q.Images = []int{r.Image}
	around, err := db.Addresses(req.Context(), q)
	if err != nil {
		return err
	}
	list := d.lines(around, r.Address)
	list.Title, list.Note = "Around it", humanize.Int(inspectedBytes)+" bytes each way"
	in.Lists = []page.Lines{list}
	return nil
}

// lines are addresses by the first column, as distances from one.
func (d *dcpiPage) lines(p *dcpidb.AddressPage, from uint64) (list page.Lines) {
	if len(p.Columns) == 0 {
		return list
	}
	c, largest := &p.Columns[0], 0.0
	for i := range p.Rows {
		largest = max(largest, c.Share(&p.Rows[i].Cells[0]))
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		share := c.Share(&r.Cells[0])
		bar := chart.ShareBar(share, largest)
		line := page.NoteLine{
			Title: fmt.Sprintf("0x%x", r.Address),
			Note:  dcpiNumber(r.Cells[0].Value(c.Unit), c.Unit) + ", " + humanize.Percent(share, 2), Bar: &bar,
		}
		if line.Text = fmt.Sprintf("+0x%x", r.Address-from); r.Address < from {
			line.Text = fmt.Sprintf("−0x%x", from-r.Address)
		}
		list.List = append(list.List, line)
	}
	return list
}
