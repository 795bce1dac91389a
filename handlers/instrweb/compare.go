package instrweb

import (
	"context"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/analyze"
	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/instrview"
)

// goneRows is how many functions the page lists that are hot in A and gone in B.
const goneRows = 8

// compareRequest is a request for the page of a comparison.
type compareRequest struct {
	compareParams
	compared
	address site.Address
	symbols site.Symbols
	base    *instrdb.Overview
	test    *instrdb.Overview
}

// comparePage is GET /compare/{a}...{b}.
func (s *room) comparePage(w http.ResponseWriter, r *http.Request) error {
	base, test, ok := strings.Cut(chi.URLParam(r, "pair"), "...")
	if !ok || base == "" || test == "" {
		return site.ErrNoRoute
	}
	p, err := parseCompare(r.URL.Query())
	if err != nil {
		return err
	}
	both, err := s.comparedEntries(r, base, test)
	if err != nil {
		return err
	}
	v := compareRequest{compareParams: p, compared: both, address: site.AddressOf(r.URL), symbols: site.Symbols{Cache: s.Names, Mode: p.Names}}
	if p.Format != "" {
		a := v.address.With("base", base).With("test", test)
		a.Path = compareAPI
		http.Redirect(w, r, a.String(), http.StatusSeeOther)
		return nil
	}
	if site.WantsPlain(r) {
		return s.compareText(w, r, base, test)
	}
	w.Header().Add("Vary", "Cookie")
	if s.NotModifiedOf(w, r, site.PageVariant(r), both.base, both.test) {
		return nil
	}
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	c, release, err := s.compare(ctx, both)
	if err != nil {
		return err
	}
	defer release()
	model, err := s.compareModel(ctx, r, &v, c)
	if err != nil {
		return err
	}
	shell := s.Shell(r, say.Printable(both.base.Name)+" … "+say.Printable(both.test.Name))
	shell.Wide = true
	return s.Render(w, r, http.StatusOK, instrview.ComparePage(shell, model))
}

// compareModel asks for all that the page shows.
func (s *room) compareModel(ctx context.Context, r *http.Request, v *compareRequest, c *instrdb.Comparison) (m instrview.Compare, err error) {
	v.base, v.test = c.Base.Overview, c.Test.Overview
	overlap, err := c.Overlap(ctx, v.OverlapCS)
	if err != nil {
		return m, err
	}
	rows, err := c.Pairs(ctx, v.Query)
	if err != nil {
		return m, err
	}
	gone, err := c.Pairs(ctx, goneQuery())
	if err != nil {
		return m, err
	}
	figures := c.Figures()
	m = instrview.Compare{
		Base: comparedModel("A", v.compared.base, v.base), Test: comparedModel("B", v.compared.test, v.test),
		Swap:     v.address.Moved(compareURL(v.compared.test.ID, v.compared.base.ID)),
		Sentence: compareSentence(figures, overlap), Notes: v.notes(overlap),
		States: v.states(figures), Overlap: overlapLines(overlap), Action: v.address.Path,
		Tree:  v.address.Path + "/tree",
		CSV:   v.address.Without("page", "cursor", "limit").With("format", "csv").String(),
		Modes: site.ModeSegments(v.address, v.Names), Merge: s.mergeModel(r, v),
	}
	if v.base.CSSummary != nil || v.test.CSSummary != nil {
		m.OverlapURL, m.OverlapOf = v.address.With("overlap_cs", "true").String(), "Context-sensitive"
		if v.OverlapCS {
			m.OverlapURL, m.OverlapOf = v.address.Without("overlap_cs").String(), "Plain"
		}
	}
	if gone.Matching > 0 {
		m.GoneURL, m.GoneCount = v.plain().With("base_class", "hot").With("test_class", "never,absent").With("sort", "base_rank").String(), say.Int(gone.Matching)
	}
	for i := range gone.Rows {
		m.Gone = append(m.Gone, v.row(&gone.Rows[i], 0))
	}
	v.table(&m, rows)
	return m, nil
}

// goneQuery selects what is hot in the base profile and gone in the other.
func goneQuery() instrdb.CompareQuery {
	return instrdb.CompareQuery{
		BaseClasses: []analyze.Class{analyze.Hot}, TestClasses: []analyze.Class{analyze.Never, instrdb.Absent},
		Sort: []query.Key{{Column: instrdb.PairBaseRank}}, Limit: goneRows,
	}
}

// plain is the page's address without filters and order.
func (v *compareRequest) plain() site.Address {
	return v.address.Without(append([]string{"page", "cursor", "sort"}, pairFilterKeys...)...)
}

func comparedModel(letter string, e *catalog.Entry, o *instrdb.Overview) instrview.Compared {
	return instrview.Compared{
		Letter: letter, ID: e.ID, Name: say.Printable(e.Name), URL: site.PageOf(e.ID), Describe: e.Describe, Digest: site.ShortDigest(e.Digest),
		Functions: say.Int(o.Functions), Total: say.BigCount(o.Total.String()),
	}
}

// compareSentence says first what there is to say: "91.7 % overlap; 1 204
// hotter, 988 colder, 212 with another hash hold 3.4 % of the count".
func compareSentence(f instrdb.CompareFigures, o *instrdb.Overlap) string {
	var b strings.Builder
	if o.Comparable() {
		b.WriteString(say.Percent(nearlyWhole(o.Score), 1) + " overlap; ")
	}
	b.WriteString(say.Int(f.Hotter) + " hotter, " + say.Int(f.Colder) + " colder")
	if f.Same > 0 {
		b.WriteString(", " + say.Int(f.Same) + " of the same share")
	}
	if n := f.States[instrdb.PairChanged]; n.Pairs > 0 {
		b.WriteString(", " + say.Int(n.Pairs) + " with another hash hold " + say.Percent(site.Part(n.Test.Float64(), f.TestTotal.Float64()), 1) + " of the count")
	}
	if a, t := f.States[instrdb.PairOnlyBase].Pairs, f.States[instrdb.PairOnlyTest].Pairs; a+t > 0 {
		b.WriteString("; " + say.Int(a) + " only in A, " + say.Int(t) + " only in B")
	}
	return b.String() + "."
}

// notes are what else the reader must know of the figures.
func (v *compareRequest) notes(o *instrdb.Overlap) []string {
	var notes []string
	if v.base.Info.Variant.Has(instrprof.IRProf) != v.test.Info.Variant.Has(instrprof.IRProf) {
		notes = append(notes, "One profile has front-end instrumentation and the other IR instrumentation: their counters count different things.")
	}
	if o.Comparable() && o.Overlap.Overlap.Edge-o.Score > 1e-9 {
		notes = append(notes, "llvm-profdata overlap prints "+say.Percent(o.Overlap.Overlap.Edge, 1)+
			": it adds up the records of one sort, plain or context-sensitive, and then scores those of both.")
	}
	return notes
}

var stateWords = map[instrdb.PairState][2]string{
	instrdb.PairMatched:  {"matched", "both profiles have the name and the FuncHash"},
	instrdb.PairChanged:  {"another hash", "both profiles have the name; the FuncHash, or the number of counters or value sites, differs"},
	instrdb.PairOnlyBase: {"only in A", "B does not have the name"},
	instrdb.PairOnlyTest: {"only in B", "A does not have the name"},
}

func (v *compareRequest) states(f instrdb.CompareFigures) []instrview.PairState {
	var list []instrview.PairState
	for _, state := range instrdb.PairStates {
		held := f.States[state]
		base, test := site.Part(held.Base.Float64(), f.BaseTotal.Float64()), site.Part(held.Test.Float64(), f.TestTotal.Float64())
		list = append(list, instrview.PairState{
			Word: stateWords[state][0], Title: stateWords[state][1], URL: v.plain().With("state", string(state)).String(), Pairs: say.Int(held.Pairs),
			Base: say.BigCount(held.Base.String()), Test: say.BigCount(held.Test.String()),
			BaseShare: say.Percent(base, 1), TestShare: say.Percent(test, 1), BaseBar: chart.ShareBar(base, 1), TestBar: chart.ShareBar(test, 1),
		})
	}
	return list
}

// overlapLines are what llvm-profdata overlap prints, a line a kind of counts.
func overlapLines(o *instrdb.Overlap) []instrview.OverlapLine {
	if !o.Comparable() {
		return nil
	}
	line := func(kind string, overlap, mismatch, unique, base, test float64) instrview.OverlapLine {
		return instrview.OverlapLine{Kind: kind, Overlap: say.Percent(nearlyWhole(overlap), 3), Mismatch: say.Percent(mismatch, 3), Unique: say.Percent(unique, 3),
			Base: say.BigCount(wholeNumber(base)), Test: say.BigCount(wholeNumber(test))}
	}
	lines := []instrview.OverlapLine{line("counters", o.Overlap.Overlap.Edge, o.Mismatch.Edge, o.Unique.Edge, o.Base.Edge, o.Test.Edge)}
	for kind, word := range [instrprof.NumValueKinds]string{"indirect calls", "memory operations", "vtables"} {
		if o.Base.Values[kind] >= 1 || o.Test.Values[kind] >= 1 {
			lines = append(lines, line(word, o.Overlap.Overlap.Values[kind], o.Mismatch.Values[kind], o.Unique.Values[kind], o.Base.Values[kind], o.Test.Values[kind]))
		}
	}
	return lines
}

// nearlyWhole takes a sum of many doubles for the 1 that it would be.
func nearlyWhole(f float64) float64 {
	if f > 1-1e-9 && f < 1+1e-9 {
		return 1
	}
	return f
}
