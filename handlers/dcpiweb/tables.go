package dcpiweb

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/dcpidb"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// asked is what parameters ask of a database, and the selection that they make of it.
type asked struct {
	*params
	db  *dcpidb.Profile
	sel dcpidb.Selection
}

// finding is how a table's rows are found in a selection.
type finding func(ctx context.Context, q *asked) (*table.Declaration, table.Find, error)

// of is a table of samples: what its parameters say is checked once the database is open.
func of(find finding) func(v *site.Values) lists.Varied {
	return func(v *site.Values) lists.Varied {
		p := readParams(v)
		return func(ctx context.Context, profile *stored.Profile) (*table.Declaration, table.Find, error) {
			db, err := dcpidb.Of(profile)
			if err != nil {
				return nil, nil, err
			}
			sel, err := p.selection(db.Overview)
			if err != nil {
				return nil, nil, err
			}
			return find(ctx, &asked{&p, db, sel})
		}
	}
}

// noSamples is said where a selection has none.
func noSamples(title string) page.Blank {
	return page.Blank{Title: title, Text: "This selection has no samples."}
}

func (s *handler) procedures() *lists.Declared {
	return &lists.Declared{
		Declaration: dcpidb.Procedures, ID: "procedure-table", API: "/procedures", View: site.ProceduresView,
		Title: "Procedures", First: "Most samples first: where the time goes.",
		Own: slices.Concat(selectionKeys, []string{"range"}), None: noSamples("No procedures"), Opens: "Addresses",
		Vary: of(func(ctx context.Context, q *asked) (*table.Declaration, table.Find, error) {
			return q.db.FindProcedures(ctx, q.sel, q.Range)
		}),
		Adorn: s.aroundProcedures, Inspect: s.inspectProcedure,
	}
}

func (s *handler) addresses() *lists.Declared {
	return &lists.Declared{
		Declaration: dcpidb.Addresses, ID: "address-table", API: "/samples", View: site.AddressesView, Title: "Addresses",
		First: "Most samples first: where instructions wait.",
		Own:   slices.Concat(selectionKeys, []string{"from", "to"}), None: noSamples("No addresses"), Opens: "Heat map",
		Vary: of(func(ctx context.Context, q *asked) (*table.Declaration, table.Find, error) {
			return q.db.FindAddresses(ctx, q.sel, q.From, q.To)
		}),
		Adorn: s.aroundAddresses, Inspect: s.inspectAddress,
	}
}

// totals is a table of images, epochs or hosts.
func (s *handler) totals(of_ dcpidb.TotalOf) *lists.Declared {
	d := &lists.Declared{
		Declaration: dcpidb.ImageTotals, ID: string(of_) + "-table", API: "/" + string(of_) + "s", View: site.ImagesView,
		Title: "Images",
		Own:   selectionKeys, None: page.Blank{Title: "Nothing", Text: "This selection has no profiles."},
		Opens: "Procedures",
		Vary: of(func(ctx context.Context, q *asked) (*table.Declaration, table.Find, error) {
			return q.db.FindTotals(ctx, q.sel, of_)
		}),
		Adorn: s.aroundTotals, Inspect: inspectTotal,
	}
	switch of_ {
	case dcpidb.OfImage:
		d.First = "Most samples first: where the time goes."
	case dcpidb.OfEpoch:
		d.Declaration = dcpidb.EpochTotals
	case dcpidb.OfPlatform:
		d.Declaration = dcpidb.PlatformTotals
	}
	return d
}

// diff is the procedures over epochs or hosts: epochs, unless a and b are hosts or by says so.
func (s *handler) diff() *lists.Declared {
	return &lists.Declared{
		Declaration: dcpidb.Differences, ID: "diff-table", API: "/diff", View: site.EpochsView, Title: "Epochs",
		Own: slices.Concat(selectionKeys, []string{"a", "b", "normalise", "range"}), None: noSamples("No procedures"),
		Opens: "Addresses",
		Vary: of(func(ctx context.Context, q *asked) (*table.Declaration, table.Find, error) {
			diff, err := q.diff()
			if err != nil {
				return nil, nil, err
			}
			find, err := q.db.FindDiff(ctx, diff)
			if set, ok := errors.AsType[*dcpidb.SetError](err); ok {
				err = unknownValue("a", set.Name, set.Known)
			}
			return dcpidb.Differences, find, err
		}),
		Adorn: s.aroundDiff,
	}
}

// heat is the heat map, of which a page draws as many cells as fit into its picture.
func (s *handler) heat(drawn bool) *lists.Declared {
	return &lists.Declared{
		Declaration: dcpidb.HeatCells, ID: "heat-table", API: "/heat", View: site.HeatView, Title: "Heat map",
		Own: slices.Concat(selectionKeys, []string{"from", "cell", "cells"}), Opens: "Finer picture",
		None: page.Blank{Title: "No samples", Text: "This part of the text has no samples in the current selection."},
		Vary: of(func(ctx context.Context, q *asked) (*table.Declaration, table.Find, error) {
			heat, err := q.heat(ctx, drawn)
			if err != nil {
				return nil, nil, err
			}
			return q.db.FindHeat(ctx, heat)
		}),
		Adorn: s.aroundHeat,
	}
}

// diff is a request for a difference.
func (q *asked) diff() (d dcpidb.DiffQuery, err error) {
	o := q.db.Overview
	d = dcpidb.DiffQuery{Selection: q.sel, Normalise: q.Normalise, Range: q.Range}
	if d.By == dcpidb.ByEvent {
		d.By = dcpidb.ByEpoch
		_, isEpoch := o.FindEpoch(q.A)
		if q.A != "" && !isEpoch && slices.Contains(o.Platforms, q.A) {
			d.By = dcpidb.ByPlatform
		}
	}
	if len(d.Events) > 1 {
		return d, &site.ParamError{Param: "event", Msg: "a difference covers one event; give one"}
	}
	d.A, d.B, err = q.sets(o, d.By)
	return d, err
}

// heat is a request for a heat map, from an address on: of the image that is named, or
// of the one with the most samples.
func (q *asked) heat(ctx context.Context, drawn bool) (h dcpidb.HeatQuery, err error) {
	h = dcpidb.HeatQuery{Selection: q.sel, Cell: cmp.Or(q.Cell, cacheLine), Cells: cmp.Or(q.Cells, defaultHeatCells)}
	if len(q.sel.Images) > 0 {
		h.Image = q.sel.Images[0]
	} else {
		h.Image = hottestImage(q.db.Overview)
	}
	if base := q.db.Overview.Images[h.Image].Base; q.From > base {
		h.From = q.From - base
	}
	if !drawn {
		return h, nil
	}
	h.Cells = min(h.Cells, maxPageCells)
	extent, err := q.db.HeatExtent(ctx, h.Image)
	if q.Cell == 0 {
		h.Cell = fittingCell(extent-min(h.From, extent), heatCells)
	}
	return h, err
}

// hottestImage is the image with the most samples.
func hottestImage(db *dcpidb.Overview) (hottest int) {
	samples := make([]uint64, len(db.Images))
	for i := range db.Profiles {
		f := &db.Profiles[i]
		if samples[f.Image] += f.Samples; samples[f.Image] > samples[hottest] {
			hottest = f.Image
		}
	}
	return hottest
}

// pageOf is what a page of samples asks for.
func (s *handler) pageOf(r *http.Request, v *lists.Request) (*dcpiPage, *dcpidb.Profile, error) {
	db, err := dcpidb.Of(s.Profile(r))
	if err != nil {
		return nil, nil, err
	}
	values := &site.Values{Query: v.Address.Query}
	d := &dcpiPage{params: readParams(values), db: db.Overview, base: v.Base, address: v.Address,
		symbols: v.Symbols}
	d.Text = v.Params.Query.Text
	d.sel, err = d.selection(db.Overview)
	return d, db, err
}

// adorn adds the selection, the totals and the cells of columns by event, epoch or host.
func (d *dcpiPage) adorn(v *lists.Request, g *page.Grid, around *dcpidb.Around, series *chart.SeriesChart) {
	above := dcpiview.Samples{
		Switches: d.switches(true), Selection: d.form(), Notes: d.notes(around.Columns), Series: series,
	}
	if v.View == site.EpochsView {
		above.Switches = append(d.epochSwitches(showOf(v.Address)), d.switches(false)...)
	}
	g.Says = d.says(around.Columns, int(around.Hidden), around.Totals...)
	d.above(g, above)
	v.Draw = d.draws(v, around.Columns)
}

// above puts the selection over the rows, whose names are as they are.
func (d *dcpiPage) above(g *page.Grid, v dcpiview.Samples) {
	chips, clear := d.chips()
	g.Modes, g.Chips, g.Clear = nil, append(chips, g.Chips...), clear
	g.Above = dcpiview.Above(v)
}
