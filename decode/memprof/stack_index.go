package memprof

import (
	"math/bits"
	"math/rand/v2"
)

// stackIndex finds the stack of a frame that is called from a stack. A profile may
// have millions, and most of reading it is looking them up. Most have one callee,
// which mostly was new when they were, and so stands right behind them: only the
// others are in a hash table, of four bytes a slot over the stacks themselves.
type stackIndex struct {
	slots []int32 // stack + 1; 0 is empty. A power of two, at most three quarters full
	used  int     // of slots
	seed  [2]uint64
}

const minStackSlots = 64

func newStackIndex() stackIndex {
	return stackIndex{slots: make([]int32, minStackSlots), seed: [2]uint64{rand.Uint64(), rand.Uint64() | 1}}
}

// find is the stack of a frame and its caller among all.
func (x *stackIndex) find(stacks []StackNode, frame uint32, caller StackID) (id StackID, ok bool) {
	next := caller + 1
	if int(next) >= len(stacks) {
		return 0, false // the caller is the last of all
	}
	if s := &stacks[next]; s.Caller == caller && s.Frame == frame {
		return next, true
	}
	mask := uint64(len(x.slots) - 1)
	for slot := x.hash(frame, caller) & mask; x.slots[slot] != 0; slot = (slot + 1) & mask {
		id = StackID(x.slots[slot] - 1)
		if s := &stacks[id]; s.Frame == frame && s.Caller == caller {
			return id, true
		}
	}
	return 0, false
}

// add puts the last of all stacks, which is new, into the table, unless it stands
// right behind its caller.
func (x *stackIndex) add(stacks []StackNode) {
	if behindCaller(stacks, len(stacks)-1) {
		return
	}
	x.put(stacks, len(stacks)-1)
	if x.used++; x.used*4 < len(x.slots)*3 {
		return
	}
	x.slots = make([]int32, 2*len(x.slots))
	for i := range stacks {
		if !behindCaller(stacks, i) {
			x.put(stacks, i)
		}
	}
}

func behindCaller(stacks []StackNode, i int) bool { return int(stacks[i].Caller) == i-1 }

// put puts a stack into the first slot that is free for it.
func (x *stackIndex) put(stacks []StackNode, i int) {
	mask := uint64(len(x.slots) - 1)
	slot := x.hash(stacks[i].Frame, stacks[i].Caller) & mask
	for x.slots[slot] != 0 {
		slot = (slot + 1) & mask
	}
	x.slots[slot] = int32(i + 1)
}

// hash mixes what a file says with what it cannot know.
func (x *stackIndex) hash(frame uint32, caller StackID) uint64 {
	high, low := bits.Mul64((uint64(frame)<<32|uint64(uint32(caller)))^x.seed[0], x.seed[1])
	high, low = bits.Mul64(high^low^x.seed[0], 0x9e3779b97f4a7c15)
	return high ^ low
}
