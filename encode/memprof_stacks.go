package encode

import (
	"cmp"
	"slices"

	"proflens/decode/memprof"
)

// memprofFrame is a frame as an indexed file has it (memprof.md §3.6).
type memprofFrame struct {
	function           uint64
	lineOffset, column uint32
	inline             byte
}

// memprofNode is a frame called from a stack, as memprof.StackNode.
type memprofNode struct {
	frame  int32
	caller int32
}

// stackWriter writes call stacks as the array of versions 3 and 4 (memprof.md
// §3.7), in which those with the same callers share them.
type stackWriter struct {
	frames []memprofFrame // as they are numbered in the file
	nodes  []memprofNode
	depth  []int32
	number []int32 // by memprof.StackID, in nodes
	used   []bool  // by node: a record has it
}

// newStackWriter numbers frames, the most frequent first, and stacks. Frames
// that differ only in what the file does not have are one.
func newStackWriter(p *memprof.Profile) *stackWriter {
	w := &stackWriter{number: make([]int32, len(p.Stacks))}
	byFrame := map[memprofFrame]int32{}
	frames := make([]int32, len(p.Frames))
	for i := range p.Frames {
		f := &p.Frames[i]
		key := memprofFrame{function: f.Function, lineOffset: f.LineOffset, column: f.Column}
		if f.Inline {
			key.inline = 1
		}
		n, ok := byFrame[key]
		if !ok {
			n = int32(len(w.frames))
			byFrame[key] = n
			w.frames = append(w.frames, key)
		}
		frames[i] = n
	}
	distinct := len(w.frames) == len(p.Frames) // and so are the stacks
	byNode := map[memprofNode]int32{}
	w.nodes, w.depth = make([]memprofNode, 0, len(p.Stacks)), make([]int32, 0, len(p.Stacks))
	for i, s := range p.Stacks {
		key := memprofNode{frame: frames[s.Frame], caller: -1}
		depth := int32(1)
		if s.Caller != memprof.NoStack {
			key.caller = w.number[s.Caller]
			depth += w.depth[key.caller]
		}
		n, ok := int32(len(w.nodes)), false
		if !distinct {
			n, ok = byNode[key]
		}
		if !ok {
			if n = int32(len(w.nodes)); !distinct {
				byNode[key] = n
			}
			w.nodes = append(w.nodes, key)
			w.depth = append(w.depth, depth)
		}
		w.number[i] = n
	}
	w.used = make([]bool, len(w.nodes))
	for _, r := range p.Records {
		for _, c := range r.AllocSites {
			w.used[w.number[p.Contexts[c].Stack]] = true
		}
		for _, c := range r.CallSites {
			w.used[w.number[c.Stack]] = true
		}
	}
	w.sortFrames()
	return w
}

// sortFrames numbers the frames by how often the tree of stacks has them.
func (w *stackWriter) sortFrames() {
	count := make([]int, len(w.frames))
	for _, n := range w.nodes {
		count[n.frame]++
	}
	order := make([]int32, len(w.frames))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(w.frames[a].function, w.frames[b].function), cmp.Compare(a, b))
	})
	frames, number := make([]memprofFrame, len(order)), make([]int32, len(order))
	for to, from := range order {
		frames[to], number[from] = w.frames[from], int32(to)
	}
	w.frames = frames
	for i := range w.nodes {
		w.nodes[i].frame = number[w.nodes[i].frame]
	}
}

// array is the array and, by node, where the stacks that are used stand in it.
// It is written backwards: from the root side of each stack to its length, the
// stacks in such an order that each follows the one it shares most with.
func (w *stackWriter) array() (array []int32, index []uint32) {
	index = make([]uint32, len(w.nodes))
	place := make([]int, len(w.nodes)) // in array, of each node of the last stack
	last := int32(-1)
	var path []int32
	for _, n := range w.deepestFirst() {
		shared := w.common(last, n)
		if shared >= 0 {
			array = append(array, int32(place[shared]-len(array)))
		}
		path = path[:0]
		for m := n; m != shared; m = w.nodes[m].caller {
			path = append(path, m)
		}
		for _, m := range slices.Backward(path) {
			place[m] = len(array)
			array = append(array, w.nodes[m].frame)
		}
		index[n] = uint32(len(array))
		array = append(array, w.depth[n])
		last = n
	}
	slices.Reverse(array)
	for i := range index {
		if w.used[i] {
			index[i] = uint32(len(array)) - 1 - index[i]
		}
	}
	return array, index
}

// deepestFirst is the nodes that are used, callees before their callers and
// those of one caller together.
func (w *stackWriter) deepestFirst() []int32 {
	children := make([]int32, len(w.nodes)) // the last one of each
	sibling := make([]int32, len(w.nodes))
	roots := int32(-1)
	for i := range children {
		children[i] = -1
	}
	for i, n := range w.nodes {
		head := &roots
		if n.caller >= 0 {
			head = &children[n.caller]
		}
		sibling[i], *head = *head, int32(i)
	}
	var order, stack []int32
	for n := roots; n >= 0; n = sibling[n] {
		stack = append(stack, n)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if w.used[n] {
			order = append(order, n)
		}
		for c := children[n]; c >= 0; c = sibling[c] {
			stack = append(stack, c)
		}
	}
	slices.Reverse(order)
	return order
}

// common is the deepest node that two stacks share, -1 when they share none.
func (w *stackWriter) common(a, b int32) int32 {
	if a < 0 {
		return -1
	}
	for a >= 0 && w.depth[a] > w.depth[b] {
		a = w.nodes[a].caller
	}
	for b >= 0 && a >= 0 && w.depth[b] > w.depth[a] {
		b = w.nodes[b].caller
	}
	for a != b {
		a, b = w.nodes[a].caller, w.nodes[b].caller
	}
	return a
}
