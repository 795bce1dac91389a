package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"proflens/decode/dcpi"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/tables"
)

// The parameters of a table's export; the function table's has its filters and
// its order too.
var (
	tableExportKeys    = []string{"table", "cols", "names", "counts"}
	functionExportKeys = append([]string{"table"}, slices.DeleteFunc(slices.Clone(functionKeys), func(key string) bool {
		return slices.Contains(unlistedKeys, key)
	})...)
	allocationExportKeys = append([]string{"table"}, slices.DeleteFunc(slices.Clone(allocationKeys), func(key string) bool {
		return slices.Contains(unlistedKeys, key)
	})...)
	mipFunctionExportKeys = append([]string{"table"}, slices.DeleteFunc(slices.Clone(mipFunctionKeys), func(key string) bool {
		return slices.Contains(unlistedKeys, key)
	})...)
	unlistedKeys = []string{"page", "cursor", "limit", "format", "sel"} // what an export of all rows has no use for
)

// exportTable is GET /profiles/{id}/export/{format} of a table: a
// whole table, the default one unless table= names another.
func (s *server) exportTable(w http.ResponseWriter, r *http.Request) error {
	o, err := s.profile(r).Overview(r.Context())
	if err != nil {
		return err
	}
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
	if entry.Family == instrprof.Family && entry.Name == "functions" {
		if _, err := newValues(query, functionExportKeys); err != nil {
			return listing{}, nil, err
		}
		query.Del("table")
		p, err := parseFunctions(query)
		return p.listing, func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error) {
			return tables.Functions(ctx, s.profile(r), p.Query, o, whole)
		}, err
	}
	if entry.Family == memprof.Family && entry.Name == "allocations" {
		if _, err := newValues(query, allocationExportKeys); err != nil {
			return listing{}, nil, err
		}
		query.Del("table")
		p, err := parseAllocations(query)
		return p.listing, func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
			return tables.Allocations(ctx, s.profile(r), p.Query, o)
		}, err
	}
	if entry.Family == mip.Family && (entry.Name == "functions" || entry.Name == "dead") {
		return s.mipFunctionExport(r, entry, query)
	}
	if entry.Family == dcpi.Family {
		if i := slices.IndexFunc(dcpiTables, func(t dcpiTable) bool { return t.name == entry.Name }); i >= 0 {
			keys := exportKeys(dcpiTables[i].keys)
			if _, err := newValues(query, keys); err != nil {
				return listing{}, nil, err
			}
			query.Del("table")
			p, open, err := s.dcpiRequest(r, &dcpiTables[i], query, keys)
			return p.listing, open, err
		}
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

// mipFunctionExport reads the parameters of an export of functions of machine IR,
// whose table "dead" has but those that never ran. Errors are *paramError.
func (s *server) mipFunctionExport(r *http.Request, entry tables.Entry, query url.Values) (listing, opener, error) {
	if _, err := newValues(query, mipFunctionExportKeys); err != nil {
		return listing{}, nil, err
	}
	query.Del("table")
	p, err := parseMIPFunctions(query)
	if err != nil {
		return listing{}, nil, err
	}
	if entry.Name == "dead" {
		p.Query.Executed = tables.Dead().Executed
	}
	return p.listing, func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error) {
		return tables.MIPFunctions(ctx, s.profile(r), p.Query, o, whole)
	}, s.hasRuns(r, p.Query.Run, p.Query.OnlyRun)
}
