package dcpiweb

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/query"
	"proflens/tables"
)

// dcpiTable is a table of DCPI's samples in the API.
type dcpiTable struct {
	name string // of the table
	keys []string
	open func(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection, o tables.Options) (tables.Table,
		error)
}

// The tables of DCPI's samples that take a selection.
var dcpiTables = []dcpiTable{
	{"samples", sampleKeys, openDCPISamples},
	{"procedures", procedureKeys, openDCPIProcedures},
	{"images", totalKeys, openDCPITotals(dcpidb.OfImage)},
	{"epochs", totalKeys, openDCPITotals(dcpidb.OfEpoch)},
	{"platforms", totalKeys, openDCPITotals(dcpidb.OfPlatform)},
	{"diff", diffKeys, openDCPIDiff},
	{"heat", heatKeys, openDCPIHeat},
}

// listDCPI is GET /profiles/{id}/NAME of one of dcpiTables.
func (s *room) listDCPI(t dcpiTable) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		p, open, err := t.request(s.database(r), r.URL.Query())
		if err != nil {
			return err
		}
		return s.ListTable(w, r, p.Listing, "-"+t.name, open)
	}
}

// request reads a request for a table of samples, and how it is opened.
func (t *dcpiTable) request(db *dcpidb.Profile, query url.Values) (params, site.Opener, error) {
	p, err := parseDCPI(query, t.keys)
	if err != nil {
		return p, nil, err
	}
	sel, err := p.selection(db.Overview)
	if err != nil {
		return p, nil, err
	}
	return p, func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		table, err := t.open(ctx, db, &p, sel, o)
		return table, fault(err)
	}, nil
}

// fault makes what a query found wrong with its parameters a *site.ParamError.
func fault(err error) error {
	if column, ok := errors.AsType[*query.ColumnError](err); ok {
		return &site.ParamError{Param: "sort", Msg: column.Error()}
	}
	if set, ok := errors.AsType[*dcpidb.SetError](err); ok {
		return unknownValue("a", set.Name, set.Known)
	}
	return err
}

func openDCPISamples(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection,
	o tables.Options) (tables.Table, error) {
	q := dcpidb.AddressQuery{Selection: sel, From: p.From, To: p.To, Text: p.Text, Sort: p.Sort}
	if _, err := db.Addresses(ctx, q); err != nil {
		return nil, err
	}
	return tables.Samples(ctx, db, q, o)
}

func openDCPIProcedures(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection,
	o tables.Options) (tables.Table, error) {
	q := dcpidb.ProcedureQuery{Selection: sel, Text: p.Text, Regexp: p.Regexp, Range: p.Range, Sort: p.Sort}
	if _, err := db.Procedures(ctx, q); err != nil {
		return nil, err
	}
	return tables.Procedures(ctx, db, q, o)
}

func openDCPITotals(of dcpidb.TotalOf) func(context.Context, *dcpidb.Profile, *params, dcpidb.Selection,
	tables.Options) (tables.Table, error) {
	return func(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection, o tables.Options) (tables.Table,
		error) {
		return tables.DCPITotals(ctx, db, totalQuery(p, sel, of), o)
	}
}

func totalQuery(p *params, sel dcpidb.Selection, of dcpidb.TotalOf) dcpidb.TotalQuery {
	return dcpidb.TotalQuery{Selection: sel, Of: of, Text: p.Text, Regexp: p.Regexp, Sort: p.Sort}
}

func openDCPIDiff(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection,
	o tables.Options) (tables.Table, error) {
	q, err := diffQuery(db.Overview, p, sel)
	if err != nil {
		return nil, err
	}
	return tables.Diff(ctx, db, q, o)
}

// diffQuery is a request for a difference: of epochs, unless a and b are hosts or
// by says so.
func diffQuery(o *dcpidb.Overview, p *params, sel dcpidb.Selection) (dcpidb.DiffQuery, error) {
	if sel.By == dcpidb.ByEvent {
		sel.By = dcpidb.ByEpoch
		_, isEpoch := o.FindEpoch(p.A)
		if p.A != "" && !isEpoch && slices.Contains(o.Platforms, p.A) {
			sel.By = dcpidb.ByPlatform
		}
	}
	q := dcpidb.DiffQuery{
		Selection: sel, Normalise: p.Normalise, Text: p.Text, Regexp: p.Regexp, Range: p.Range, Sort: p.Sort,
	}
	if len(sel.Events) > 1 {
		return q, &site.ParamError{Param: "event", Msg: "a difference covers one event; give one"}
	}
	var err error
	q.A, q.B, err = p.sets(o, sel.By)
	return q, err
}

func openDCPIHeat(ctx context.Context, db *dcpidb.Profile, p *params, sel dcpidb.Selection,
	o tables.Options) (tables.Table, error) {
	q := heatQuery(db.Overview, p, sel)
	if q.Cell == 0 {
		q.Cell = cacheLine
	}
	return tables.Heat(ctx, db, q, o)
}

// heatQuery is a request for a heat map, from an address on: of the image that
// is named, or of the one with the most samples.
func heatQuery(db *dcpidb.Overview, p *params, sel dcpidb.Selection) dcpidb.HeatQuery {
	q := dcpidb.HeatQuery{Selection: sel, Cell: p.Cell, Cells: p.Cells, Text: p.Text, Sort: p.Sort}
	if len(sel.Images) > 0 {
		q.Image = sel.Images[0]
	} else {
		q.Image = hottestImage(db)
	}
	if base := db.Images[q.Image].Base; p.From > base {
		q.From = p.From - base
	}
	return q
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
