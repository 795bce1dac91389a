package encode

import (
	"cmp"
	"encoding/binary"
	"slices"

	"proflens/decode/memprof"
)

// memprofFrame is a frame as an indexed file has it (memprof.md §3.6).
type memprofFrame struct {
	function           uint64
	lineOffset, column uint32
	inline             byte
}

// frameSize is the size in bytes of a frame.
const frameSize = 17

func frameOf(f *memprof.Frame) memprofFrame {
	frame := memprofFrame{function: f.Function, lineOffset: f.LineOffset, column: f.Column}
	if f.Inline {
		frame.inline = 1
	}
	return frame
}

func (f *memprofFrame) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, f.function)
	b = binary.LittleEndian.AppendUint32(b, f.lineOffset)
	return append(binary.LittleEndian.AppendUint32(b, f.column), f.inline)
}

// memprofStacks is the frames and call stacks of versions 3 and 4 (memprof.md §3.7):
// one array, in which stacks with the same callers share them.
type memprofStacks struct {
	frames []memprofFrame // as they are numbered in the file
	array  []uint32
	index  []uint32 // where stacks stand in the array, by node
	number []int32  // nodes by memprof.StackID; nil where each is one of its own

	nodes  []memprof.StackNode
	framed []int32 // numbers of frames by those of the profile
	rarest []int32 // by frame: how many are in fewer stacks, or in as many and have a smaller hash
}

// stacksOf lays out the call stacks that the records of a profile have. Frames that
// differ only in what the file does not have are one, and then so are stacks.
func stacksOf(p *memprof.Profile) *memprofStacks {
	s := &memprofStacks{nodes: p.Stacks}
	s.numberFrames(p.Frames)
	if len(s.frames) < len(p.Frames) {
		s.mergeNodes()
	}
	s.index = make([]uint32, len(s.nodes))
	for _, r := range p.Records {
		for _, c := range r.AllocSites {
			s.index[s.node(p.Contexts[c].Stack)] = used
		}
		for _, c := range r.CallSites {
			s.index[s.node(c.Stack)] = used
		}
	}
	s.sortFrames()
	s.layOut(s.deepestFirst())
	return s
}

// used is the index of a stack that a record has, until it has its place.
const used = 1

// node is what a stack is written as.
func (s *memprofStacks) node(id memprof.StackID) int32 {
	if s.number == nil {
		return int32(id)
	}
	return s.number[id]
}

// at is where a stack stands in the array.
func (s *memprofStacks) at(id memprof.StackID) uint32 { return s.index[s.node(id)] }

// numberFrames numbers the frames that differ.
func (s *memprofStacks) numberFrames(frames []memprof.Frame) {
	known := map[memprofFrame]int32{}
	s.framed = make([]int32, len(frames))
	for i := range frames {
		key := frameOf(&frames[i])
		n, ok := known[key]
		if !ok {
			n = int32(len(s.frames))
			known[key] = n
			s.frames = append(s.frames, key)
		}
		s.framed[i] = n
	}
}

// mergeNodes makes one of the stacks that do not differ.
func (s *memprofStacks) mergeNodes() {
	type call struct{ frame, caller int32 }
	known := map[call]int32{}
	stacks := s.nodes
	s.nodes, s.number = nil, make([]int32, len(stacks))
	for i, n := range stacks {
		if n.Caller != memprof.NoStack {
			n.Caller = memprof.StackID(s.number[n.Caller])
		}
		key := call{s.framed[n.Frame], int32(n.Caller)}
		number, ok := known[key]
		if !ok {
			number = int32(len(s.nodes))
			known[key] = number
			s.nodes = append(s.nodes, n)
		}
		s.number[i] = number
	}
}

// frameUse is how stacks have a frame.
type frameUse struct {
	stacks, places uint64 // how many, and the sum of its places in them, from the leaf
	hash           uint64 // of what the file has of it: LLVM's FrameId
}

// sortFrames numbers the frames as LLVM does: those of most stacks first, of these what stands nearest to the leaf.
func (s *memprofStacks) sortFrames() {
	use := make([]frameUse, len(s.frames))
	for i, f := range s.frames {
		use[i].hash = keyOf(f.append(nil))
	}
	stacks, depths := make([]uint64, len(s.nodes)), make([]uint64, len(s.nodes)) // that go through each node
	for i, n := range slices.Backward(s.nodes) {
		if s.index[i] == used {
			stacks[i]++
			depths[i] += uint64(n.Depth)
		}
		if n.Caller != memprof.NoStack {
			stacks[n.Caller] += stacks[i]
			depths[n.Caller] += depths[i]
		}
		to := &use[s.framed[n.Frame]]
		to.stacks += stacks[i]
		to.places += depths[i] - stacks[i]*uint64(n.Depth)
	}
	order := make([]int32, len(s.frames))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(use[b].stacks, use[a].stacks), cmp.Compare(use[a].places, use[b].places),
			cmp.Compare(use[a].hash, use[b].hash))
	})
	frames, number := make([]memprofFrame, len(order)), make([]int32, len(order))
	for to, from := range order {
		frames[to], number[from] = s.frames[from], int32(to)
	}
	s.frames = frames
	for i, n := range s.framed {
		s.framed[i] = number[n]
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(use[a].stacks, use[b].stacks), cmp.Compare(use[a].hash, use[b].hash))
	})
	s.rarest = make([]int32, len(order))
	for rank, n := range order {
		s.rarest[number[n]] = int32(rank)
	}
}

// layOut makes the array and the index. It is written from its end: from the root side
// of each stack to its length, the stacks in such an order that each follows the one it
// shares most with.
func (s *memprofStacks) layOut(order []int32) {
	deepest := uint32(0)
	for _, n := range order {
		deepest = max(deepest, s.nodes[n].Depth)
	}
	array := make([]uint32, len(s.nodes)+2*len(order)) // every node once, every stack's jump and length
	at := len(array)
	place := make([]int, deepest+1) // in array, of the frames of the last stack, by depth
	last := int32(-1)
	path := make([]int32, 0, deepest)
	for _, n := range order {
		shared := s.common(last, n)
		if shared >= 0 {
			at--
			array[at] = uint32(int32(at - place[s.nodes[shared].Depth]))
		}
		path = path[:0]
		for m := n; m != shared; m = int32(s.nodes[m].Caller) {
			path = append(path, m)
		}
		for _, m := range slices.Backward(path) {
			at--
			array[at] = uint32(s.framed[s.nodes[m].Frame])
			place[s.nodes[m].Depth] = at
		}
		at--
		array[at] = s.nodes[n].Depth
		s.index[n] = uint32(at)
		last = n
	}
	s.array = array[at:]
	for _, n := range order {
		s.index[n] -= uint32(at)
	}
}

// deepestFirst is the nodes that are used, callees before their callers and those of one caller
// together, of the most frequent frame first.
func (s *memprofStacks) deepestFirst() []int32 {
	callee := make([]int32, len(s.nodes)) // the most frequent one of each
	sibling := make([]int32, len(s.nodes))
	nodes := make([]int32, len(s.nodes))
	for i := range nodes {
		callee[i], nodes[i] = -1, int32(i)
	}
	slices.SortFunc(nodes, func(a, b int32) int {
		return cmp.Compare(s.rarest[s.framed[s.nodes[a].Frame]], s.rarest[s.framed[s.nodes[b].Frame]])
	})
	roots := int32(-1)
	for _, i := range nodes {
		head := &roots
		if caller := s.nodes[i].Caller; caller != memprof.NoStack {
			head = &callee[caller]
		}
		sibling[i], *head = *head, i
	}
	var order, left []int32
	for n := roots; n >= 0; n = sibling[n] {
		left = append(left, n)
	}
	for len(left) > 0 {
		n := left[len(left)-1]
		left = left[:len(left)-1]
		if s.index[n] == used {
			order = append(order, n)
		}
		for c := callee[n]; c >= 0; c = sibling[c] {
			left = append(left, c)
		}
	}
	slices.Reverse(order)
	return order
}

// common is the deepest node that two stacks share, -1 when they share none.
func (s *memprofStacks) common(a, b int32) int32 {
	if a < 0 {
		return -1
	}
	for a >= 0 && s.nodes[a].Depth > s.nodes[b].Depth {
		a = int32(s.nodes[a].Caller)
	}
	for b >= 0 && a >= 0 && s.nodes[b].Depth > s.nodes[a].Depth {
		b = int32(s.nodes[b].Caller)
	}
	for a != b {
		a, b = int32(s.nodes[a].Caller), int32(s.nodes[b].Caller)
	}
	return a
}
