package sampledb

import (
	"context"
	"iter"

	"proflens/decode/sampleprof"
	"proflens/profile/stored"
)

// contextRows adds the frames of calling contexts as rows.
func contextRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	s, err := Of(p)
	if err != nil {
		return err
	}
	return s.Each(ctx, func(e *Entry) error {
		for depth, f := range e.Context {
			r.Ints(e.ID, depth, int(f.Name)+1, int(f.Loc.Offset), int(f.Loc.Discriminator))
			add()
		}
		return nil
	})
}

// inlinedRows adds functions and what is inlined into them as rows.
func inlinedRows(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
	s, err := Of(p)
	if err != nil {
		return err
	}
	return s.eachNode(ctx, func(entry int, n *node) {
		r.Ints(entry, n.id, n.parent, int(n.at.Offset), int(n.at.Discriminator), int(n.f.Name)+1)
		r.Uints(n.f.Total, n.f.Head, n.f.Checksum)
		add()
	})
}

// The rows of counts, of calls that were not inlined, and of the types whose vtables were seen.
var (
	lineRows = placeRows(func(f *sampleprof.Function, add addPlace) {
		for i := range f.Body {
			add(f.Body[i].Loc, f.Body[i].Count)
		}
	})
	targetRows = placeRows(func(f *sampleprof.Function, add addPlace) {
		for i := range f.Body {
			for _, t := range f.Body[i].Targets {
				add(f.Body[i].Loc, t.Count, int(t.Name)+1)
			}
		}
	})
	vtableRows = placeRows(func(f *sampleprof.Function, add addPlace) {
		for _, v := range f.VTables {
			add(v.Loc, v.Count, int(v.Type)+1)
		}
	})
)

// addPlace adds a place of a function with what stands there, and how often.
type addPlace func(at sampleprof.Loc, count uint64, what ...int)

// placeRows are rows of the places of functions, and of all that is inlined into these.
func placeRows(each func(f *sampleprof.Function, add addPlace)) func(context.Context, *stored.Profile, *stored.Record,
	func()) error {
	return func(ctx context.Context, p *stored.Profile, r *stored.Record, add func()) error {
		s, err := Of(p)
		if err != nil {
			return err
		}
		return s.eachNode(ctx, func(entry int, n *node) {
			each(n.f, func(at sampleprof.Loc, count uint64, what ...int) {
				r.Ints(entry, n.id, int(at.Offset), int(at.Discriminator))
				r.Ints(what...)
				r.Uint(count)
				add()
			})
		})
	}
}

// node is a function, or a callee that was inlined into it.
type node struct {
	id, parent int // in preorder; -1 above the function itself
	at         sampleprof.Loc
	f          *sampleprof.Function
}

// eachNode visits the functions of all entries and all that is inlined into them, in preorder.
func (p *Profile) eachNode(ctx context.Context, visit func(entry int, n *node)) error {
	return p.Each(ctx, func(e *Entry) error {
		for n := range nodes(e.Function) {
			visit(e.ID, n)
		}
		return nil
	})
}

// nodes are a function and all that is inlined into it, in preorder.
func nodes(f *sampleprof.Function) iter.Seq[*node] {
	return func(yield func(n *node) bool) {
		next := 0
		var walk func(n node) bool
		walk = func(n node) bool {
			if !yield(&n) {
				return false
			}
			for _, s := range n.f.Sites {
				if next++; !walk(node{next, n.id, s.Loc, s.Callee}) {
					return false
				}
			}
			return true
		}
		walk(node{0, -1, sampleprof.Loc{}, f})
	}
}
