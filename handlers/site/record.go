package site

import (
	"net/url"
	"slices"

	"proflens/internal/humanize"
	"proflens/views/page"
)

// CountersPerPage is how many counters a page of a function lists.
const CountersPerPage = 1000

// FunctionRequest is a request for the page of one function.
type FunctionRequest struct {
	RecordParams
	Base    string // "/p/{id}"
	Address Address
}

func CounterPager(n, from, to int, link func(from, to int) string) page.Pager {
	at := func(first int) string {
		return link(first, min(first+CountersPerPage, n)-1)
	}
	last := (n - 1) / CountersPerPage * CountersPerPage
	p := page.Pager{Page: humanize.Int(from/CountersPerPage + 1), Pages: humanize.Int(last/CountersPerPage + 1)}
	if from > 0 {
		p.First, p.Previous = at(0), at(max(from-CountersPerPage, 0))
	}
	if to < n-1 {
		p.Next, p.Last = at(to+1), at(last)
	}
	return p
}

// FunctionKeyLines work on the page of a function.
var FunctionKeyLines = []page.Key{{Keys: []string{"N"}, Does: "copy the function's name"}}

// RecordParams is a request for one function.
type RecordParams struct {
	Listing
	From, To uint64  // counters=from..to, both inclusive
	Whole    bool    // no range was given
	Hash     *uint64 // show the record of this FuncHash; pages only
	Sel      string  // pages only
}

// ParseRecord reads a request for one function, which may have parameters of the
// family's own. On a page, page and limit count counters.
func ParseRecord(q url.Values, own ...string) (RecordParams, error) {
	v := NewValues(q, slices.Concat(own, RecordKeys))
	p := RecordParams{Listing: v.Listing(), Sel: v.One("sel"), Whole: true, To: 1<<64 - 1}
	if text := v.One("counters"); text != "" {
		p.Whole = false
		p.From, p.To = v.Span("counters", text)
	}
	if text := v.One("hash"); text != "" {
		hash := v.Hash("hash", text)
		p.Hash = &hash
	}
	return p, v.Err
}

// RecordKeys are the parameters of a function.
var RecordKeys = slices.Concat([]string{"counters", "hash", "sel"}, ListingKeys)
