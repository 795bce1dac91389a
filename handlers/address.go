package handlers

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"proflens/views/page"
)

// address is a page with its query, from which links to the same view with one
// thing changed are made. Defaults are left out, so that a plain view has a
// plain address.
type address struct {
	path  string
	query url.Values
}

// addressOf is the address of a request's page without what is empty.
func addressOf(u *url.URL) address {
	a := address{path: u.Path, query: url.Values{}}
	for key, values := range u.Query() {
		if values = slices.DeleteFunc(values, func(v string) bool { return v == "" }); len(values) > 0 {
			a.query[key] = []string{strings.Join(values, ",")}
			switch {
			case key == "rewrite": // its values may have commas
				a.query[key] = values
			case !isList(key):
				a.query[key] = values[:1]
			}
		}
	}
	return a
}

// isList reports whether a parameter holds several values, which a form sends
// one by one and an address joins with commas.
func isList(key string) bool {
	return key == "class" || key == "base_class" || key == "test_class" || key == "state" || key == "quality" || key == "cols" || key == "sort"
}

// with sets one parameter; an empty value takes it away.
func (a address) with(key, value string) address {
	query := maps.Clone(a.query)
	if query.Del(key); value != "" {
		query.Set(key, value)
	}
	return address{path: a.path, query: query}
}

// withAll sets one parameter to several values.
func (a address) withAll(key string, list []string) address {
	a = a.without(key)
	if len(list) > 0 {
		a.query[key] = list
	}
	return a
}

// without takes parameters away.
func (a address) without(keys ...string) address {
	query := maps.Clone(a.query)
	for _, key := range keys {
		query.Del(key)
	}
	return address{path: a.path, query: query}
}

// addressOrder puts what selects rows before what arranges them.
var addressOrder = []string{
	"kind", "by", "q", "re", "path", "rewrite", "namespace", "named", "class", "base_class", "test_class", "state", "direction", "overlap", "executed", "cs", "quality", "saturated", "run", "only-run", "min-runs", "size", "covered_bytes", "missed_bytes", "blocks", "merge_count", "call_count", "weight", "avg_timestamp", "index", "total", "max", "entry", "counters", "zero", "sites",
	"base_total", "test_total", "base_max", "test_max", "base_entry", "test_entry", "ordinal", "rank", "hash", "overlap_cs", "sort", "page", "cursor", "limit", "cols", "names", "merge", "counters", "counts", "format", "w", "sel",
}

// orderKeys puts the parameters of one family behind all others, in their order. It is
// called while the program starts.
func orderKeys(keys []string) { addressOrder = append(addressOrder, keys...) }

// moved is the same query at another path.
func (a address) moved(path string) string { return address{path: path, query: a.query}.String() }

// String writes the address; commas and dots of ranges stay readable.
func (a address) String() string {
	keys := slices.SortedFunc(maps.Keys(a.query), func(x, y string) int {
		i, j := slices.Index(addressOrder, x), slices.Index(addressOrder, y)
		if i != j {
			return i - j
		}
		return strings.Compare(x, y)
	})
	var b strings.Builder
	b.WriteString((&url.URL{Path: a.path}).EscapedPath())
	sign := byte('?')
	for _, key := range keys {
		for _, value := range a.query[key] {
			b.WriteByte(sign)
			b.WriteString(url.QueryEscape(key) + "=" + readable.Replace(url.QueryEscape(value)))
			sign = '&'
		}
	}
	return b.String()
}

var readable = strings.NewReplacer("%2C", ",", "%3A", ":", "%2F", "/")

// keep carries an address's parameters through a form.
func keep(a address) []page.Hidden {
	var list []page.Hidden
	for _, key := range addressOrder {
		if !a.query.Has(key) {
			continue
		}
		values := a.query[key]
		if isList(key) {
			values = strings.Split(values[0], ",")
		}
		for _, v := range values {
			list = append(list, page.Hidden{Name: key, Value: v})
		}
	}
	return list
}

// pageOf is the page of a profile; links in objects are paths of this server.
func pageOf(id string) string { return "/p/" + id }

func apiOf(id string) string { return "/api/v1/profiles/" + id }
