package sums

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"

	"proflens/decode/instrprof"
)

// interner numbers names from 0 in the order in which they come. A name is
// known by its bytes; one that is empty, because its file has only its hash,
// by that.
type interner struct {
	seed  maphash.Seed
	slots []slot // open addressing; a power of two of them
	text  slab[byte]
	names [][]byte
	refs  []uint64 // NameRef as the input had it
	lost  lostNames
	next  int32 // behind the name asked for last: runs of a program mostly ask in one order
	stay  bool  // names need no copy: whoever has them keeps them
}

// slot is the number of a name, plus 1, or 0 for none, and the low half of its hash: names
// lie scattered, so that one is looked at only where that agrees.
type slot struct {
	number int32
	hash   uint32
}

// intern returns the number of a name, new or not.
func (t *interner) intern(ref uint64, name []byte) (number int32) {
	if int(t.next) < len(t.names) && len(name) > 0 && bytes.Equal(t.names[t.next], name) {
		t.next++
		return t.next - 1
	}
	defer func() { t.next = number + 1 }()
	if 4*(len(t.names)+t.lost.left+1) > 3*len(t.slots) {
		t.rehash()
	}
	s, hash := t.find(ref, name)
	if s.number != 0 {
		return s.number - 1
	}
	if i, ok := t.lost.found(ref, name); ok {
		t.names[i] = t.text.copy(name)
		*s = slot{i + 1, hash}
		return i
	}
	number = int32(len(t.names))
	if !t.stay {
		name = t.text.copy(name)
	}
	t.names = append(t.names, name)
	t.refs = append(t.refs, ref)
	*s = slot{number + 1, hash}
	t.lost.note(ref, name, number)
	return number
}

// refOf is the NameRef of a name, which is known of the one that most likely comes next.
func (t *interner) refOf(name []byte) uint64 {
	if int(t.next) < len(t.names) && bytes.Equal(t.names[t.next], name) {
		return t.refs[t.next]
	}
	return instrprof.NameRef(name)
}

// lookup returns the number of a name that was interned, or -1.
func (t *interner) lookup(ref uint64, name []byte) int32 {
	if len(t.slots) == 0 {
		return -1
	}
	s, _ := t.find(ref, name)
	return s.number - 1
}

// find returns the slot that holds a name, or the empty one for it, and the name's hash.
func (t *interner) find(ref uint64, name []byte) (s *slot, hash uint32) {
	mask := uint32(len(t.slots) - 1)
	hash = t.hash(ref, name)
	for at := hash & mask; ; at = (at + 1) & mask {
		if s = &t.slots[at]; s.number == 0 {
			return s, hash
		}
		if i := s.number - 1; s.hash == hash && bytes.Equal(t.names[i], name) && (len(name) > 0 || t.refs[i] == ref) {
			return s, hash
		}
	}
}

func (t *interner) hash(ref uint64, name []byte) uint32 {
	if len(name) == 0 {
		return uint32(ref)
	}
	return uint32(maphash.Bytes(t.seed, name))
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
	old, mask := t.slots, uint32(slots-1)
	t.slots = make([]slot, slots)
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := s.hash & mask
		for t.slots[at].number != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = s
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
