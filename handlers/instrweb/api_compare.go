package instrweb

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"proflens/handlers/site"
	"proflens/say"
	"proflens/tables"
)

// compareAPI is the address of the API's comparison.
const compareAPI = "/api/v1/compare"

// compareTextRows is how many rows the page has for a terminal.
const compareTextRows = 20

// compareText is the page for a terminal: the API's text with the first rows,
// and what can be asked next.
func (s *room) compareText(w http.ResponseWriter, r *http.Request, base, test string) error {
	a := site.AddressOf(r.URL).With("base", base).With("test", test).With("format", string(tables.FormatText))
	a.Path = compareAPI
	all := site.Origin(r) + a.Without("page", "limit").String()
	if !r.URL.Query().Has("limit") {
		a = a.With("limit", strconv.Itoa(compareTextRows))
	}
	call, err := http.NewRequestWithContext(r.Context(), r.Method, a.String(), nil)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Accept, User-Agent")
	if err := s.getCompare(w, call); err != nil {
		return err
	}
	where := site.Address{Path: compareAPI + "/tree", Query: url.Values{"base": {base}, "test": {test}, "by": {"namespace"}, "format": {"text"}}}
	_, err = fmt.Fprintf(w, "\nnext\n  %-24s  %s '%s'\n  %-24s  %s '%s'\n", "all records", s.Curl(), all, "where the change is", s.Curl(), site.Origin(r)+where.String())
	return err
}

// getCompare is GET /compare?base=&test=: the figures and a page of pairs as
// JSON, or, as CSV, NDJSON or text, every pair unless a page is asked for. Text
// begins with what llvm-profdata overlap prints.
func (s *room) getCompare(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	p, err := parseCompare(q, "base", "test")
	if err != nil {
		return err
	}
	both, err := s.askedPair(r)
	if err != nil {
		return err
	}
	format := p.Wanted(r)
	if s.NotModifiedOf(w, r, string(format), both.base, both.test) {
		return nil
	}
	ctx, demangle := r.Context(), site.Uncached(p.Names)
	if format == tables.FormatJSON {
		var cancel context.CancelFunc
		ctx, cancel = s.RequestContext(r)
		defer cancel()
		demangle = s.Cached(p.Names)
	}
	c, release, err := s.compare(ctx, both)
	if err != nil {
		return err
	}
	defer release()
	overlap, err := c.Overlap(ctx, p.OverlapCS)
	if err != nil {
		return err
	}
	object, err := newComparisonObject(s.BasePath, both, c, overlap, p.OverlapCS, p.Counts).members()
	if err != nil {
		return err
	}
	table, err := tables.Compare(ctx, c, p.Query, tables.Options{Demangle: demangle, Quote: p.Counts}, object)
	if err != nil {
		return err
	}
	rows, err := site.SelectRows(table, &p.Listing, format)
	if err != nil {
		return err
	}
	if format == tables.FormatJSON {
		return site.TablePage(ctx, w, rows, p.Listing)
	}
	if format == tables.FormatText && p.Offset == 0 {
		w.Header().Set("Content-Type", site.ContentTypes[format])
		io.WriteString(w, overlapText(say.Printable(both.base.Name), say.Printable(both.test.Name), overlap)+"\n")
	}
	limit := p.Limit
	if p.All {
		limit = -1
	}
	return site.StreamTable(ctx, w, rows, p.Offset, limit, format, site.FileName(both.base.Name, "-compared"))
}
