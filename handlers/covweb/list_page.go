package covweb

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"proflens/handlers/site"
	"proflens/profiledb/covdb"
	"proflens/say"
	"proflens/sources"
	"proflens/views/page"
)

// list is a request for a page of a list that the API has too.
type list struct {
	*http.Request
	*covdb.Profile
	site.Listing
	base    string // "/p/{id}"
	address site.Address
	api     site.Address // of the same rows
	dir     string       // the directory that the list is of; empty for all
	links   *sources.Links
}

// shows makes the page of a list that was read.
type shows func(ctx context.Context) (templ.Component, error)

// listPage answers with a page of the list that the API has by a name. read reads its
// own parameters; errors are those of the values.
func (s *room) listPage(name string, keys []string, read func(v *site.Values, l *list) shows) site.Handler {
	keys = slices.Concat(keys, site.ListingKeys)
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := site.NewValues(r.URL.Query(), keys)
		if err != nil {
			return err
		}
		e := s.Entry(r)
		l := &list{
			Request: r, Profile: s.coverage(r), Listing: v.Listing(), base: site.PageOf(e.ID), address: site.AddressOf(r.URL),
			dir: strings.Trim(v.One("path"), "/"), links: s.SourceLinks(e),
		}
		l.api = l.address.Without("page", "cursor")
		l.api.Path = site.APIOf(e.ID) + "/coverage/" + name
		show := read(v, l)
		if v.Err != nil {
			return v.Err
		}
		if l.Format != "" {
			http.Redirect(w, r, l.api.With("format", string(l.Format)).String(), http.StatusSeeOther)
			return nil
		}
		ctx, end, err := s.BeginView(w, r, "")
		if ctx == nil {
			return err
		}
		defer end()
		shown, err := show(ctx)
		if err != nil {
			return err
		}
		return s.Render(w, r, http.StatusOK, shown)
	}
}

// files are those of the directory; nil for all.
func (l *list) files() ([]int, error) {
	if l.dir == "" {
		return nil, nil
	}
	return below(l.Profile, l.dir)
}

// plain is the address from the first row, without some parameters.
func (l *list) plain(keys ...string) site.Address {
	return l.address.Without(append(keys, "page", "cursor")...)
}

// frame is what surrounds the rows, of which so many match.
func (l *list) frame(m *page.List, rows, matching int) {
	m.CSV = l.api.With("format", "csv").String()
	m.Shown, m.Pager = shownRows(l.Offset, rows, matching), site.ListPager(l.address, &l.Listing, matching)
	if l.dir != "" {
		m.Chips = append([]page.Chip{{Text: "path = " + say.Printable(l.dir) + "/", Remove: l.plain("path").String()}},
			m.Chips...)
	}
}
