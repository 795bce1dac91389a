package dcpiweb

import (
	"fmt"
	"net/http"
	"slices"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/say"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// addressesPage is GET /p/{id}/addresses.
func (s *room) addressesPage(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	d, err := s.dcpiPageOf(r, slices.Concat(sampleKeys, []string{"sel"}), "-samples")
	if err != nil {
		return err
	}
	if d.Format != "" {
		http.Redirect(w, r, d.address.Unselected().Moved("/api/v1/profiles/"+s.Entry(r).ID+"/samples"), http.StatusFound)
		return nil
	}
	if s.NotModifiedPage(w, r) {
		return nil
	}
	rows, err := s.database(r).Addresses(ctx, dcpidb.AddressQuery{
		Selection: d.sel, From: d.From, To: d.To, Text: d.Text, Sort: d.Sort, Offset: d.Offset, Limit: d.Limit,
	})
	if err != nil {
		return fault(err)
	}
	t := dcpiview.SampleTable{ID: "address-table", Caption: "Addresses by samples"}
	t.Heads = append([]page.Head{
		{Column: "rank", Label: "#", Number: true}, d.ordered(page.Head{Column: "name", Label: "Address"}, dcpidb.ColAddress),
		{Column: "procedure", Label: "Procedure"}, d.ordered(page.Head{Column: "image", Label: "Image"}, dcpidb.ColImage),
	}, d.heads(rows.Columns)...)
	located, err := s.database(r).HasLines(ctx)
	if err != nil {
		return err
	}
	if located {
		t.Heads = slices.Insert(t.Heads, 3, page.Head{
			Column: "source", Label: "Source", Title: "the line that it was compiled from",
		})
	}
	t.Heads = append(t.Heads, page.Head{Column: "cum", Label: "Cum. %", Title: "this row and those above", Number: true})
	largest := largestShare(d, rows.Columns, rows.Rows, func(r *dcpidb.AddressRow) []dcpidb.Cell { return r.Cells })
	in := d.address.Inspector("address")
	for i := range rows.Rows {
		row := &rows.Rows[i]
		key := d.db.ImageKey(row.Image)
		procedure := dcpiview.SampleCell{Text: "(no symbol)", Dim: true}
		if row.HasProcedure {
			procedure = dcpiview.SampleCell{Text: say.Printable(row.Procedure), Tail: fmt.Sprintf(" + 0x%x", row.Inside)}
		}
		cells := append([]dcpiview.SampleCell{
			{Text: say.Int(d.Offset + i + 1), Number: true, Dim: true},
			{Name: true, Text: fmt.Sprintf("0x%x", row.Address), Title: "its cache line in the heat map",
				URL: d.to("/heat").With("image", key).With("from",
					fmt.Sprintf("0x%x", row.Address-row.Offset%cacheLine)).With("cell", "4").With("cells", "16").String()},
			procedure, {Text: say.Printable(d.db.Images[row.Image].Label)},
		}, d.cells(rows.Columns, row.Cells, largest)...)
		if located {
			at, err := d.lineCell(ctx, s.database(r), row.Image, row.Address)
			if err != nil {
				return err
			}
			cells = slices.Insert(cells, 3, at)
		}
		t.Rows = append(t.Rows, dcpiview.SampleRow{
			Cells: append(cells, dcpiview.SampleCell{Text: say.Percent(row.Cum, 2), Number: true}),
		})
		if d.selectable(&t.Rows[i], key+":"+cells[1].Text) {
			if err := d.inspectAddress(ctx, in, s.database(r), row, rows.Columns, procedure.Text+procedure.Tail,
				cells[1].URL); err != nil {
				return fault(err)
			}
		}
	}
	v := dcpiview.Samples{
		Title: "Addresses", Says: d.says(rows.Columns, rows.Hidden, rows.Totals...), Notes: d.notes(rows.Columns),
		Selection: d.form("Procedure", "from", "to"),
		Switches:  d.switches(true), CSV: d.csv("samples"), Table: t, Shown: "no rows", Inspector: in,
		Pager: site.ListPager(d.address.Unselected(), &d.Listing, rows.Matching),
	}
	if n := len(rows.Rows); n > 0 {
		v.Shown = "rows " + say.Int(d.Offset+1) + "–" + say.Int(d.Offset+n) + " of " + say.Int(rows.Matching)
	} else {
		v.Empty = &page.Blank{Title: "No addresses", Text: "This selection has no samples."}
	}
	return s.Render(w, r, http.StatusOK, dcpiview.SamplesPage(s.ProfileShell(r, site.AddressesView, ""), v))
}
