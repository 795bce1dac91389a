package lists

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"proflens/handlers/site"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Table is a table of a part of a profile, for the API and the exports alike: its
// parameters, how they are read, and how it is opened as they say.
func Table[P any, Q interface{ Common() site.Listing }](
	s *site.Site, part func(*stored.Profile) (P, error), keys []string, parse func(url.Values) (Q, error),
	open func(ctx context.Context, records P, p Q, o table.Options, whole bool) (table.Table, error),
) site.TableExport {
	return site.TableExport{Keys: keys, Read: func(r *http.Request, q url.Values) (site.Listing, site.Opener, error) {
		p, err := parse(q)
		return p.Common(), func(ctx context.Context, o table.Options, whole bool) (table.Table, error) {
			records, err := part(s.Profile(r))
			if err != nil {
				return nil, err
			}
			return open(ctx, records, p, o, whole)
		}, err
	}}
}

// Fixed is a table with the value of one parameter decided.
func Fixed(t site.TableExport, key, value string) site.TableExport {
	keys := slices.DeleteFunc(slices.Clone(t.Keys), func(k string) bool { return k == key })
	return site.TableExport{Keys: keys, Read: func(r *http.Request, q url.Values) (site.Listing, site.Opener, error) {
		q.Set(key, value)
		return t.Read(r, q)
	}}
}

// ByList reads the parameters of a list, as Table wants it.
func ByList(l *List) func(url.Values) (Params, error) {
	return func(q url.Values) (Params, error) { return l.Parse(q) }
}
