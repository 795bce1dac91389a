package dcpiweb

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/say"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// proceduresPage is GET /p/{id}/procedures.
func (s *room) proceduresPage(w http.ResponseWriter, r *http.Request) error {
	d, err := s.dcpiPageOf(r, slices.Concat(procedureKeys, []string{"sel"}), "-samples")
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, d.Format)
	if ctx == nil {
		return err
	}
	defer end()
	rows, err := s.database(r).Procedures(ctx, dcpidb.ProcedureQuery{
		Selection: d.sel, Text: d.Text, Regexp: d.Regexp, Range: d.Range, Sort: d.Sort, Offset: d.Offset, Limit: d.Limit,
	})
	if err != nil {
		return fault(err)
	}
	v := dcpiview.Samples{
		Title: "Procedures", Says: d.says(rows.Columns, rows.Hidden, rows.Totals...), Notes: d.notes(rows.Columns),
		Selection: d.form("Procedure", "range"),
		Switches:  d.switches(true), CSV: d.csv("procedures"), Table: d.procedureTable("procedure-table", rows, d.Offset),
		Shown: "no rows",
		Pager: site.ListPager(d.address.Unselected(), &d.Listing, rows.Matching), Inspector: d.address.Inspector("procedure"),
	}
	for i := range rows.Rows {
		row := &rows.Rows[i].Row
		if d.selectable(&v.Table.Rows[i], d.rowID(row)) {
			if err := d.inspectProcedure(ctx, v.Inspector, s.database(r), row, rows.Columns); err != nil {
				return fault(err)
			}
		}
	}
	if err := d.addLines(ctx, s.database(r), &v.Table, rows.Rows); err != nil {
		return err
	}
	v.Notes = append(v.Notes, d.rangeNote(rows.Rows)...)
	if n := len(rows.Rows); n > 0 {
		v.Shown = "rows " + say.Int(d.Offset+1) + "–" + say.Int(d.Offset+n) + " of " + say.Int(rows.Matching)
	} else {
		v.Empty = &page.Blank{Title: "No procedures", Text: "This selection has no samples."}
	}
	return s.Render(w, r, http.StatusOK, dcpiview.SamplesPage(s.ProfileShell(r, site.ProceduresView, ""), v))
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

// procedureTable is rows of procedures; the first has place offset + 1.
func (d *dcpiPage) procedureTable(id string, rows *dcpidb.ProcedurePage, offset int) dcpiview.SampleTable {
	t := dcpiview.SampleTable{ID: id, Caption: "Procedures by samples"}
	t.Heads = append([]page.Head{
		{Column: "rank", Label: "#", Number: true}, d.ordered(page.Head{Column: "name", Label: "Procedure"}, dcpidb.ColName),
		d.ordered(page.Head{Column: "image", Label: "Image"}, dcpidb.ColImage),
	},
		d.heads(rows.Columns)...)
	t.Heads = append(t.Heads, page.Head{Column: "cum", Label: "Cum. %", Title: "this row and those above", Number: true})
	largest := largestShare(d, rows.Columns, rows.Rows, func(r *dcpidb.ProcedureRow) []dcpidb.Cell { return r.Cells })
	for i := range rows.Rows {
		row := &rows.Rows[i]
		cells := append([]dcpiview.SampleCell{
			{Text: say.Int(offset + i + 1), Number: true, Dim: true},
			d.procedureCell(&row.Row),
			{
				Text: say.Printable(d.db.Images[row.Image].Label),
				URL:  d.to("/heat").With("image", d.db.ImageKey(row.Image)).String(), Title: "heat map of the image",
			},
		}, d.cells(rows.Columns, row.Cells, largest)...)
		t.Rows = append(t.Rows, dcpiview.SampleRow{
			Cells: append(cells, dcpiview.SampleCell{Text: say.Percent(row.Cum, 2), Number: true}),
		})
	}
	return t
}

// procedureCell names a row and leads to its addresses.
func (d *dcpiPage) procedureCell(row *dcpidb.Row) dcpiview.SampleCell {
	cell := dcpiview.SampleCell{Name: true, Text: say.Printable(row.Label())}
	if row.Kind == dcpidb.RowNone {
		cell.Text, cell.Title = "(no symbol)", "samples outside known procedures"
		return cell
	}
	cell.Title = "from 0x" + strconv.FormatUint(row.Address, 16)
	a := d.to("/addresses").With("image", d.db.ImageKey(row.Image)).With("from", fmt.Sprintf("0x%x", row.Address))
	if row.Size > 0 {
		a = a.With("to", fmt.Sprintf("0x%x", row.Address+row.Size-1))
		cell.Title += ", " + say.Plural(row.Size, "byte", "bytes")
	}
	cell.URL = a.String()
	return cell
}
