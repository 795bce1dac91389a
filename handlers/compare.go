package handlers

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/catalog"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
	"proflens/views"
	"proflens/views/page"
)

// compared gives a handler the two profiles that the address names, A...B.
func (s *server) compared(h func(w http.ResponseWriter, r *http.Request, c *site.Comparing) error) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		base, test, ok := strings.Cut(chi.URLParam(r, "pair"), "...")
		if !ok || base == "" || test == "" {
			return site.ErrNoRoute
		}
		c, release, err := s.Compare(r, base, test)
		if err != nil {
			return err
		}
		defer release()
		c.Frame = func(ctx context.Context) (m page.Compare, err error) {
			m.SwapKey = "s"
			m.Swap = c.Address.Moved(strings.Replace(r.URL.Path, base+"..."+test, test+"..."+base, 1))
			m.Families = s.compareFamilies(c)
			if m.Merge, err = s.mergeModel(ctx, r, c); err != nil {
				return m, err
			}
			m.A, m.B, err = s.pickers(ctx, c)
			return m, err
		}
		return h(w, r, c)
	}
}

// belowCompared lets the family of a comparison answer at an address below it.
func (s *server) belowCompared(path string, routes func(*site.Comparer) []site.ComparedRoute) site.Handler {
	return s.compared(func(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
		for _, to := range routes(c.Family.Comparer) {
			if to.Path == path {
				return to.Answer(w, r, c)
			}
		}
		return site.ErrNotInFamily
	})
}

// comparedPaths are the addresses below comparisons.
func (s *server) comparedPaths(routes func(*site.Comparer) []site.ComparedRoute) []string {
	var list []string
	for _, f := range s.Families {
		if f.Comparer == nil {
			continue
		}
		for _, to := range routes(f.Comparer) {
			if !slices.Contains(list, to.Path) {
				list = append(list, to.Path)
			}
		}
	}
	return list
}

// comparedCall makes a call of the API that compares, or that is below one.
func (s *server) comparedCall(h site.Handler, below, says string, own ...string) site.Call {
	c := s.Call(h, says, own...)
	for _, f := range s.Families {
		if f.Comparer == nil {
			continue
		}
		if below == "" {
			c.Said = append(c.Said, site.Said{Keys: f.Comparer.Keys, Declared: f.Comparer.Declared, Of: f})
		}
		for _, to := range f.Comparer.API {
			if to.Path == below {
				c.Said = append(c.Said, site.Said{Keys: to.Keys, Says: to.Says, Of: f})
			}
		}
	}
	return c
}

func comparedPages(c *site.Comparer) []site.ComparedRoute { return c.Pages }
func comparedAPI(c *site.Comparer) []site.ComparedRoute   { return c.API }

// readCompared reads the parameters of a comparison; whole is set where the threshold
// leaves nothing out unless it is given.
func readCompared(r *http.Request, c *site.Comparing, whole bool, others ...string) (site.Compared, error) {
	v := site.NewValues(r.URL.Query(), slices.Concat(others, site.CompareKeys, c.Family.Comparer.Keys))
	c.CompareParams = site.ReadCompare(v)
	c.Whole = c.Whole || whole
	c.Symbols = c.Site.Symbols(c.CompareParams.Names)
	if v.Err != nil {
		return nil, v.Err
	}
	both, err := c.Family.Comparer.Read(c, v)
	if err == nil {
		err = v.Err
	}
	return both, err
}

// comparePage is GET /compare/{a}...{b}.
func (s *server) comparePage(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	plain := site.WantsPlain(r) || r.URL.Query().Get("format") == string(table.FormatText)
	if lead := s.compareFirst(c); plain && lead != c.Family && len(c.Address.Without("format").Query) == 0 {
		c.Family, c.Address = lead, c.Address.With("family", string(lead.Name))
	}
	both, err := readCompared(r, c, false, lists.Selected)
	if err != nil {
		return err
	}
	if c.Format != "" {
		api := lists.ForAPI(c.Address).Moved(site.CompareAPI(c.Base.ID, c.Test.ID))
		return site.Forward(w, r, api)
	}
	if site.RedirectJoined(w, r, c.Address) {
		return nil
	}
	if moved, err := both.Typed(w, r); moved || err != nil {
		return err
	}
	if site.WantsPlain(r) {
		return s.compareText(w, r, c, both)
	}
	if lead := s.compareFirst(c); lead != c.Family && r.URL.RawQuery == "" {
		site.RedirectOnce(w, r, c.Address.With("family", string(lead.Name)).String())
		return nil
	}
	if kept := c.Family.Comparer.Kept; kept != nil {
		if to := kept(c); to != "" {
			site.RedirectOnce(w, r, to)
			return nil
		}
	}
	ctx := s.BeginCompared(w, r, c)
	if ctx == nil {
		return nil
	}
	m, err := c.Frame(ctx)
	if err != nil {
		return err
	}
	if err := both.Page(ctx, &m); err != nil {
		return err
	}
	shell := s.Shell(r, humanize.Printable(c.Base.Name)+" … "+humanize.Printable(c.Test.Name))
	shell.Wide, shell.Keys = true, compareKeyLines
	shell.Preview = s.ComparePreview(r, c, shell.Title, m.Lead+" "+m.Sentence)
	return s.Render(w, r, views.ComparePage(shell, m))
}

var compareKeyLines = page.Keys(
	"a b: pick A, pick B",
	"s: swap A and B",
	"f: filter",
	"n p: next, previous page",
)

// compareFirst is the family that the page of two profiles opens on: what they were recorded
// for.
func (s *server) compareFirst(c *site.Comparing) *site.Family {
	for _, f := range s.ComparedFamilies(c.Base.Entry, c.Test.Entry) {
		if f.Leads {
			return f
		}
	}
	return c.Family
}

// compareFamilies are the families in which the two can be compared.
func (s *server) compareFamilies(c *site.Comparing) []page.Segment {
	common := s.ComparedFamilies(c.Base.Entry, c.Test.Entry)
	if len(common) < 2 {
		return nil
	}
	var ways []site.Way
	for _, f := range common {
		ways = append(ways, site.Way{string(f.Name), f.Measures, ""})
	}
	return site.NewAddress(site.CompareURL(c.Base.ID, c.Test.ID)).
		Ways("family", "", string(c.Family.Name), ways)
}

// mergeModel is the form that merges the two, or why they cannot be merged.
func (s *server) mergeModel(ctx context.Context, r *http.Request, c *site.Comparing) (page.MergeForm, error) {
	if !s.Indexable(c.Base.Entry) && !s.Indexable(c.Test.Entry) {
		return page.MergeForm{Refused: "Profiles of this kind cannot be merged."}, nil
	}
	refusals, err := s.mergeRefusals(ctx, []*catalog.Entry{c.Base.Entry, c.Test.Entry})
	f := page.MergeForm{NeedsToken: s.AsksForToken(r), Name: mergedName(c.Base.Name, 2)}
	f.Inputs = []page.MergeInput{
		{Label: "Weight of A", ID: c.Base.ID, Name: humanize.Printable(c.Base.Name), Weight: "1"},
		{Label: "Weight of B", ID: c.Test.ID, Name: humanize.Printable(c.Test.Name), Weight: "1"},
	}
	for i, why := range refusals {
		if f.Refused == "" && why != "" {
			f.Refused = "AB"[i:i+1] + " cannot be merged. " + why
		}
	}
	return f, err
}

// comparedSays is what a profile is, in a few figures.
func comparedSays(s *server, e *catalog.Entry) string {
	functions, total := s.Sizes(e)
	list := []string{functions.Text, total.Text}
	return strings.Join(slices.DeleteFunc(list, func(t string) bool { return t == "" || t == "–" }), ", ")
}
