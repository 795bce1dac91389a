package site

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"proflens/names"
	"proflens/profile/table"
)

// Opener opens a table as a request asks for it. For an export, which shows no
// half results, whole is set.
type Opener func(ctx context.Context, o table.Options, whole bool) (table.Table, error)

// ListTable answers with a page as JSON, or, as CSV, NDJSON or text, with every
// row unless a page is asked for. name is that of a download, after the
// profile's: "-values". A preview, which has the first rows only, is not
// answered from as a whole.
func (s *Site) ListTable(w http.ResponseWriter, r *http.Request, p Listing, name string, open Opener) error {
	format := p.Wanted(r)
	if s.NotModified(w, r, string(format)) {
		return nil
	}
	ctx, demangle := r.Context(), Uncached(p.Names)
	page := format == table.FormatJSON
	if page {
		ctx = s.RequestContext(r)
		demangle = s.Cached(p.Names)
	}
	o := s.Profile(r).Overview
	if o.Storing {
		if p.All && !page {
			return s.NotReady(w, r)
		}
		Unsettled(w)
	}
	list, err := open(ctx, table.Options{Demangle: demangle, Quote: p.Counts, Sources: s.SourceLinks(s.Entry(r))}, !page)
	if err != nil {
		return err
	}
	rows, err := SelectRows(list, &p, format)
	if err != nil {
		return err
	}
	if page {
		return TablePage(ctx, w, rows, p)
	}
	limit := p.Limit
	if p.All {
		limit = -1
	}
	return StreamTable(ctx, w, rows, p.Offset, limit, format, FileName(s.Entry(r).Name, name))
}

// Listed answers with a table that is exported too, a page at a time; name is as
// ListTable has it.
func (s *Site) Listed(name string, t TableExport) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		p, open, err := t.Read(r, r.URL.Query())
		if err != nil {
			return err
		}
		return s.ListTable(w, r, p, name, open)
	}
}

// SelectRows picks the columns that cols= asks for. Errors are *[ParamError].
func SelectRows(opened table.Table, p *Listing, format table.Format) (*table.Rows, error) {
	rows, err := opened.Select(p.Cols, format)
	if column, ok := errors.AsType[*table.ColumnError](err); ok {
		return nil, &ParamError{Param: "cols", Msg: column.Error()}
	}
	if err == nil {
		rows.Head.Guard = p.Guard
	}
	return rows, err
}

// TablePage writes one page in the envelope of lists.
func TablePage(ctx context.Context, w http.ResponseWriter, rows *table.Rows, p Listing) error {
	var b bytes.Buffer
	end, err := rows.Page(ctx, &b, p.Offset, p.Limit)
	if err != nil {
		return err
	}
	if end.Unsettled {
		Unsettled(w)
	}
	w.Header().Set("Content-Type", ContentTypes[table.FormatJSON])
	w.Write(b.Bytes())
	return nil
}

// ContentTypes are those of tables.
var ContentTypes = map[table.Format]string{
	table.FormatJSON:   "application/json",
	table.FormatCSV:    "text/csv; charset=utf-8; header=present",
	table.FormatNDJSON: "application/x-ndjson",
	table.FormatText:   "text/plain; charset=utf-8",
}

// StreamTable writes rows as they are read; name is the download's, without
// ending.
func StreamTable(ctx context.Context, w http.ResponseWriter, rows *table.Rows, offset, limit int, format table.Format,
	name string) error {
	begun := false
	_, err := rows.Copy(ctx, offset, limit, func() (*table.Writer, error) {
		begun = true
		return newTableWriter(w, format, name, rows.Head)
	})
	if err != nil && begun {
		return CutOff(err)
	}
	return err
}

// newTableWriter begins an answer of rows. Text is for reading, the rest are
// downloads.
func newTableWriter(w http.ResponseWriter, format table.Format, name string, h table.Head) (*table.Writer, error) {
	w.Header().Set("Content-Type", ContentTypes[format])
	if format != table.FormatText {
		Attach(w, name+"."+string(format))
	}
	return table.NewWriter(w, format, h)
}

// Cached writes linkage names for one page, through the shared cache.
func (s *Site) Cached(mode names.Mode) func(string) string {
	return func(linkage string) string { return s.Names.Demangle(linkage, demangled(mode)) }
}

// Uncached writes linkage names for a whole table, which would turn out of the
// cache what pages need again.
func Uncached(mode names.Mode) func(string) string {
	return func(linkage string) string { return names.Demangle(linkage, demangled(mode)) }
}

// demangled is the form of columns of that name: names=mangled asks for no form of
// it, and linkage names have a column of their own.
func demangled(mode names.Mode) names.Mode {
	if mode == names.Mangled {
		return names.Full
	}
	return mode
}
