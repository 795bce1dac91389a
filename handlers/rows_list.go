package handlers

import (
	"context"
	"net/http"
	"strconv"
)

// rowList is a table that is read page by page.
type rowList[T any] struct {
	name    string // of a download, after the profile's: "-values"
	columns []column[T]
	usual   []string // columns when none are asked for; nil for all
	text    []string // those of the text format; nil for all
	// read gives the rows from offset on, at most limit, and how many there are
	// in all.
	read func(ctx context.Context, offset, limit int) (rows []T, total int, err error)
	// more adds to the envelope of JSON, each key after a comma; may be nil.
	more func(b []byte) []byte
}

// listRows answers with a page as JSON, or, as CSV, NDJSON or text, with every
// row unless a page is asked for. A preview, which has the first rows only, is
// not answered from as a whole.
func listRows[T any](s *server, w http.ResponseWriter, r *http.Request, p listing, list func(ctx context.Context) (rowList[T], error)) error {
	format := p.wanted(r)
	if s.notModified(w, r, string(format)) {
		return nil
	}
	ctx := r.Context()
	if format == FormatJSON {
		var cancel context.CancelFunc
		ctx, cancel = s.requestContext(r)
		defer cancel()
	}
	o, err := s.profile(r).Overview(ctx)
	if err != nil {
		return err
	}
	if o.Storing {
		if p.All && format != FormatJSON {
			return s.notReady(w, r)
		}
		unsettled(w)
	}
	l, err := list(ctx)
	if err != nil {
		return err
	}
	usual := l.usual
	if format == FormatText && l.text != nil {
		usual = l.text
	}
	columns := l.columns
	if len(p.Cols) > 0 || usual != nil {
		if columns, err = pickColumns(l.columns, p.Cols, usual); err != nil {
			return err
		}
	}
	if format == FormatJSON {
		return l.json(ctx, w, p, columns)
	}
	return l.stream(ctx, w, p, format, columns, fileName(s.entry(r).Name, l.name))
}

// json writes one page in the envelope of lists.
func (l *rowList[T]) json(ctx context.Context, w http.ResponseWriter, p listing, columns []column[T]) error {
	rows, total, err := l.read(ctx, p.Offset, p.Limit)
	if err != nil {
		return err
	}
	h := headOf(columns, p.Counts)
	b := []byte(`{"items":[`)
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonObject(b, h, cellsOf(columns, &rows[i]), appendString)
	}
	b = append(b, `],"next_cursor":`...)
	if next := p.Offset + len(rows); next < total && len(rows) > 0 {
		b = append(strconv.AppendInt(append(b, '"'), int64(next), 10), '"')
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, int64(total), 10)
	if l.more != nil {
		b = l.more(b)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(b, '}', '\n'))
	return nil
}

// stream writes rows a step at a time.
func (l *rowList[T]) stream(ctx context.Context, w http.ResponseWriter, p listing, format Format, columns []column[T], name string) error {
	left := p.Limit
	if p.All {
		left = int(^uint(0) >> 1)
	}
	rows, _, err := l.read(ctx, p.Offset, min(exportStep, left))
	if err != nil {
		return err
	}
	out, err := newRowWriter(w, format, name, headOf(columns, p.Counts))
	if err != nil {
		return err
	}
	written := 0
	for len(rows) > 0 {
		for i := range rows {
			if err := out.row(cellsOf(columns, &rows[i])); err != nil {
				return cutOff(err)
			}
		}
		written += len(rows)
		if left -= len(rows); left == 0 {
			break
		}
		if rows, _, err = l.read(ctx, p.Offset+written, min(exportStep, left)); err != nil {
			return cutOff(err)
		}
	}
	if err := out.end(written); err != nil {
		return cutOff(err)
	}
	return nil
}
