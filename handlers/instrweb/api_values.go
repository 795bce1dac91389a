package instrweb

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/tables"
	"proflens/views/page"
)

// valueKindWords are the values of the parameter kind.
var valueKindWords = []string{"indirect", "memop", "vtable"}

// valueList is the list of value sites.
var valueList = lists.List{
	Heads: []site.Column{
		{Key: "place", Label: "#", Title: "position in this order", Number: true},
		{Key: "function", Label: "Function", Sort: instrdb.ColName, Ascending: true},
		{
			Key: "index", Label: "Site", Title: "index of the site among those of its kind in the function", Number: true,
			Sort: instrdb.ValueIndex, Ascending: true,
		},
		{Key: "sum", Label: "Sum", Title: "sum of the site's counts", Number: true, Sort: instrdb.ValueSum},
		{Key: "share", Label: "Share", Title: "of all counts of this kind", How: page.HowSites},
		{
			Key: "distinct", Label: "Values", Title: "number of distinct values recorded", Number: true,
			Sort: instrdb.ValueDistinct,
		},
		{
			Key: "top_count", Label: "Top count", Title: "count of the most frequent value", Number: true,
			Sort: instrdb.ValueTop,
		},
		{
			Key: "top_share", Label: "Top share", Title: "share of the most frequent value in the site's sum", Number: true,
			Sort: instrdb.ValueTopShare,
		},
		{Key: "values", Label: "Most frequent value"},
	},
	Sorts: instrdb.ValueColumns, Ranges: []query.Column{instrdb.ValueSum, instrdb.ValueTop, instrdb.ValueDistinct,
		instrdb.ValueIndex},
	Usual: query.Key{Column: instrdb.ValueTop, Desc: true}, Noun: [2]string{"site", "sites"}, Words: "function",
}

var valueKeys = slices.Concat([]string{"kind", "target", "quality"}, valueList.Keys())

// siteQuality is a value of the parameter quality of value sites.
type siteQuality struct {
	word string
	mark analyze.SiteMark
	says string
}

var siteQualities = []siteQuality{
	{"full", analyze.SiteFull, "possibly truncated sites"},
	{"short", analyze.SiteShort, "incomplete sites"},
}

// valueParams is a request for value sites.
type valueParams struct {
	lists.Params
	Kind  instrprof.ValueKind
	Given bool // kind was given
	Marks analyze.SiteMark
	// Target are words of what a site saw.
	Target string
}

// parseValues reads a request for value sites. Errors are *site.ParamError.
func parseValues(q url.Values) (valueParams, error) { return valuesAmong(q, valueKeys) }

func valuesAmong(q url.Values, keys []string) (valueParams, error) {
	v, err := site.NewValues(q, keys)
	if err != nil {
		return valueParams{}, err
	}
	word := site.Choice(v, "kind", valueKindWords...)
	p := valueParams{
		Kind: instrprof.ValueKind(slices.Index(valueKindWords, word)), Given: v.One("kind") != "", Params: valueList.Read(v),
	}
	for _, word := range v.List("quality") {
		i := slices.IndexFunc(siteQualities, func(q siteQuality) bool { return q.word == word })
		if i < 0 {
			v.Fail("quality", "unknown value %q; use full, short or both", word)
			break
		}
		p.Marks |= siteQualities[i].mark
	}
	p.Target = strings.TrimSpace(v.One("target"))
	if _, err := names.NewTerms(p.Target, ""); err != nil {
		v.Fail("target", "%v", err)
	}
	return p, v.Err
}

// query is what the request asks the tables.
func (p *valueParams) query() instrdb.ValueQuery {
	return instrdb.ValueQuery{Kind: p.Kind, Marks: p.Marks, Target: p.Target, RowQuery: p.Query}
}

// openValues is the value sites of one kind.
func openValues(_ context.Context, records *instrdb.Profile, p valueParams, o tables.Options,
	whole bool) (tables.Table, error) {
	q := p.query()
	q.Whole = whole
	return tables.Values(records, q, o), nil
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
