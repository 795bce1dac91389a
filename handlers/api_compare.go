package handlers

import (
	"fmt"
	"io"
	"net/http"
	"slices"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
)

// compareTextRows is how many rows the page has for a terminal.
const compareTextRows = 20

const getCompareSays = `
	compare comparePair: Compare two profiles
	What moved between two profiles, largest change first regardless of sign. Counts and samples compare by share;
	heaps and machine code by absolute figures. Changes below a threshold are left out: by default 0.01 points, or one
	ten-thousandth of the larger side. min or a filter overrides it. Profiles that share several families are compared
	by the first, or by the one in family. Profiles with no family in common compare by the rank of their functions,
	if both have functions that rank (family ranks). Parameters of other families are refused.
	>200 Comparison|MoveList table: The figures and the rows. The text begins with a summary.` + compareParams

const compareParams = `
	?min: Smallest change to include, in the unit of the answer: percentage points, bytes (accepts KiB, MiB and GiB),
	places or lines. 0 includes every change.
	?event: Event of samples to compare. Default: the first that both profiles have.
	?image: Label of an image of samples. Compares its addresses.
	?procedure: Procedure of the image. Compares its addresses, counted from its start.
	?by covered|size|order|blame|site|function|context|total|own|head|entry: What to compare. Machine code: covered,
	size or order. Heaps: blame, site, function or context. Sample profiles: total, own or head. Ranks: total or
	entry.
	?w bytes|allocations|lifetime|accesses: Weight of a heap to compare: bytes, allocations, accesses or lifetime.
	?state: Any of matched, changed, only_base, only_test; for machine code also newly_covered, newly_dead, moved,
	grown, shrunk; for source coverage also newly_covered, newly_uncovered; for heaps also class; for sample profiles
	also hot_base, hot_test, inlined_base, inlined_test; for ranks also hot_base, hot_test. Comma-separated.
	?class: Records with any of these classes on either side: hot, warm, cold, never, none, absent; comma-separated.
	?base_class: Same for the base profile. absent means that it has no such record.
	?test_class: Same for the test profile.
	?direction more|less|same: Sign of the change.
	?overlap: Range of the overlap of the counters, in per cent: N.., ..N or N..M.
	?sort: Comma-separated columns, with - for descending: change, abs_change, overlap, name, base_total, test_total,
	base_max, test_max, base_entry, test_entry, base_rank, test_rank. Other families: change, abs_change, base, test,
	name and their own columns. Default: -abs_change.
	?base_total: Range of the total in the base profile: N, N.., ..N or N..M. A missing side is 0.
	?base_max: Range of the maximum count in the base profile: N, N.., ..N or N..M. A missing side is 0.
	?base_entry: Range of the entry count in the base profile: N, N.., ..N or N..M. A missing side is 0.
	?test_total: Range of the total in the test profile: N, N.., ..N or N..M. A missing side is 0.
	?test_max: Range of the maximum count in the test profile: N, N.., ..N or N..M. A missing side is 0.
	?test_entry: Range of the entry count in the test profile: N, N.., ..N or N..M. A missing side is 0.
	?overlap_cs boolean: Uses only context-sensitive records for overlap, as with --cs.`

// getCompare is GET /compare/{a}...{b}: the figures and a page of rows as JSON, or, as
// CSV, NDJSON or text, every row unless a page is asked for.
func (s *server) getCompare(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	both, err := readCompared(r, c, false)
	if err != nil {
		return err
	}
	return s.compareTable(w, r, c, both)
}

const getComparePairSays = `
	compare compareProfiles: Compare two profiles given by ID
	Same as GET /compare/{pair}, but returns every row unless min is given. For counters it computes what
	llvm-profdata overlap does and adds a row for each function record of either profile. Records pair by name and
	FuncHash. Those left over under one name pair by rank.
	?base !: ID of the base profile.
	?test !: ID of the test profile.
	>200 Comparison|MoveList table: The figures and the rows. For counters, the text begins with the lines of
	llvm-profdata overlap.` + compareParams

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

const compareTreeSays = `
	compare compareTree: Where two profiles differ, by file path or namespace
	The direct children of a node with their shares in both profiles, largest change first regardless of sign. A chain
	of single children is one node.
	?base !: ID of the base profile.
	?test !: ID of the test profile.`

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
	if format == table.FormatJSON {
		ctx = s.RequestContext(r)
		demangle = s.Cached(c.Listing.Names)
	}
	rows, err := site.SelectRows(both.Table(table.Options{Demangle: demangle, Quote: c.Counts}), &c.Listing, format)
	if err != nil {
		return err
	}
	if format == table.FormatJSON {
		return site.TablePage(ctx, w, rows, c.Listing)
	}
	if format == table.FormatText && c.Offset == 0 {
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
func (s *server) compareText(w http.ResponseWriter, r *http.Request, c *site.Comparing, both site.Compared) error {
	if c.All {
		c.All, c.Limit = false, compareTextRows
	}
	c.Format = table.FormatText
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
		line(humanize.Printable(to.Does), site.NewAddress(a.Path+to.Path).With("format", "text"))
	}
	return nil
}
