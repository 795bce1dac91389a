package sampleweb

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"proflens/analyze"
	"proflens/decode/sampleprof"
	"proflens/encode/stacks"
	"proflens/handlers/flameweb"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/sampledb"
	"proflens/views/flameview"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// The parameters of a flame graph of samples besides those of all.
var flameOwnKeys = []string{"focus", "ignore", "rec"}

// parseFlame reads what there is of a flame graph. Errors are in v.
func parseFlame(v *site.Values) sampledb.FlameQuery {
	return sampledb.FlameQuery{
		Focus: v.Pattern("focus"), Ignore: v.Pattern("ignore"), Weight: site.Choice(v, "w", sampledb.Weights...),
		Recursion: flameweb.Recursion(v, false), Query: flameweb.Read(v),
	}
}

// flameGraph asks for a call tree; absent is the error for a frame that is not in it.
func (s *handler) flameGraph(ctx context.Context, r *http.Request, q sampledb.FlameQuery,
	absent error) (*sampledb.FlameGraph, error) {
	g, err := s.samples(r).FlameGraph(ctx, q)
	return g, site.OrAbsent(err, absent)
}

// flamePage is GET /p/{id}/flame.
func (s *handler) flamePage(w http.ResponseWriter, r *http.Request) error {
	if asked, err := flameweb.InForm(w, r, site.APIOf(s.Entry(r).ID)+"/flamegraph"); asked {
		return err
	}
	v := site.NewValues(r.URL.Query(), slices.Concat(flameweb.PageKeys, flameOwnKeys))
	q := parseFlame(v)
	look := flameweb.ReadLook(v, &q.Query, "module")
	if v.Err != nil {
		return v.Err
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	e := s.Entry(r)
	view := flameweb.View{Look: look, Address: site.AddressOf(r.URL), API: site.APIOf(e.ID) + "/flamegraph"}
	q.Limit = flameweb.TableRows
	g, err := s.flameGraph(ctx, r, q, flameweb.ErrNoFrame)
	if err != nil {
		return err
	}
	shell := s.ProfileShell(r, site.FlameView, "")
	shell.Keys = flameweb.KeyLines
	m := s.flameModel(&view, g, &q, s.samples(r).Overview)
	m.Leads = []flameview.Lead{
		{Label: "Open function", Address: site.PageOf(e.ID) + "/functions/", By: flameview.ByFunction},
	}
	if located, err := s.Lines(ctx, s.Profile(r)); err != nil {
		return err
	} else if located != nil {
		m.Leads = append(m.Leads, flameview.Lead{
			Label: "Open", Address: flameweb.Lead(site.Address{Path: site.PageOf(e.ID) + "/files"}, "file"),
			By: flameview.ByFile,
		})
	}
	for _, f := range []struct{ label, name, does string }{
		{"Folded stacks", "folded", "for flamegraph.pl and inferno"},
		{"speedscope", "speedscope", "opens in speedscope.app"}, {"pprof", "pprof", "opens in go tool pprof"},
	} {
		m.Exports = append(m.Exports, page.Download{
			Label: f.label, URL: site.APIOf(e.ID) + "/export/" + f.name, Command: f.does,
		})
	}
	return s.Render(w, r, flameview.Page(shell, m))
}

func (s *handler) flameModel(v *flameweb.View, g *sampledb.FlameGraph, q *sampledb.FlameQuery,
	o *sampledb.Overview) flameview.Flame {
	var empty *page.Blank
	if width := g.Weight.Of(&g.Matching); width.IsZero() {
		empty = &page.Blank{Title: "No samples", Text: "No stack that is left has any."}
	}
	words := &flameweb.Words[sampledb.Name, sampledb.Totals]{
		Weight: g.Weight.Of, Number: func(n analyze.Sum) humanize.Number { return humanize.SumCount(n) },
		Name: func(n *sampledb.Name) humanize.Name {
			if n == nil {
				return humanize.Name{Base: "all samples", Full: "all samples"}
			}
			return nameOf(n, s.Symbols(names.Full))
		},
		All: "all samples", Leaf: "where samples are",
		Cells: func(*sampledb.Totals) []humanize.Number { return nil },
	}
	m := flameweb.Page(v, &g.Graph, words, empty)
	m.How, m.Weight, m.Counts = sampleview.HowFlame, string(g.Weight), [2]string{"sample", "samples"}
	m.Widths = v.Widths(string(sampledb.WeightBody), string(g.Weight), []site.Way{
		{string(sampledb.WeightBody), "Body", "counts of places"},
		{string(sampledb.WeightTotal), "Total", "total samples, which count instructions"},
	})
	m.Facts = []flameview.Fact{
		{Label: "Body", Column: "body", As: "count"}, {Label: "Total", Column: "total", As: "count"},
	}
	m.Colour, m.Plain = "module", "module"
	m.Colours = []flameview.Colour{
		v.Coloured(flameview.Colour{Segment: page.Segment{Label: "Namespace",
			Title: "by the outer namespace or the file of the function"}, Key: "module"}, "module", "module"),
	}
	m.Switches = []page.Segment{flameweb.RecursionSwitch(v.Address.Without("z", "sel"), q.Recursion, false)}
	m.Filter = v.FilterForm(q.Focus, q.Ignore)
	for _, f := range []struct{ key, word, value string }{{"focus", "with", q.Focus}, {"ignore", "without", q.Ignore}} {
		if f.value != "" {
			m.Chips = append(m.Chips, page.Chip{
				Text: f.word + " " + humanize.Printable(f.value), Remove: v.Address.Without(f.key, "z", "sel").String(),
			})
		}
	}
	m.Clear = v.Address.Without("focus", "ignore", "z", "sel").String()
	if !o.Has(sampleprof.FullContexts) {
		m.Notes = append(m.Notes, "The profile has no calling contexts: each function is a root, and what is inlined into "+
			"it stands below it. Calls that were not inlined are in the call graph.")
	}
	if m.Empty == nil {
		m.Says = humanize.Say("{:count sample}, {frame}.", g.Weight.Of(&g.Matching), g.Frames)
	}
	return m
}

// flameAPIKeys are the parameters of a flame graph in the API.
var flameAPIKeys = slices.Concat(flameweb.Keys, flameOwnKeys)

// getFlameGraph is GET /profiles/{id}/flamegraph: the merged tree of contexts and inlined
// callees, cut to the widest nodes.
func (s *handler) getFlameGraph(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), flameAPIKeys)
	q, mode := parseFlame(v), site.Choice(v, "names", site.NameWords...)
	format := flameweb.Format(v, &q.Query, "json", "folded", "speedscope")
	if v.Err != nil {
		return v.Err
	}
	if s.NotModified(w, r, format) {
		return nil
	}
	ctx := s.RequestContext(r)
	if format != "json" {
		return flameweb.WriteStacks(ctx, w, format, s.stackWords(ctx, r, &q, mode), s.Entry(r).Name)
	}
	g, err := s.flameGraph(ctx, r, q, flameweb.ErrNoNode)
	if err != nil {
		return err
	}
	a := flameweb.Answer[sampledb.Name, sampledb.Totals]{
		Weight: string(g.Weight), Unit: "samples", Known: true, Of: g.Weight.Of, Total: &g.All,
		Frame: func(n *sampledb.Name) flameweb.Frame {
			return flameweb.Frame{
				Name: s.label(n, mode), FID: n.GUID, Linkage: string(n.Linkage), File: n.File,
				Module: flameweb.Module(string(n.Linkage), n.File),
			}
		},
		Columns: []flameweb.Column[sampledb.Totals]{
			{Name: "body", Of: func(t *sampledb.Totals) string { return t.Body.String() }},
			{Name: "total", Of: func(t *sampledb.Totals) string { return t.Total.String() }},
		},
	}
	flameweb.Write(w, &g.Graph, &a)
	return nil
}

// label is a function's name in the API and in stacks.
func (s *handler) label(n *sampledb.Name, mode names.Mode) string {
	if len(n.Linkage) == 0 {
		return humanize.Hex64(n.GUID)
	}
	return s.Names.Demangle(string(n.Linkage), mode)
}

// stackWords is the stacks that a query chooses, each with its own samples.
func (s *handler) stackWords(ctx context.Context, r *http.Request, q *sampledb.FlameQuery,
	mode names.Mode) *stacks.Profile {
	return &stacks.Profile{
		Name: "sample profile", Types: []stacks.Type{{Name: string(q.Weight), Unit: "samples"}},
		Samples: func(yield func(*stacks.Sample, error) bool) {
			var sample stacks.Sample
			err := s.samples(r).EachChosen(ctx, q, func(st *sampledb.Stack, all []sampledb.Name) error {
				sample.Stack = sample.Stack[:0]
				for i, id := range slices.Backward(st.Names) {
					n := &all[id]
					sample.Stack = append(sample.Stack, stacks.Frame{
						Name: s.label(n, mode), Linkage: string(n.Linkage), Inlined: st.Inlined[i],
					})
				}
				sample.Values = append(sample.Values[:0], st.Body)
				if q.Weight == sampledb.WeightTotal {
					sample.Values[0] = st.Total
				}
				if sample.Values[0] > 0 && !yield(&sample, nil) {
					return errEnough
				}
				return nil
			})
			if err != nil && !errors.Is(err, errEnough) {
				yield(nil, err)
			}
		},
	}
}

var errEnough = errors.New("enough stacks")
