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

// finding is how a table's rows are found in a selection.
type finding func(ctx context.Context, db *dcpidb.Profile, p *params, s dcpidb.Selection) (*table.Declaration,
	table.Find, error)

// of is a table of samples: what its parameters say is checked once the database is open.
func of(find finding) func(v *site.Values) lists.Varied {
	return func(v *site.Values) lists.Varied {
		p := readParams(v)
		return func(ctx context.Context, profile *stored.Profile) (*table.Declaration, table.Find, error) {
			db, err := dcpidb.Of(profile)
			if err != nil {
				return nil, nil, err
			}
			s, err := p.selection(db.Overview)
			if err != nil {
				return nil, nil, err
			}
			return find(ctx, db, &p, s)
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
		Vary: of(func(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection) (*table.Declaration,
			table.Find, error) {
			return db.FindProcedures(ctx, sel, p.Range)
		}),
		Adorn: s.aroundProcedures, Inspect: s.inspectProcedure,
	}
}

func (s *handler) addresses() *lists.Declared {
	return &lists.Declared{
		Declaration: dcpidb.Addresses, ID: "address-table", API: "/samples", View: site.AddressesView, Title: "Addresses",
		First: "Most samples first: where instructions wait.",
		Own:   slices.Concat(selectionKeys, []string{"from", "to"}), None: noSamples("No addresses"), Opens: "Heat map",
		Vary: of(func(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection) (*table.Declaration,
			table.Find, error) {
			return db.FindAddresses(ctx, sel, p.From, p.To)
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
		Vary: of(func(ctx context.Context, db *dcpidb.Profile, _ *params, sel dcpidb.Selection) (*table.Declaration,
			table.Find, error) {
			return db.FindTotals(ctx, sel, of_)
		}),
		Adorn: s.aroundTotals, Inspect: inspectTotal,
	}
	switch of_ {
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
		Vary: of(func(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection) (*table.Declaration,
			table.Find, error) {
			q, err := diffQuery(db.Overview, p, sel)
			if err != nil {
				return nil, nil, err
			}
			find, err := db.FindDiff(ctx, q)
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
		Vary: of(func(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection) (*table.Declaration,
			table.Find, error) {
			q, err := heatQuery(ctx, db, p, sel, drawn)
			if err != nil {
				return nil, nil, err
			}
			return db.FindHeat(ctx, q)
		}),
		Adorn: s.aroundHeat,
	}
}

// diffQuery is a request for a difference.
func diffQuery(o *dcpidb.Overview, p *params, sel dcpidb.Selection) (dcpidb.DiffQuery, error) {
	if sel.By == dcpidb.ByEvent {
		sel.By = dcpidb.ByEpoch
		_, isEpoch := o.FindEpoch(p.A)
		if p.A != "" && !isEpoch && slices.Contains(o.Platforms, p.A) {
			sel.By = dcpidb.ByPlatform
		}
	}
	q := dcpidb.DiffQuery{Selection: sel, Normalise: p.Normalise, Range: p.Range}
	if len(sel.Events) > 1 {
		return q, &site.ParamError{Param: "event", Msg: "a difference covers one event; give one"}
	}
	var err error
	q.A, q.B, err = p.sets(o, sel.By)
	return q, err
}

// heatQuery is a request for a heat map, from an address on: of the image that
// is named, or of the one with the most samples.
func heatQuery(ctx context.Context, p *dcpidb.Profile, ask *params, sel dcpidb.Selection,
	drawn bool) (dcpidb.HeatQuery, error) {
	db := p.Overview
	q := dcpidb.HeatQuery{Selection: sel, Cell: cmp.Or(ask.Cell, cacheLine), Cells: cmp.Or(ask.Cells, defaultHeatCells)}
	if len(sel.Images) > 0 {
		q.Image = sel.Images[0]
	} else {
		q.Image = hottestImage(db)
	}
	if base := db.Images[q.Image].Base; ask.From > base {
		q.From = ask.From - base
	}
	if !drawn {
		return q, nil
	}
	q.Cells = min(q.Cells, maxPageCells)
	extent, err := p.HeatExtent(ctx, q.Image)
	if ask.Cell == 0 {
		q.Cell = fittingCell(extent-min(q.From, extent), heatCells)
	}
	return q, err
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
