package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profile/tables"
)

// The parameters of a table's export; of one with filters, those and its order
// too.
var (
	tableExportKeys = strings.Fields("table cols names counts guard")
	unlistedKeys    = strings.Fields("page cursor limit format sel") // what an export of all rows has no use for
)

// exportKeys are the parameters of an export of a table that is also listed.
func exportKeys(keys []string) []string {
	return append([]string{"table"},
		slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(unlistedKeys, key) })...)
}

// exportTable is GET /profiles/{id}/export/{format} of a table: a
// whole table, the default one unless table= names another.
func (s *server) exportTable(w http.ResponseWriter, r *http.Request) error {
	o := s.Profile(r).Overview
	query := r.URL.Query()
	entry, err := tables.Find(o.Info.Families, query.Get("table"))
	if unknown, ok := errors.AsType[*tables.UnknownError](err); ok {
		return &site.ParamError{Param: "table", Msg: unknown.Error()}
	}
	if err != nil {
		return err
	}
	p, open, err := s.tableExport(r, entry, query)
	if err != nil {
		return err
	}
	if o.Storing {
		return s.NotReady(w, r)
	}
	format := table.Format(chi.URLParam(r, "format"))
	if s.NotModified(w, r, string(format)) {
		return nil
	}
	list, err := open(r.Context(),
		table.Options{Demangle: site.Uncached(p.Names), Quote: p.Counts, Sources: s.SourceLinks(s.Entry(r))}, true)
	if err != nil {
		return err
	}
	rows, err := site.SelectRows(list, &p, format)
	if err != nil {
		return err
	}
	rows.Head.Partial = model.PartialLines(o.Info.Partial)
	return site.StreamTable(r.Context(), w, rows, 0, -1, format, site.FileName(s.Entry(r).Name, "-"+entry.Name))
}

// tableExport reads the parameters of an export. Errors are *site.ParamError.
func (s *server) tableExport(r *http.Request, entry tables.Entry, query url.Values) (site.Listing, site.Opener, error) {
	for _, f := range s.Families {
		own, ok := f.Tables[entry.Name]
		if !ok && entry.Name == binaryIDs.ID {
			own, ok = binaryIDs.Export(s.Site), true
		}
		if f.Name != entry.Family || !ok {
			continue
		}
		if err := site.NewValues(query, exportKeys(own.Keys)).Err; err != nil {
			return site.Listing{}, nil, err
		}
		query.Del("table")
		return own.Read(r, query)
	}
	v := site.NewValues(query, tableExportKeys)
	p := v.Listing()
	return p, func(ctx context.Context, o table.Options, _ bool) (table.Table, error) {
		return entry.Open(ctx, s.Profile(r), o)
	}, v.Err
}
