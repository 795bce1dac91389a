package dcpiweb

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/say"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// imagesPage is GET /p/{id}/images.
func (s *room) imagesPage(w http.ResponseWriter, r *http.Request) error {
	d, err := s.dcpiPageOf(r, totalKeys, "-samples")
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, d.Format)
	if ctx == nil {
		return err
	}
	defer end()
	v := dcpiview.Samples{
		Title: "Images", Selection: d.form("Image name"), Switches: d.switches(true), CSV: d.csv("images"),
	}
	if err := s.fillTotals(ctx, r, d, dcpidb.OfImage, &v); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, dcpiview.SamplesPage(s.ProfileShell(r, site.ImagesView, ""), v))
}

// fillTotals makes the table of images, epochs or hosts of a page.
func (s *room) fillTotals(ctx context.Context, r *http.Request, d *dcpiPage, of dcpidb.TotalOf,
	v *dcpiview.Samples) error {
	totals, columns, err := s.database(r).FindTotals(ctx, totalQuery(&d.params, d.sel, of))
	if err != nil {
		return fault(err)
	}
	v.Says, v.Notes = d.says(columns, 0), d.notes(columns)
	from := min(d.Offset, len(totals))
	shown := totals[from:min(len(totals), from+d.Limit)]
	v.Table = d.totalTable(string(of)+"-table", of, shown, columns)
	v.Shown, v.Pager = "no rows", site.ListPager(d.address, &d.Listing, len(totals))
	if n := len(shown); n > 0 {
		v.Shown = "rows " + say.Int(from+1) + "–" + say.Int(from+n) + " of " + say.Int(len(totals))
		v.Series = d.totalSeries(of, shown, columns)
	} else {
		v.Empty = &page.Blank{Title: "Nothing", Text: "This selection has no profiles."}
	}
	return nil
}

// totalTable is rows of images, epochs or hosts.
func (d *dcpiPage) totalTable(id string, of dcpidb.TotalOf, totals []dcpidb.Total,
	columns []dcpidb.Column) dcpiview.SampleTable {
	words := map[dcpidb.TotalOf][2]string{dcpidb.OfImage: {"Image", "Images"}, dcpidb.OfEpoch: {"Epoch", "Epochs"},
		dcpidb.OfPlatform: {"Host", "Hosts"}}[of]
	t := dcpiview.SampleTable{ID: id, Caption: words[1] + " with their samples"}
	t.Heads = append(t.Heads, d.ordered(page.Head{Column: "name", Label: words[0]}, dcpidb.ColName))
	switch {
	case d.brief && of == dcpidb.OfImage:
		t.Heads = append(t.Heads, page.Head{Column: "size", Label: "Size", Number: true})
	case d.brief:
		t.Heads = append(t.Heads, page.Head{Column: "profiles", Label: "Profiles", Number: true})
	case of == dcpidb.OfImage:
		t.Heads = append(t.Heads, d.ordered(page.Head{Column: "address", Label: "Text"}, dcpidb.ColAddress),
			d.ordered(page.Head{Column: "size", Label: "Size", Number: true}, dcpidb.ColSize),
			d.ordered(page.Head{Column: "symbols", Label: "Symbols", Number: true, Title: "known procedures"},
				dcpidb.ColSymbols))
	default:
		t.Heads = append(t.Heads, d.ordered(page.Head{Column: "images", Label: "Images", Number: true}, dcpidb.ColImages),
			d.ordered(page.Head{Column: "profiles", Label: "Profiles", Number: true}, dcpidb.ColProfiles))
	}
	t.Heads = append(t.Heads, d.heads(columns)...)
	largest := largestShare(d, columns, totals, func(r *dcpidb.Total) []dcpidb.Cell { return r.Cells })
	for i := range totals {
		row := &totals[i]
		var cells []dcpiview.SampleCell
		switch of {
		case dcpidb.OfImage:
			if cells = d.imageCells(row.Image); d.brief {
				cells = []dcpiview.SampleCell{cells[0], cells[2]}
			}
		case dcpidb.OfEpoch:
			cells = []dcpiview.SampleCell{
				{Name: true, Text: epochLabel(row.Name), URL: d.to("/procedures").With("epoch", row.Name).String()},
			}
		default:
			cells = []dcpiview.SampleCell{
				{Name: true, Text: say.Printable(row.Name), URL: d.to("/procedures").With("platform", row.Name).String()},
			}
		}
		if of != dcpidb.OfImage && !d.brief {
			cells = append(cells, dcpiview.SampleCell{Text: say.Int(row.Images), Number: true})
		}
		if of != dcpidb.OfImage {
			cells = append(cells, dcpiview.SampleCell{Text: say.Int(row.Profiles), Number: true})
		}
		t.Rows = append(t.Rows, dcpiview.SampleRow{Cells: append(cells, d.cells(columns, row.Cells, largest)...)})
	}
	return t
}

// imageCells name an image and say where its text is.
func (d *dcpiPage) imageCells(i int) []dcpiview.SampleCell {
	image, key := &d.db.Images[i], d.db.ImageKey(i)
	start := dcpiview.SampleCell{Text: "not known", Dim: true}
	if image.HasTextStart {
		start = dcpiview.SampleCell{
			Text: fmt.Sprintf("0x%x", image.TextStart), Title: "heat map", URL: d.to("/heat").With("image", key).String(),
		}
	}
	return []dcpiview.SampleCell{
		{
			Name: true, Text: say.Printable(image.Label),
			Title: "id " + image.ID + " " + say.Printable(strings.Join(image.Paths, " ")),
			URL:   d.to("/procedures").With("image", key).String(),
		},
		start,
		{Text: say.Bytes(image.TextSize).Text, Title: say.Plural(image.TextSize, "byte", "bytes"), Number: true},
		{Text: say.Int(image.Symbols), Title: say.Printable(image.ListingFile), Number: true, Dim: image.Symbols == 0},
	}
}
