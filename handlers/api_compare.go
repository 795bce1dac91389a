package handlers

import (
	"context"
	"io"
	"net/http"

	"proflens/tables"
)

// compareAPI is the address of the API's comparison.
const compareAPI = "/api/v1/compare"

// getCompare is GET /compare?base=&test=: the figures and a page of pairs as
// JSON, or, as CSV, NDJSON or text, every pair unless a page is asked for. Text
// begins with what llvm-profdata overlap prints.
func (s *server) getCompare(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	p, err := parseCompare(q, "base", "test")
	if err != nil {
		return err
	}
	both, err := s.askedPair(r)
	if err != nil {
		return err
	}
	format := p.wanted(r)
	if s.notModifiedOf(w, r, string(format), both.base, both.test) {
		return nil
	}
	ctx, demangle := r.Context(), uncached(p.Names)
	if format == tables.FormatJSON {
		var cancel context.CancelFunc
		ctx, cancel = s.requestContext(r)
		defer cancel()
		demangle = s.cached(p.Names)
	}
	c, err := s.compare(ctx, both)
	if err != nil {
		return err
	}
	defer c.Close()
	overlap, err := c.Overlap(ctx, p.OverlapCS)
	if err != nil {
		return err
	}
	object, err := newComparisonObject(both, c, overlap, p.OverlapCS, p.Counts).members()
	if err != nil {
		return err
	}
	table, err := tables.Compare(ctx, c, p.Query, tables.Options{Demangle: demangle, Quote: p.Counts}, object)
	if err != nil {
		return err
	}
	rows, err := selectRows(table, p.Cols, format)
	if err != nil {
		return err
	}
	if format == tables.FormatJSON {
		return tablePage(ctx, w, rows, p.listing)
	}
	if format == tables.FormatText && p.Offset == 0 {
		w.Header().Set("Content-Type", contentTypes[format])
		io.WriteString(w, overlapText(tables.Printable(both.base.Name), tables.Printable(both.test.Name), overlap)+"\n")
	}
	limit := p.Limit
	if p.All {
		limit = -1
	}
	return streamTable(ctx, w, rows, p.Offset, limit, format, fileName(both.base.Name, "-compared"))
}
