package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/profiledb/stored"
	"proflens/views/page"
)

// family is how profiles of one family answer: what it has at which address, and
// what it adds to what all profiles have. The server knows families by their
// list alone.
type family struct {
	name model.Family
	// kind is what the top bar calls its profiles; empty for the words of their
	// format.
	kind string
	// pages are below /p/{id}, api below /api/v1/profiles/{id}.
	pages, api []route
	search     func(base string) *page.Search
	// tabs are those of its pages; p is nil before the tables can be opened.
	tabs func(e *catalog.Entry, p *stored.Profile, base string, current view) []page.Tab
	// object is what the API's object of a profile has of it: its members.
	object func(ctx context.Context, p *stored.Profile, quote bool) (any, error)
	links  []string // of what it has, below the profile's address in the API
	// text writes its figures for a terminal, commands what can be asked next.
	text     func(ctx context.Context, t *profileWriter, p *stored.Profile) error
	commands func(t *profileWriter, next func(does, call string))
	// figures are what lists say of a profile's size, and shape what its small
	// distribution counts.
	figures func(e *catalog.Entry) (functions, total page.Number)
	shape   string
	// tables are those of its tables that take more parameters than columns, by
	// name.
	tables map[string]tableExport
	// onOverview and onFunction are what it adds to the first page of a profile and
	// to that of a function where another family answers; nil where nothing.
	onOverview func(ctx context.Context, p *stored.Profile, base string) (page.Part, error)
	onFunction func(ctx context.Context, p *stored.Profile, base string, name []byte) (page.Part, error)
	// sitePages and siteAPI are addresses that are not those of one profile, below /
	// and /api/v1.
	sitePages, siteAPI []route
	// compared is set where two of its profiles can be compared.
	compared bool
}

// tableExport is how the export of a table with parameters of its own is read: its
// parameters, those of one page among them, and how the table is opened.
type tableExport struct {
	keys []string
	read func(r *http.Request, q url.Values) (listing, opener, error)
}

// totalOf is a profile's total in a list, in its unit.
func totalOf(e *catalog.Entry, unit string) page.Number {
	if e.Total == "" {
		return page.Number{Text: "–"}
	}
	total := page.BigCount(e.Total)
	if total.Exact != "" {
		total.Exact += " " + unit
	}
	total.Text += " " + unit
	return total
}

// openPart is a part of a profile that may not be opened yet.
func openPart[P any](p *stored.Profile, part func(*stored.Profile) (P, error)) (P, error) {
	if p == nil {
		var none P
		return none, stored.ErrNoPart
	}
	return part(p)
}

// route is an address that a family answers at.
type route struct {
	path   string
	answer handler
	// always is set where it answers for profiles of all other families too, and
	// says what there is not.
	always bool
}

// errNotInFamily is the answer where a profile's family has nothing to show.
var errNotInFamily = errors.New("profiles of this kind do not have this")

// familiesOf are those of a profile; the first of all for one of none.
func (s *Site) familiesOf(families []model.Family) []*family {
	var list []*family
	for _, f := range s.families {
		if slices.Contains(families, f.name) {
			list = append(list, f)
		}
	}
	if list == nil {
		list = s.families[:1]
	}
	return list
}

// firstFamily is whose figures lists have of a profile.
func (s *Site) firstFamily(e *catalog.Entry) *family { return s.familiesOf(e.Families)[0] }

// byFamily lets the opened profile's family answer at a path, the first that has
// it.
func (s *Site) byFamily(path string, routes func(*family) []route) handler {
	at := func(f *family) *route {
		i := slices.IndexFunc(routes(f), func(r route) bool { return r.path == path })
		if i < 0 {
			return nil
		}
		return &routes(f)[i]
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		for _, f := range s.familiesOf(s.profile(r).Overview.Info.Families) {
			if to := at(f); to != nil {
				return to.answer(w, r)
			}
		}
		for _, f := range s.families {
			if to := at(f); to != nil && to.always {
				return to.answer(w, r)
			}
		}
		return errNotInFamily
	}
}

// answers reports whether a family of the opened profile has a page at a path.
func (s *Site) answers(r *http.Request, path string) bool {
	p := s.profile(r)
	return slices.ContainsFunc(s.families, func(f *family) bool {
		return p.Has(f.name) && slices.ContainsFunc(f.pages, func(to route) bool { return to.path == path })
	})
}

// paths are those that some family answers at.
func (s *Site) paths(routes func(*family) []route) []string {
	var list []string
	for _, f := range s.families {
		for _, r := range routes(f) {
			if !slices.Contains(list, r.path) {
				list = append(list, r.path)
			}
		}
	}
	return list
}

func pagesOf(f *family) []route     { return f.pages }
func apiRoutesOf(f *family) []route { return f.api }

// canCompare reports whether a profile can be compared with others of its family.
func (s *Site) canCompare(e *catalog.Entry) bool {
	return slices.ContainsFunc(s.familiesOf(e.Families), func(f *family) bool { return f.compared })
}

// added is what the other families of a profile add to a page of it.
func (s *Site) added(p *stored.Profile, add func(*family) (page.Part, error)) ([]page.Part, error) {
	var parts []page.Part
	for _, f := range s.families {
		if !p.Has(f.name) {
			continue
		}
		part, err := add(f)
		if err != nil {
			return nil, err
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts, nil
}
