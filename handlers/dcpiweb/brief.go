package dcpiweb

import (
	"slices"

	"proflens/handlers/lists"
	"proflens/profile/dcpidb"
	"proflens/profile/table"
	"proflens/views/page"
)

// briefColumns is how many columns by event the tables of a panel have.
const briefColumns = 3

// brief is some rows of a table in a panel, with a few of the columns by event: the share
// of the first alone.
func (d *dcpiPage) brief(id, title string, of *table.Declaration, rows any, columns []dcpidb.Column,
	draw func(*lists.Request), around ...string) page.Grid {
	v := &lists.Request{
		Declared: &lists.Declared{Declaration: of}, Base: d.base, Address: d.address,
		Found: table.Page{Set: table.Set{Rows: rows}},
	}
	v.Draw = d.draws(v, columns)
	draw(v)
	names, last := around[:len(around)-1], around[len(around)-1]
	for i := range columns[:min(len(columns), briefColumns)] {
		names = append(names, columns[i].Key)
		if i == 0 {
			names = append(names, columns[i].Key+dcpidb.ShareOf)
		}
	}
	if ratios := dcpidb.Ratios(columns); len(ratios) == 1 {
		names = append(names, columns[1].Key+dcpidb.RatioOf)
	}
	if last != "" {
		names = append(names, last)
	}
	return v.Preview(id, title, names...)
}

// procedureTable is the first procedures.
func (d *dcpiPage) procedureTable(id string, rows *dcpidb.ProcedurePage, _ int) page.Grid {
	around := []string{"rank", "name", "image", "cum_share"}
	if len(d.db.Images) == 1 {
		around = slices.Delete(around, 2, 3)
	}
	return d.brief(id, "Procedures by samples", rows.Of, rows.Rows, rows.Columns, func(v *lists.Request) {
		d.drawProcedures(v)
		v.Draw["cum_share"] = func(row any) page.GridCell { return percent(row.(*dcpidb.ProcedureRow).Cum) }
	}, around...)
}

// totalTable is rows of images, epochs or hosts.
func (d *dcpiPage) totalTable(id string, of dcpidb.TotalOf, totals []dcpidb.Total, columns []dcpidb.Column) page.Grid {
	title, figure := map[dcpidb.TotalOf]string{dcpidb.OfImage: "Images", dcpidb.OfEpoch: "Epochs",
		dcpidb.OfPlatform: "Hosts"}[of], "profiles"
	if of == dcpidb.OfImage {
		figure = "size"
	}
	table, rows := dcpidb.TotalRows(of, totals, columns)
	return d.brief(id, title+" with their samples", table, rows, columns, d.drawTotals, "name", figure, "")
}
