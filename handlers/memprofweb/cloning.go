package memprofweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/analyze"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// changedShown is how many of the contexts that change class the page of cloning
// shows.
const changedShown = 10

// cloningList is the list of sites that need cloning, on their page.
func cloningList() *lists.List { return lists.ListOf(memprofdb.Cloning) }

// cloning is the table of the sites that need cloning.
func (s *handler) cloning() *lists.Declared {
	return &lists.Declared{Declaration: memprofdb.Cloning, ID: "cloning", API: "/cloning", Own: thresholdKeys,
		Find: func(v *site.Values) lists.Finder {
			t := thresholdsOf(v)
			return lists.Of(memprofdb.Of, func(ctx context.Context, p *memprofdb.Profile) (table.Find, error) {
				return p.FindCloning(ctx, t)
			})
		}}
}

// pruned is the table of MIBs after pruning.
func (s *handler) pruned() *lists.Declared {
	return &lists.Declared{Declaration: memprofdb.MIBs, ID: "mibs", API: "/pruned-contexts",
		Own: append(slices.Clone(thresholdKeys), "site"), Find: func(v *site.Values) lists.Finder {
			t, of := thresholdsOf(v), v.FID("site")
			return lists.Of(memprofdb.Of, func(ctx context.Context, p *memprofdb.Profile) (table.Find, error) {
				return p.FindMIBs(ctx, t, of)
			})
		}}
}

// pageOf is the rows that a query asks for.
func pageOf(ctx context.Context, find table.Find, err error, q query.RowQuery) (table.Page, error) {
	if err != nil {
		return table.Page{}, err
	}
	return find(ctx, table.Query{RowQuery: q})
}

// cloningPage is GET /p/{id}/cloning: what the compiler would clone, and what
// other thresholds change.
func (s *handler) cloningPage(w http.ResponseWriter, r *http.Request) error {
	values := site.NewValues(r.URL.Query(), slices.Concat(thresholdKeys, cloningList().Keys()))
	p, t := cloningList().Read(values), thresholdsOf(values)
	if values.Err != nil {
		return values.Err
	}
	a := site.AddressOf(r.URL)
	if plain := withoutDefaults(a); plain.String() != a.String() { // as the form sends them
		return site.SeeOther(w, r, plain.String())
	}
	if moved, err := cloningList().Typed(w, r); moved || err != nil {
		return err
	}
	ctx, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	heap := s.heap(r)
	n, err := s.namesOf(ctx, r, p.Names)
	if err != nil {
		return err
	}
	find, err := heap.FindCloning(ctx, t)
	found, err := pageOf(ctx, find, err, p.Query)
	if err != nil {
		return err
	}
	sites, rows := found.Around.(*memprofdb.Pruning), table.RowsOf[memprofdb.PrunedSite](&found)
	before, err := heap.Contexts(ctx, memprofdb.Query{})
	if err != nil {
		return err
	}
	after, err := heap.Contexts(ctx, memprofdb.Query{Filter: memprofdb.Filter{Thresholds: t}})
	if err != nil {
		return err
	}
	changed, err := heap.Contexts(ctx, memprofdb.Query{
		Filter: memprofdb.Filter{Thresholds: t, Changed: new(true)}, Limit: changedShown,
	})
	if err != nil {
		return err
	}
	base := s.Base(r)
	v := sitesRequest{base: base, address: a}
	m := memprofview.Cloning{
		Tiles: cloningTiles(sites), Thresholds: thresholdForm(a, t), Before: before.Classes[:], Hints: hintsNote(t, after),
		Names: n, Sites: rows, Cut: sites.Cut,
		URL: func(s *memprofdb.PrunedSite) string {
			return withThresholds(site.NewAddress(base+"/cloning/"+site.FID(s.ID)), a).String()
		},
		List: cloningList().Frame(a, &p, lists.Found{Shown: len(rows), Matching: found.Matching, All: sites.Cloned}),
	}
	classes := t
	classes.HotHints = false // which change no class
	if classes != analyze.DefaultMemProfThresholds {
		m.After = after.Classes[:]
		m.Changes = humanize.Say("{context changes|contexts change} class.", changed.Matching)
		columns, err := shownColumns([]string{"class", "bytes", "lifetime", "lifetime_density"}, heap.Overview.Schema)
		if err != nil {
			return err
		}
		m.Changed = contextTable(base, changed.Rows, columns, n, v.thresholds())
		if changed.Matching > 0 {
			all := site.NewAddress(base+"/sites").With("changed", "true")
			m.AllChanged = withThresholds(all, a).String()
		}
	}
	m.CSV = apiOf(a, base, "/cloning").FirstPage("limit", "names").With("format", "csv").String()
	if sites.Cloned == 0 {
		m.Filter = page.QuickFilter{}
		m.Empty = &page.Blank{
			Title: "No site needs cloning",
			Text: "With these thresholds every allocation site has contexts of one class only, or stacks that no frame tells " +
				"apart. A lower lifetime or a higher access density makes more contexts cold.",
		}
	}
	return s.Render(w, r, memprofview.CloningPage(s.ProfileShell(r, site.CloningView, ""), m))
}

// apiOf is a path of the API of a profile with the query of an address.
func apiOf(a site.Address, base, path string) site.Address {
	return site.Address{Path: "/api/v1/profiles" + base[len("/p"):] + path, Query: a.Query}
}

func cloningTiles(p *memprofdb.Pruning) []page.Tile {
	clones := page.Tile{
		ID: "clones", Label: "Clones", Value: humanize.Whole(p.Clones), Note: "nothing to clone",
		How: page.HowMemProfClones,
	}
	if p.Clones > 0 {
		clones.Value.Text = "≤ " + clones.Value.Text
		clones.Note = "of " + humanize.Plural(p.Functions, "function")
	}
	return []page.Tile{
		{
			ID: "cloned", Label: "Sites that need cloning", Value: humanize.Whole(p.Cloned),
			Note: "of " + humanize.Plural(p.Sites, "site"), How: page.HowMemProfMixed,
		},
		{
			ID: "separated", Label: "Cold bytes by cloning", Value: humanize.SumBytes(p.Separated),
			Note: "get hints in clones", How: page.HowMemProfPruning,
		},
		{
			ID: "attribute", Label: "Cold bytes as they are", Value: humanize.SumBytes(p.Attributes),
			Note: "of sites with only cold contexts",
		},
		{
			ID: "lost", Label: "Cold bytes without hints", Value: humanize.SumBytes(p.Lost),
			Note: "no frame tells them apart",
		},
		clones,
		{
			ID: "mibs", Label: "MIBs kept", Value: humanize.Whole(p.Kept),
			Note: "of " + humanize.Int(p.MIBs) + " that classes differ by", How: page.HowMemProfPruning,
		},
	}
}

// hintsNote says what becomes of hot contexts.
func hintsNote(t analyze.MemProfThresholds, p *memprofdb.Page) string {
	hot := p.Classes[slices.Index(analyze.MemProfClasses[:], analyze.MemProfHot)].Contexts
	switch {
	case hot == 0:
		return ""
	case t.HotHints:
		return "Sites with only hot contexts get hot hints; elsewhere hot contexts count as not cold."
	}
	return "Without hot hints the compiler treats hot contexts as not cold."
}

// prunedPage is GET /p/{id}/cloning/{site}: the contexts of one site, pruned and
// whole.
func (s *handler) prunedPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), contextKeys)
	t, listed := thresholdsOf(v), v.Listing()
	if v.Err != nil {
		return v.Err
	}
	address, ok := site.ParseFID(chi.URLParam(r, "site"))
	if !ok {
		return fmt.Errorf("%w: it is 16 lower-case hexadecimal digits", errNoSite)
	}
	a, base := site.AddressOf(r.URL), s.Base(r)
	csv := apiOf(a, base, "/pruned-contexts").With("site", site.FID(address)).With("format", "csv").String()
	if listed.Format != "" {
		return site.Forward(w, r, apiOf(a, base, "/pruned-contexts").With("site", site.FID(address)).String())
	}
	if plain := withoutDefaults(a); plain.String() != a.String() {
		return site.SeeOther(w, r, plain.String())
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	heap := s.heap(r)
	find, err := heap.FindMIBs(ctx, t, &address)
	found, err := pageOf(ctx, find, err, query.RowQuery{Limit: memprofdb.MaxSiblings})
	if err != nil {
		return err
	}
	mibs := table.RowsOf[memprofdb.PrunedMIB](&found)
	if len(mibs) == 0 {
		return errNoSite
	}
	contexts, err := heap.Contexts(ctx, memprofdb.Query{
		Filter: memprofdb.Filter{Site: &address, Thresholds: t}, Limit: memprofdb.MaxSiblings,
	})
	if err != nil {
		return err
	}
	n, err := s.namesOf(ctx, r, listed.Names)
	if err != nil {
		return err
	}
	columns, err := shownColumns(nil, heap.Overview.Schema)
	if err != nil {
		return err
	}
	of := mibs[0].Site
	list := withThresholds(site.NewAddress(base+"/cloning"), a)
	all := withThresholds(site.NewAddress(base+"/sites").With("site", site.FID(address)), a)
	m := memprofview.Pruned{
		Title: n.Function(of.Function), Place: memprofview.Place(of.Frame()), Says: prunedSays(of), Tiles: prunedTiles(of),
		Thresholds: thresholdForm(a, t), CSV: csv,
		Crumbs: []page.Link{{Label: "Cloning", URL: list.String()}, {Label: "site " + site.FID(address)}},
		MIBs:   mibs, All: all.String(),
		Contexts: contextTable(base, contexts.Rows, columns, n, (&sitesRequest{address: a}).thresholds()),
		Shown:    humanize.Plural(contexts.Matching, "context"), Modes: site.ModeSegments(a, listed.Names),
		Cut: of.Cut,
	}
	if more := found.Matching - len(mibs); more > 0 {
		m.More = humanize.Int(more) + " more are in the CSV."
	}
	return s.Render(w, r, memprofview.PrunedPage(s.ProfileShell(r, site.CloningView, m.Title.Whole()), m))
}

// errNoSite is the answer to an address that is no allocation site's.
var errNoSite error = &site.Absent{
	Title: "No such allocation site", Detail: "the profile has no allocation site with this address",
}

// prunedSays is what the compiler makes of a site.
func prunedSays(s *memprofdb.PrunedSite) string {
	switch {
	case s.NeedsCloning():
		return humanize.Say("Needs cloning: the call gets !memprof metadata with {MIB}, and the attribute ambiguous.",
			s.Kept())
	case s.MIBs[0].Ambiguous:
		return "Contexts differ in class, but no frame tells them apart: the call gets the attribute notcold."
	}
	return "One class: the call gets the attribute " + strings.ReplaceAll(string(s.Attribute), " ", "") +
		", and nothing is cloned."
}

func prunedTiles(s *memprofdb.PrunedSite) []page.Tile {
	return []page.Tile{
		{
			ID: "cold", Label: "Cold bytes", Value: humanize.SumBytes(s.ColdBytes),
			Note: "of " + humanize.SumBytes(s.Bytes).Text, How: page.HowMemProfClass,
		},
		{
			ID: "hints", Label: "With cold hints", Value: humanize.SumBytes(s.HintBytes),
			Note: "once the site is cloned",
			How:  page.HowMemProfPruning,
		},
		{
			ID: "mibs", Label: "MIBs kept", Value: humanize.Whole(s.Kept()),
			Note: "of " + humanize.Plural(s.Contexts, "context"), How: page.HowMemProfPruning,
		},
		{
			ID: "clones", Label: "Clones, at most", Value: humanize.Whole(len(s.Clones)),
			Note: "of " + humanize.Plural(s.Functions, "function"), How: page.HowMemProfClones,
		},
	}
}
