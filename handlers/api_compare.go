package handlers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	"proflens/handlers/site"
	"proflens/say"
	"proflens/tables"
)

// compareTextRows is how many rows the page has for a terminal.
const compareTextRows = 20

// getCompare is GET /compare/{a}...{b}: the figures and a page of rows as JSON, or, as
// CSV, NDJSON or text, every row unless a page is asked for.
func (s *server) getCompare(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	both, err := readCompared(r, c, false)
	if err != nil {
		return err
	}
	return s.compareTable(w, r, c, both)
}

// getComparePair is GET /compare?base=&test=: the same, with all rows unless a
// threshold is given, as it was before there was one.
func (s *server) getComparePair(w http.ResponseWriter, r *http.Request) error {
	base, test, err := askedPair(r)
	if err != nil {
		return err
	}
	c, release, err := s.Compare(r, base, test)
	if err != nil {
		return err
	}
	defer release()
	both, err := readCompared(r, c, true, "base", "test")
	if err != nil {
		return err
	}
	return s.compareTable(w, r, c, both)
}

// askedPair reads which two profiles a call of the API names.
func askedPair(r *http.Request) (base, test string, err error) {
	q := r.URL.Query()
	var ids [2]string
	for i, key := range []string{"base", "test"} {
		if ids[i] = q.Get(key); ids[i] == "" || len(q[key]) > 1 {
			return "", "", &site.ParamError{Param: key, Msg: "give the ID of one profile"}
		}
	}
	return ids[0], ids[1], nil
}

// belowComparePair is an address below GET /compare?base=&test=.
func (s *server) belowComparePair(path string) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		base, test, err := askedPair(r)
		if err != nil {
			return err
		}
		c, release, err := s.Compare(r, base, test)
		if err != nil {
			return err
		}
		defer release()
		i := slices.IndexFunc(c.Family.Comparer.API, func(to site.ComparedRoute) bool { return to.Path == path })
		if i < 0 {
			return site.ErrNotInFamily
		}
		return c.Family.Comparer.API[i].Answer(w, r, c)
	}
}

// compareTable answers with the rows of a comparison.
func (s *server) compareTable(w http.ResponseWriter, r *http.Request, c *site.Comparing, both site.Compared) error {
	format := c.Wanted(r)
	if s.NotModifiedOf(w, r, string(format), c.Base.Entry, c.Test.Entry) {
		return nil
	}
	ctx, demangle := r.Context(), site.Uncached(c.Listing.Names)
	if format == tables.FormatJSON {
		var cancel context.CancelFunc
		ctx, cancel = s.RequestContext(r)
		defer cancel()
		demangle = s.Cached(c.Listing.Names)
	}
	table, err := both.Table(ctx, tables.Options{Demangle: demangle, Quote: c.Counts})
	if err != nil {
		return err
	}
	rows, err := site.SelectRows(table, &c.Listing, format)
	if err != nil {
		return err
	}
	if format == tables.FormatJSON {
		return site.TablePage(ctx, w, rows, c.Listing)
	}
	if format == tables.FormatText && c.Offset == 0 {
		lead, err := both.Lead(ctx)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", site.ContentTypes[format])
		io.WriteString(w, lead+"\n")
	}
	limit := c.Limit
	if c.All {
		limit = -1
	}
	return site.StreamTable(ctx, w, rows, c.Offset, limit, format, site.FileName(c.Base.Name, "-compared"))
}

// compareText is the page for a terminal: the API's text with the first rows, and what
// can be asked next.
func (s *server) compareText(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	if c.All {
		c.All, c.Limit = false, compareTextRows
	}
	c.Format = tables.FormatText
	both, err := c.Family.Comparer.Read(c, &site.Values{Query: r.URL.Query()})
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Accept, User-Agent")
	if err := s.compareTable(w, r, c, both); err != nil {
		return err
	}
	a := c.Address.Without("page", "limit").With("format", "text")
	a.Path = site.CompareAPI(c.Base.ID, c.Test.ID)
	io.WriteString(w, "\nnext\n")
	line := func(does string, a site.Address) {
		fmt.Fprintf(w, "  %-24s  %s '%s'\n", does, s.Curl(), site.Origin(r)+a.String())
	}
	line("all rows", a)
	line("changes of any size", a.With("min", "0"))
	for _, to := range c.Family.Comparer.API {
		if to.Does == "" {
			continue
		}
		line(say.Printable(to.Does), site.Address{Path: a.Path + to.Path, Query: url.Values{"format": {"text"}}})
	}
	return nil
}
