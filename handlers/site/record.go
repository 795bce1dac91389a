package site

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"proflens/internal/humanize"
	"proflens/profile/stored"
	"proflens/profile/table"
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

// functionKeyLines work on the page of a function.
var functionKeyLines = page.Keys("N: copy the function's name")

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

// FunctionCall is how a family whose functions have no FuncHash answers
// GET /profiles/{id}/functions/{fid}: in JSON alone. The words are what its errors say of another
// format and of a hash; write makes the object.
func (s *Site) FunctionCall(format, hash string,
	write func(ctx context.Context, r *http.Request, p *RecordParams) ([]byte, error)) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		p, err := ParseRecord(r.URL.Query())
		switch {
		case err != nil:
			return err
		case p.Format != "" && p.Format != table.FormatJSON:
			return &ParamError{Param: "format", Msg: "one function is available as json only" + format}
		case p.Hash != nil:
			return &ParamError{Param: "hash", Msg: hash + " have no FuncHash"}
		}
		if s.NotModified(w, r, "") {
			return nil
		}
		ctx := s.RequestContext(r)
		b, err := write(ctx, r, &p)
		if err == nil {
			w.Header().Set("Content-Type", "application/json")
			w.Write(b)
		}
		return err
	}
}

// OrAbsent is an error, or absent where it says that the profile has no such thing.
func OrAbsent(err, absent error) error {
	if errors.Is(err, stored.ErrNoPart) {
		return absent
	}
	return err
}
