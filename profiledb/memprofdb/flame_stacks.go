package memprofdb

import (
	"context"
	"fmt"
	"slices"

	"proflens/profiledb/stored"
)

// stackOrder is the stacks of contexts as lists of functions, sorted so that
// those that begin alike stand together. It is immutable.
type stackOrder struct {
	seed   uint64   // address of the root of the tree
	starts []uint32 // by context: where its functions begin; one more at the end
	list   []uint32 // functions, stack after stack
	inline []bool   // by place in list: inlined into the caller
	ids    []uint32 // contexts, sorted
	common []uint32 // by place in ids: functions in common with the one before
	layout Layout
	limit  int // how many functions a stack has at most; 0 where none had more
}

// Roots of trees; the sides of a sandwich have roots of their own, by its function.
const (
	calleesSeed = 0x63616c6c656573
	callersSeed = 0x63616c6c657273
)

// The stacks of all contexts together are kept with at most maxStackFunctions
// functions, each with at most maxStackDepth. Real ones stay far below.
const (
	maxStackFunctions = 1 << 25
	maxStackDepth     = 2048
)

func (s *stackOrder) of(i uint32) []uint32 { return s.list[s.starts[i]:s.starts[i+1]] }

// stackOrder makes the order of a layout, or of a side of the sandwich around a
// function, from the cache when it was made before. With a function, only
// contexts that have it are in the order, from its outermost call on.
func (p *Profile) stackOrder(ctx context.Context, x *index, layout Layout, around *Function, fold Fold) (*stackOrder, error) {
	what := "memprof stacks " + string(layout) + " " + fold.key() + x.pair
	s := &stackOrder{seed: calleesSeed, layout: layout}
	if layout == LayoutCallers {
		s.seed = callersSeed
	}
	if around != nil {
		what += fmt.Sprintf(" around %016x", around.FID)
		s.seed = mixAddress(s.seed, around.FID)
	}
	return stored.Cached(ctx, p.Profile, what, func() (*stackOrder, int64, error) {
		f, err := p.folder(ctx, x, fold)
		if err != nil {
			return nil, 0, err
		}
		if err := s.flatten(ctx, f, around); err != nil {
			return nil, 0, err
		}
		s.sort(x, around)
		return s, int64(len(s.starts)+len(s.list)+2*len(s.ids))*4 + int64(len(s.inline)), ctx.Err()
	})
}

// flatten writes the functions of all stacks, from the root on, or from the leaf
// on for callers.
func (s *stackOrder) flatten(ctx context.Context, f *folder, around *Function) error {
	x := f.x
	depth := x.keptDepth() // only the frames nearest the root
	if int(x.overview.Deepest) > depth {
		s.limit = depth
	}
	var middle uint32
	if around != nil {
		middle = x.byFID[around.FID]
	}
	s.starts = make([]uint32, 1, len(x.contexts.stack)+1)
	for i, stack := range x.contexts.stack {
		if i%stored.CheckEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := len(s.list)
		s.list, s.inline = f.append(s.list, s.inline, stack, depth)
		if around != nil && s.cut(from, middle) {
			s.ids = append(s.ids, uint32(i))
		}
		if s.layout == LayoutCallers {
			slices.Reverse(s.list[from:])
			slices.Reverse(s.inline[from:])
		}
		s.starts = append(s.starts, uint32(len(s.list)))
	}
	return nil
}

// cut leaves of a stack, whose functions stand root first from a place on, the
// side of a sandwich: what its outermost call of the middle leads to, or its
// callers. It is false, and leaves nothing, where there is no such call.
func (s *stackOrder) cut(from int, middle uint32) bool {
	at := slices.Index(s.list[from:], middle)
	to := from + max(at, 0)
	if s.layout == LayoutCallees && at >= 0 {
		n := copy(s.list[from:], s.list[to+1:])
		copy(s.inline[from:], s.inline[to+1:])
		to = from + n
	}
	s.list, s.inline = s.list[:to], s.inline[:to]
	return at >= 0
}

// keptDepth is how many functions of a stack are kept, so that all together
// stay within bounds.
func (x *index) keptDepth() int {
	depth := maxStackDepth
	for ; depth > 1; depth /= 2 {
		sum := uint64(0)
		for _, stack := range x.contexts.stack {
			if stack >= 0 {
				sum += uint64(min(x.depth[stack], uint32(depth)))
			}
		}
		if sum <= maxStackFunctions {
			break
		}
	}
	return depth
}

func (s *stackOrder) sort(x *index, around *Function) {
	if around == nil {
		s.ids = make([]uint32, len(x.contexts.stack))
		for i := range s.ids {
			s.ids[i] = uint32(i)
		}
	}
	slices.SortStableFunc(s.ids, func(a, b uint32) int { return slices.Compare(s.of(a), s.of(b)) })
	s.common = make([]uint32, len(s.ids))
	for n := 1; n < len(s.ids); n++ {
		a, b := s.of(s.ids[n-1]), s.of(s.ids[n])
		same := 0
		for same < len(a) && same < len(b) && a[same] == b[same] {
			same++
		}
		s.common[n] = uint32(same)
	}
}
