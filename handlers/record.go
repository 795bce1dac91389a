package handlers

import (
	"net/url"
	"slices"

	"proflens/views/page"
)

// countersPerPage is how many counters a page of a function lists.
const countersPerPage = 1000

// functionRequest is a request for the page of one function.
type functionRequest struct {
	recordParams
	base    string // "/p/{id}"
	address address
}

func counterPager(n, from, to int, link func(from, to int) string) page.Pager {
	at := func(first int) string {
		return link(first, min(first+countersPerPage, n)-1)
	}
	last := (n - 1) / countersPerPage * countersPerPage
	p := page.Pager{Page: page.Int(from/countersPerPage + 1), Pages: page.Int(last/countersPerPage + 1)}
	if from > 0 {
		p.First, p.Previous = at(0), at(max(from-countersPerPage, 0))
	}
	if to < n-1 {
		p.Next, p.Last = at(to+1), at(last)
	}
	return p
}

// functionKeyLines work on the page of a function.
var functionKeyLines = []page.Key{{Keys: []string{"y"}, Does: "copy the function's name"}}

// recordParams is a request for one function.
type recordParams struct {
	listing
	From, To uint64  // counters=from..to, both inclusive
	Whole    bool    // no range was given
	Hash     *uint64 // show the record of this FuncHash; pages only
	Sel      string  // pages only
}

// parseRecord reads a request for one function. On a page, page and limit count
// counters.
func parseRecord(q url.Values) (recordParams, error) {
	v, err := newValues(q, recordKeys)
	if err != nil {
		return recordParams{}, err
	}
	p := recordParams{listing: v.listing(), Sel: v.one("sel"), Whole: true, To: 1<<64 - 1}
	if text := v.one("counters"); text != "" {
		p.Whole = false
		p.From, p.To = v.span("counters", text)
	}
	if text := v.one("hash"); text != "" {
		hash := v.hash("hash", text)
		p.Hash = &hash
	}
	return p, v.err
}

var recordKeys = slices.Concat([]string{"counters", "hash", "sel"}, listingKeys)
