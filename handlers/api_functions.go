package handlers

import (
	"context"
	"net/http"
	"strconv"

	"proflens/analyze"
	"proflens/store"
)

// exportStep is how many rows an export reads at a time.
const exportStep = 1000

// listFunctions is GET /profiles/{id}/functions: a page as JSON, or, as CSV,
// NDJSON or text, every row unless a page is asked for.
func (s *server) listFunctions(w http.ResponseWriter, r *http.Request) error {
	p, err := parseFunctions(r.URL.Query())
	if err != nil {
		return err
	}
	format := p.wanted(r)
	columns, err := pickColumns(functionColumns, p.Cols, usualColumns(format, p.filtered()))
	if err != nil {
		return err
	}
	if s.notModified(w, r, string(format)) {
		return nil
	}
	if format == FormatJSON {
		return s.functionsJSON(w, r, p, columns)
	}
	return s.functionRows(w, r, p, format, columns)
}

// functionsJSON writes one page in the envelope of lists.
func (s *server) functionsJSON(w http.ResponseWriter, r *http.Request, p functionParams, columns []column[functionItem]) error {
	ctx, cancel := s.requestContext(r)
	defer cancel()
	o, err := s.profile(r).Overview(ctx)
	if err != nil {
		return err
	}
	page, err := s.profile(r).Functions(ctx, p.Query)
	if err != nil {
		return err
	}
	if !page.Complete || o.Storing {
		unsettled(w)
	}
	item := functionItems(o, matchingTotal(&p, page), s.cached(p.Names))
	h := headOf(columns, p.Counts)
	b := []byte(`{"items":[`)
	for i := range page.Rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonObject(b, h, cellsOf(columns, item(&page.Rows[i])), appendString)
	}
	b = append(b, `],"next_cursor":`...)
	b = append(b, nextCursor(&p, page)...)
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, int64(page.Matching), 10)
	b = append(b, `,"all":`...)
	b = strconv.AppendInt(b, int64(page.All), 10)
	b = append(b, `,"matching_total":`...)
	b = append(b, exactly(p.Counts)(page.MatchingTotal.String())...)
	b = append(b, `,"complete":`...)
	b = strconv.AppendBool(b, page.Complete)
	if !page.Complete {
		b = append(b, `,"scanned":`...)
		b = strconv.AppendInt(b, int64(page.Scanned), 10)
	}
	if o.Storing {
		b = append(b, `,"storing":true`...)
	}
	b = append(b, '}', '\n')
	w.Header().Set("Content-Type", "application/json")
	w.Write(b)
	return nil
}

// matchingTotal is what the matching rows hold, nil where all match.
func matchingTotal(p *functionParams, page *store.FunctionPage) *analyze.Sum {
	if !p.filtered() {
		return nil
	}
	return &page.MatchingTotal
}

// nextCursor is a JSON value. While a text filter is not through, it asks for
// the same place again: what stands there can still change.
func nextCursor(p *functionParams, page *store.FunctionPage) string {
	next := p.Offset + len(page.Rows)
	switch {
	case !page.Complete:
		next = p.Offset
	case next >= page.Matching || len(page.Rows) == 0:
		return "null"
	}
	return `"` + strconv.Itoa(next) + `"`
}

func cellsOf[T any](columns []column[T], item *T) []cell {
	cells := make([]cell, len(columns))
	for i := range columns {
		cells[i] = columns[i].value(item)
	}
	return cells
}

// functionRows streams rows, a step at a time.
func (s *server) functionRows(w http.ResponseWriter, r *http.Request, p functionParams, format Format, columns []column[functionItem]) error {
	ctx := r.Context()
	o, err := s.profile(r).Overview(ctx)
	if err != nil {
		return err
	}
	if o.Storing && p.All {
		// A preview has the first rows only; half a table would look whole.
		return s.notReady(w, r)
	}
	left := p.Limit
	if p.All {
		left = int(^uint(0) >> 1)
	}
	q := p.Query
	q.Limit = min(exportStep, left)
	page, err := s.filterToTheEnd(ctx, r, q)
	if err != nil {
		return err
	}
	out, err := newRowWriter(w, format, fileName(s.entry(r).Name, "-functions"), headOf(columns, p.Counts))
	if err != nil {
		return err
	}
	item := functionItems(o, matchingTotal(&p, page), uncached(p.Names))
	rows := 0
	cells := make([]cell, len(columns))
	for {
		for i := range page.Rows {
			f := item(&page.Rows[i])
			for c := range columns {
				cells[c] = columns[c].value(f)
			}
			if err := out.row(cells); err != nil {
				return cutOff(err)
			}
		}
		n := len(page.Rows)
		rows, left, q.Offset = rows+n, left-n, q.Offset+n
		if n == 0 || left == 0 || q.Offset >= page.Matching {
			break
		}
		q.Limit = min(exportStep, left)
		if page, err = s.profile(r).Functions(ctx, q); err != nil {
			return cutOff(err)
		}
	}
	if err := out.end(rows); err != nil {
		return cutOff(err)
	}
	return nil
}

// filterToTheEnd asks for the first rows again and again until the filter has
// looked at every record. An export shows no half results.
func (s *server) filterToTheEnd(ctx context.Context, r *http.Request, q store.FunctionQuery) (*store.FunctionPage, error) {
	for {
		page, err := s.profile(r).Functions(ctx, q)
		if err != nil || page.Complete {
			return page, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}
