package dcpiweb

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/lines"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// lineFigures are the samples by line.
func lineFigures(ctx context.Context, p *stored.Profile) (*lines.Table, error) {
	db, err := dcpidb.Of(p)
	if err != nil {
		return nil, err
	}
	return db.SourceLines(ctx)
}

// atLine are the addresses that a line was compiled to.
func atLine(ctx context.Context, p *stored.Profile, base, file string, line uint32, limit int) (site.LineThings,
	error) {
	things := site.LineThings{Title: "Addresses"}
	db, err := dcpidb.Of(p)
	if err != nil {
		return things, err
	}
	rows, all, err := db.AtLine(ctx, file, line, limit)
	if err != nil {
		return things, err
	}
	things.All = all
	for i := range rows {
		r := &rows[i]
		at := fmt.Sprintf("0x%x", r.Address)
		to := site.Address{
			Path: base + "/addresses", Query: url.Values{"image": {db.Overview.ImageKey(r.Image)}, "from": {at}, "to": {at}},
		}
		thing := site.LineThing{Name: say.Name{Base: at, Full: at}, URL: to.String(), Value: say.Count(r.Cells[0].Samples)}
		if r.HasProcedure {
			thing.Name.Args = " " + say.Printable(r.Procedure) + fmt.Sprintf(" + 0x%x", r.Inside)
		}
		things.List = append(things.List, thing)
	}
	return things, nil
}

// lineCell leads to the line of an address.
func (d *dcpiPage) lineCell(ctx context.Context, db *dcpidb.Profile, image int, address uint64) (dcpiview.SampleCell,
	error) {
	file, line, err := db.LineOf(ctx, image, address)
	if file == "" || err != nil {
		return dcpiview.SampleCell{}, err
	}
	return dcpiview.SampleCell{Text: say.Printable(site.PlaceWords(file, line)), Title: say.Printable(file),
		URL: site.LineURL(d.base, file, line)}, nil
}

// addLines adds the lines that procedures begin on to a table of them, behind the names.
func (d *dcpiPage) addLines(ctx context.Context, db *dcpidb.Profile, t *dcpiview.SampleTable,
	rows []dcpidb.ProcedureRow) error {
	located, err := db.HasLines(ctx)
	if err != nil || !located {
		return err
	}
	const behind = 2
	t.Heads = slices.Insert(t.Heads, behind, page.Head{
		Column: "source", Label: "Source", Title: "the line that it begins on",
	})
	for i := range rows {
		at, err := d.lineCell(ctx, db, rows[i].Image, rows[i].Address)
		if err != nil {
			return err
		}
		t.Rows[i].Cells = slices.Insert(t.Rows[i].Cells, behind, at)
	}
	return nil
}
