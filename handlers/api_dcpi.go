package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"proflens/store"
	"proflens/tables"
)

// dcpiTable is a table of DCPI's samples in the API.
type dcpiTable struct {
	name string // of the table
	keys []string
	open func(ctx context.Context, s *server, r *http.Request, p *dcpiParams, sel store.DCPISelection, o tables.Options) (tables.Table, error)
}

// The tables of DCPI's samples that take a selection.
var dcpiTables = []dcpiTable{
	{"samples", sampleKeys, openDCPISamples},
	{"procedures", procedureKeys, openDCPIProcedures},
	{"images", dcpiTotalKeys, openDCPITotals(store.OfImage)},
	{"epochs", dcpiTotalKeys, openDCPITotals(store.OfEpoch)},
	{"platforms", dcpiTotalKeys, openDCPITotals(store.OfPlatform)},
	{"diff", dcpiDiffKeys, openDCPIDiff},
	{"heat", heatKeys, openDCPIHeat},
}

// listDCPI is GET /profiles/{id}/NAME of one of dcpiTables.
func (s *server) listDCPI(name string) handler {
	t := dcpiTables[slices.IndexFunc(dcpiTables, func(t dcpiTable) bool { return t.name == name })]
	return func(w http.ResponseWriter, r *http.Request) error {
		p, open, err := s.dcpiRequest(r, &t, r.URL.Query(), t.keys)
		if err != nil {
			return err
		}
		return s.listTable(w, r, p.listing, "-"+name, open)
	}
}

// dcpiRequest reads a request for a table of samples, and how it is opened.
func (s *server) dcpiRequest(r *http.Request, t *dcpiTable, query url.Values, keys []string) (dcpiParams, opener, error) {
	p, err := parseDCPI(query, keys)
	if err != nil {
		return p, nil, err
	}
	o, err := s.dcpi(r.Context(), r)
	if err != nil {
		return p, nil, err
	}
	sel, err := p.selection(o)
	if err != nil {
		return p, nil, err
	}
	return p, func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		table, err := t.open(ctx, s, r, &p, sel, o)
		return table, dcpiFault(err)
	}, nil
}

// dcpiFault makes what a query found wrong with its parameters a *paramError.
func dcpiFault(err error) error {
	if column, ok := errors.AsType[*store.DCPIColumnError](err); ok {
		return &paramError{Param: "sort", Msg: column.Error()}
	}
	if set, ok := errors.AsType[*store.DCPISetError](err); ok {
		return unknownValue("a", set.Name, set.Known)
	}
	return err
}

func openDCPISamples(ctx context.Context, s *server, r *http.Request, p *dcpiParams, sel store.DCPISelection, o tables.Options) (tables.Table, error) {
	q := store.AddressQuery{DCPISelection: sel, From: p.From, To: p.To, Sort: p.Sort}
	if _, err := s.profile(r).Addresses(ctx, q); err != nil {
		return nil, err
	}
	return tables.Samples(ctx, s.profile(r), q, o)
}

func openDCPIProcedures(ctx context.Context, s *server, r *http.Request, p *dcpiParams, sel store.DCPISelection, o tables.Options) (tables.Table, error) {
	q := store.ProcedureQuery{DCPISelection: sel, Text: p.Text, Regexp: p.Regexp, Range: p.Range, Sort: p.Sort}
	if _, err := s.profile(r).Procedures(ctx, q); err != nil {
		return nil, err
	}
	return tables.Procedures(ctx, s.profile(r), q, o)
}

func openDCPITotals(of store.DCPIOf) func(context.Context, *server, *http.Request, *dcpiParams, store.DCPISelection, tables.Options) (tables.Table, error) {
	return func(ctx context.Context, s *server, r *http.Request, _ *dcpiParams, sel store.DCPISelection, o tables.Options) (tables.Table, error) {
		return tables.DCPITotals(ctx, s.profile(r), sel, of, o)
	}
}

func openDCPIDiff(ctx context.Context, s *server, r *http.Request, p *dcpiParams, sel store.DCPISelection, o tables.Options) (tables.Table, error) {
	q, err := s.diffQuery(ctx, r, p, sel)
	if err != nil {
		return nil, err
	}
	return tables.Diff(ctx, s.profile(r), q, o)
}

// diffQuery is a request for a difference: of epochs, unless a and b are hosts or
// by says so.
func (s *server) diffQuery(ctx context.Context, r *http.Request, p *dcpiParams, sel store.DCPISelection) (store.DiffQuery, error) {
	o, err := s.dcpi(ctx, r)
	if err != nil {
		return store.DiffQuery{}, err
	}
	if sel.By == store.ByEvent {
		sel.By = store.ByEpoch
		_, isEpoch := o.FindEpoch(p.A)
		if p.A != "" && !isEpoch && slices.Contains(o.Platforms, p.A) {
			sel.By = store.ByPlatform
		}
	}
	q := store.DiffQuery{DCPISelection: sel, Normalise: p.Normalise, Text: p.Text, Regexp: p.Regexp, Range: p.Range, Sort: p.Sort}
	if len(sel.Events) > 1 {
		return q, &paramError{Param: "event", Msg: "a difference is of one event; give one"}
	}
	q.A, q.B, err = p.sets(o, sel.By)
	return q, err
}

func openDCPIHeat(ctx context.Context, s *server, r *http.Request, p *dcpiParams, sel store.DCPISelection, o tables.Options) (tables.Table, error) {
	db, err := s.dcpi(ctx, r)
	if err != nil {
		return nil, err
	}
	q := heatQuery(db, p, sel)
	if q.Cell == 0 {
		q.Cell = cacheLine
	}
	return tables.Heat(ctx, s.profile(r), q, o)
}

// heatQuery is a request for a heat map, from an address on: of the image that
// is named, or of the one with the most samples.
func heatQuery(db *store.DCPIOverview, p *dcpiParams, sel store.DCPISelection) store.HeatQuery {
	q := store.HeatQuery{DCPISelection: sel, Cell: p.Cell, Cells: p.Cells}
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
func hottestImage(db *store.DCPIOverview) (hottest int) {
	samples := make([]uint64, len(db.Images))
	for i := range db.Profiles {
		f := &db.Profiles[i]
		if samples[f.Image] += f.Samples; samples[f.Image] > samples[hottest] {
			hottest = f.Image
		}
	}
	return hottest
}

// exportKeys are the parameters of an export of a table that is also listed.
func exportKeys(keys []string) []string {
	return append([]string{"table"}, slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(unlistedKeys, key) })...)
}

// dcpiExportKeys are those of all tables of samples.
func dcpiExportKeys() []string {
	var keys []string
	for _, t := range dcpiTables {
		if t.name != "heat" { // a view, and no table of the whole
			keys = append(keys, exportKeys(t.keys)...)
		}
	}
	return keys
}
