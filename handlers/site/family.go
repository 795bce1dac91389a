package site

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/profile/figure"
	"proflens/profile/lines"
	"proflens/profile/stored"
	"proflens/views/page"
	"proflens/views/picture"
)

// Family is how profiles of one family answer: what it has at which address, and
// what it adds to what all profiles have. The server knows families by their
// list alone.
type Family struct {
	Name model.Family
	// Kind is what the top bar calls its profiles; empty for the words of their
	// format.
	Kind string
	// Accepts is what the home page says of the files of its suite.
	Accepts []page.Accepted
	// Pages are below /p/{id}, API below /api/v1/profiles/{id}.
	Pages, API []Route
	// Posts are asked by POST, below both.
	Posts  []Route
	Search func(base string) *page.Search
	// Tabs adds those of its pages.
	Tabs func(t *Tabs)
	// Figures are what a profile as a whole comes to; Change may show one otherwise, nil for none.
	Figures *figure.List
	Change  func(overview any, w figure.Words, s *figure.Shown)
	// Whole is what the API's object of a profile has of it, where that is more than the
	// overview.
	Whole figure.Part
	// Links are of what it has, below the profile's address in the API.
	Links func(e *catalog.Entry) []string
	// Text writes for a terminal what stands below the figures; nil for nothing.
	Text func(ctx context.Context, t *ProfileWriter, p *stored.Profile) error
	// Commands are what can be asked next, and Receipt the few of them that the
	// answer to an upload has: what can be asked of every profile of the family.
	Commands func(ctx context.Context, p *stored.Profile) ([]Command, error)
	Receipt  func(e *catalog.Entry) []Command
	// Shape is what the small distribution of a profile in lists counts.
	Shape string
	// Chart is the few rows of a profile that say most, for what a shared link shows; nil
	// where there is nothing to draw.
	Chart func(ctx context.Context, p *stored.Profile) (*picture.Chart, error)
	// Leads is set where its tabs and figures come before those of other families: on the first
	// page, in lists, for a terminal, in what a shared link shows, and where two are compared.
	Leads bool
	// Params say what parameters are that mean the same on all its routes, and what its objects
	// are, in the notation of package openapi.
	Params string
	// Objects are what objects of the API are written from, by their names: structs, declared
	// tables and columns.
	Objects map[string]any
	// Tables are those of its tables that take more parameters than columns, by
	// name.
	Tables map[string]TableExport
	// OnOverview and OnFunction are what it adds to the first page of a profile and
	// to that of a function where another family answers; nil where nothing.
	OnOverview func(ctx context.Context, r *http.Request) (page.Part, error)
	OnFunction func(ctx context.Context, e *catalog.Entry, p *stored.Profile, name []byte) (page.Part, error)
	// Finds is what a search finds in it where another family answers, such as files;
	// nil where nothing.
	Finds func(ctx context.Context, p *stored.Profile, text string, limit int) ([]Suggestion, error)
	// Counted are the lists of the rows that findings count, below a profile's page, by
	// code.
	Counted map[string]string
	// Sources are the names of the source files that its lines are of, beside those of
	// Lines; nil where it has no lines.
	Sources func(ctx context.Context, p *stored.Profile) ([]string, error)
	// Lines are its figures by line of source files, a nil table where a profile has none;
	// AtLine is what of it a line has, at most limit things. Both are nil where it has none.
	Lines  func(ctx context.Context, p *stored.Profile) (*lines.Table, error)
	AtLine AtLine
	// Measures is what its profiles have of a program, in a word: "Counts". FindFunction finds
	// a function in one by its PGO name; nil where there is none such.
	Measures     string
	FindFunction func(ctx context.Context, p *stored.Profile, base string, pgo []byte) (*Occurrence, error)
	// Indexed is set where its profiles can be written as LLVM's indexed ones, and merged.
	// CannotMerge is then why the second of two cannot be merged with the first, a
	// *[model.FormatError]; nil when it can.
	Indexed     bool
	CannotMerge func(a, b *stored.Profile) error
	// NoIndexed is what the page of downloads says of a profile that cannot; empty for nothing.
	NoIndexed string
	// Comparer compares two of its profiles; nil where that makes no sense.
	Comparer *Comparer
}

// TableExport is how the export of a table with parameters of its own is read: its
// parameters, those of one page among them, and how the table is opened.
type TableExport struct {
	Keys []string
	Says string // of the parameters that a declaration gives, as Said has it
	Read func(r *http.Request, q url.Values) (Listing, Opener, error)
}

// OpenPart is a part of a profile that may not be opened yet.
func OpenPart[P any](p *stored.Profile, part func(*stored.Profile) (P, error)) (P, error) {
	if p == nil {
		var none P
		return none, stored.ErrNoPart
	}
	return part(p)
}

// Route is an address that a family answers at.
type Route struct {
	Path   string
	Answer Handler
	// Keys are the parameters of a call of the API, and Says what the API's document says
	// of it, as [Said] has them.
	Keys           []string
	Says, Declared string
	// Always is set where it answers for profiles of all other families too, and
	// says what there is not.
	Always bool
}

// ErrPass is a route's answer where another family may have what it has not: the next one
// answers.
var ErrPass = errors.New("another family answers")

// ErrNotInFamily is the answer where a profile's family has nothing to show.
var ErrNotInFamily = errors.New("this kind of profile has no such page")

// familiesOf are those of a profile; the first of all for one of none.
func (s *Site) familiesOf(families []model.Family) []*Family {
	var list []*Family
	for _, f := range s.Families {
		if slices.Contains(families, f.Name) {
			list = append(list, f)
		}
	}
	if list == nil {
		list = s.Families[:1]
	}
	return list
}

// familiesIn are those named, in the order of the names.
func (s *Site) familiesIn(names []model.Family) []*Family {
	var list []*Family
	for _, name := range names {
		for _, f := range s.Families {
			if f.Name == name {
				list = append(list, f)
			}
		}
	}
	return list
}

// FirstCommands is what can be asked of a profile that has just arrived, by what is known of
// it.
func (s *Site) FirstCommands(e *catalog.Entry) []Command {
	var list []Command
	for _, f := range s.leading(e) {
		list = append(list, f.Receipt(e)...)
	}
	return list
}

// FirstFamily is whose figures lists have of a profile.
func (s *Site) FirstFamily(e *catalog.Entry) *Family { return s.familiesOf(e.Families)[0] }

// ByFamily lets the opened profile's family answer at a path, the first that has
// it.
func (s *Site) ByFamily(path string, routes func(*Family) []Route) Handler {
	at := func(f *Family) *Route {
		i := slices.IndexFunc(routes(f), func(r Route) bool { return r.Path == path })
		if i < 0 {
			return nil
		}
		return &routes(f)[i]
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		for _, f := range s.familiesOf(s.Profile(r).Overview.Info.Families) {
			if to := at(f); to != nil {
				if err := to.Answer(w, r); err != ErrPass {
					return err
				}
			}
		}
		for _, f := range s.Families {
			if to := at(f); to != nil && to.Always {
				return to.Answer(w, r)
			}
		}
		return ErrNotInFamily
	}
}

// Answers reports whether a family of the opened profile has a page at a path.
func (s *Site) Answers(r *http.Request, path string) bool {
	p := s.Profile(r)
	return slices.ContainsFunc(s.Families, func(f *Family) bool {
		return p.Has(f.Name) && slices.ContainsFunc(f.Pages, func(to Route) bool { return to.Path == path })
	})
}

// Paths are those that some family answers at.
func (s *Site) Paths(routes func(*Family) []Route) []string {
	var list []string
	for _, f := range s.Families {
		for _, r := range routes(f) {
			if !slices.Contains(list, r.Path) {
				list = append(list, r.Path)
			}
		}
	}
	return list
}

func PagesOf(f *Family) []Route     { return f.Pages }
func ApiRoutesOf(f *Family) []Route { return f.API }
func PostsOf(f *Family) []Route     { return f.Posts }

// Added is what the other families of a profile add to a page of it, first those that lead.
func (s *Site) Added(p *stored.Profile, add func(*Family) (page.Part, error)) (first, others []page.Part, err error) {
	for _, f := range s.Families {
		if !p.Has(f.Name) {
			continue
		}
		part, err := add(f)
		switch {
		case err != nil:
			return nil, nil, err
		case part == nil:
		case f.Leads:
			first = append(first, part)
		default:
			others = append(others, part)
		}
	}
	return first, others, nil
}

// Indexable reports whether a profile can be written as an indexed one.
func (s *Site) Indexable(e *catalog.Entry) bool {
	return slices.ContainsFunc(s.familiesOf(e.Families), func(f *Family) bool { return f.Indexed })
}
