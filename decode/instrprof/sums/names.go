package sums

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"
)

// interner numbers names from 0 in the order in which they come. A name is
// known by its bytes; one that is empty, because its file has only its hash,
// by that.
type interner struct {
	seed  maphash.Seed
	slots []int32 // open addressing: number + 1, or 0; a power of two of them
	text  slab[byte]
	names [][]byte
	refs  []uint64 // NameRef as the input had it
	lost  lostNames
}

// intern returns the number of a name, new or not.
func (t *interner) intern(ref uint64, name []byte) int32 {
	if 4*(len(t.names)+t.lost.left+1) > 3*len(t.slots) {
		t.rehash()
	}
	at := t.find(ref, name)
	if t.slots[at] != 0 {
		return t.slots[at] - 1
	}
	if i, ok := t.lost.found(ref, name); ok {
		t.names[i] = t.text.copy(name)
		t.slots[at] = i + 1
		return i
	}
	t.names = append(t.names, t.text.copy(name))
	t.refs = append(t.refs, ref)
	t.slots[at] = int32(len(t.names))
	t.lost.note(ref, name, t.slots[at]-1)
	return t.slots[at] - 1
}

// find returns the slot that holds a name, or the empty one for it.
func (t *interner) find(ref uint64, name []byte) uint64 {
	mask := uint64(len(t.slots) - 1)
	at := t.hash(ref, name) & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		i := t.slots[at] - 1
		if bytes.Equal(t.names[i], name) && (len(name) > 0 || t.refs[i] == ref) {
			break
		}
	}
	return at
}

func (t *interner) hash(ref uint64, name []byte) uint64 {
	if len(name) == 0 {
		return ref
	}
	return maphash.Bytes(t.seed, name)
}

func (t *interner) rehash() { t.resize(max(64, 2*len(t.slots))) }

// reserve makes room for n names.
func (t *interner) reserve(n int) {
	t.names, t.refs = slices.Grow(t.names, n), slices.Grow(t.refs, n)
	if want := 64 << bits.Len(uint(n/48)); want > len(t.slots) {
		t.resize(want)
	}
}

func (t *interner) resize(slots int) {
	if len(t.slots) == 0 {
		t.seed = maphash.MakeSeed()
	}
	t.slots, t.lost.left = make([]int32, slots), 0
	for i, name := range t.names {
		t.slots[t.find(t.refs[i], name)] = int32(i) + 1
	}
}

// slab hands out copies cut from few large allocations.
type slab[T any] struct {
	free  []T
	chunk int // elements of the last allocation
}

// slabMax bounds a slab's allocations, in elements.
const slabMax = 1 << 16

func (s *slab[T]) copy(src []T) []T {
	if len(src) == 0 {
		return nil
	}
	if len(src) > len(s.free) {
		s.chunk = min(max(64, 2*s.chunk), slabMax)
		if len(src) > s.chunk/4 {
			return append([]T(nil), src...)
		}
		s.free = make([]T, s.chunk)
	}
	n := copy(s.free, src)
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}
