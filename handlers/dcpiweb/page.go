package dcpiweb

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
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
	symbols site.Symbols
}

// to is another page of the profile with the same selection.
func (d *dcpiPage) to(path string) site.Address {
	a := d.address.Unselected().FirstPage("limit", "sort", "q", "re", "from", "to", "cell", "cells", "a",
		"b", "normalise", "show", "range", "cols", "names", "counts", "format")
	a.Path = d.base + path
	return a
}

// switches are the choices of unit and, where there are several epochs or hosts,
// of what makes the columns.
func (d *dcpiPage) switches(by bool) []dcpiview.Switch {
	a := d.address.Unselected().FirstPage()
	var units []site.Way
	for _, unit := range dcpidb.Units {
		units = append(units, site.Way{string(unit), string(unit), map[dcpidb.Unit]string{
			dcpidb.UnitSamples: "as recorded", dcpidb.UnitEvents: "samples × period, estimated",
			dcpidb.UnitSeconds: "cycles ÷ the processor's speed: CPU time, estimated",
		}[unit]})
	}
	list := []dcpiview.Switch{
		{Label: "Unit", Segments: a.Ways("unit", string(dcpidb.UnitSamples), string(d.Unit), units)},
	}
	if !by || len(d.db.Epochs) < 2 && len(d.db.Platforms) < 2 {
		return list
	}
	if a = a.Without("sort"); len(d.Events) > 1 {
		a = a.Without("event")
	}
	return append(list, dcpiview.Switch{
		Label: "Columns", Segments: a.Ways("by", string(dcpidb.ByEvent), string(d.By), []site.Way{
			{string(dcpidb.ByEvent), "by event", ""}, {string(dcpidb.ByEpoch), "by epoch", ""},
			{string(dcpidb.ByPlatform), "by host", ""},
		}),
	})
}

// form is the selection as a form; own are parameters that it asks for besides.
func (d *dcpiPage) form(own ...string) dcpiview.SampleSelection {
	f := dcpiview.SampleSelection{Action: d.address.Path}
	asked := append([]string{"page", "cursor", "sel"}, own...)
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
	same := func(word string) string { return humanize.Printable(word) }
	for _, s := range []dcpiview.SampleSelect{
		{Name: "image", Label: "Image", Options: images},
		{Name: "event", Label: "Event", Options: options(d.db.Events, d.sel.Events, same)},
		{Name: "epoch", Label: "Epoch", Options: options(d.db.Epochs, d.sel.Epochs, epochLabel)},
		{Name: "platform", Label: "Host", Options: options(d.db.Platforms, d.sel.Platforms, same)},
	} {
		if len(s.Options) > 1 && len(s.Options) <= maxSelectOptions {
			s.Options = append([]page.Option{{Label: "all"}}, s.Options...)
			f.Selects, asked = append(f.Selects, s), append(asked, s.Name)
		}
	}
	f.Keep = site.Keep(d.address.Without(asked...))
	return f
}

// maxSelectOptions is how many choices a field of the form has; more are chosen
// from the lists of images and epochs.
const maxSelectOptions = 500

// chips are the filters in force.
func (d *dcpiPage) chips() (list []page.Chip, clear string) {
	keys, a := strings.Fields("image event epoch platform from to shift"), d.address.Unselected()
	list = a.Chips(keys, func(key, value string) string {
		switch {
		case key == "from" && d.Cell != 0:
			return ""
		case key == "image" && len(d.sel.Images) == 1:
			value = humanize.Printable(d.db.Images[d.sel.Images[0]].Label)
		}
		return key + ": " + value
	})
	return list, a.Without(append(keys, "q", "re", "page", "cursor")...).String()
}

// epochLabel is the start of an epoch for people.
func epochLabel(start string) string {
	at, err := time.Parse(time.RFC3339, start)
	if err != nil {
		return humanize.Printable(start)
	}
	return humanize.Exactly(at).Text
}

// dcpiNumber writes a figure of a unit.
func dcpiNumber(v float64, unit dcpidb.Unit) string {
	if unit == dcpidb.UnitSeconds {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	if math.Abs(v) < 1<<63 {
		return humanize.Group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// says is a sentence with the totals of the columns, and of what matches a filter.
func (d *dcpiPage) says(columns []dcpidb.Column, hidden int, matching ...dcpidb.Cell) string {
	var parts []string
	for i := range columns[:min(len(columns), 6)] {
		c := &columns[i]
		part := c.Label() + " " + humanize.Int(c.Total.Samples)
		if i < len(matching) && matching[i].Samples != c.Total.Samples {
			part = humanize.Say("{} {} of {}", c.Label(), matching[i].Samples, c.Total.Samples)
		}
		parts = append(parts, part)
	}
	text := "Samples: " + strings.Join(parts, ", ")
	if more := len(columns) - len(parts); more > 0 {
		text += " and " + humanize.Int(more) + " more"
	}
	if hidden > 0 {
		text += "; " + humanize.Int(hidden) + " further columns are left out"
	}
	if len(columns) > 0 && columns[0].Name != columns[0].Event {
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
