package handlers

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"proflens/names"
	"proflens/tables"
)

// opener opens a table as a request asks for it. For an export, which shows no
// half results, whole is set.
type opener func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error)

// listTable answers with a page as JSON, or, as CSV, NDJSON or text, with every
// row unless a page is asked for. name is that of a download, after the
// profile's: "-values". A preview, which has the first rows only, is not
// answered from as a whole.
func (s *Site) listTable(w http.ResponseWriter, r *http.Request, p listing, name string, open opener) error {
	format := p.wanted(r)
	if s.notModified(w, r, string(format)) {
		return nil
	}
	ctx, demangle := r.Context(), uncached(p.Names)
	page := format == tables.FormatJSON
	if page {
		var cancel context.CancelFunc
		ctx, cancel = s.requestContext(r)
		defer cancel()
		demangle = s.cached(p.Names)
	}
	o := s.profile(r).Overview
	if o.Storing {
		if p.All && !page {
			return s.notReady(w, r)
		}
		unsettled(w)
	}
	table, err := open(ctx, tables.Options{Demangle: demangle, Quote: p.Counts}, !page)
	if err != nil {
		return err
	}
	rows, err := selectRows(table, p.Cols, format)
	if err != nil {
		return err
	}
	if page {
		return tablePage(ctx, w, rows, p)
	}
	limit := p.Limit
	if p.All {
		limit = -1
	}
	return streamTable(ctx, w, rows, p.Offset, limit, format, fileName(s.entry(r).Name, name))
}

// selectRows picks the columns that cols= asks for. Errors are *paramError.
func selectRows(table tables.Table, cols []string, format tables.Format) (*tables.Rows, error) {
	rows, err := table.Select(cols, format)
	if column, ok := errors.AsType[*tables.ColumnError](err); ok {
		return nil, &paramError{Param: "cols", Msg: column.Error()}
	}
	return rows, err
}

// tablePage writes one page in the envelope of lists.
func tablePage(ctx context.Context, w http.ResponseWriter, rows *tables.Rows, p listing) error {
	var b bytes.Buffer
	end, err := rows.Copy(ctx, p.Offset, p.Limit, func() (tables.Writer, error) {
		return tables.NewWriter(&b, tables.FormatJSON, rows.Head)
	})
	if err != nil {
		return err
	}
	if end.Unsettled {
		unsettled(w)
	}
	w.Header().Set("Content-Type", contentTypes[tables.FormatJSON])
	w.Write(b.Bytes())
	return nil
}

// contentTypes are those of tables.
var contentTypes = map[tables.Format]string{
	tables.FormatJSON:   "application/json",
	tables.FormatCSV:    "text/csv; charset=utf-8; header=present",
	tables.FormatNDJSON: "application/x-ndjson",
	tables.FormatText:   "text/plain; charset=utf-8",
}

// streamTable writes rows as they are read; name is the download's, without
// ending.
func streamTable(ctx context.Context, w http.ResponseWriter, rows *tables.Rows, offset, limit int, format tables.Format, name string) error {
	begun := false
	_, err := rows.Copy(ctx, offset, limit, func() (tables.Writer, error) {
		begun = true
		return newTableWriter(w, format, name, rows.Head)
	})
	if err != nil && begun {
		return cutOff(err)
	}
	return err
}

// newTableWriter begins an answer of rows. Text is for reading, the rest are
// downloads.
func newTableWriter(w http.ResponseWriter, format tables.Format, name string, h tables.Head) (tables.Writer, error) {
	w.Header().Set("Content-Type", contentTypes[format])
	if format != tables.FormatText {
		attach(w, name+"."+string(format))
	}
	return tables.NewWriter(w, format, h)
}

// cached writes linkage names for one page, through the shared cache.
func (s *Site) cached(mode names.Mode) func(string) string {
	return func(linkage string) string { return s.names.Demangle(linkage, mode) }
}

// uncached writes linkage names for a whole table, which would turn out of the
// cache what pages need again.
func uncached(mode names.Mode) func(string) string {
	return func(linkage string) string { return names.Demangle(linkage, mode) }
}
