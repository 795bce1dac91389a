package lists

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views"
	"proflens/views/page"
)

// Finder gives what finds the rows of a table in a profile.
type Finder func(ctx context.Context, p *stored.Profile) (table.Find, error)

// Of finds the rows of a part of profiles.
func Of[P any](part func(*stored.Profile) (P, error), find func(context.Context, P) (table.Find, error)) Finder {
	return func(ctx context.Context, p *stored.Profile) (table.Find, error) {
		records, err := part(p)
		if err != nil {
			return nil, err
		}
		return find(ctx, records)
	}
}

// Plain is of a table without parameters of its own.
func Plain[P any](part func(*stored.Profile) (P, error),
	find func(P, context.Context) (table.Find, error)) func(*site.Values) Finder {
	return func(*site.Values) Finder {
		return Of(part, func(ctx context.Context, records P) (table.Find, error) { return find(records, ctx) })
	}
}

// Varied gives the same of a table whose columns depend on the profile, with the columns
// that it has there.
type Varied func(ctx context.Context, p *stored.Profile) (*table.Declaration, table.Find, error)

// Declared is a table by its declaration: its page, and how the API has it.
type Declared struct {
	*table.Declaration
	ID string // "calls": of the table in styles and tests, and of its downloads
	// Own are the parameters that it has beside those of all tables, and Page those of
	// the page alone; Find reads the former.
	Own, Page []string
	Find      func(v *site.Values) Finder
	Vary      func(v *site.Values) Varied // in place of Find, where columns depend on the profile

	// Fixed are parameters and values, in turn, that its page has where an address does not
	// say, and the API must be told.
	Fixed []string
	API   string    // where the API has it, below the profile: "/calls"
	View  site.View // of its page
	Title string
	Note  string     // what the table is of
	First string     // what its usual order is for; said where no other is asked for
	None  page.Blank // what is said of a profile that has no rows
	Opens string     // what the first link of a row opens
	How   page.How   // what to read on of the page
	// Adorn says where rows lead, draws the cells that no other table has, and adds what
	// stands around them; Inspect adds to the inspector of the selected row, which has its
	// figures. Both can be nil.
	Adorn   func(r *http.Request, v *Request, g *page.Grid) error
	Inspect func(r *http.Request, v *Request, in *page.Inspector, row any) error
}

// Request is a request for the page of a declared table, with its rows.
type Request struct {
	*Declared
	Params
	Query   table.Query
	Found   table.Page
	Base    string // "/p/{id}"
	Address site.Address
	Symbols site.Symbols
	Fields  []*table.Field // the columns that are shown
	// Link is where a row leads, and Draw makes cells of the columns of these names; set by
	// Adorn. Both take a pointer to the row.
	Link func(row any) string
	// To is where functions lead, of cells that nothing else draws; nil for nowhere.
	To   func(f table.Named) string
	Draw Draws
}

// Draws makes cells of the columns of these names, each from a pointer to the row.
type Draws map[string]func(row any) page.GridCell

// list is the table as a list, without heads.
func (d *Declared) list() *List {
	l := ListOf(d.Declaration)
	l.Vary, l.Heads = d.Vary != nil, nil
	return l
}

// ListOf is a table as a list with the usual columns: its parameters, and what stands around
// its rows.
func ListOf(d *table.Declaration) *List {
	l := &List{
		Heads: Heads(d), Sorts: d.Sorts(), Ranges: d.Ranges(), Usual: d.Key(), Noun: d.Noun, Nouns: d.Nouns,
		Words: d.Sought, Nameless: !d.HasWords(), Of: d,
	}
	if f := d.Field(d.Least); d.Least != "" {
		l.Least = page.RangeField{Name: f.Name, Label: f.Head}
	}
	return l
}

// keys are the parameters of the table in the API.
func (d *Declared) keys() []string {
	keys := slices.Concat(d.list().Keys(), d.Own)
	for _, f := range d.Facets() {
		keys = append(keys, f.Name)
	}
	return keys
}

// params are those of a request.
type params struct {
	Params
	query table.Query
	find  Varied
}

func (d *Declared) parse(q url.Values, more ...string) (params, error) {
	v := site.NewValues(q, slices.Concat(d.keys(), more))
	p := params{Params: d.list().Read(v), find: d.finder(v)}
	p.query.RowQuery = p.Params.Query
	for _, f := range d.Facets() {
		switch is := v.Boolean(f.Name); {
		case is != nil && *is:
			p.query.Facets = append(p.query.Facets, f.Name)
		case is != nil && f.Not != "":
			p.query.Facets = append(p.query.Facets, "!"+f.Name)
		}
	}
	return p, v.Err
}

// finder finds the rows, once what they are sorted by is known.
func (d *Declared) finder(v *site.Values) Varied {
	if d.Vary == nil {
		find := d.Find(v)
		return func(ctx context.Context, p *stored.Profile) (*table.Declaration, table.Find, error) {
			rows, err := find(ctx, p)
			return d.Declaration, rows, err
		}
	}
	vary, sort := d.Vary(v), v.Order("sort")
	return func(ctx context.Context, p *stored.Profile) (*table.Declaration, table.Find, error) {
		of, rows, err := vary(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		check := &site.Values{}
		check.Sorted("sort", sort, of.Sorts())
		return of, rows, check.Err
	}
}

// Export is the table for the API and the exports.
func (d *Declared) Export(s *site.Site) site.TableExport {
	whole := func(p *stored.Profile) (*stored.Profile, error) { return p, nil }
	t := Table(s, whole, d.keys(), func(q url.Values) (params, error) { return d.parse(q) },
		func(ctx context.Context, records *stored.Profile, p params, o table.Options, whole bool) (table.Table, error) {
			of, find, err := p.find(ctx, records)
			if err != nil {
				return nil, err
			}
			return of.Open(find, p.query, o, whole), nil
		})
	t.Says = Says(d.Declaration)
	return t
}

// Says is what the parameters are that a declaration gives, as site.Said has it.
func Says(d *table.Declaration) string {
	sort := "Comma-separated columns, with - for descending: " + site.JoinWords(d.Sorts()) + "."
	if d.Usual != "" {
		sort += " Default: " + d.Usual + "."
	}
	lines := []string{"?sort: " + sort}
	for _, f := range d.Fields() {
		if f.Range {
			what := " range: Range of "
			if f.Unit == table.Part {
				what = " span: Range in per cent of "
			}
			lines = append(lines, strings.TrimSuffix("?"+f.Name+what+f.Name+", "+f.Help, ", "))
		}
	}
	for _, f := range d.Facets() {
		says := "true keeps " + strings.ToLower(f.Label)
		if f.Not != "" {
			says += "; false keeps " + strings.ToLower(f.Not)
		}
		lines = append(lines, "?"+f.Name+" boolean: "+says+".")
	}
	return strings.Join(lines, "\n")
}

// Serve answers with the page.
func (d *Declared) Serve(s *site.Site) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return d.serve(s, w, r) }
}

func (d *Declared) serve(s *site.Site, w http.ResponseWriter, r *http.Request) error {
	if moved, err := d.list().Typed(w, r); moved || err != nil {
		return err
	}
	p, err := d.parse(r.URL.Query(), append(slices.Clone(d.Page), Selected)...)
	if err != nil {
		return err
	}
	v := &Request{
		Declared: d, Params: p.Params, Query: p.query, Base: s.Base(r), Address: site.AddressOf(r.URL),
	}
	api := v.api(site.APIOf(s.Entry(r).ID))
	if p.Format != "" {
		return site.Forward(w, r, api.String())
	}
	if site.RedirectJoined(w, r, v.Address) {
		return nil
	}
	ctx, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	here := *d
	v.Declared = &here
	var find table.Find
	if here.Declaration, find, err = p.find(ctx, s.Profile(r)); err != nil {
		return err
	}
	if v.Fields, err = here.Shown(p.Cols); err != nil {
		return err
	}
	if v.Found, err = find(ctx, v.Query); err != nil {
		return err
	}
	v.Symbols = s.Symbols(p.Names)
	g, err := v.Grid(r.WithContext(ctx))
	if err != nil {
		return err
	}
	if v.Found.Searched != nil {
		site.Unsettled(w)
	}
	g.CSV = api.FirstPage("limit", "names").With("format", "csv").String()
	return s.Render(w, r, views.GridPage(s.ProfileShell(r, d.View, g.Title), *g))
}

// ForAPI is the address of a page without what the page alone has, for the same rows in the API:
// own parameters, the row that is selected, and the choice of columns, of which some are of the
// page alone.
func ForAPI(a site.Address, own ...string) site.Address {
	return a.Without(append(slices.Clone(own), Selected, "cols")...)
}

// api is the same rows in the API.
func (v *Request) api(of string) site.Address {
	a := ForAPI(v.Address, v.Declared.Page...)
	a.Path = of + v.API
	for i := 0; i+1 < len(v.Fixed); i += 2 {
		if a.Query.Get(v.Fixed[i]) == "" {
			a = a.With(v.Fixed[i], v.Fixed[i+1])
		}
	}
	return a
}

// Shown are the columns that cols= asks for, or the usual ones, in their order on pages.
func (d *Declared) Shown(cols []string) ([]*table.Field, error) {
	all, usual := d.OnPage()
	if len(cols) == 0 {
		return all[:usual], nil
	}
	list := slices.DeleteFunc(slices.Clone(all), func(f *table.Field) bool { return !slices.Contains(cols, f.Name) })
	for _, name := range cols {
		if !slices.ContainsFunc(list, func(f *table.Field) bool { return f.Name == name }) {
			var known []string
			for _, f := range all {
				known = append(known, f.Name)
			}
			return nil, &site.ParamError{Param: "cols", Msg: (&table.ColumnError{Name: name, Known: known}).Error()}
		}
	}
	return list, nil
}
