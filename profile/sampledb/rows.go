package sampledb

import (
	"context"

	"proflens/decode/sampleprof"
	"proflens/profile/stored"
)

// contextRows adds the frames of calling contexts as rows.
func contextRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return eachEntry(p, func(e *Entry) error {
		for depth, f := range e.Context {
			r.Ints(e.ID, depth, int(f.Name)+1, int(f.Loc.Offset), int(f.Loc.Discriminator))
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

// inlinedRows adds functions and what is inlined into them as rows.
func inlinedRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return eachEntry(p, func(e *Entry) error {
		return eachNode(e.Function, func(n *node) error {
			r.Ints(e.ID, n.id, n.parent, int(n.at.Offset), int(n.at.Discriminator), int(n.f.Name)+1)
			r.Uints(n.f.Total, n.f.Head, n.f.Checksum)
			return add()
		})
	})
}

// lineRows adds counts as rows.
func lineRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return eachEntry(p, func(e *Entry) error {
		return eachNode(e.Function, func(n *node) error {
			for i := range n.f.Body {
				b := &n.f.Body[i]
				r.Ints(e.ID, n.id, int(b.Offset), int(b.Discriminator))
				r.Uint(b.Count)
				if err := add(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// targetRows adds calls that were not inlined as rows.
func targetRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return eachEntry(p, func(e *Entry) error {
		return eachNode(e.Function, func(n *node) error {
			for i := range n.f.Body {
				b := &n.f.Body[i]
				for _, t := range b.Targets {
					r.Ints(e.ID, n.id, int(b.Offset), int(b.Discriminator), int(t.Name)+1)
					r.Uint(t.Count)
					if err := add(); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}

// vtableRows adds the types whose vtables were seen as rows.
func vtableRows(p *stored.Profile, r *stored.Record, add func() error) error {
	return eachEntry(p, func(e *Entry) error {
		return eachNode(e.Function, func(n *node) error {
			for _, v := range n.f.VTables {
				r.Ints(e.ID, n.id, int(v.Offset), int(v.Discriminator), int(v.Type)+1)
				r.Uint(v.Count)
				if err := add(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func eachEntry(p *stored.Profile, visit func(e *Entry) error) error {
	s, err := Of(p)
	if err != nil {
		return err
	}
	return s.Each(context.Background(), visit)
}

// node is a function, or a callee that was inlined into it.
type node struct {
	id, parent int // in preorder; -1 above the function itself
	at         sampleprof.Loc
	f          *sampleprof.Function
}

// eachNode visits a function and all that is inlined into it, in preorder.
func eachNode(f *sampleprof.Function, visit func(n *node) error) error {
	next := 0
	var walk func(n node) error
	walk = func(n node) error {
		if err := visit(&n); err != nil {
			return err
		}
		for _, s := range n.f.Sites {
			next++
			if err := walk(node{next, n.id, s.Loc, s.Callee}); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(node{0, -1, sampleprof.Loc{}, f})
}
