package memprofweb

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/encode/stacks"
	"proflens/handlers/flameweb"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profile/exports"
	"proflens/profile/memprofdb"
)

// parseFlame reads a request for a flame graph. Errors are *site.ParamError.
func parseFlame(q url.Values,
	own *analyze.Library) (query memprofdb.FlameQuery, format string, mode names.Mode, err error) {
	v := site.NewValues(q, flameAPIKeys)
	query, mode = flameQuery(v, own, false), site.Choice(v, "names", site.NameWords...)
	return query, flameweb.Format(v, &query.Query, "json", "folded", "speedscope"), mode, v.Err
}

// getFlameGraph is GET /profiles/{id}/flamegraph: the merged call tree of the
// selected contexts, cut to the widest nodes.
func (s *handler) getFlameGraph(w http.ResponseWriter, r *http.Request) error {
	q, format, mode, err := parseFlame(r.URL.Query(), s.own())
	if err != nil {
		return err
	}
	if s.NotModified(w, r, format) {
		return nil
	}
	if format != "json" {
		samples, err := stackWords(r.Context(), s.heap(r), &q, mode)
		if err != nil {
			return err
		}
		return flameweb.WriteStacks(r.Context(), w, format, samples, s.Entry(r).Name)
	}
	ctx := s.RequestContext(r)
	g, err := s.heap(r).FlameGraph(ctx, q)
	if err != nil {
		return site.OrAbsent(err, flameweb.ErrNoNode)
	}
	s.writeFlame(w, g, s.heap(r).Overview.Schema, mode)
	return nil
}

// writeFlame writes a flame graph as the API has it.
func (s *handler) writeFlame(w http.ResponseWriter, g *memprofdb.FlameGraph, schema memprof.MIBSchema,
	mode names.Mode) {
	type totals = analyze.MemProfTotals
	demangle := func(linkage string) string { return s.Names.Demangle(linkage, mode) }
	a := flameweb.Answer[memprofdb.Function, totals]{
		Weight: string(g.Weight), Unit: g.Weight.Unit(), Known: g.Known, Of: g.Weight.Of, Total: &g.All,
		Frame: func(f *memprofdb.Function) flameweb.Frame {
			return flameweb.Frame{Name: f.Label(demangle), FID: f.FID, Linkage: f.Name, File: f.File, Module: flameModule(f)}
		},
	}
	for _, weight := range memprofdb.Weights {
		if weight.Known(schema) {
			a.Columns = append(a.Columns, flameweb.Column[totals]{
				Name: string(weight), Of: func(t *totals) string { return weight.Of(t).String() },
			})
		}
	}
	contexts := func(t *totals) string { return strconv.FormatUint(t.Contexts, 10) }
	a.Columns = append(a.Columns,
		flameweb.Column[totals]{Name: "contexts", Of: contexts},
		flameweb.Column[totals]{Name: "objects_lifetime", Of: func(t *totals) string { return t.Lifetime.String() }},
		flameweb.Column[totals]{Name: "density", Of: func(t *totals) string { return t.Density.String() }},
	)
	a.Base = []flameweb.Column[totals]{
		{Name: "base_allocations", Of: func(t *totals) string { return t.Allocations.String() }},
		{Name: "base_contexts", Of: contexts},
	}
	flameweb.Write(w, &g.Graph, &a)
}

// flameModule is what a frame is coloured by: its module, or the outer namespace
// or the folder of its function.
func flameModule(f *memprofdb.Function) string {
	if f.In != nil {
		return f.In.String()
	}
	return flameweb.Module(f.Name, f.File)
}

// stackStep is how many contexts are read at a time.
const stackStep = 1000

// stackWords is the selected contexts as samples of call stacks with one weight, folded as
// the query says.
func stackWords(ctx context.Context, p *memprofdb.Profile, q *memprofdb.FlameQuery,
	mode names.Mode) (*stacks.Profile, error) {
	if _, err := p.Contexts(ctx, memprofdb.Query{Filter: q.Filter}); err != nil {
		return nil, err
	}
	labels := map[*memprofdb.Function]string{}
	label := func(f *memprofdb.Function) string {
		text, ok := labels[f]
		if !ok {
			text = f.Label(func(linkage string) string { return names.Demangle(linkage, mode) })
			labels[f] = text
		}
		return text
	}
	words := &stacks.Profile{
		Name: "heap profile", Types: []stacks.Type{{Name: string(q.Weight), Unit: q.Weight.Unit()}},
		Samples: func(yield func(*stacks.Sample, error) bool) {
			var sample stacks.Sample
			for offset := 0; ; offset += stackStep {
				page, err := p.Contexts(ctx, memprofdb.Query{Filter: q.Filter, Offset: offset, Limit: stackStep})
				if err != nil {
					yield(nil, err)
					return
				}
				for i := range page.Rows {
					row := &page.Rows[i]
					sample.Stack = sample.Stack[:0]
					for _, f := range row.Stack {
						sample.Stack = append(sample.Stack, stacks.Frame{
							Name: label(f.Function), Linkage: f.Name, File: f.File, Line: int64(f.Line), Inlined: f.Inline,
						})
					}
					var totals analyze.MemProfTotals
					totals.Add(&row.MIB)
					weight := q.Weight.Of(&totals)
					sample.Values = append(sample.Values[:0], weight.Lo) // of one context: never more than 64 bits
					if !yield(&sample, nil) {
						return
					}
				}
				if offset+len(page.Rows) >= page.Matching || len(page.Rows) == 0 {
					return
				}
			}
		},
	}
	return exports.FoldStacks(words, q.Fold.Library, q.Fold.Recursion), nil
}
