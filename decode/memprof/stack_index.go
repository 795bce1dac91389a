package memprof

import (
	"math/bits"
	"math/rand/v2"
)

// stackIndex finds the stack of a frame that is called from a stack: a hash
// table of four bytes a slot over the stacks themselves, since a profile may
// have millions, and most of reading it is looking them up.
type stackIndex struct {
	slots []int32 // stack + 1; 0 is empty. A power of two, at most three quarters full
	seed  [2]uint64
}

const minStackSlots = 64

func newStackIndex() stackIndex {
	return stackIndex{slots: make([]int32, minStackSlots), seed: [2]uint64{rand.Uint64(), rand.Uint64() | 1}}
}

// find is the stack of a frame and its caller among all, or the slot to put it
// in.
func (x *stackIndex) find(stacks []StackNode, frame uint32, caller StackID) (id StackID, slot uint64, ok bool) {
	mask := uint64(len(x.slots) - 1)
	for slot = x.hash(frame, caller) & mask; ; slot = (slot + 1) & mask {
		n := x.slots[slot]
		if n == 0 {
			return 0, slot, false
		}
		if s := &stacks[n-1]; s.Frame == frame && s.Caller == caller {
			return StackID(n - 1), slot, true
		}
	}
}

// add puts a stack, the last of all, into the slot that find gave for it.
func (x *stackIndex) add(stacks []StackNode, slot uint64) {
	x.slots[slot] = int32(len(stacks))
	if len(stacks)*4 < len(x.slots)*3 {
		return
	}
	x.slots = make([]int32, 2*len(x.slots))
	mask := uint64(len(x.slots) - 1)
	for i := range stacks {
		s := x.hash(stacks[i].Frame, stacks[i].Caller) & mask
		for x.slots[s] != 0 {
			s = (s + 1) & mask
		}
		x.slots[s] = int32(i + 1)
	}
}

// hash mixes what a file says with what it cannot know.
func (x *stackIndex) hash(frame uint32, caller StackID) uint64 {
	high, low := bits.Mul64((uint64(frame)<<32|uint64(uint32(caller)))^x.seed[0], x.seed[1])
	high, low = bits.Mul64(high^low^x.seed[0], 0x9e3779b97f4a7c15)
	return high ^ low
}
