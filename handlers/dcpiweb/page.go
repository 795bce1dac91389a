package dcpiweb

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// dcpiPage is a page of samples: its parameters, and what they select.
type dcpiPage struct {
	params
	db      *dcpidb.Overview
	sel     dcpidb.Selection
	base    string // of the profile's pages
	address site.Address
	usual   string // order of its table, as in sort=; empty for a table that cannot be ordered
	brief   bool   // tables have few columns: they stand in a panel
}

// dcpiPageOf reads a request for a page of samples, with parameters among keys.
func (s *room) dcpiPageOf(r *http.Request, keys []string, usual string) (*dcpiPage, error) {
	p, err := parseDCPI(r.URL.Query(), keys)
	if err != nil {
		return nil, err
	}
	db := s.database(r).Overview
	d := &dcpiPage{params: p, db: db, usual: usual, base: site.PageOf(s.Entry(r).ID), address: site.AddressOf(r.URL)}
	d.sel, err = p.selection(db)
	return d, err
}

// csv is the same table of the API, whole.
func (d *dcpiPage) csv(table string) string {
	a := d.address.Unselected().Without("page", "cursor", "limit", "show", "cells").With("format", "csv")
	return a.Moved("/api/v1/profiles" + strings.TrimPrefix(d.base, "/p") + "/" + table)
}

// to is another page of the profile with the same selection.
func (d *dcpiPage) to(path string) site.Address {
	a := d.address.Unselected().Without("page", "cursor", "limit", "sort", "q", "re", "from", "to", "cell", "cells", "a",
		"b", "normalise", "show", "range", "cols", "names", "counts", "format")
	a.Path = d.base + path
	return a
}

// briefColumns is how many columns the tables of a panel have.
const briefColumns = 3

// columns are those that are shown.
func (d *dcpiPage) columns(all []dcpidb.Column) []dcpidb.Column {
	if d.brief {
		return all[:min(len(all), briefColumns)]
	}
	return all
}

// hasShare reports whether a column has its share beside it.
func (d *dcpiPage) hasShare(i int) bool { return i == 0 || !d.brief }

// switches are the choices of unit and, where there are several epochs or hosts,
// of what makes the columns.
func (d *dcpiPage) switches(by bool) []dcpiview.Switch {
	units := dcpiview.Switch{Label: "Unit"}
	for _, unit := range dcpidb.Units {
		title := map[dcpidb.Unit]string{
			dcpidb.UnitSamples: "as recorded", dcpidb.UnitEvents: "samples × period, estimated",
			dcpidb.UnitSeconds: "cycles ÷ the processor's speed: CPU time, estimated",
		}[unit]
		word := string(unit)
		if unit == dcpidb.UnitSamples {
			word = ""
		}
		units.Segments = append(units.Segments, page.Segment{
			Label: string(unit), URL: d.address.Unselected().Without("page", "cursor").With("unit", word).String(),
			Title: title, Current: d.Unit == unit,
		})
	}
	list := []dcpiview.Switch{units}
	if !by || len(d.db.Epochs) < 2 && len(d.db.Platforms) < 2 {
		return list
	}
	columns := dcpiview.Switch{Label: "Columns"}
	for _, b := range []struct {
		by    dcpidb.Dimension
		label string
	}{{dcpidb.ByEvent, "by event"}, {dcpidb.ByEpoch, "by epoch"}, {dcpidb.ByPlatform, "by host"}} {
		a := d.address.Unselected().Without("page", "cursor", "sort")
		if len(d.Events) > 1 {
			a = a.Without("event")
		}
		word := string(b.by)
		if b.by == dcpidb.ByEvent {
			word = ""
		}
		columns.Segments = append(columns.Segments, page.Segment{
			Label: b.label, URL: a.With("by", word).String(), Current: d.By == b.by,
		})
	}
	return append(list, columns)
}

// form is the selection as a form; keep are parameters that it carries along.
func (d *dcpiPage) form(search string, keep ...string) dcpiview.SampleSelection {
	f := dcpiview.SampleSelection{Action: d.address.Path, Search: search, Query: d.Text}
	for _, key := range append([]string{"unit", "by", "shift", "sort"}, keep...) {
		if value := d.address.Query.Get(key); value != "" {
			f.Keep = append(f.Keep, page.Hidden{Name: key, Value: value})
		}
	}
	var images []page.Option
	for i := range d.db.Images {
		images = append(images, page.Option{
			Value: d.db.ImageKey(i), Label: d.db.Images[i].Label, Selected: slices.Equal(d.sel.Images, []int{i}),
		})
	}
	options := func(list, chosen []string, label func(string) string) (all []page.Option) {
		for _, word := range list {
			all = append(all, page.Option{Value: word, Label: label(word), Selected: len(chosen) == 1 && chosen[0] == word})
		}
		return all
	}
	same := func(word string) string { return say.Printable(word) }
	for _, s := range []dcpiview.SampleSelect{
		{Name: "image", Label: "Image", Options: images},
		{Name: "event", Label: "Event", Options: options(d.db.Events, d.sel.Events, same)},
		{Name: "epoch", Label: "Epoch", Options: options(d.db.Epochs, d.sel.Epochs, epochLabel)},
		{Name: "platform", Label: "Host", Options: options(d.db.Platforms, d.sel.Platforms, same)},
	} {
		if len(s.Options) > 1 && len(s.Options) <= maxSelectOptions {
			s.Options = append([]page.Option{{Label: "all"}}, s.Options...)
			f.Selects = append(f.Selects, s)
		}
	}
	f.Chips, f.Clear = d.chips()
	return f
}

// maxSelectOptions is how many choices a field of the form has; more are chosen
// from the lists of images and epochs.
const maxSelectOptions = 500

// chips are the filters in force.
func (d *dcpiPage) chips() (list []page.Chip, clear string) {
	keys, a := []string{"image", "event", "epoch", "platform", "q", "re", "from", "to", "shift"},
		d.address.Unselected().Without("page", "cursor")
	for _, key := range keys {
		if value := d.address.Query.Get(key); value != "" && (key != "from" || d.Cell == 0) {
			if len(d.sel.Images) == 1 && key == "image" {
				value = d.db.Images[d.sel.Images[0]].Label
			}
			list = append(list, page.Chip{Text: key + ": " + say.Printable(value), Remove: a.Without(key).String()})
		}
	}
	return list, a.Without(keys...).String()
}

// epochLabel is the start of an epoch for people.
func epochLabel(start string) string {
	at, err := time.Parse(time.RFC3339, start)
	if err != nil {
		return say.Printable(start)
	}
	return say.Exactly(at).Text
}

// columnLabel is the head of a column.
func columnLabel(by dcpidb.Dimension, name string) string {
	if by == dcpidb.ByEpoch {
		return strings.TrimSuffix(epochLabel(name), " UTC")
	}
	return say.Printable(name)
}

// heads are those of the columns of a selection: a figure and its share each,
// and, of events beside cycles, how many there are for a thousand of those.
func (d *dcpiPage) heads(columns []dcpidb.Column) []page.Head {
	var heads []page.Head
	columns = d.columns(columns)
	for i := range columns {
		c := &columns[i]
		h := page.Head{
			Column: "count", Label: columnLabel(d.By, c.Name), Number: true, Title: unitTitle(c), How: page.HowDCPIUnits,
		}
		if i > 0 || d.By != dcpidb.ByEvent {
			h.How = page.How{}
		}
		h = d.ordered(h, d.named(columns, i))
		if heads = append(heads, h); d.hasShare(i) {
			heads = append(heads, page.Head{Column: "share", Label: "%", Title: "share of " + c.Name})
		}
	}
	for _, i := range d.ratios(columns) {
		heads = append(heads, page.Head{
			Column: "ratio", Label: say.Printable(columns[i].Name) + " / 1000 cycles", Number: true,
			Title: "events per thousand cycles, estimated",
		})
	}
	return heads
}

func unitTitle(c *dcpidb.Column) string {
	switch c.Unit {
	case dcpidb.UnitEvents:
		return "events, estimated: samples × period"
	case dcpidb.UnitSeconds:
		return "seconds of CPU time, estimated: cycles ÷ the processor's speed"
	}
	return "samples, one in " + say.Int(c.Rate.Period) + " events"
}

// ratios are the columns that are set against cycles, which must be the first.
func (d *dcpiPage) ratios(columns []dcpidb.Column) []int {
	var list []int
	if d.By != dcpidb.ByEvent || len(columns) < 2 || !strings.EqualFold(columns[0].Event, "cycles") {
		return nil
	}
	if d.brief && len(columns) > 2 {
		return nil
	}
	for i := 1; i < len(columns); i++ {
		list = append(list, i)
	}
	return list
}

// cells are those of heads. largest is the largest share among the
// rows shown.
func (d *dcpiPage) cells(columns []dcpidb.Column, cells []dcpidb.Cell, largest float64) []dcpiview.SampleCell {
	var list []dcpiview.SampleCell
	columns = d.columns(columns)
	for i := range columns {
		c := &columns[i]
		figure := dcpiview.SampleCell{Text: dcpiNumber(cells[i].Value(c.Unit), c.Unit), Number: true,
			Dim: cells[i].Samples == 0, Title: say.Plural(cells[i].Samples, "sample", "samples")}
		bar := chart.ShareBar(shareOf(c, &cells[i]), largest)
		share := dcpiview.SampleCell{Text: say.Percent(shareOf(c, &cells[i]), 2), Bar: &bar}
		if c.NoTime {
			figure, share = dcpiview.SampleCell{Text: "–", Number: true, Dim: true,
				Title: "cycles convert to time only if the processor's speed is known"}, dcpiview.SampleCell{}
		}
		if list = append(list, figure); d.hasShare(i) {
			list = append(list, share)
		}
	}
	for _, i := range d.ratios(columns) {
		cell := dcpiview.SampleCell{Text: "–", Number: true, Dim: true}
		if cycles := cells[0].Events; cycles > 0 {
			cell = dcpiview.SampleCell{Text: strconv.FormatFloat(1000*cells[i].Events/cycles, 'f', 2, 64), Number: true}
		}
		list = append(list, cell)
	}
	return list
}

func shareOf(c *dcpidb.Column, cell *dcpidb.Cell) float64 {
	if total := c.Total.Value(c.Unit); total > 0 {
		return cell.Value(c.Unit) / total
	}
	return 0
}

// largestShare is that of any column with shares among the rows, so that the bars of a
// table have one scale.
func largestShare[T any](d *dcpiPage, columns []dcpidb.Column, rows []T, cells func(*T) []dcpidb.Cell) float64 {
	largest := 0.0
	for n := range rows {
		for i := range d.columns(columns) {
			if d.hasShare(i) {
				largest = max(largest, shareOf(&columns[i], &cells(&rows[n])[i]))
			}
		}
	}
	return largest
}

// dcpiNumber writes a figure of a unit.
func dcpiNumber(v float64, unit dcpidb.Unit) string {
	if unit == dcpidb.UnitSeconds {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	if math.Abs(v) < 1<<63 {
		return say.Group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// says is a sentence with the totals of the columns, and of what matches a filter.
func (d *dcpiPage) says(columns []dcpidb.Column, hidden int, matching ...dcpidb.Cell) string {
	var parts []string
	for i := range columns[:min(len(columns), 6)] {
		c := &columns[i]
		part := columnLabel(d.By, c.Name) + " " + say.Int(c.Total.Samples)
		if i < len(matching) && matching[i].Samples != c.Total.Samples {
			part = columnLabel(d.By, c.Name) + " " + say.Int(matching[i].Samples) + " of " + say.Int(c.Total.Samples)
		}
		parts = append(parts, part)
	}
	text := "Samples: " + strings.Join(parts, ", ")
	if more := len(columns) - len(parts); more > 0 {
		text += " and " + say.Int(more) + " more"
	}
	if hidden > 0 {
		text += "; " + say.Int(hidden) + " further columns are left out"
	}
	if d.By != dcpidb.ByEvent && len(columns) > 0 {
		text += ", of " + columns[0].Event
	}
	return text + "."
}

// notes say what a selection's figures are.
func (d *dcpiPage) notes(columns []dcpidb.Column) []string {
	var notes []string
	if d.Unit == dcpidb.UnitSamples && slices.ContainsFunc(columns, func(c dcpidb.Column) bool {
		return c.Unit == dcpidb.UnitEvents
	}) {
		notes = append(notes, "A column combines profiles with different periods, so it shows events (samples × period).")
	}
	if d.Unit != dcpidb.UnitSamples {
		notes = append(notes, "Estimated from samples. Seconds are CPU time: cycles ÷ the processor's speed, which the "+
			"header gives without a unit; values below a million are read as MHz, others as Hz.")
	}
	if d.Shift != 0 {
		notes = append(notes, "Symbols are moved by "+cmp.Or(d.address.Query.Get("shift"), "0")+" bytes.")
	}
	return notes
}
