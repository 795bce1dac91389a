package site

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/internal/humanize"
	"proflens/profile/ranks"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/page"
)

// Comparer is how two profiles of a family are compared. The frame, which is the same
// for all families, has the addresses, the pickers and the threshold.
type Comparer struct {
	// Keys are the parameters that it has besides those of all comparisons; Declared says
	// what the declaration of its table does of them, as Said has it.
	Keys     []string
	Declared string
	// Read reads them, and what selects rows, and says what there is to compare; nothing is
	// compared yet. Errors of parameters are *[ParamError].
	Read func(c *Comparing, v *Values) (Compared, error)
	// Kept is the address that what a browser keeps makes of that of a page; empty where it
	// keeps nothing. It can be nil.
	Kept func(c *Comparing) string
	// Pages and API are further addresses, below /compare/A...B.
	Pages, API []ComparedRoute
	// Ranks are the functions of one of its profiles, for comparisons with profiles of
	// other families; nil where it has none.
	Ranks func(ctx context.Context, p *stored.Profile) (*ranks.Profile, error)
	// Across is set where it compares any two families that have these.
	Across bool
}

// ComparedRoute is an address below that of a comparison.
type ComparedRoute struct {
	Path   string
	Does   string // of a call that has a text form: what a terminal is told that it does
	Answer func(w http.ResponseWriter, r *http.Request, c *Comparing) error
	Keys   []string // of a call: as Route has them
	Says   string
}

// Compared is two profiles that a family compares as a request asks for it.
type Compared interface {
	// Typed leads a page where a condition was typed to the address that has it as a range, if one was.
	Typed(w http.ResponseWriter, r *http.Request) (moved bool, err error)
	// Page fills in what a page shows of them.
	Page(ctx context.Context, m *page.Compare) error
	// Table is all rows that the request selects, for scripts.
	Table(o table.Options) table.Table
	// Lead is what a text for a terminal begins with.
	Lead(ctx context.Context) (string, error)
}

// Comparing is a request for a comparison.
type Comparing struct {
	*Site
	Request    *http.Request
	Family     *Family
	Base, Test ComparedSide
	CompareParams
	Address Address // of the page, or of the call
	Symbols Symbols
	// Frame is what all pages of the comparison have: pickers, switches, the menu.
	Frame func(ctx context.Context) (page.Compare, error)
}

// ComparedSide is one of the two profiles, opened.
type ComparedSide struct {
	*catalog.Entry
	Profile *stored.Profile
}

// CompareParams are the parameters of all comparisons.
type CompareParams struct {
	Listing
	Min       string // as given
	States    []string
	Direction table.Direction
	// Whole is set where the threshold, unless it is given, leaves nothing out: in
	// calls that were there before it, and where a filter selects.
	Whole bool
}

// CompareKeys are those parameters; family chooses among several.
var CompareKeys = slices.Concat(strings.Fields("family min q re state direction sort"), ListingKeys)

// CompareFilters are those of them that select rows.
var CompareFilters = []string{"q", "re", "state", "direction"}

// ReadCompare reads the parameters of all comparisons.
func ReadCompare(v *Values) CompareParams {
	p := CompareParams{Listing: v.Listing(), Min: v.One("min"), States: v.List("state")}
	p.Direction = Choice(v, "direction", "", table.More, table.Less, table.Same)
	p.Whole = slices.ContainsFunc(CompareFilters, func(key string) bool { return len(v.List(key)) > 0 })
	return p
}

// CompareURL is the page that compares two profiles.
func CompareURL(base, test string) string { return "/compare/" + base + "..." + test }

// CompareAPI is the same comparison in the API.
func CompareAPI(base, test string) string { return "/api/v1" + CompareURL(base, test) }

// CanCompare reports whether a profile can be compared with others of its families.
func (s *Site) CanCompare(e *catalog.Entry) bool { return len(s.comparers(e.Families)) > 0 }

// comparers are the families of a profile that can be compared.
func (s *Site) comparers(families []model.Family) []*Family {
	return slices.DeleteFunc(s.familiesIn(families), func(f *Family) bool { return f.Comparer == nil })
}

// ComparedFamilies are the families in which two profiles can be compared: those of both
// or, where they have none in common, one that compares across families.
func (s *Site) ComparedFamilies(base, test *catalog.Entry) []*Family {
	common := slices.DeleteFunc(s.comparers(base.Families), func(f *Family) bool {
		return !slices.Contains(test.Families, f.Name)
	})
	if len(common) > 0 || s.Ranked(base) == nil || s.Ranked(test) == nil {
		return common
	}
	return slices.DeleteFunc(slices.Clone(s.Families), func(f *Family) bool {
		return f.Comparer == nil || !f.Comparer.Across
	})
}

// Ranked is the family of a profile that compares with other families; nil for none.
func (s *Site) Ranked(e *catalog.Entry) *Family {
	for _, f := range s.comparers(e.Families) {
		if f.Comparer.Ranks != nil {
			return f
		}
	}
	return nil
}

// ComparedWords are words of which profiles that can be compared have one in common.
func (s *Site) ComparedWords(e *catalog.Entry) (list []string) {
	for _, f := range s.comparers(e.Families) {
		list = append(list, string(f.Name))
	}
	if s.Ranked(e) != nil {
		list = append(list, "ranks")
	}
	return list
}

// incomparable is the answer where two profiles have nothing in common.
func incomparable(base, test *catalog.Entry) *Problem {
	return &Problem{Status: http.StatusUnprocessableEntity, Kind: string(model.KindIncompatible),
		Title: "Cannot be compared", ID: test.ID,
		Detail: fmt.Sprintf("they measure different things: %s is %s, %s is %s", humanize.Printable(base.Name),
			base.Describe, humanize.Printable(test.Name), test.Describe)}
}

// Compare opens two profiles for a request and leads it to their family. The
// parameters of the request are among keys besides those of all comparisons.
func (s *Site) Compare(r *http.Request, base, test string) (c *Comparing, release func(), err error) {
	q := r.URL.Query()
	var sides [2]*catalog.Entry
	for i, id := range []string{base, test} {
		if sides[i], err = s.Store.Entry(r.Context(), id); err != nil {
			return nil, nil, err
		}
		if sides[i].State != catalog.Ready {
			return nil, nil, s.Unready(sides[i])
		}
	}
	common := s.ComparedFamilies(sides[0], sides[1])
	if len(common) == 0 {
		return nil, nil, incomparable(sides[0], sides[1])
	}
	family := common[0]
	if word := q.Get("family"); word != "" {
		i := slices.IndexFunc(common, func(f *Family) bool { return string(f.Name) == word })
		if i < 0 {
			var known []model.Family
			for _, f := range common {
				known = append(known, f.Name)
			}
			return nil, nil, &ParamError{
				Param: "family", Msg: fmt.Sprintf("unknown value %q; use one of %s", word, JoinWords(known)),
			}
		}
		family = common[i]
	}
	c = &Comparing{
		Site: s, Request: r, Family: family, Address: AddressOf(r.URL), Base: ComparedSide{Entry: sides[0]},
		Test: ComparedSide{Entry: sides[1]},
	}
	release = func() {
		for _, side := range []*ComparedSide{&c.Base, &c.Test} {
			if side.Profile != nil {
				side.Profile.Close()
			}
		}
	}
	for _, side := range []*ComparedSide{&c.Base, &c.Test} {
		if side.Profile, err = s.Store.Open(r.Context(), side.Entry); err != nil {
			release()
			return nil, nil, err
		}
	}
	return c, release, nil
}

// Plain is the address of a page without filters, order and place.
func (c *Comparing) Plain() Address {
	return c.Address.Without(slices.Concat([]string{"page", "cursor", "sort"}, CompareFilters, c.Family.Comparer.Keys)...)
}

// Both are what a family has of the two profiles.
func Both[P any](c *Comparing, of func(*stored.Profile) (P, error)) (base, test P, err error) {
	if base, err = of(c.Base.Profile); err == nil {
		test, err = of(c.Test.Profile)
	}
	return base, test, err
}

// Having is the base where it has something, or else the test profile.
func (c *Comparing) Having(base bool) *ComparedSide {
	if base {
		return &c.Base
	}
	return &c.Test
}

// Choice chooses among the values of a parameter, of which the first is the usual one; another
// one leaves out what else is named.
func (c *Comparing) Choice(label, key, current string, ways []Way, without ...string) page.Choice {
	usual := ""
	if len(ways) > 0 {
		usual = ways[0].Value
	}
	a := c.Address.Without(append(without, "page", "cursor")...)
	return page.Choice{Label: label, Segments: a.Ways(key, usual, current, ways)}
}

// At is an address below that of the comparison's page.
func (c *Comparing) At(path string) Address {
	a := NewAddress(CompareURL(c.Base.ID, c.Test.ID) + path)
	return a.With("family", c.Address.Query.Get("family"))
}
