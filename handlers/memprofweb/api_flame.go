package memprofweb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/encode/stacks"
	"proflens/exports"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/stored"
	"proflens/tables"
)

// errNoNode is the answer to a zoom or a sandwich that names nothing.
var errNoNode error = &site.Absent{Title: "No such frame", Detail: "the call tree has no such node or function; a filter may hide it, or it belongs to another layout"}

// flameAPIKeys are the parameters of a flame graph in the API.
var flameAPIKeys = slices.Concat(flameKeys, []string{"names", "format"})

// flameFormats are how a flame graph is written; the stacks of folded and
// speedscope are those of its contexts, whole.
var flameFormats = []string{"json", "folded", "speedscope"}

// parseFlame reads a request for a flame graph. Errors are *site.ParamError.
func parseFlame(q url.Values, own *analyze.Library) (query memprofdb.FlameQuery, format string, mode names.Mode, err error) {
	v, err := site.NewValues(q, flameAPIKeys)
	if err != nil {
		return query, "", "", err
	}
	query, mode = flameQuery(v, own), site.Choice(v, "names", site.NameWords...)
	return query, flameFormat(v, &query, flameFormats...), mode, v.Err
}

// flameFormat reads which of some forms a flame graph is written in.
func flameFormat(v *site.Values, q *memprofdb.FlameQuery, of ...string) string {
	format := site.Choice(v, "format", of...)
	if format != "json" && (q.Zoom != 0 || q.Layout != memprofdb.LayoutCallees) {
		v.Fail("format", "%s always writes whole stacks from the root; it takes neither z nor layout", format)
	}
	return format
}

// getFlameGraph is GET /profiles/{id}/flamegraph: the merged call tree of the
// selected contexts, cut to the widest nodes.
func (s *room) getFlameGraph(w http.ResponseWriter, r *http.Request) error {
	q, format, mode, err := parseFlame(r.URL.Query(), s.own())
	if err != nil {
		return err
	}
	if s.NotModified(w, r, format) {
		return nil
	}
	if format != "json" {
		return s.flameStacks(w, r, &q, format, mode)
	}
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	g, err := s.heap(r).FlameGraph(ctx, q)
	if errors.Is(err, stored.ErrNoPart) {
		return errNoNode
	}
	if err != nil {
		return err
	}
	modules, err := s.heap(r).Modules(ctx)
	if err != nil {
		return err
	}
	return s.writeFlame(w, g, s.heap(r).Overview, modules, mode)
}

// writeFlame writes a flame graph as the API has it.
func (s *room) writeFlame(w http.ResponseWriter, g *memprofdb.FlameGraph, o *memprofdb.Overview, modules []memprofdb.Module, mode names.Mode) error {
	f := flameWriter{o: o, weight: g.Weight, compared: g.Compared, modules: modules, demangle: func(linkage string) string { return s.Names.Demangle(linkage, mode) }}
	b := fmt.Appendf(nil, `{"weight":"%s","unit":"%s","known":%t,"layout":"%s","total":`, g.Weight, g.Weight.Unit(), g.Known, g.Layout)
	all, matching := g.Weight.Of(&g.All), g.Weight.Of(&g.Matching)
	b = fmt.Appendf(b, `%v,"matching":%v,"all_frames":%d`, all, matching, g.Frames)
	if g.DepthLimit > 0 {
		b = fmt.Appendf(b, `,"depth_limit":%d`, g.DepthLimit)
	}
	if g.Around == nil {
		b = f.tree(append(b, ','), append(slices.Clone(g.Above), g.Nodes...), len(g.Above))
	} else {
		above := g.Above
		callers, callees := g.Callers, g.Nodes
		if len(above) > 0 && len(callers) > 0 && callers[0].Depth > 0 {
			callers = append(slices.Clone(above), callers...)
			b = f.tree(append(b, `,"callers":{`...), callers, len(above))
			b = f.tree(append(b, `},"callees":{`...), callees, 0)
		} else {
			b = f.tree(append(b, `,"callers":{`...), callers, 0)
			b = f.tree(append(b, `},"callees":{`...), append(slices.Clone(above), callees...), len(above))
		}
		b = append(b, '}')
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(b, '}', '\n'))
	return nil
}

// flameWriter writes call trees as columns.
type flameWriter struct {
	o        *memprofdb.Overview
	weight   memprofdb.Weight
	compared bool // nodes have two heaps
	modules  []memprofdb.Module
	demangle func(linkage string) string
}

// tree appends the functions of nodes and the nodes, in preorder. The first
// above of them are a chain to the one after, whose parents count from it.
func (f *flameWriter) tree(b []byte, nodes []memprofdb.FlameNode, above int) []byte {
	places := map[*memprofdb.Function]int{}
	b = append(b, `"frames":[`...)
	for i := range nodes {
		function := nodes[i].Function
		if function == nil {
			continue
		}
		if _, ok := places[function]; ok {
			continue
		}
		if len(places) > 0 {
			b = append(b, ',')
		}
		places[function] = len(places)
		b = f.function(b, function)
	}
	b = append(b, `],"nodes":{"id":[`...)
	for i := range nodes {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), site.FID(nodes[i].ID)...), '"')
	}
	column := func(name string, value func(n *memprofdb.FlameNode, i int) string) {
		b = fmt.Appendf(b, `],"%s":[`, name)
		for i := range nodes {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, value(&nodes[i], i)...)
		}
	}
	column("parent", func(n *memprofdb.FlameNode, i int) string {
		if i <= above {
			return strconv.Itoa(i - 1)
		}
		return strconv.Itoa(n.Parent + above)
	})
	column("frame", func(n *memprofdb.FlameNode, _ int) string {
		if n.Function == nil {
			return "-1"
		}
		return strconv.Itoa(places[n.Function])
	})
	column("inline", func(n *memprofdb.FlameNode, _ int) string { return strconv.FormatBool(n.Inline) })
	for _, weight := range memprofdb.Weights {
		if weight.Known(f.o.Schema) {
			column(string(weight), func(n *memprofdb.FlameNode, _ int) string { return weight.Of(&n.Totals).String() })
		}
	}
	for _, sum := range []struct {
		name string
		of   func(t *analyze.MemProfTotals) string
	}{
		{"contexts", func(t *analyze.MemProfTotals) string { return strconv.FormatUint(t.Contexts, 10) }},
		{"objects_lifetime", func(t *analyze.MemProfTotals) string { return t.Lifetime.String() }},
		{"density", func(t *analyze.MemProfTotals) string { return t.Density.String() }},
	} {
		column(sum.name, func(n *memprofdb.FlameNode, _ int) string { return sum.of(&n.Totals) })
	}
	if f.compared {
		column("width", func(n *memprofdb.FlameNode, _ int) string { return n.Value.String() })
		column("base", func(n *memprofdb.FlameNode, _ int) string { return f.weight.Of(n.Base).String() })
		column("base_allocations", func(n *memprofdb.FlameNode, _ int) string { return n.Base.Allocations.String() })
		column("base_contexts", func(n *memprofdb.FlameNode, _ int) string { return strconv.FormatUint(n.Base.Contexts, 10) })
	}
	column("self", func(n *memprofdb.FlameNode, _ int) string { return n.Self.String() })
	column("hidden", func(n *memprofdb.FlameNode, _ int) string { return strconv.Itoa(n.CutFrames) })
	column("hidden_children", func(n *memprofdb.FlameNode, _ int) string { return strconv.Itoa(n.CutChildren) })
	return append(b, "]}"...)
}

// function appends a function; what is not known has no member.
func (f *flameWriter) function(b []byte, function *memprofdb.Function) []byte {
	name := tables.MemProfFunctionName(function, f.modules, f.demangle)
	b = tables.AppendString(append(b, `{"name":`...), name)
	b = fmt.Appendf(b, `,"function":"%s"`, site.FID(function.FID))
	for _, text := range []struct{ key, value string }{{"linkage", function.Name}, {"file", function.File}, {"module", flameModule(function, f.modules)}} {
		if text.value != "" {
			b = tables.AppendString(fmt.Appendf(b, `,"%s":`, text.key), text.value)
		}
	}
	return append(b, '}')
}

// flameModule is what a frame is coloured by: its module, or the outer namespace
// or the folder of its function.
func flameModule(f *memprofdb.Function, modules []memprofdb.Module) string {
	if f.Module >= 0 && f.Module < len(modules) {
		return tables.ModuleName(modules, f.Module)
	}
	if scopes := names.Scopes([]byte(f.Name)); len(scopes) > 0 {
		return scopes[0]
	}
	return folder(f.File)
}

// folder is the path of a file without its name.
func folder(file string) string {
	for i := len(file) - 1; i > 0; i-- {
		if file[i] == '/' {
			return file[:i]
		}
	}
	return ""
}

// flameStacks writes the stacks of the selected contexts.
func (s *room) flameStacks(w http.ResponseWriter, r *http.Request, q *memprofdb.FlameQuery, format string, mode names.Mode) error {
	ctx := r.Context()
	samples, err := stackWords(ctx, s.heap(r), q, mode)
	if err != nil {
		return err
	}
	write := func(to io.Writer) error { return stacks.Folded(to, samples, 0, stacks.Demangled) }
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	name := "-" + string(q.Weight) + ".folded"
	if format == "speedscope" {
		write = func(to io.Writer) error { return stacks.Speedscope(to, samples, stacks.Demangled) }
		w.Header().Set("Content-Type", "application/json")
		name = "-" + string(q.Weight) + ".speedscope.json"
	}
	site.Attach(w, site.FileName(s.Entry(r).Name, name))
	return writeStacks(ctx, w, write)
}

// writeStacks has stacks written; an error after their first bytes cuts the answer off.
func writeStacks(ctx context.Context, w io.Writer, write func(to io.Writer) error) error {
	out := &site.CountedWriter{Writer: site.ContextWriter{Context: ctx, Writer: w}}
	if err := write(out); err != nil && out.N > 0 {
		return site.CutOff(err)
	} else if err != nil {
		return err
	}
	return nil
}

// stackStep is how many contexts are read at a time.
const stackStep = 1000

// stackWords is the selected contexts as samples of call stacks with one weight, folded as
// the query says.
func stackWords(ctx context.Context, p *memprofdb.Profile, q *memprofdb.FlameQuery, mode names.Mode) (*stacks.Profile, error) {
	if _, err := p.Contexts(ctx, memprofdb.Query{Filter: q.Filter}); err != nil {
		return nil, err
	}
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	labels := map[*memprofdb.Function]string{}
	label := func(f *memprofdb.Function) string {
		text, ok := labels[f]
		if !ok {
			text = tables.MemProfFunctionName(f, modules, func(linkage string) string { return names.Demangle(linkage, mode) })
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
						sample.Stack = append(sample.Stack, stacks.Frame{Name: label(f.Function), Linkage: f.Name, File: f.File, Line: int64(f.Line), Inlined: f.Inline})
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
