package sampleprof

import (
	"cmp"
	"slices"

	"proflens/decode/sampleprof"
)

// Layout is how functions stand in a profile.
type Layout string

// The layouts.
const (
	Keep Layout = "keep" // as they are
	Flat Layout = "flat" // each function by itself, with calls in place of what was inlined
	Nest Layout = "nest" // contexts inlined into their callers
	// NestAndBase is Nest, and what is inlined is also in the function that stands by itself.
	NestAndBase Layout = "nest-and-base"
)

// Layouts are those of exports, the default first.
var Layouts = []Layout{Keep, Flat, Nest}

// Convert is a profile in another layout, as llvm-profdata merge --sample
// --convert-sample-profile-layout makes it, and --generate-merged-base-profiles for NestAndBase. What it returns
// shares records with the profile, which must not be used after it.
func Convert(p *sampleprof.Profile, to Layout) *sampleprof.Profile {
	switch {
	case to == Flat && p.Has(sampleprof.FullContexts):
		return p.WithoutContexts()
	case to == Flat:
		return flatten(p)
	case (to == Nest || to == NestAndBase) && p.Has(sampleprof.FullContexts):
		return nest(p, to == NestAndBase)
	}
	return p
}

// like is a profile without functions that has what another says of itself.
func like(p *sampleprof.Profile) *sampleprof.Profile {
	q := *p
	q.Functions, q.Summary, q.Sections, q.Found = nil, nil, nil, nil
	return &q
}

// flatten makes a function of every inlined callee (sampleprof.md §10.3).
func flatten(p *sampleprof.Profile) *sampleprof.Profile {
	out := &flat{Profile: like(p), byName: map[uint64]*sampleprof.Function{}}
	for _, f := range p.Added() {
		out.add(f)
	}
	out.Settle()
	for _, f := range out.Functions {
		f.Head = out.Entry(f)
	}
	return out.Profile
}

type flat struct {
	*sampleprof.Profile
	byName map[uint64]*sampleprof.Function
}

// add adds a function, and those that it inlined. Checksum, attributes and types are
// those of the copy that is met first.
func (out *flat) add(f *sampleprof.Function) {
	guid := out.Names[f.Name].GUID()
	to := out.byName[guid]
	if to == nil {
		to = &sampleprof.Function{
			Name: f.Name, Context: -1, Checksum: f.Checksum, Attributes: f.Attributes, VTables: f.VTables,
		}
		out.byName[guid] = to
		out.Functions = append(out.Functions, to)
	}
	to.Body = append(to.Body, f.Body...)
	total := f.Total
	for _, s := range f.Sites {
		entry := out.Entry(s.Callee)
		to.Body = append(to.Body, sampleprof.Record{
			Loc: s.Loc, Count: entry, Targets: []sampleprof.Target{{Name: s.Callee.Name, Count: entry}},
		})
		total = sampleprof.Add(total-min(total, s.Callee.Total), entry)
		out.add(s.Callee)
	}
	to.Total = sampleprof.Add(to.Total, total)
}

// nest inlines functions with contexts into their callers (sampleprof.md §10.2).
func nest(p *sampleprof.Profile, bases bool) *sampleprof.Profile {
	root := &node{}
	for _, f := range p.Functions {
		at, loc := root, sampleprof.Loc{}
		for _, frame := range p.Frames(f) {
			at = at.child(frame.Name, loc)
			loc = frame.Loc
		}
		at.f = f
	}
	out := &nested{like(p), p.Table(), map[uint64]*sampleprof.Function{}, bases}
	out.Flags &^= sampleprof.FullContexts
	out.convert(root)
	out.Contexts = nil
	out.SettleIn(out.table)
	return out.Profile
}

// node is a step of the trie of contexts.
type node struct {
	f        *sampleprof.Function // nil where no samples were seen
	name     sampleprof.NameID
	at       sampleprof.Loc // of the call
	children map[step]*node
	order    []*node
}

type step struct {
	name sampleprof.NameID
	at   sampleprof.Loc
}

func (n *node) child(name sampleprof.NameID, at sampleprof.Loc) *node {
	if n.children == nil {
		n.children = map[step]*node{}
	}
	key := step{name, at}
	child := n.children[key]
	if child == nil {
		child = &node{name: name, at: at}
		n.children[key] = child
		n.order = append(n.order, child)
	}
	return child
}

type nested struct {
	*sampleprof.Profile
	table  *sampleprof.Table
	byName map[uint64]*sampleprof.Function
	bases  bool // of what is inlined too
}

// convert inlines the children of a node, after theirs, in the order in which the tools do, whose attributes of a base
// are those of the copy that is met first.
func (out *nested) convert(n *node) {
	slices.SortFunc(n.order, func(a, b *node) int {
		return cmp.Compare(out.table.FrameHash(a.name, a.at), out.table.FrameHash(b.name, b.at))
	})
	for _, child := range n.order {
		out.convert(child)
		f := child.f
		if f == nil {
			continue
		}
		base := *f
		if base.Context = -1; n.f == nil {
			out.base(&base)
		} else if out.bases {
			out.base(clone(&base))
			f.Attributes |= sampleprof.MergedIntoBase
		}
		out.table.Remove(f)
		if n.f == nil {
			continue
		}
		f.Context = -1
		n.f.Sites = append(slices.Clip(n.f.Sites), sampleprof.Site{Loc: child.at, Callee: f})
		n.f.Total = sampleprof.Add(n.f.Total, f.Total)
		n.f.Total -= min(n.f.Total, out.uncall(n.f, child.at, f.Name))
	}
}

// clone is a copy that shares nothing.
func clone(f *sampleprof.Function) *sampleprof.Function {
	c := *f
	c.Body, c.VTables, c.Sites = slices.Clone(f.Body), slices.Clone(f.VTables), slices.Clone(f.Sites)
	for i := range c.Body {
		c.Body[i].Targets = slices.Clone(c.Body[i].Targets)
	}
	for i := range c.Sites {
		c.Sites[i].Callee = clone(c.Sites[i].Callee)
	}
	return &c
}

// base adds a function to the one of its name that stands by itself.
func (out *nested) base(f *sampleprof.Function) {
	guid := out.Names[f.Name].GUID()
	to := out.byName[guid]
	if to == nil {
		out.byName[guid] = f
		out.table.Add(f)
		return
	}
	_, _ = sampleprof.Accumulate(to, f)
}

// uncall takes a call out of the records of a place, and returns its count.
func (out *nested) uncall(f *sampleprof.Function, at sampleprof.Loc, name sampleprof.NameID) uint64 {
	i, ok := slices.BinarySearchFunc(f.Body, at, func(r sampleprof.Record, at sampleprof.Loc) int { return r.Compare(at) })
	if !ok {
		return 0
	}
	r := &f.Body[i]
	n := slices.IndexFunc(r.Targets, func(t sampleprof.Target) bool { return t.Name == name })
	count := uint64(0)
	if n >= 0 {
		count = min(r.Count, r.Targets[n].Count)
		r.Targets = slices.Delete(slices.Clone(r.Targets), n, n+1)
	}
	r.Count -= count
	if r.Count == 0 {
		f.Body = slices.Delete(f.Body, i, i+1)
	}
	return count
}
