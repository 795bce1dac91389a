package instrweb

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/tables"
)

// valueKindWords are the values of the parameter kind.
var valueKindWords = []string{"indirect", "memop", "vtable"}

var valueKeys = slices.Concat([]string{"kind", "quality"}, site.ListingKeys)

// siteQuality is a value of the parameter quality of value sites.
type siteQuality struct {
	word string
	mark analyze.SiteMark
	says string
}

var siteQualities = []siteQuality{
	{"full", analyze.SiteFull, "sites that may lack values"},
	{"short", analyze.SiteShort, "sites whose counts fall short"},
}

// valueParams is a request for value sites.
type valueParams struct {
	site.Listing
	Kind  instrprof.ValueKind
	Given bool // kind was given
	Marks analyze.SiteMark
}

// parseValues reads a request for value sites. Errors are *site.ParamError.
func parseValues(q url.Values) (valueParams, error) {
	v, err := site.NewValues(q, valueKeys)
	if err != nil {
		return valueParams{}, err
	}
	word := site.Choice(v, "kind", valueKindWords...)
	p := valueParams{Kind: instrprof.ValueKind(slices.Index(valueKindWords, word)), Given: v.One("kind") != "", Listing: v.Listing()}
	for _, word := range v.List("quality") {
		i := slices.IndexFunc(siteQualities, func(q siteQuality) bool { return q.word == word })
		if i < 0 {
			v.Fail("quality", "unknown value %q; use full, short or both", word)
			break
		}
		p.Marks |= siteQualities[i].mark
	}
	return p, v.Err
}

// listValues is GET /profiles/{id}/values: the value sites of one kind, those
// with the most frequent value first.
func (s *room) listValues(w http.ResponseWriter, r *http.Request) error {
	p, err := parseValues(r.URL.Query())
	if err != nil {
		return err
	}
	return s.ListTable(w, r, p.Listing, "-values", func(_ context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return tables.Values(s.records(r), p.Kind, p.Marks, o), nil
	})
}

// valueRefs are the NameRefs among the first n values of sites.
func valueRefs(kind instrprof.ValueKind, rows []instrdb.ValueRow, n int) []uint64 {
	if kind == instrprof.MemOPSize {
		return nil
	}
	var refs []uint64
	for i := range rows {
		for _, v := range rows[i].Values[:min(len(rows[i].Values), n)] {
			if v.Value != 0 {
				refs = append(refs, v.Value)
			}
		}
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}
