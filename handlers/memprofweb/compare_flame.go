package memprofweb

import (
	"context"
	"net/http"

	"proflens/handlers/flameweb"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// flameOf puts the trees of two heaps on each other.
func flameOf(ctx context.Context, c *site.Comparing, q memprofdb.FlameQuery) (g *memprofdb.FlameGraph,
	o *memprofdb.Overview, err error) {
	base, test, err := site.Both(c, memprofdb.Of)
	if err != nil {
		return nil, nil, err
	}
	if g, err = memprofdb.CompareFlame(ctx, base, test, q); err != nil {
		return nil, nil, site.OrAbsent(err, flameweb.ErrNoFrame)
	}
	both := *base.Overview
	both.Schema = memprofdb.CommonSchema(base, test)
	return g, &both, nil
}

var compareFlameKeys = append([]string{"family"}, flameAPIKeys...)

// getCompareFlame is GET /compare/{a}...{b}/flamegraph: the trees of two heaps put on
// each other, or the stacks of both with the weight in each.
func (s *handler) getCompareFlame(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	v := site.NewValues(r.URL.Query(), compareFlameKeys)
	q, mode := flameQuery(v, s.own(), true), site.Choice(v, "names", site.NameWords...)
	format := flameweb.Format(v, &q.Query, "json", "folded")
	if v.Err != nil {
		return v.Err
	}
	if s.NotModifiedOf(w, r, format, c.Base.Entry, c.Test.Entry) {
		return nil
	}
	ctx := s.RequestContext(r)
	if format == "folded" {
		return compareStacks(ctx, w, c, &q, mode)
	}
	g, o, err := flameOf(ctx, c, q)
	if err != nil {
		return err
	}
	s.writeFlame(w, g, o.Schema, mode)
	return nil
}

// compareStacks writes the stacks of both heaps.
func compareStacks(ctx context.Context, w http.ResponseWriter, c *site.Comparing, q *memprofdb.FlameQuery,
	mode names.Mode) error {
	base, test, err := site.Both(c, memprofdb.Of)
	if err != nil {
		return err
	}
	a, err := stackWords(ctx, base, q, mode)
	if err != nil {
		return err
	}
	b, err := stackWords(ctx, test, q, mode)
	if err != nil {
		return err
	}
	return flameweb.WriteDifference(ctx, w, a, b)
}

// compareFlamePage is GET /compare/{a}...{b}/flame.
func (s *handler) compareFlamePage(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	if asked, err := flameweb.InForm(w, r, site.CompareAPI(c.Base.ID, c.Test.ID)+"/flamegraph"); asked {
		return err
	}
	if to := keptAddress(r, c.Base.Entry, c.Test.Entry); to != "" {
		site.RedirectOnce(w, r, to)
		return nil
	}
	p, err := parseFlamePage(r.URL.Query(), s.own(), true, "family")
	if err != nil {
		return err
	}
	ctx := s.BeginCompared(w, r, c)
	if ctx == nil {
		return nil
	}
	q := p.Query
	q.Limit = flameweb.TableRows
	g, o, err := flameOf(ctx, c, q)
	if err != nil {
		return err
	}
	head, err := c.Frame(ctx)
	if err != nil {
		return err
	}
	c.Symbols = s.Symbols(names.Full)
	heaps, err := s.compareHeaps(ctx, c, memprofdb.CompareQuery{
		By: memprofdb.SitesByBlame, Weight: q.Weight, Library: q.Library,
	})
	if err != nil {
		return err
	}
	head.Lead, head.Sentence = heaps.sentence()
	head.Views, head.SwapKey = compareViews(c, "/flame"), "x" // s is the sandwich

	v := flameRequest{
		View: flameweb.View{
			Look: p.Look, Address: site.AddressOf(r.URL), API: site.CompareAPI(c.Base.ID, c.Test.ID) + "/flamegraph",
		},
		query: p.Query, base: site.PageOf(c.Base.ID), kept: site.KeptLibrary(r, c.Base.Entry, c.Test.Entry),
	}
	m := flameModel(v, o, g, frameNames{Symbols: c.Symbols})
	m.Colour, m.Plain, m.Exports = "change", "change", []page.Download{v.FoldedDifference()}
	m.Switches = foldSwitches(v.Address.Without("z", "sel"), p.Query.Fold, true)
	shell := s.Shell(r, "Flame graph · "+humanize.Printable(c.Base.Name)+" … "+humanize.Printable(c.Test.Name))
	shell.Wide, shell.Keys = true, flameweb.CompareKeyLines
	return s.Render(w, r, memprofview.CompareFlamePage(shell, head, m, v.folding()))
}
