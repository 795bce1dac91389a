package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"proflens/decode/model"
	"proflens/tables"
)

// The parameters of a table's export; of one with filters, those and its order
// too.
var (
	tableExportKeys = []string{"table", "cols", "names", "counts"}
	unlistedKeys    = []string{"page", "cursor", "limit", "format", "sel"} // what an export of all rows has no use for
)

// exportKeys are the parameters of an export of a table that is also listed.
func exportKeys(keys []string) []string {
	return append([]string{"table"}, slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(unlistedKeys, key) })...)
}

// exportTable is GET /profiles/{id}/export/{format} of a table: a
// whole table, the default one unless table= names another.
func (s *server) exportTable(w http.ResponseWriter, r *http.Request) error {
	o := s.profile(r).Overview
	query := r.URL.Query()
	entry, err := tables.Find(o.Info.Families, query.Get("table"))
	if unknown, ok := errors.AsType[*tables.UnknownError](err); ok {
		return &paramError{Param: "table", Msg: unknown.Error()}
	}
	if err != nil {
		return err
	}
	p, open, err := s.tableExport(r, entry, query)
	if err != nil {
		return err
	}
	if o.Storing {
		return s.notReady(w, r)
	}
	format := tables.Format(chi.URLParam(r, "format"))
	if s.notModified(w, r, string(format)) {
		return nil
	}
	table, err := open(r.Context(), tables.Options{Demangle: uncached(p.Names), Quote: p.Counts}, true)
	if err != nil {
		return err
	}
	rows, err := selectRows(table, p.Cols, format)
	if err != nil {
		return err
	}
	rows.Head.Partial = model.PartialLines(o.Info.Partial)
	return streamTable(r.Context(), w, rows, 0, -1, format, fileName(s.entry(r).Name, "-"+entry.Name))
}

// tableExport reads the parameters of an export. Errors are *paramError.
func (s *server) tableExport(r *http.Request, entry tables.Entry, query url.Values) (listing, opener, error) {
	for _, f := range s.families {
		own, ok := f.tables[entry.Name]
		if f.name != entry.Family || !ok {
			continue
		}
		if _, err := newValues(query, exportKeys(own.keys)); err != nil {
			return listing{}, nil, err
		}
		query.Del("table")
		return own.read(r, query)
	}
	v, err := newValues(query, tableExportKeys)
	if err != nil {
		return listing{}, nil, err
	}
	p := v.listing()
	return p, func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return entry.Open(ctx, s.profile(r), o)
	}, v.err
}
