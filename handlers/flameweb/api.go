package flameweb

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/encode/stacks"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profile/calltree"
	"proflens/profile/table"
)

// Answer is how a family writes its call trees in the API.
type Answer[F, T any] struct {
	Weight, Unit string
	Known        bool // the profile has the weight
	Of           func(*T) analyze.Sum
	Total        *T // of the profile
	Frame        func(*F) Frame
	Columns      []Column[T] // figures of nodes, Weight among them
	Base         []Column[T] // of two profiles: further figures of the base
}

// Frame is a function in the API; what is empty has no member.
type Frame struct {
	Name                  string
	FID                   uint64
	Linkage, File, Module string // Module is what it is coloured by; see [Module]
}

// Column is a figure of nodes, a number in JSON.
type Column[T any] struct {
	Name string
	Of   func(*T) string
}

// Module is what a frame is coloured by that names no module: the outer namespace or
// the folder of its function.
func Module(linkage, file string) string {
	if scopes := names.Scopes([]byte(linkage)); len(scopes) > 0 {
		return scopes[0]
	}
	for i := len(file) - 1; i > 0; i-- {
		if file[i] == '/' {
			return file[:i]
		}
	}
	return ""
}

// Write writes a tree, or the two of a sandwich, as columns.
func Write[F, T any](w http.ResponseWriter, g *calltree.Graph[F, T], a *Answer[F, T]) {
	b := fmt.Appendf(nil, `{"weight":"%s","unit":"%s","known":%t,"layout":"%s","total":`, a.Weight, a.Unit, a.Known,
		g.Layout)
	b = fmt.Appendf(b, `%v,"matching":%v,"all_frames":%d`, a.Of(a.Total), a.Of(&g.Matching), g.Frames)
	if g.DepthLimit > 0 {
		b = fmt.Appendf(b, `,"depth_limit":%d`, g.DepthLimit)
	}
	if g.Around == nil {
		b = a.tree(append(b, ','), g.Above, g.Nodes, g.Compared)
	} else {
		var callers, callees []calltree.Node[F, T] // above the first one
		if len(g.Callers) > 0 && g.Callers[0].Depth > 0 {
			callers = g.Above
		} else {
			callees = g.Above
		}
		b = a.tree(append(b, `,"callers":{`...), callers, g.Callers, g.Compared)
		b = a.tree(append(b, `},"callees":{`...), callees, g.Nodes, g.Compared)
		b = append(b, '}')
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(b, '}', '\n'))
}

// tree appends the functions of nodes and the nodes, in preorder. Those above are a
// chain to the first one.
func (a *Answer[F, T]) tree(b []byte, over, below []calltree.Node[F, T], compared bool) []byte {
	nodes, above := slices.Concat(over, below), len(over)
	places := map[*F]int{}
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
		b = a.Frame(function).append(b)
	}
	b = append(b, `],"nodes":{"id":[`...)
	for i := range nodes {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), site.FID(nodes[i].ID)...), '"')
	}
	column := func(name string, value func(n *calltree.Node[F, T], i int) string) {
		b = fmt.Appendf(b, `],"%s":[`, name)
		for i := range nodes {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, value(&nodes[i], i)...)
		}
	}
	column("parent", func(n *calltree.Node[F, T], i int) string {
		if i <= above {
			return strconv.Itoa(i - 1)
		}
		return strconv.Itoa(n.Parent + above)
	})
	column("frame", func(n *calltree.Node[F, T], _ int) string {
		if n.Function == nil {
			return "-1"
		}
		return strconv.Itoa(places[n.Function])
	})
	column("inline", func(n *calltree.Node[F, T], _ int) string { return strconv.FormatBool(n.Inline) })
	for _, c := range a.Columns {
		column(c.Name, func(n *calltree.Node[F, T], _ int) string { return c.Of(&n.Totals) })
	}
	if compared {
		column("width", func(n *calltree.Node[F, T], _ int) string { return n.Value.String() })
		column("base", func(n *calltree.Node[F, T], _ int) string { return a.Of(n.Base).String() })
		for _, c := range a.Base {
			column(c.Name, func(n *calltree.Node[F, T], _ int) string { return c.Of(n.Base) })
		}
	}
	column("self", func(n *calltree.Node[F, T], _ int) string { return n.Self.String() })
	column("hidden", func(n *calltree.Node[F, T], _ int) string { return strconv.Itoa(n.CutFrames) })
	column("hidden_children", func(n *calltree.Node[F, T], _ int) string { return strconv.Itoa(n.CutChildren) })
	return append(b, "]}"...)
}

func (f Frame) append(b []byte) []byte {
	b = table.AppendString(append(b, `{"name":`...), f.Name)
	b = fmt.Appendf(b, `,"function":"%s"`, site.FID(f.FID))
	for _, text := range []struct{ key, value string }{{"linkage", f.Linkage}, {"file", f.File}, {"module", f.Module}} {
		if text.value != "" {
			b = table.AppendString(fmt.Appendf(b, `,"%s":`, text.key), text.value)
		}
	}
	return append(b, '}')
}

// WriteStacks writes whole stacks with one value, in the format folded or speedscope,
// to be kept as a file of the profile.
func WriteStacks(ctx context.Context, w http.ResponseWriter, format string, of *stacks.Profile, profile string) error {
	write := func(to io.Writer) error { return stacks.Folded(to, of, 0, stacks.Demangled) }
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	suffix := ".folded"
	if format == "speedscope" {
		write = func(to io.Writer) error { return stacks.Speedscope(to, of, stacks.Demangled) }
		w.Header().Set("Content-Type", "application/json")
		suffix = ".speedscope.json"
	}
	site.Attach(w, site.FileName(profile, "-"+of.Types[0].Name+suffix))
	return stream(ctx, w, write)
}

// WriteDifference writes the stacks of two profiles with what each has.
func WriteDifference(ctx context.Context, w http.ResponseWriter, a, b *stacks.Profile) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	return stream(ctx, w, func(to io.Writer) error { return stacks.FoldedDifference(to, a, b, 0, stacks.Demangled) })
}

// stream has stacks written; an error after their first bytes cuts the answer off.
func stream(ctx context.Context, w io.Writer, write func(to io.Writer) error) error {
	out := &site.CountedWriter{Writer: site.ContextWriter{Context: ctx, Writer: w}}
	if err := write(out); err != nil && out.N > 0 {
		return site.CutOff(err)
	} else if err != nil {
		return err
	}
	return nil
}
