package calltree

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"proflens/profile/budget"
	"proflens/profile/stored"
)

// order is stacks as lists of functions, sorted so that those that begin alike stand
// together. It is immutable.
type order struct {
	root   uint64   // address of the root of the tree
	starts []uint32 // by stack: where its functions begin; one more at the end
	list   []uint32 // functions, stack after stack
	inline []bool   // by place in list: inlined into the caller
	ids    []uint32 // stacks, sorted
	common []uint32 // by place in ids: functions in common with the one before
	layout Layout
	limit  int      // how many functions a stack has at most; 0 where none had more
	more   []uint32 // by stack: functions beyond the limit; nil where none had more
}

// Root is the address of the root in Callees.
const Root = 0x63616c6c656573

// callersRoot is that in Callers. The sides of a sandwich have roots of their own, by
// its function.
const callersRoot = 0x63616c6c657273

// Stacks are kept with at most maxFunctions functions together, each with at most
// maxDepth. Real ones stay far below. They are cut once they are laid out, with
// recursion and whatever a sandwich leaves out gone: what the layout begins with stays.
const (
	maxFunctions = 1 << 25
	maxDepth     = 2048
)

func (o *order) of(i uint32) []uint32 { return o.list[o.starts[i]:o.starts[i+1]] }

// beyond is how many functions of a stack are beyond the limit.
func (o *order) beyond(i uint32) int {
	if o.more == nil {
		return 0
	}
	return int(o.more[i])
}

// order makes the order of a layout, or of a side of the sandwich around a function,
// from the cache when it was made before. With a function, only stacks that have it
// are in the order, from its outermost call on.
func (s *Stacks[F, T]) order(ctx context.Context, layout Layout, around *F) (*order, error) {
	what := fmt.Sprintf("stacks %s %t %s", layout, s.Recursion, s.Key)
	o := &order{root: Root, layout: layout}
	if layout == Callers {
		o.root = callersRoot
	}
	if around != nil {
		what += fmt.Sprintf(" around %016x", s.FID(around))
		o.root = Address(o.root, s.FID(around))
	}
	return stored.Cached(ctx, s.Profile, what, func() (*order, int64, error) {
		if err := s.flatten(ctx, o, around); err != nil {
			return nil, 0, err
		}
		o.sort(around == nil)
		return o, int64(len(o.starts)+len(o.list)+2*len(o.ids)+len(o.more))*4 + int64(len(o.inline)), ctx.Err()
	})
}

// flatten writes the functions of all stacks, from the root on, or from the leaf on
// for callers.
func (s *Stacks[F, T]) flatten(ctx context.Context, o *order, around *F) error {
	add, err := s.Open(ctx)
	if err != nil {
		return err
	}
	var recursion *Collapser
	if s.Recursion {
		recursion = NewCollapser(len(s.Functions))
	}
	depth := KeptDepth(s.Len, maxDepth, s.Depth)
	var middle uint32
	if around != nil {
		middle, _ = s.Find(s.FID(around))
	}
	functions := 0
	for i := range uint32(s.Len) {
		functions += min(s.Depth(i), depth)
	}
	if err := budget.Take(ctx, int64(functions)*5+int64(s.Len)*12); err != nil {
		return err
	}
	o.list, o.inline = make([]uint32, 0, functions), make([]bool, 0, functions)
	o.starts = make([]uint32, 1, s.Len+1)
	for i := range uint32(s.Len) {
		if i%stored.CheckEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := len(o.list)
		o.list, o.inline = add(o.list, o.inline, i)
		o.list, o.inline = recursion.Collapse(o.list, o.inline, from)
		if around != nil && o.cut(from, middle) {
			o.ids = append(o.ids, i)
		}
		if o.layout == Callers {
			slices.Reverse(o.list[from:])
			slices.Reverse(o.inline[from:])
		}
		if to := from + depth; to < len(o.list) {
			if o.more == nil {
				o.limit, o.more = depth, make([]uint32, s.Len)
			}
			o.more[i] = uint32(len(o.list) - to)
			o.list, o.inline = o.list[:to], o.inline[:to]
		}
		o.starts = append(o.starts, uint32(len(o.list)))
	}
	return nil
}

// cut leaves of a stack, whose functions stand root first from a place on, the
// side of a sandwich: what its outermost call of the middle leads to, or its
// callers. It is false, and leaves nothing, where there is no such call.
func (o *order) cut(from int, middle uint32) bool {
	at := slices.Index(o.list[from:], middle)
	to := from + max(at, 0)
	if o.layout == Callees && at >= 0 {
		n := copy(o.list[from:], o.list[to+1:])
		copy(o.inline[from:], o.inline[to+1:])
		to = from + n
	}
	o.list, o.inline = o.list[:to], o.inline[:to]
	return at >= 0
}

// KeptDepth is how many functions of a stack are kept, at most so many, so that n of
// them together stay within bounds.
func KeptDepth(n, most int, depth func(i uint32) int) (kept int) {
	for kept = most; kept > 1; kept /= 2 {
		sum := 0
		for i := range uint32(n) {
			sum += min(depth(i), kept)
		}
		if sum <= maxFunctions {
			break
		}
	}
	return kept
}

func (o *order) sort(all bool) {
	if all {
		o.ids = make([]uint32, len(o.starts)-1)
		for i := range o.ids {
			o.ids[i] = uint32(i)
		}
	}
	slices.SortStableFunc(o.ids, func(a, b uint32) int { // those that are cut stand behind those that end there
		return cmp.Or(slices.Compare(o.of(a), o.of(b)), cmp.Compare(min(o.beyond(a), 1), min(o.beyond(b), 1)))
	})
	o.common = make([]uint32, len(o.ids))
	for n := 1; n < len(o.ids); n++ {
		a, b := o.of(o.ids[n-1]), o.of(o.ids[n])
		same := 0
		for same < len(a) && same < len(b) && a[same] == b[same] {
			same++
		}
		o.common[n] = uint32(same)
	}
}
