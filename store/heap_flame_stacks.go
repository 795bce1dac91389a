package store

import (
	"context"
	"fmt"
	"slices"
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
	layout FlameLayout
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
func (p *Profile) stackOrder(ctx context.Context, h *heapIndex, layout FlameLayout, around *HeapFunction) (*stackOrder, error) {
	what := fmt.Sprint("heap stacks ", layout)
	s := &stackOrder{seed: calleesSeed, layout: layout}
	if layout == LayoutCallers {
		s.seed = callersSeed
	}
	if around != nil {
		what += fmt.Sprintf(" around %016x", around.FID)
		s.seed = mixAddress(s.seed, around.FID)
	}
	v, err := p.cached(ctx, what, func() (any, int64, error) {
		if err := s.flatten(ctx, h, around); err != nil {
			return nil, 0, err
		}
		s.sort(h, around)
		return s, int64(len(s.starts)+len(s.list)+2*len(s.ids))*4 + int64(len(s.inline)), ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	return v.(*stackOrder), nil
}

// flatten writes the functions of all stacks, from the root on, or from the leaf
// on for callers.
func (s *stackOrder) flatten(ctx context.Context, h *heapIndex, around *HeapFunction) error {
	depth := h.stackDepth()
	if int(h.overview.Deepest) > depth {
		s.limit = depth
	}
	var middle uint32
	if around != nil {
		middle = h.byFID[around.FID]
	}
	s.starts = make([]uint32, 1, len(h.contexts.stack)+1)
	for i, stack := range h.contexts.stack {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := len(s.list)
		for at := stack; at >= 0; at = h.caller[at] {
			if int(h.depth[at]) > depth { // only the frames nearest the root
				continue
			}
			s.list = append(s.list, h.function[h.frame[at]])
			s.inline = append(s.inline, h.inline.has(h.frame[at]))
		}
		if around != nil && s.cut(from, middle) {
			s.ids = append(s.ids, uint32(i))
		}
		if s.layout == LayoutCallees {
			slices.Reverse(s.list[from:])
			slices.Reverse(s.inline[from:])
		}
		s.starts = append(s.starts, uint32(len(s.list)))
	}
	return nil
}

// cut leaves of a stack, whose functions stand leaf first from a place on, the
// side of a sandwich: what its outermost call of the middle leads to, or its
// callers. It is false, and leaves nothing, where there is no such call.
func (s *stackOrder) cut(from int, middle uint32) bool {
	outermost := len(s.list) - 1
	for outermost >= from && s.list[outermost] != middle {
		outermost--
	}
	to := max(outermost, from)
	if s.layout == LayoutCallers && outermost >= from {
		to = from + copy(s.list[from:], s.list[outermost+1:])
		copy(s.inline[from:], s.inline[outermost+1:])
	}
	s.list, s.inline = s.list[:to], s.inline[:to]
	return outermost >= from
}

// stackDepth is how many functions of a stack are kept, so that all together
// stay within bounds.
func (h *heapIndex) stackDepth() int {
	depth := maxStackDepth
	for ; depth > 1; depth /= 2 {
		sum := uint64(0)
		for _, stack := range h.contexts.stack {
			if stack >= 0 {
				sum += uint64(min(h.depth[stack], uint32(depth)))
			}
		}
		if sum <= maxStackFunctions {
			break
		}
	}
	return depth
}

func (s *stackOrder) sort(h *heapIndex, around *HeapFunction) {
	if around == nil {
		s.ids = make([]uint32, len(h.contexts.stack))
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
