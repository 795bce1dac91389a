package dcpiweb

import (
	"context"
	"math"
	"net/http"
	"slices"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// What the page of epochs shows.
var epochShows = []string{"totals", "images", "procedures", "difference"}

// What each of them is searched by, and its usual order.
var (
	epochSearch = map[string]string{
		"totals": "Start", "images": "Image name", "procedures": "Procedure", "difference": "Procedure",
	}
	epochUsual = map[string]string{
		"totals": "name", "images": "-samples", "procedures": "-samples", "difference": "-range",
	}
)

var epochKeys = slices.Concat(diffKeys, []string{"show"})

// epochsPage is GET /p/{id}/epochs: epochs or hosts with their totals, images and
// procedures side by side over them, and the difference of two.
func (s *room) epochsPage(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	query := r.URL.Query()
	d, err := s.dcpiPageOf(r, epochKeys, "")
	if err != nil {
		return err
	}
	show := query.Get("show")
	if show == "" {
		show = epochShows[0]
	}
	if d.A != "" {
		show = "difference"
	}
	if !slices.Contains(epochShows, show) {
		return &site.ParamError{Param: "show", Msg: "use totals, images, procedures or difference"}
	}
	d.usual = epochUsual[show]
	if s.NotModifiedPage(w, r) {
		return nil
	}
	if d.By != dcpidb.ByPlatform {
		d.By, d.sel.By = dcpidb.ByEpoch, dcpidb.ByEpoch
	}
	search := epochSearch[show]
	if show == "totals" && d.By == dcpidb.ByPlatform {
		search = "Host"
	}
	v := dcpiview.Samples{Title: "Epochs", Selection: d.form(search, "show", "a", "b", "normalise"), Shown: "no rows"}
	v.Switches = append(d.epochSwitches(show), d.switches(false)...)
	switch show {
	case "totals":
		of := dcpidb.TotalOf(d.By)
		d.By, d.sel.By = dcpidb.ByEvent, dcpidb.ByEvent
		v.CSV = d.csv(string(of) + "s")
		err = s.fillTotals(ctx, r, d, of, &v)
	case "images":
		d.address = d.address.With("by", string(d.By))
		v.CSV = d.csv("images")
		err = s.fillTotals(ctx, r, d, dcpidb.OfImage, &v)
	case "procedures":
		err = s.fillSeries(ctx, r, d, &v)
	default:
		err = s.fillDifference(ctx, r, d, &v)
	}
	if err != nil {
		return fault(err)
	}
	return s.Render(w, r, http.StatusOK, dcpiview.SamplesPage(s.ProfileShell(r, site.EpochsView, ""), v))
}

// epochSwitches choose what is shown, and of epochs or of hosts.
func (d *dcpiPage) epochSwitches(show string) []dcpiview.Switch {
	a := d.address.Without("page", "cursor", "sort", "a", "b")
	what := dcpiview.Switch{Label: "Show"}
	for i, word := range epochShows {
		to := a.With("show", word)
		if i == 0 {
			to = a.Without("show")
		}
		what.Segments = append(what.Segments, page.Segment{Label: word, URL: to.String(), Current: word == show})
	}
	of := dcpiview.Switch{Label: "Of", Segments: []page.Segment{
		{Label: "epochs", URL: a.Without("by").String(), Current: d.By == dcpidb.ByEpoch},
		{Label: "hosts", URL: a.With("by", string(dcpidb.ByPlatform)).String(), Current: d.By == dcpidb.ByPlatform},
	}}
	return []dcpiview.Switch{what, of}
}

// fillSeries is the procedures with a column for each epoch or host.
func (s *room) fillSeries(ctx context.Context, r *http.Request, d *dcpiPage, v *dcpiview.Samples) error {
	rows, err := s.database(r).Procedures(ctx, dcpidb.ProcedureQuery{
		Selection: d.sel, Text: d.Text, Regexp: d.Regexp, Range: d.Range, Sort: d.Sort, Offset: d.Offset, Limit: d.Limit,
	})
	if err != nil {
		return err
	}
	d.address = d.address.With("by", string(d.By))
	v.Says, v.Notes, v.CSV = d.says(rows.Columns, rows.Hidden, rows.Totals...), d.notes(rows.Columns), d.csv("procedures")
	v.Series = d.procedureSeries(rows)
	v.Table = d.procedureTable("series-table", rows, d.Offset)
	v.Pager = site.ListPager(d.address, &d.Listing, rows.Matching)
	if n := len(rows.Rows); n > 0 {
		v.Shown = "rows " + say.Int(d.Offset+1) + "–" + say.Int(d.Offset+n) + " of " + say.Int(rows.Matching)
	}
	return nil
}

// fillDifference is the procedures of two epochs or hosts, or of all.
func (s *room) fillDifference(ctx context.Context, r *http.Request, d *dcpiPage, v *dcpiview.Samples) error {
	q, err := diffQuery(s.database(r).Overview, &d.params, d.sel)
	if err != nil {
		return err
	}
	q.Offset, q.Limit = d.Offset, d.Limit
	diff, err := s.database(r).Diff(ctx, q)
	if err != nil {
		return err
	}
	d.address = d.address.With("by", string(d.By))
	v.CSV = d.csv("diff")
	v.Selection.Selects = append(v.Selection.Selects, d.setSelects(diff)...)
	v.Selection.Keep = slices.DeleteFunc(v.Selection.Keep, func(h page.Hidden) bool {
		return h.Name == "a" || h.Name == "b" || h.Name == "normalise"
	})
	v.Says = "How far " + say.Plural(len(diff.Sets), "column differs", "columns differ") + ", in " +
		string(diff.Unit) + ". Images and procedures are matched by name."
	if len(diff.Sets) > 0 {
		v.Says = "From " + columnLabel(d.By, diff.Sets[0].Name) + " to " +
			columnLabel(d.By, diff.Sets[len(diff.Sets)-1].Name) + ", of " + diff.Sets[0].Event + ". " + v.Says
	}
	if d.Normalise {
		v.Notes = append(v.Notes, "Every column is scaled to the total of the first.")
	}
	v.Table = d.diffTable(diff)
	v.Pager = site.ListPager(d.address, &d.Listing, diff.Matching)
	if n := len(diff.Rows); n > 0 {
		v.Shown = "rows " + say.Int(d.Offset+1) + "–" + say.Int(d.Offset+n) + " of " + say.Int(diff.Matching)
	}
	return nil
}

// setSelects choose the two sets, and whether they are scaled.
func (d *dcpiPage) setSelects(diff *dcpidb.DiffPage) []dcpiview.SampleSelect {
	names, chosen := d.db.Epochs, [2]string{d.A, d.B}
	if d.By == dcpidb.ByPlatform {
		names = d.db.Platforms
	}
	if d.A == "" && len(diff.Sets) > 0 {
		chosen = [2]string{diff.Sets[0].Name, diff.Sets[len(diff.Sets)-1].Name}
	}
	var list []dcpiview.SampleSelect
	for i, name := range []string{"a", "b"} {
		s := dcpiview.SampleSelect{Name: name, Label: []string{"Before", "After"}[i]}
		word := chosen[i]
		if start, ok := d.db.FindEpoch(word); ok && d.By == dcpidb.ByEpoch {
			word = start
		}
		for _, set := range names[max(0, len(names)-maxSelectOptions):] {
			s.Options = append(s.Options, page.Option{Value: set, Label: columnLabel(d.By, set), Selected: set == word})
		}
		list = append(list, s)
	}
	return append(list, dcpiview.SampleSelect{Name: "normalise", Label: "Totals", Options: []page.Option{
		{Value: "", Label: "as they are", Selected: !d.Normalise},
		{Value: "true", Label: "scaled to be equal", Selected: d.Normalise},
	}})
}

func (d *dcpiPage) diffTable(diff *dcpidb.DiffPage) dcpiview.SampleTable {
	t := dcpiview.SampleTable{ID: "diff-table", Caption: "Procedures by largest difference"}
	number := func(column query.Column, label, title string) {
		h := page.Head{Column: string(column), Label: label, Title: title, Number: true}
		if slices.Contains(dcpidb.DiffSorts, column) {
			h = d.ordered(h, column)
		}
		t.Heads = append(t.Heads, h)
	}
	t.Heads = append(t.Heads, d.ordered(page.Head{Column: "name", Label: "Procedure"}, dcpidb.ColName),
		d.ordered(page.Head{Column: "image", Label: "Image"}, dcpidb.ColImage))
	number("delta", "Delta", "after − before")
	number("before", "Before", "in the first column")
	number("after", "After", "in the last column")
	number("range", "Range", "the largest − the smallest")
	number("range_share", "Range ÷ sum", "range as a share of the sum")
	number("sum", "Sum", "over all columns")
	number("sum_share", "%", "of the sum over all procedures")
	number("sets", "Columns", "in which it has samples")
	number("mean", "Mean", "over all columns")
	number("deviation", "Deviation", "standard deviation over the columns")
	largest := 0.0
	for i := range diff.Rows {
		largest = max(largest, math.Abs(diff.Rows[i].Delta))
	}
	for i := range diff.Rows {
		row := &diff.Rows[i]
		figure := func(v float64) dcpiview.SampleCell {
			return dcpiview.SampleCell{Text: dcpiNumber(v, diff.Unit), Number: true}
		}
		change := page.ChangeBarOf(row.Delta, largest, signed(row.Delta, diff.Unit))
		t.Rows = append(t.Rows, dcpiview.SampleRow{Cells: []dcpiview.SampleCell{
			d.procedureCell(&row.Row), {Text: say.Printable(d.db.Images[row.Image].Label)},
			{Change: &change}, figure(row.Before), figure(row.After), figure(row.Range),
			{Text: say.Percent(row.Share, 1), Number: true},
			figure(row.Sum), {Text: say.Percent(row.OfTotal, 1), Number: true}, {Text: say.Int(row.Sets), Number: true},
			figure(row.Mean), figure(row.Deviation),
		}})
	}
	return t
}

// signed writes a difference with its sign.
func signed(v float64, unit dcpidb.Unit) string {
	switch text := dcpiNumber(math.Abs(v), unit); {
	case v > 0:
		return "+" + text
	case v < 0:
		return "−" + text
	default:
		return text
	}
}
