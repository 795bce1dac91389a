package site

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/views/page"
)

// Address is a page with its query, from which links to the same view with one
// thing changed are made. Defaults are left out, so that a plain view has a
// plain address.
type Address struct {
	Path  string
	Query url.Values
}

// AddressOf is the address of a request's page without what is empty.
func AddressOf(u *url.URL) Address {
	a := NewAddress(u.Path)
	for key, values := range u.Query() {
		if values = slices.DeleteFunc(values, func(v string) bool { return v == "" }); len(values) > 0 {
			a.Query[key] = []string{strings.Join(values, ",")}
			switch {
			case key == "rewrite": // its values may have commas
				a.Query[key] = values
			case !isList(key):
				a.Query[key] = values[:1]
			}
		}
	}
	return a
}

// isList reports whether a parameter holds several values, which a form sends
// one by one and an address joins with commas.
func isList(key string) bool {
	return key == "class" || key == "base_class" || key == "test_class" || key == "state" || key == "quality" ||
		key == "cols" || key == "sort"
}

// RedirectJoined leads a form of columns, which sends each for itself, to the address that
// joins them, and reports whether it did.
func RedirectJoined(w http.ResponseWriter, r *http.Request, to Address) bool {
	if len(r.URL.Query()["cols"]) < 2 {
		return false
	}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
	return true
}

// NewAddress is an address without parameters.
func NewAddress(path string) Address { return Address{Path: path, Query: url.Values{}} }

// With sets one parameter; an empty value takes it away.
func (a Address) With(key, value string) Address {
	query := maps.Clone(a.Query)
	if query.Del(key); value != "" {
		query.Set(key, value)
	}
	return Address{Path: a.Path, Query: query}
}

// WithAll sets one parameter to several values.
func (a Address) WithAll(key string, list []string) Address {
	a = a.Without(key)
	if len(list) > 0 {
		a.Query[key] = list
	}
	return a
}

// Without takes parameters away.
func (a Address) Without(keys ...string) Address {
	query := maps.Clone(a.Query)
	for _, key := range keys {
		query.Del(key)
	}
	return Address{Path: a.Path, Query: query}
}

// FirstPage is the first page of a list, without other parameters.
func (a Address) FirstPage(others ...string) Address {
	return a.Without("page", "cursor").Without(others...)
}

// addressOrder puts what selects rows before what arranges them.
var addressOrder = strings.Fields(`
	kind family severity by event image procedure min q re path rewrite namespace named class base_class
	test_class state direction overlap executed cs quality saturated run only-run min-runs size
	covered_bytes covered_share missed_bytes blocks merge_count call_count weight avg_timestamp index total max entry
	counters zero sites seen count functions base_total test_total base_max test_max base_entry
	test_entry ordinal rank hash overlap_cs sort page cursor limit cols names merge counters counts
	format w sel`)

// OrderKeys puts the parameters of one family behind all others, in their order. It is
// called while the program starts.
func OrderKeys(keys []string) {
	for _, key := range keys {
		if !slices.Contains(addressOrder, key) {
			addressOrder = append(addressOrder, key)
		}
	}
}

// Moved is the same query at another path.
func (a Address) Moved(path string) string { return Address{Path: path, Query: a.Query}.String() }

// String writes the address; commas and dots of ranges stay readable.
func (a Address) String() string {
	keys := slices.SortedFunc(maps.Keys(a.Query), func(x, y string) int {
		i, j := slices.Index(addressOrder, x), slices.Index(addressOrder, y)
		if i != j {
			return i - j
		}
		return strings.Compare(x, y)
	})
	var b strings.Builder
	b.WriteString((&url.URL{Path: a.Path}).EscapedPath())
	sign := byte('?')
	for _, key := range keys {
		for _, value := range a.Query[key] {
			b.WriteByte(sign)
			b.WriteString(url.QueryEscape(key) + "=" + readable.Replace(url.QueryEscape(value)))
			sign = '&'
		}
	}
	return b.String()
}

var readable = strings.NewReplacer("%2C", ",", "%3A", ":", "%2F", "/")

// Keep carries an address's parameters through a form.
func Keep(a Address) []page.Hidden {
	var list []page.Hidden
	for _, key := range addressOrder {
		if !a.Query.Has(key) {
			continue
		}
		values := a.Query[key]
		if isList(key) {
			values = strings.Split(values[0], ",")
		}
		for _, v := range values {
			list = append(list, page.Hidden{Name: key, Value: v})
		}
	}
	return list
}

// PageOf is the page of a profile; links in objects are paths of this server.
func PageOf(id string) string { return "/p/" + id }

func APIOf(id string) string { return "/api/v1/profiles/" + id }

// Base is PageOf the request's profile.
func (s *Site) Base(r *http.Request) string { return PageOf(s.Entry(r).ID) }

// SeeOther leads to an address of this server, which is asked for with GET.
func SeeOther(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// Forward answers on a page with a call of the API, in place: who asks for CSV or text may not
// follow redirects, as curl does not.
func Forward(w http.ResponseWriter, r *http.Request, call string) error {
	u, err := url.Parse(call)
	if err != nil {
		return err
	}
	again := r.Clone(context.WithValue(r.Context(), chi.RouteCtxKey, (*chi.Context)(nil))) // as it came in
	again.URL, again.RequestURI = u, call
	chi.RouteContext(r.Context()).Routes.(http.Handler).ServeHTTP(w, again)
	return nil
}
